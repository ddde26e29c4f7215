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
    /// Whether the head is complete; what comes then is trailers.
    private(set) var isComplete = false
    /// Whether the server has asked for the request's body by a 100, or needs it no more.
    private(set) var mayContinue = false
    /// What the lines so far say of the body.
    private(set) var framing = Framing()
    /// The values of the first `Set-Cookie` headers, as bytes, if they are wanted.
    private(set) var cookies: [ArraySlice<UInt8>] = []
    private let keepsCookies: Bool
    /// Whether the last line was one of those.
    private var isWithinCookie = false

    /// As many as a page of a large site may set; the others are ignored, so that no response takes long.
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

    /// Takes bytes of a line that the next call of ``take(_:_:)`` has as a whole.
    ///
    /// - Returns: Whether libcurl may look at the line: not at a folded one without a header that it belongs to.
    mutating func mayTake(_ bytes: UnsafeRawBufferPointer) -> Bool {
        defer { isWithinLine = true }
        return isWithinLine || !fields.isEmpty || bytes.first?.isBlank != true
    }

    /// Takes a line.
    ///
    /// - Parameters:
    ///   - line: The line, with its end.
    ///   - recent: Lines that earlier responses had.
    /// - Returns: The status and the headers after the empty line of a final response, otherwise nil.
    /// - Throws: `TransportError` with the code `badResponse` if the head is malformed or too long.
    mutating func take(
        _ line: UnsafeRawBufferPointer, _ recent: RecentHeaders
    ) throws(TransportError) -> (status: Int, headers: HTTPHeaders)? {
        size += line.count
        isWithinLine = false
        guard size <= Self.sizeLimit else {
            throw TransportError(.badResponse, "the headers and trailers have more than \(Self.sizeLimit) bytes")
        }
        let line = line.withoutLineEnd
        if isComplete {
            if !line.isEmpty { try take(field: line, recent) }
            return nil
        }
        guard let status else {
            try line.checkCharacters()
            self.status = try Self.status(line)
            fields.reserveCapacity(16)
            return nil
        }
        if !line.isEmpty {
            try take(field: line, recent)
            return nil
        }
        isComplete = status >= 200
        mayContinue = mayContinue || isComplete || status == 100
        if isComplete {
            defer { fields = [] }
            return (status, HTTPHeaders(fields))
        }
        self.status = nil
        fields = []
        cookies = []
        framing = Framing()
        return nil
    }

    private mutating func take(field line: UnsafeRawBufferPointer, _ recent: RecentHeaders) throws(TransportError) {
        if line[0].isBlank {
            // A folded line (RFC 9112, section 5.2).
            guard let last = fields.indices.last else { throw Self.foldedStart }
            try line.checkCharacters()
            fields[last].value += " \(line.headerText)"
            if isWithinCookie, let last = cookies.indices.last { cookies[last] += Array(line) }
            if !isComplete { framing.isUnusual = true }
        } else {
            let role = try recent.add(line, to: &fields)
            guard !isComplete else { return }
            framing.add(role)
            keepCookie(of: line, role)
        }
    }

    private mutating func keepCookie(of line: UnsafeRawBufferPointer, _ role: RecentHeaders.Role) {
        isWithinCookie = false
        guard keepsCookies, case .cookie = role, cookies.count < Self.cookieLimit else { return }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        cookies.append(Array(line[(colon + 1)...])[...])
        isWithinCookie = true
    }

    private static let protocolName: StaticString = "HTTP/"

    /// The status of a status line (RFC 9112, section 4). 101 is for connections that become something else, which no
    /// request here asks for.
    private static func status(_ line: UnsafeRawBufferPointer) throws(TransportError) -> Int {
        let rest = line.drop { $0 != 0x20 }.dropFirst()
        let digits = UnsafeRawBufferPointer(rebasing: rest.prefix { $0 != 0x20 })
        let status = digits.count == 3 ? digits.wholeNumber ?? 0 : 0
        guard let start = line.baseAddress, line.count > 5, acurl_are_equal(start, protocolName.utf8Start, 5),
            status >= 100, status != 101
        else {
            throw TransportError(.badResponse, "invalid status line")
        }
        return status
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
        guard let baseAddress, acurl_contains(baseAddress, 0x0D, count) || acurl_contains(baseAddress, 0, count) else {
            return
        }
        throw TransportError(.badResponse, "the head of the response contains a bare CR or a NUL")
    }

    /// The number that the bytes spell with at most 18 digits, and nothing else.
    var wholeNumber: Int? {
        guard (1...18).contains(count), allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(exactly: reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) })
    }

    /// The text between blanks: in UTF-8 or, if it is not, in Latin-1 (RFC 9110, section 5.5).
    var headerText: String {
        var (start, end) = (0, count)
        while start < end, self[start].isBlank { start += 1 }
        while start < end, self[end - 1].isBlank { end -= 1 }
        let trimmed = UnsafeRawBufferPointer(rebasing: self[start..<end])
        // Validating takes ten times as long.
        if trimmed.allSatisfy({ $0 < 0x80 }) { return String(decoding: trimmed, as: UTF8.self) }
        return String(validating: trimmed, as: UTF8.self)
            ?? String(String.UnicodeScalarView(trimmed.map { Unicode.Scalar($0) }))
    }
}
#endif
