extension ResponseBody {
    /// The same body. If it is a stream, it keeps an object until it has ended, failed or been released.
    func keeping(_ object: any Sendable) -> ResponseBody {
        isStream ? ResponseBody(ByteStream(readingOnce: KeepingSequence(base: bytes, object: object))) : self
    }
}

private struct KeepingSequence: AsyncSequence, Sendable {
    let base: ByteStream
    let object: any Sendable

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), object: object)
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: ByteStream.Iterator
        var object: (any Sendable)?

        @concurrent
        mutating func next() async throws -> Data? {
            do {
                if let piece = try await base.next() { return piece }
                object = nil
                return nil
            } catch {
                object = nil
                throw error
            }
        }
    }
}
