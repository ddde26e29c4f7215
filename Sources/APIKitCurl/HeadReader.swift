#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// Collects the lines of a response's head, as libcurl gives them.
struct HeadReader {
    private var status: Int?
    private var fields: [HTTPHeaders.Field] = []
    private var size = 0
    /// Whether a line has arrived.
    var hasBegun: Bool { size > 0 }
    private var isWithinLine = false
    /// Whether the head is complete; later fields are trailers.
    private(set) var isComplete = false
    /// Whether the server has asked for the request's body by a 100, or needs it no more.
    private(set) var mayContinue = false
    /// How the body is framed, according to the lines so far.
    private(set) var framing = Framing()
    /// The values of the first `Set-Cookie` headers, as bytes, if they are wanted.
    private(set) var cookies: [ArraySlice<UInt8>] = []
    private let keepsCookies: Bool
    /// Whether the last line was one of those.
    private var isWithinCookie = false

    /// More than a large site sets. Further ones are ignored, so that no response keeps the loop busy.
    private static let cookieLimit = 100

    init(keepsCookies: Bool) {
        self.keepsCookies = keepsCookies
    }

    /// How long the body is and how it is coded, as far as that is plain.
    struct Framing {
        /// The one Content-Length, nil if there is none.
        fileprivate(set) var length: Int?
        fileprivate(set) var isChunked = false
        /// Whether only the headers themselves say it: a coding other than chunked, or a repeated or malformed header.
        fileprivate(set) var isUnusual = false

        fileprivate mutating func add(_ role: RecentHeaders.Role) {
            switch role {
            case .other, .cookie: break
            case .chunked where length == nil: isChunked = true
            case .length(let length) where self.length == nil && !isChunked: self.length = length
            case .chunked, .length, .unusual: isUnusual = true
            }
        }
    }

    /// The fields after the body, as far as they have arrived.
    var trailers: HTTPHeaders { isComplete ? HTTPHeaders(fields) : [:] }
    var hasTrailers: Bool { isComplete && !fields.isEmpty }

    /// Heads that are longer are refused, informational ones and trailers included: not every libcurl has a limit.
    private static let sizeLimit = 512 << 10

    static let foldedStart = TransportError(.badResponse, "the headers begin with a folded line")

    /// The status and the headers of a final response.
    struct Head {
        let status: Int
        let headers: HTTPHeaders
    }

    /// Checks the first bytes of a line before libcurl parses it; ``take(_:_:)`` gets the whole line afterwards.
    ///
    /// - Returns: Whether libcurl may look at the line: not at a folded one without a header that it belongs to.
    mutating func mayTake(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let isStart = !isWithinLine
        isWithinLine = true
        let isFolded = isStart && bytes.first?.isBlank == true
        return !isFolded || !fields.isEmpty
    }

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - line: The line, with its end.
    ///   - recent: Lines that earlier responses had.
    /// - Returns: The head after the empty line of a final response, otherwise nil.
    /// - Throws: `TransportError` with the code `badResponse` if the head is malformed or too long.
    mutating func take(_ line: UnsafeRawBufferPointer, _ recent: RecentHeaders) throws(TransportError) -> Head? {
        isWithinLine = false
        size += line.count
        guard size <= Self.sizeLimit else {
            throw TransportError(.badResponse, "the headers and trailers have more than \(Self.sizeLimit) bytes")
        }
        let line = line.withoutLineEnd
        if isComplete {
            if !line.isEmpty { try takeField(line, recent) }
            return nil
        }
        guard let status else {
            try line.checkCharacters()
            status = try Self.status(line)
            fields.reserveCapacity(16)
            return nil
        }
        if line.isEmpty { return endHead(status) }
        try takeField(line, recent)
        return nil
    }

    /// Ends the head at its empty line.
    ///
    /// - Returns: The head, nil for an informational one, after which another one comes.
    private mutating func endHead(_ status: Int) -> Head? {
        let isInformational = status < 200
        if isInformational {
            if status == 100 { mayContinue = true }
            self.status = nil
            fields = []
            cookies = []
            isWithinCookie = false
            framing = Framing()
            return nil
        }
        mayContinue = true
        isComplete = true
        let head = Head(status: status, headers: HTTPHeaders(fields))
        // The trailers' turn.
        fields = []
        return head
    }

