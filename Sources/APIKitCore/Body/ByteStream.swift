/// Bytes that come piece by piece: the body of a response as it arrives, or of a request as it is sent.
///
/// ```swift
/// for try await chunk in try await client.send(FirmwareRequest()) { hash.update(chunk) }
/// ```
///
/// The body of a response is read once, by one loop. Leaving the loop, cancelling its task and letting go of the stream
/// unread each end the transfer. What the loop throws is a ``TransportError`` where the transfer breaks, never a short
/// body, or a `CancellationError`. After any error an iterator is at its end: asked again, it returns nil.
public struct ByteStream: AsyncSequence, Sendable {
    /// A piece of the bytes; how they are cut means nothing.
    public typealias Element = Data

    private let makeIterator: @Sendable () -> Iterator

    /// Makes a stream of another sequence, as an engine does; letting go of the sequence, and of its iterator, must end
    /// what is behind it.
    public init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Data {
        makeIterator = { Iterator(base.makeAsyncIterator()) }
    }

    /// Makes a stream of a sequence that one loop alone may read, as the body of a response is; letting go of the stream
    /// unread, and of its iterator, lets go of the sequence, which must end what is behind it.
    ///
    /// Whoever reads second gets a ``TransportError`` with the code `unsupported`.
    public init<Base: AsyncSequence & Sendable>(readingOnce base: Base) where Base.Element == Data {
        let unread = Unread(base)
        makeIterator = { Iterator(OneReader(unread: unread)) }
    }

    /// Makes a stream of bytes that are there already, for tests of what reads a stream; it can be read any number of
    /// times.
    public init(_ chunks: [Data]) {
        self.init(BodyReader(chunks.map { .data($0) }))
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        makeIterator()
    }

    /// Reads all of the bytes.
    ///
    /// - Throws: ``TransportError`` with the code `bodyTooLarge` past the limit; what reading throws.
    @concurrent
    public func data(upTo limit: Int) async throws -> Data {
        var result = Data()
        for try await chunk in self {
            guard chunk.count <= limit - result.count else {
                throw TransportError(.bodyTooLarge, "the body is larger than the limit of \(limit) bytes")
            }
            result.append(chunk)
        }
        return result
    }

    /// A sequence until its one reader takes it.
    private final class Unread<Base: Sendable>: Sendable {
        private let base: Locked<Base?>

        init(_ base: Base) {
            self.base = Locked(base)
        }

        func take() -> Base? {
            base.withLock { $0.take() }
        }
    }

    private struct OneReader<Base: AsyncSequence & Sendable>: AsyncIteratorProtocol where Base.Element == Data {
        let unread: Unread<Base>
        var reading: Base.AsyncIterator?

        @concurrent
        mutating func next() async throws -> Data? {
            if reading == nil { reading = unread.take()?.makeAsyncIterator() }
            guard reading != nil else {
                throw TransportError(.unsupported, "the body of a response can be read once")
            }
            if let piece = try await reading?.next() { return piece }
            // What is cancelled may just end, and would seem to be whole.
            try Task.checkCancellation()
            return nil
        }
    }

    /// Reads a stream.
    public struct Iterator: AsyncIteratorProtocol {
        /// Nil once the stream has ended or thrown.
        private var readNext: (@concurrent () async throws -> Data?)?

        fileprivate init<Base: AsyncIteratorProtocol>(_ base: Base) where Base.Element == Data {
            var base = base
            readNext = { try await base.next() }
        }

        /// The next piece, nil at the end and after an error.
        @concurrent
        public mutating func next() async throws -> Data? {
            // Never stored again: each time, a closure in an Optional would be wrapped in another one.
            guard let readNext else { return nil }
            do {
                if let piece = try await readNext() { return piece }
            } catch {
                self.readNext = nil
                throw error
            }
            self.readNext = nil
            return nil
        }
    }
}
