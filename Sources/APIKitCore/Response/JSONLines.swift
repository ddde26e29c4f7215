/// Values in JSON, one a line, as they arrive: `typealias Response = JSONLines<Change>`.
///
/// ```swift
/// for try await change in try await client.send(ChangesRequest()) { apply(change) }
/// ```
///
/// A line ends with LF alone; the last one may have no end, and blank lines are left out. A value that is a
/// ``JSONAPIResponse`` is read by its own decoder. Reading throws ``UnreadableElement`` for a line that is no such
/// value; an iterator that is asked again continues after it. After any other error, such as a ``TransportError`` or a
/// cancel, an iterator is at its end, and the start of a line that the error broke off is not a value.
public struct JSONLines<Value: Decodable & Sendable>: APIResponse, AsyncSequence {
    /// A value.
    public typealias Element = Value

    private let bytes: ByteStream
    private let lineLimit: Int

    /// Makes values of bytes.
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
    /// The types in use for it; none is registered.
    public static var acceptedTypes: [MIMEType] { [.jsonLines, "application/jsonl"] }

    /// Gives the values of bytes that are there already.
    public static func process(data: Data) throws -> JSONLines {
        JSONLines(ByteStream([data]))
    }

    /// Gives the values of the body as it arrives.
    public static func process(response: HTTPResponse) async throws -> JSONLines {
        JSONLines(response.body.bytes)
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        Iterator(bytes: bytes.makeAsyncIterator(), splitter: LineSplitter(ending: .lineFeed, limit: lineLimit))
    }

    /// Reads values.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var bytes: ByteStream.Iterator
        fileprivate var splitter: LineSplitter
        private let decoder = StandardJSON.decoder(for: Value.self)
        private var lineNumber = 0
        private var isOver = false

        fileprivate init(bytes: ByteStream.Iterator, splitter: LineSplitter) {
            self.bytes = bytes
            self.splitter = splitter
        }

        /// The next value, nil at the end and after an error other than ``UnreadableElement``.
        @concurrent
        public mutating func next() async throws -> Value? {
            while !isOver {
                // Unless a line comes.
                isOver = true
                guard let line = try await nextLine() else { break }
                isOver = false
                if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
                do {
                    return try decoder.decode(Value.self, from: line)
                } catch {
                    let excerpt = Masking.excerpt(of: line, limit: 200, onOneLine: true)
                    throw UnreadableElement(number: lineNumber, excerpt: excerpt, underlying: error)
                }
            }
            return nil
        }

        @concurrent
        private mutating func nextLine() async throws -> Data? {
            lineNumber += 1
            // RFC 8259, section 8.1: a parser may ignore a byte order mark, also one that stands alone.
            let isFirst = lineNumber == 1
            while true {
                if let line = try splitter.next({ Data(isFirst ? $0.withoutByteOrderMark : $0) }) { return line }
                guard let chunk = try await bytes.next() else { break }
                splitter.append(chunk)
            }
            return splitter.last { Data(isFirst ? $0.withoutByteOrderMark : $0) }
        }
    }
}
