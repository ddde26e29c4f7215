#if os(Linux)
import APIKitCore
import APIKitSupport

/// Reads the head and the trailers of a response, line by line, as libcurl delivers them.
struct HeadReader {
    /// The part of the response that the next line belongs to.
    private enum Part {
        /// A head, whose first line is the status line.
        case statusLine
        /// The fields of a head with this status, up to an empty line.
        case fields(status: Int)
        /// The trailers: the fields after the final head, which may follow the body.
        case trailers
    }

    private var part = Part.statusLine
    /// The fields of the head that is being read; once it is complete, the trailers.
    private var fields: [HTTPHeaders.Field] = []
    /// The number of bytes of all lines so far.
    private var size = 0
    /// Whether a line has arrived.
    var hasBegun: Bool { size > 0 }
    /// Whether ``noteUnparsed(_:)`` has got a part of a line that ``read(line:)`` has not got yet.
    private var isWithinLine = false
    /// Whether the final head is complete. The fields of later lines are trailers.
    var isComplete: Bool {
        if case .trailers = part { true } else { false }
    }
    /// Whether a request with `Expect: 100-continue` need not hold its body back any longer: the server has sent a 100
    /// response, or its final one.
    private(set) var endsWaitForContinue = false
    /// How the body is framed, according to the lines so far.
    private(set) var framing = Framing()
    private var cookieLines: CookieLines
    /// The values of the `Set-Cookie` headers, up to a limit, as bytes; empty if no one wants them.
    var cookies: [[UInt8]] { cookieLines.values }

    /// The most bytes that all heads of a response, informational ones included, and its trailers may have together.
    /// Not every libcurl has such a limit.
    private static let sizeLimit = 512 << 10

    /// The error for a folded line that has no field before it.
    static let foldedFirstLine = TransportError(.badResponse, "the headers begin with a folded line")

    private static let invalidStatusLine = TransportError(.badResponse, "invalid status line")

    init(keepsCookies: Bool) {
        cookieLines = CookieLines(areKept: keepsCookies)
    }

    /// The status and the headers of a final response.
    struct Head {
        let status: Int
        let headers: HTTPHeaders
    }

    /// The fields after the body, as far as they have arrived.
    var trailers: HTTPHeaders { isComplete ? HTTPHeaders(fields) : [:] }
    var hasTrailers: Bool { isComplete && !fields.isEmpty }

    // MARK: - Lines

