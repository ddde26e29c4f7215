import APIKitSupport

/// Bytes that come piece by piece: the body of a response as it arrives, or of a request as it is sent.
///
/// ```swift
/// for try await chunk in try await client.send(FirmwareRequest()) { hash.update(chunk) }
/// ```
///
/// The body of a response can be read once, by one loop. Leaving the loop, cancelling its task and releasing the stream
/// unread each end the transfer. A body is never silently short: if the transfer breaks or the task is cancelled, the
/// loop over a body that `send` returned throws the endpoint's ``APIError``, any other a ``TransportError`` or
/// `CancellationError`. After an error an iterator returns nil.
public struct ByteStream: AsyncSequence, Sendable {
    /// A piece of the bytes; chunk boundaries are arbitrary.
    public typealias Element = Data

    private final class Identity: Sendable {}

    private let identity = Identity()
    private let makeIterator: @Sendable () -> Iterator
    /// Creates the errors that a loop throws, for the body of a response; nil for other bytes.
    package private(set) var context: ReadingContext?
    /// The trailers, which an exchange sets at the end of its stream; nil if the bytes cannot have any.
    private(set) var ownTrailers: Trailers?

    /// Creates a stream from another sequence. Releasing the sequence and its iterators must cancel the underlying
    /// transfer.
    public init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Data {
        self.init(reading: { Iterator(base.makeAsyncIterator()) })
    }

    /// Creates a stream from a closure that is called for each loop over the bytes.
    init(reading makeIterator: @escaping @Sendable () -> Iterator) {
        self.makeIterator = makeIterator
    }

    /// Creates a stream from a sequence that only one loop may read, such as the body of a response. Releasing the
    /// stream unread, or its iterator, releases the sequence, which must cancel the underlying transfer.
    ///
    /// A second reader gets a ``TransportError`` with the code `unsupported`.
    public init<Base: AsyncSequence & Sendable>(readingOnce base: Base) where Base.Element == Data {
        self.init(readingOnce: { Iterator(base.makeAsyncIterator()) })
    }

    /// Creates a stream that only one loop may read. `makeIterator` is called once and released.
    init(readingOnce makeIterator: @escaping @Sendable () -> Iterator) {
        let unread = Unread(makeIterator)
        self.init(reading: {
            let reader = OneReader(unread)
            return Iterator { try await reader.next() }
        })
    }

    /// Creates a stream of bytes in memory, for tests. It can be read any number of times.
    public init(_ chunks: [Data]) {
        self.init(pieces: chunks.map { .data($0) })
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        var iterator = makeIterator()
        iterator.context = context
        return iterator
    }

    /// Returns the same stream, whose loops throw an endpoint's errors.
    package func failing(in context: ReadingContext) -> ByteStream {
        var stream = self
        stream.context = context
        return stream
    }

    /// Returns the same stream with trailers, which may be set later.
    func followed(by trailers: Trailers?) -> ByteStream {
        var stream = self
        stream.ownTrailers = trailers
        return stream
    }

    /// The fields that the server sent after the body, once a loop has read it to its end; before, they may be empty.
    /// See ``ResponseBody/trailers``.
    public var trailers: HTTPHeaders { ownTrailers?.fields ?? [:] }

    /// Reads all of the bytes.
    ///
    /// - Throws: ``TransportError`` with the code `bodyTooLarge` if there are more bytes than the limit; what reading
    ///   throws.
    @concurrent
    public func data(upTo limit: Int) async throws -> Data {
        var result = Data()
        for try await chunk in self {
            guard chunk.count <= limit - result.count else {
                let error = TransportError(.bodyTooLarge, "the body is larger than the limit of \(limit) bytes")
                throw context?.failure(error) ?? error
            }
            result.append(chunk)
        }
        return result
    }

    /// Holds what opens a stream until the first reader takes it.
    private final class Unread: Sendable {
        private let makeIterator: Locked<(@Sendable () -> Iterator)?>

        init(_ makeIterator: @escaping @Sendable () -> Iterator) {
            self.makeIterator = Locked(makeIterator)
        }

        func take() -> (@Sendable () -> Iterator)? {
            makeIterator.withLock { $0.take() }
        }
    }

    /// Reads a stream that only the first reader gets.
    private final class OneReader {
        private let unread: Unread
        private var reading: Iterator?

        init(_ unread: Unread) {
            self.unread = unread
        }

        /// Reads the next piece. The first call opens the stream; if another reader has opened it before, this throws
        /// an error.
        @concurrent
        func next() async throws -> Data? {
            if reading == nil { reading = unread.take()?() }
            guard reading != nil else {
                throw TransportError(.unsupported, "the body of a response can be read only once")
            }
            if let piece = try await reading?.next() { return piece }
            // Some sequences just end if their task is cancelled. The body must not seem to be complete then.
            try Task.checkCancellation()
            return nil
        }
    }

    /// Reads a stream.
    public struct Iterator: AsyncIteratorProtocol {
        /// Nil once the stream has ended or thrown.
        private var readNext: (@concurrent () async throws -> Data?)?
        fileprivate var context: ReadingContext?

        /// Reads a stream with a closure, which is called until it returns nil or throws an error, and then released.
        init(_ readNext: @escaping @concurrent () async throws -> Data?) {
            self.readNext = readNext
        }

        fileprivate init<Base: AsyncIteratorProtocol>(_ base: Base) where Base.Element == Data {
            var base = base
            self.init { try await base.next() }
        }

        /// The next piece, nil at the end and after an error.
        @concurrent
        public mutating func next() async throws -> Data? {
            // A local copy that is never stored again: storing a closure from an Optional wraps it in another closure
            // each time.
            guard let readNext else { return nil }
            do {
                if let piece = try await readNext() { return piece }
            } catch {
                self.readNext = nil
                throw context?.failure(error) ?? error
            }
            self.readNext = nil
            return nil
        }
    }
}

extension ByteStream: Equatable {
    /// Whether two values are the same stream.
    public static func == (left: ByteStream, right: ByteStream) -> Bool { left.identity === right.identity }
}
