extension ResponseBody {
    /// Reads the next piece of a stream, nil at its end.
    package typealias Step = @Sendable () async throws -> Data?

    /// The same body. If it is a stream, each piece is read by a closure that gets the way to the next one. The closure
    /// is released once the stream has ended, failed or been released.
    package func readingStream(by read: @escaping @Sendable (_ next: @escaping Step) async throws -> Data?)
        -> ResponseBody
    {
        isStream ? ResponseBody(ByteStream(readingOnce: Pieces(base: bytes, read: read))) : self
    }

    /// The same body. If it is a stream, it keeps an object until it has ended, failed or been released.
    package func keeping(_ object: any Sendable) -> ResponseBody {
        readingStream { next in
            defer { withExtendedLifetime(object) {} }
            return try await next()
        }
    }
}

/// Does work once its last reference is gone: at the end of a response, which keeps it.
package final class OnRelease: Sendable {
    private let work: @Sendable () -> Void

    package init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }

    deinit {
        work()
    }
}

private struct Pieces: AsyncSequence, Sendable {
    let base: ByteStream
    let read: @Sendable (@escaping ResponseBody.Step) async throws -> Data?

    func makeAsyncIterator() -> Iterator {
        Iterator(reader: Reader(base.makeAsyncIterator()), read: read)
    }

    struct Iterator: AsyncIteratorProtocol {
        let reader: Reader
        let read: @Sendable (@escaping ResponseBody.Step) async throws -> Data?

        @concurrent
        mutating func next() async throws -> Data? {
            try await read { [reader] in try await reader.next() }
        }
    }

    /// `@unchecked Sendable`: the one iterator waits for each piece before it asks for the next one.
    final class Reader: @unchecked Sendable {
        private var iterator: ByteStream.Iterator

        init(_ iterator: ByteStream.Iterator) {
            self.iterator = iterator
        }

        func next() async throws -> Data? {
            try await iterator.next()
        }
    }
}