    /// Notes bytes of a line that libcurl has not parsed yet. ``read(line:)`` gets the complete line afterwards.
    ///
    /// - Returns: Whether libcurl may parse them. It must not parse a folded line that has no field before it; see
    ///   ``CurlVersion/hasDanglingHeader``.
    mutating func noteUnparsed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let beginsLine = !isWithinLine
        isWithinLine = true
        let isFolded = beginsLine && !bytes.isEmpty && bytes[0].isBlank
        if isFolded {
            let hasFieldBefore = !fields.isEmpty
            return hasFieldBefore
        }
        return true
    }

    /// Reads a line of a head or of the trailers.
    ///
    /// - Parameter line: The line, with its end.
    /// - Returns: The head after the empty line of a final response, otherwise nil.
    /// - Throws: `TransportError` with the code `badResponse` if the head is malformed or too long.
    mutating func read(line: UnsafeRawBufferPointer) throws(TransportError) -> Head? {
        isWithinLine = false
        try addToSize(line.count)
        guard let content = HeadLine(line) else { return nil }
        switch part {
        case .statusLine:
            try readStatusLine(content)
        case .fields(let status):
            if content.isEmpty { return endHead(status) }
            try readField(content)
        case .trailers:
            // The empty line after the trailers means nothing here: libcurl reports the end of the response.
            if !content.isEmpty { try readField(content) }
        }
        return nil
    }

    /// Counts the bytes of a line, and throws an error if all lines together are too long.
    private mutating func addToSize(_ byteCount: Int) throws(TransportError) {
        size += byteCount
        guard size <= Self.sizeLimit else {
            throw TransportError(.badResponse, "the headers and trailers have more than \(Self.sizeLimit) bytes")
        }
    }

    private mutating func readStatusLine(_ line: HeadLine) throws(TransportError) {
        try line.checkCharacters()
        part = .fields(status: try Self.status(line))
        fields.reserveCapacity(16)
    }

    /// Returns the status of a status line: 200 for `HTTP/1.1 200 OK` (RFC 9112, section 4).
    private static func status(_ line: HeadLine) throws(TransportError) -> Int {
        let space = UInt8(ascii: " ")
        guard line.hasPrefix("HTTP/"), let versionEnd = line.position(of: space) else { throw invalidStatusLine }
        let afterVersion = line.part(from: versionEnd + 1, to: line.count)
        let digits = afterVersion.part(from: 0, to: afterVersion.position(of: space) ?? afterVersion.count)
        guard digits.count == 3, let number = digits.text.wholeNumber, number >= 100 else { throw invalidStatusLine }
        // No request asks to switch protocols, so no response may do so.
        let switchesProtocols = number == 101
        if switchesProtocols { throw invalidStatusLine }
        return number
    }

    /// Ends a head at its empty line. The fields that follow belong to the next head, or are trailers.
    ///
    /// - Returns: The head if it is final. After an informational one, another head follows.
    private mutating func endHead(_ status: Int) -> Head? {
        let isFinal = status >= 200
        // A 100 response asks for the body. After a final one, there is nothing to wait for: the server does not want
        // the body, or does not wait for it.
        if status == 100 || isFinal { endsWaitForContinue = true }
        guard isFinal else {
            discardHead()
            return nil
        }
        part = .trailers
        let head = Head(status: status, headers: HTTPHeaders(fields))
        fields = []
        return head
    }

    /// Forgets an informational head, so that the next line begins another head.
    private mutating func discardHead() {
        part = .statusLine
        fields = []
        cookieLines.removeAll()
        framing = Framing()
    }

    // MARK: - Fields

    /// Whether the final head is complete, so that a field is a trailer, which says nothing about the body or cookies.
    private var isReadingTrailers: Bool { isComplete }
    /// Reads a line with a header or a trailer, or the continuation of one. Notes what a header says about the body and
    /// about cookies.
    private mutating func readField(_ line: HeadLine) throws(TransportError) {
        if line.isFolded {
            try readFoldedLine(line)
            return
        }
        let field = try HTTPHeaders.Field(line: line)
        fields.append(field)
        if isReadingTrailers { return }
        framing.add(field)
        cookieLines.add(line, of: field)
    }

    /// Appends a folded line to the field before it (RFC 9112, section 5.2), and to the bytes of a cookie if that field
    /// sets one.
    private mutating func readFoldedLine(_ line: HeadLine) throws(TransportError) {
        guard let last = fields.indices.last else { throw Self.foldedFirstLine }
        try line.checkCharacters()
        fields[last].value += " \(line.trimmedText)"
        if isReadingTrailers { return }
        // The field may be a Content-Length, for example. Its length was noted from the first line alone, so the
        // headers themselves have to be examined.
        framing.isSimple = false
        cookieLines.addFolded(line)
    }
}

extension HeadReader {
    /// The values of the `Set-Cookie` lines of a head, as bytes.
    private struct CookieLines {
        private let areKept: Bool
        private(set) var values: [[UInt8]] = []
        /// Whether the last line belongs to the last value, so that a folded line continues it.
        private var lastLineIsCookie = false

        /// The number of cookies that are kept, more than a large site sets. Further cookies are ignored, so that a
        /// response cannot keep the loop's thread busy.
        private static let limit = 100

        init(areKept: Bool) {
            self.areKept = areKept
        }

        /// Keeps the value of a line if it sets a cookie, cookies are wanted, and there are not too many.
        mutating func add(_ line: HeadLine, of field: HTTPHeaders.Field) {
            lastLineIsCookie = false
            guard areKept, field.name == .setCookie, values.count < Self.limit else { return }
            guard let colon = line.position(of: UInt8(ascii: ":")) else { return }
            values.append(line.part(from: colon + 1, to: line.count).array)
            lastLineIsCookie = true
        }

        /// Adds a folded line to the value of the line before it, if that has set a cookie.
        mutating func addFolded(_ line: HeadLine) {
            if lastLineIsCookie { values[values.count - 1] += line.array }
        }

        mutating func removeAll() {
            self = CookieLines(areKept: areKept)
        }
    }

    /// What the headers say about the length and the codings of the body (RFC 9112, section 6).
    struct Framing {
        /// The value of the only Content-Length, nil if there is none.
        private(set) var length: Int?
        private var isChunked = false
        /// Whether the body has no coding other than chunked, and at most one of a length and that coding. Otherwise,
        /// or if one of these headers is repeated, folded or malformed, the headers themselves have to be examined.
        fileprivate(set) var isSimple = true

        /// Takes a header into account, if it describes the body.
        fileprivate mutating func add(_ field: HTTPHeaders.Field) {
            switch field.name {
            case .contentLength:
                let isOnlyOne = length == nil && !isChunked
                if isOnlyOne, let number = field.value.wholeNumber {
                    length = number
                } else {
                    isSimple = false
                }
            case .transferEncoding:
                if length == nil, field.value.lowercased() == "chunked" {
                    isChunked = true
                } else {
                    isSimple = false
                }
            case .contentEncoding:
                isSimple = false
            default:
                break
            }
        }
    }
}
#endif
