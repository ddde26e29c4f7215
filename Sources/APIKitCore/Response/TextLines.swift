/// The lines of a text, as they arrive: `typealias Response = TextLines`.
///
/// ```swift
/// for try await line in try await client.send(LogRequest()) { print(line) }
/// ```
///
/// A line ends with LF, CR, or CR and LF, which are not part of it; the last one may have no end. Empty lines are
/// lines. The text is UTF-8; invalid bytes become U+FFFD. After any error an iterator is at its end, and the start
/// of a line that the error broke off is not a line.
public struct TextLines: APIResponse, AsyncSequence {
    /// A line, without its end.
    public typealias Element = String

    private let bytes: ByteStream
    private let lineLimit: Int

    /// Makes lines of bytes.
    ///
    /// - Parameters:
    ///   - bytes: What to read.
    ///   - lineLimit: The most bytes of a line; past it reading throws ``TransportError`` with the code `bodyTooLarge`.
    public init(_ bytes: ByteStream, lineLimit: Int = 16 << 20) {
        self.bytes = bytes
        self.lineLimit = lineLimit
    }

    /// As a stream.
    public static var delivery: ResponseBody.Delivery { .stream }

    /// Gives the lines of bytes that are there already.
    public static func process(data: Data) throws -> TextLines {
        TextLines(ByteStream([data]))
    }

    /// Gives the lines of the body as it arrives.
    ///
    /// - Throws: ``TextError`` where the `Content-Type` names another charset than UTF-8.
    public static func process(response: HTTPResponse) async throws -> TextLines {
        try TextError.checkUTF8(response.head)
        return TextLines(response.body.bytes)
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        Iterator(bytes: bytes.makeAsyncIterator(), splitter: LineSplitter(ending: .any, limit: lineLimit))
    }

    /// Reads lines.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var bytes: ByteStream.Iterator
        fileprivate var splitter: LineSplitter
        private var isFirst = true
        private var isOver = false

        fileprivate init(bytes: ByteStream.Iterator, splitter: LineSplitter) {
            self.bytes = bytes
            self.splitter = splitter
        }

        /// The next line, nil at the end and after an error.
        @concurrent
        public mutating func next() async throws -> String? {
            guard !isOver else { return nil }
            // Unless a line comes.
            isOver = true
            let line = try await nextLine()
            (isOver, isFirst) = (line == nil, false)
            return line
        }

        @concurrent
        private mutating func nextLine() async throws -> String? {
            let isFirst = isFirst
            while true {
                if let line = try splitter.next({ isFirst ? $0.withoutByteOrderMark.text : $0.text }) { return line }
                guard let chunk = try await bytes.next() else { break }
                splitter.append(chunk)
            }
            return splitter.last { isFirst ? $0.withoutByteOrderMark.text : $0.text }
        }
    }
}

extension TextError {
    /// A text that is read line by line is UTF-8, or ASCII, which is the same.
    fileprivate static func checkUTF8(_ head: HTTPResponse.Head) throws(TextError) {
        let name = head.charset ?? "utf-8"
        guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(name) else {
            throw TextError(charset: name, isKnown: false)
        }
    }
}
