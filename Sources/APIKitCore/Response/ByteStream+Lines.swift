extension ByteStream {
    /// One line of a ``StreamedResponse``, without its ending.
    public struct Line: Sendable {
        /// A slice of the bytes in which the line arrived.
        let bytes: Data
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
        /// The response with what it has kept of the lines so far.
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
        /// After ``ContentError/unreadableElement(number:excerpt:underlying:)`` the iterator continues with the next
        /// element. After any other error it is at its end, and an incomplete element is discarded.
        @concurrent
        public mutating func next() async throws -> Response.Element? {
            guard !isOver else { return nil }
            // Any error ends the iterator, unless it is reset below.
            isOver = true
            while let line = try await nextLine() {
                do {
                    guard let element = try response.element(from: line) else { continue }
                    isOver = false
                    return element
                } catch {
                    if error is TransportError || error is CancellationError { throw error }
                    isOver = false
                    throw ContentError.unreadableElement(line.number, of: line.bytes, error)
                }
            }
            return nil
        }

        @concurrent
        private mutating func nextLine() async throws -> Line? {
            do {
                while true {
                    if let line = try splitter.next() { return makeLine(line, isTerminated: true) }
                    guard let chunk = try await bytes.next() else { break }
                    splitter.append(chunk)
                }
            } catch is LineSplitter.LineTooLong {
                let message = "a line of the stream is longer than the limit of \(response.elementLimit) bytes"
                throw TransportError(.bodyTooLarge, message)
            }
            return splitter.takeRest().map { makeLine($0, isTerminated: false) }
        }

        private mutating func makeLine(_ bytes: Data, isTerminated: Bool) -> Line {
            lineNumber += 1
            let hasMark = lineNumber == 1 && bytes.starts(with: [0xEF, 0xBB, 0xBF])
            return Line(bytes: hasMark ? bytes.dropFirst(3) : bytes, number: lineNumber, isTerminated: isTerminated)
        }
    }
}
