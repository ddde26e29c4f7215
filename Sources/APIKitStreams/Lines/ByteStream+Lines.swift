public import APIKitCore
import APIKitSupport

extension ByteStream {
    /// One line of a ``StreamedResponse``, without its ending.
    public struct Line: Sendable {
        /// The bytes of the line, as a slice of the chunk in which it arrived.
        let bytes: ArraySlice<UInt8>
        /// The number of the line in the stream, counted from 1.
        public let number: Int
        /// Whether a line ending follows; false only if the stream ends after the line.
        public let isTerminated: Bool

        /// The bytes of the line.
        public var data: Data { Data(bytes) }
        /// The line as UTF-8; invalid bytes become U+FFFD.
        public var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// Reads the elements of a ``StreamedResponse``.
    public struct ElementIterator<Response: StreamedResponse>: AsyncIteratorProtocol {
        /// The response, which may keep values of earlier lines.
        private(set) var response: Response
        private var bytes: ByteStream.Iterator
        private var splitter: LineSplitter
        private var lineNumber = 0
        private var isOver = false

        init(_ response: Response) {
            self.response = response
            bytes = response.bytes.makeAsyncIterator()
            splitter = LineSplitter(
                limit: response.elementLimit, carriageReturnEndsLine: Response.carriageReturnEndsLine)
        }

        /// Returns the next element, or nil at the end of the stream.
        ///
        /// After ``ContentError/Code/unreadableElement`` the iterator continues with the next
        /// element. After any other error it is at its end, and an incomplete element is discarded.
        ///
        /// - Throws: The endpoint's ``APIError`` with the error of reading, if the response is of `send`; otherwise
        ///   that error.
        @concurrent
        public mutating func next() async throws -> Response.Element? {
            do {
                return try await read()
            } catch {
                throw response.bytes.context?.failure(error) ?? error
            }
        }

        /// Reads lines up to one that completes an element; returns nil at the end of the stream.
        @concurrent
        private mutating func read() async throws -> Response.Element? {
            guard !isOver else { return nil }
            // Any error ends the iterator, unless this is reset below.
            isOver = true
            while true {
                while let line = try splitter.next() {
                    if let element = try element(from: line, isTerminated: true) { return element }
                }
                guard let chunk = try await bytes.next() else { break }
                splitter.append(chunk)
            }
            // The last line may have no ending.
            if let rest = splitter.takeRest(), let element = try element(from: rest, isTerminated: false) {
                return element
            }
            try (response as? any CheckedAtEnd)?.checkEnd()
            return nil
        }

        /// Returns the element that a line completes, or nil if it completes none.
        ///
        /// An element, and an error for a line that cannot be read, let the iterator continue: they reset `isOver`,
        /// which `read()` has set. An error of the transport or a cancel does not.
        private mutating func element(
            from lineBytes: ArraySlice<UInt8>, isTerminated: Bool
        ) throws -> Response.Element? {
            lineNumber.addClamping(1)
            var lineBytes = lineBytes
            // A stream may begin with the byte order mark of UTF-8, which does not belong to its first line.
            if lineNumber == 1, lineBytes.starts(with: [0xEF, 0xBB, 0xBF]) { lineBytes = lineBytes.dropFirst(3) }
            let line = Line(bytes: lineBytes, number: lineNumber, isTerminated: isTerminated)
            do {
                let element = try response.element(from: line)
                if element != nil { isOver = false }
                return element
            } catch {
                if error is TransportError || error is CancellationError { throw error }
                // The next line may be readable, so this error does not end the iterator.
                isOver = false
                throw ContentError.unreadableElement(line.number, of: line.data, error)
            }
        }
    }
}

/// A response whose lines show only at the end of the body whether it has the expected type.
protocol CheckedAtEnd {
    /// - Throws: ``ContentError`` if the body has another type.
    func checkEnd() throws
}

/// Splits bytes into lines. Chunk boundaries are arbitrary.
struct LineSplitter {
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private let limit: Int
    private let carriageReturnEndsLine: Bool
    private var chunk: [UInt8] = []
    /// The index in the chunk of the first byte that does not belong to a line yet.
    private var position = 0
    /// The start of a line whose ending has not arrived.
    private var partialLine: [UInt8] = []
    /// Whether the last line ended at a CR. If the next byte is an LF, it belongs to the same ending.
    private var skipsLineFeed = false

    /// - Parameters:
    ///   - limit: The maximum number of bytes of a line, without its ending.
    ///   - carriageReturnEndsLine: Whether a line ends at CR too, and at CR and LF together; if not, only at LF.
    init(limit: Int, carriageReturnEndsLine: Bool) {
        self.limit = limit
        self.carriageReturnEndsLine = carriageReturnEndsLine
    }

    /// Adds a chunk, after ``next()`` has returned nil for the previous one.
    mutating func append(_ chunk: Data) {
        self.chunk = Array(chunk)
        position = 0
    }

    /// Takes the next line, without its ending; nil if the ending has not arrived.
    mutating func next() throws(TransportError) -> ArraySlice<UInt8>? {
        if skipsLineFeed, position < chunk.count {
            if chunk[position] == Self.lineFeed { position += 1 }
            skipsLineFeed = false
        }
        let end = endOfLine()
        let part = chunk[position..<(end ?? chunk.count)]
        guard partialLine.count + part.count <= limit else {
            throw TransportError(.bodyTooLarge, "a line of the stream is longer than the limit of \(limit) bytes")
        }
        guard let end else {
            partialLine += part
            position = chunk.count
            return nil
        }
        skipsLineFeed = chunk[end] == Self.carriageReturn
        position = end + 1
        // A line within one chunk is returned without a copy.
        if partialLine.isEmpty { return part }
        partialLine += part
        return takeRest()
    }

    /// Takes the bytes after the last line ending; nil if there are none.
    mutating func takeRest() -> ArraySlice<UInt8>? {
        defer { partialLine = [] }
        return partialLine.isEmpty ? nil : partialLine[...]
    }

    /// Returns the index in the chunk of the next line ending, of CR and LF that of the CR; nil if there is none.
    private func endOfLine() -> Int? {
        let rest = chunk[position...]
        guard carriageReturnEndsLine else { return rest.firstIndex(of: Self.lineFeed) }
        return rest.firstIndex { $0 == Self.lineFeed || $0 == Self.carriageReturn }
    }
}
