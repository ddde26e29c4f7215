#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// Reads the head and the trailers of a response, line by line, as libcurl delivers them.
struct HeadReader {
    private var status: Int?
    private var fields: [HTTPHeaders.Field] = []
    /// The number of bytes of all lines so far.
    private var size = 0
    /// Whether a line has arrived.
    var hasBegun: Bool { size > 0 }
    /// Whether ``noteUnparsed(_:)`` has got a part of a line that ``take(_:_:)`` has not got yet.
    private var isWithinLine = false
    /// Whether the head is complete. The fields of later lines are trailers.
    private(set) var isComplete = false
    /// Whether a request with `Expect: 100-continue` need not hold its body back any longer: the server has sent a 100
    /// response, or its final one.
    private(set) var endsWaitForContinue = false
    /// How the body is framed, according to the lines so far.
    private(set) var framing = Framing()
    /// The values of the `Set-Cookie` headers, up to a limit, as bytes; empty if no one wants them.
    private(set) var cookies: [ArraySlice<UInt8>] = []
    private let keepsCookies: Bool
    /// Whether the last line belongs to the last element of `cookies`, so that a folded line continues it.
    private var lastLineIsCookie = false

    /// The number of cookies that are kept, more than a large site sets. Further cookies are ignored, so that a
    /// response cannot keep the loop's thread busy.
    private static let cookieLimit = 100

    init(keepsCookies: Bool) {
        self.keepsCookies = keepsCookies
    }

    /// The length and the coding of the body, for heads that state them in the usual way.
    struct Framing {
        /// The value of the only Content-Length, nil if there is none.
        fileprivate(set) var length: Int?
        fileprivate(set) var isChunked = false
        /// Whether the other properties are not enough, and the headers have to be examined: there is a coding other
        /// than chunked, or a repeated, folded or malformed header.
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

    /// The most bytes that all heads of a response, informational ones included, and its trailers may have together.
    /// Not every libcurl has such a limit.
    private static let sizeLimit = 512 << 10

    /// The error for a folded line that has no field before it.
    static let foldedFirstLine = TransportError(.badResponse, "the headers begin with a folded line")

    /// The status and the headers of a final response.
    struct Head {
        let status: Int
        let headers: HTTPHeaders
    }

    /// Notes bytes of a line that libcurl has not parsed yet. ``take(_:_:)`` gets the complete line afterwards.
    ///
    /// - Returns: Whether libcurl may parse them. It must not parse a folded line that has no field before it; see
    ///   ``CurlHandle/writesHeads``.
    mutating func noteUnparsed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let beginsLine = !isWithinLine
        isWithinLine = true
        let isFolded = beginsLine && bytes.first?.isBlank == true
        return !isFolded || !fields.isEmpty
    }

    /// Reads a line of a head or of the trailers.
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
        if let status {
            if !line.isEmpty {
                try takeField(line, recent)
            } else if !isComplete {
                return endHead(status)
            }
        } else {
            try takeStatusLine(line)
        }
        return nil
    }

    private mutating func takeStatusLine(_ line: UnsafeRawBufferPointer) throws(TransportError) {
        try line.checkCharacters()
        status = try Self.status(line)
        fields.reserveCapacity(16)
    }

    /// Ends a head at its empty line.
    ///
    /// - Returns: The head if it is final. After an informational one, another head follows.
    private mutating func endHead(_ status: Int) -> Head? {
        let isInformational = status < 200
        if isInformational {
            if status == 100 { endsWaitForContinue = true }
            self.status = nil
            fields = []
            cookies = []
            lastLineIsCookie = false
            framing = Framing()
            return nil
        }
        endsWaitForContinue = true
        isComplete = true
        let head = Head(status: status, headers: HTTPHeaders(fields))
        // From here on, `fields` collects the trailers.
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

    /// Appends a folded line to the field before it (RFC 9112, section 5.2), and to the bytes of a cookie if that field
    /// sets one.
    private mutating func takeFoldedLine(_ line: UnsafeRawBufferPointer) throws(TransportError) {
        guard let last = fields.indices.last else { throw Self.foldedFirstLine }
        try line.checkCharacters()
        fields[last].value += " \(line.headerText)"
        if isComplete { return }
        // The line may continue a header that describes the body, whose value was read without it.
        framing.isUnusual = true
        if lastLineIsCookie { cookies[cookies.count - 1] += Array(line) }
    }

    /// Keeps the value of a `Set-Cookie` line, if cookies are wanted and there are not too many.
    private mutating func takeCookie(_ line: UnsafeRawBufferPointer, _ role: RecentHeaders.Role) {
        lastLineIsCookie = false
        guard keepsCookies, case .cookie = role, cookies.count < Self.cookieLimit else { return }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        cookies.append(Array(line[(colon + 1)...])[...])
        lastLineIsCookie = true
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

    /// Checks a line, without its line end, for a bare CR and for NUL (RFC 9112, section 2.2, and RFC 9110, section
    /// 5.5).
    ///
    /// - Throws: `TransportError` with the code `badResponse` if the line contains either.
    func checkCharacters() throws(TransportError) {
        guard let baseAddress else { return }
        let hasCR = acurl_contains(baseAddress, 0x0D, count)
        let hasNUL = acurl_contains(baseAddress, 0, count)
        if hasCR || hasNUL {
            throw TransportError(.badResponse, "the head of the response contains a bare CR or a NUL")
        }
    }

    /// The number if the bytes are 1 to 18 digits, otherwise nil. Any number of 18 digits fits into an `Int64`.
    var wholeNumber: Int? {
        guard (1...18).contains(count) else { return nil }
        var number: Int64 = 0
        for byte in self {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + Int64(byte - 0x30)
        }
        // On some platforms, an `Int` has only 32 bits.
        return Int(exactly: number)
    }

    /// The text without surrounding blanks, read as UTF-8 or, if the bytes are not valid UTF-8, as Latin-1 (RFC 9110,
    /// section 5.5).
    var headerText: String {
        let bytes = withoutBlanks
        let isASCII = bytes.allSatisfy { $0 < 0x80 }
        // ASCII is valid UTF-8, and validating it would take ten times as long.
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