    private mutating func takeField(_ line: UnsafeRawBufferPointer, _ recent: RecentHeaders) throws(TransportError) {
        if line[0].isBlank {
            try takeFoldedLine(line)
            return
        }
        let role = try recent.add(line, to: &fields)
        if isComplete { return }
        framing.add(role)
        takeCookie(line, role)
    }

    /// Appends a folded line to the field before it (RFC 9112, section 5.2).
    private mutating func takeFoldedLine(_ line: UnsafeRawBufferPointer) throws(TransportError) {
        guard let last = fields.indices.last else { throw Self.foldedStart }
        try line.checkCharacters()
        fields[last].value += " \(line.headerText)"
        if isComplete { return }
        framing.isUnusual = true
        if isWithinCookie { cookies[cookies.count - 1] += Array(line) }
    }

    private mutating func takeCookie(_ line: UnsafeRawBufferPointer, _ role: RecentHeaders.Role) {
        isWithinCookie = false
        guard keepsCookies, case .cookie = role, cookies.count < Self.cookieLimit else { return }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        cookies.append(Array(line[(colon + 1)...])[...])
        isWithinCookie = true
    }

    private static let protocolName: StaticString = "HTTP/"

    /// The status of a status line (RFC 9112, section 4). 101 is invalid, since no request
    /// asks to switch protocols.
    private static func status(_ line: UnsafeRawBufferPointer) throws(TransportError) -> Int {
        let space = UInt8(ascii: " ")
        let afterProtocol = line.drop { $0 != space }.dropFirst()
        let digits = UnsafeRawBufferPointer(rebasing: afterProtocol.prefix { $0 != space })
        guard isOfHTTP(line), digits.count == 3, let status = digits.wholeNumber, status >= 100, status != 101 else {
            throw TransportError(.badResponse, "invalid status line")
        }
        return status
    }

    private static func isOfHTTP(_ line: UnsafeRawBufferPointer) -> Bool {
        let length = protocolName.utf8CodeUnitCount
        guard let start = line.baseAddress, line.count > length else { return false }
        return acurl_are_equal(start, protocolName.utf8Start, length)
    }
}

extension UInt8 {
    var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension UnsafeRawBufferPointer {
    /// The line without its CR LF, or LF.
    fileprivate var withoutLineEnd: UnsafeRawBufferPointer {
        var end = count
        if end > 0, self[end - 1] == 0x0A { end -= 1 }
        if end > 0, self[end - 1] == 0x0D { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[..<end])
    }

    /// Checks a line without its end (RFC 9112, section 2.2, and RFC 9110, section 5.5).
    ///
    /// - Throws: `TransportError` with the code `badResponse` if it contains what no line may contain.
    func checkCharacters() throws(TransportError) {
        guard let baseAddress else { return }
        let hasCR = acurl_contains(baseAddress, 0x0D, count)
        let hasNUL = acurl_contains(baseAddress, 0, count)
        if hasCR || hasNUL {
            throw TransportError(.badResponse, "the head of the response contains a bare CR or a NUL")
        }
    }

    /// The number that the bytes spell with at most 18 digits, and nothing else.
    var wholeNumber: Int? {
        guard (1...18).contains(count) else { return nil }
        var number: Int64 = 0
        for byte in self {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + Int64(byte - 0x30)
        }
        // An Int may have 32 bits.
        return Int(exactly: number)
    }

    /// The text between blanks: in UTF-8 or, if it is not, in Latin-1 (RFC 9110, section 5.5).
    var headerText: String {
        let bytes = withoutBlanks
        let isASCII = bytes.allSatisfy { $0 < 0x80 }
        // Validating takes ten times as long.
        if isASCII { return String(decoding: bytes, as: UTF8.self) }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let latin1 = bytes.map { Unicode.Scalar($0) }
        return String(String.UnicodeScalarView(latin1))
    }

    private var withoutBlanks: UnsafeRawBufferPointer {
        var start = 0
        var end = count
        while start < end, self[start].isBlank { start += 1 }
        while start < end, self[end - 1].isBlank { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }
}
#endif
