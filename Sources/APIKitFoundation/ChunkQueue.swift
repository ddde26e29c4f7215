/// What has arrived of a stream and waits for its one reader.
final class ChunkQueue: Sendable {
    private struct State: Sendable {
        /// What came last, and before it, in reverse, what is next: so that taking one lets go of it.
        var arrived: [Data] = []
        var next: [Data] = []
        var count = 0
        /// How it ended: well, where there is no error in it.
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<Data?, any Error>?

        mutating func take() -> Data? {
            if next.isEmpty {
                next = arrived.reversed()
                arrived = []
            }
            count -= next.last?.count ?? 0
            return next.popLast()
        }
    }

    private let limit: Int
    private let state = Locked(State())

    /// Makes a queue in which so many bytes may wait.
    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a chunk; false where the reader has fallen too far behind.
    func append(_ chunk: Data) -> Bool {
        var reader: CheckedContinuation<Data?, any Error>?
        let isWithinLimit = state.withLock { state in
            guard state.end == nil else { return true }
            reader = state.reader.take()
            guard reader == nil else { return true }
            guard chunk.count <= limit - state.count else { return false }
            state.arrived.append(chunk)
            state.count += chunk.count
            return true
        }
        reader?.resume(returning: chunk)
        return isWithinLimit
    }

    /// Ends the stream, if it has not ended yet; what waits is read before the end is.
    func finish(_ end: Result<Void, any Error>) {
        var reader: CheckedContinuation<Data?, any Error>?
        state.withLock { state in
            guard state.end == nil else { return }
            state.end = end
            reader = state.reader.take()
        }
        reader?.resume(with: end.map { nil })
    }

    /// The next chunk, nil at the end.
    func next() async throws -> Data? {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state -> Result<Data?, any Error>? in
                if let chunk = state.take() { return .success(chunk) }
                if let end = state.end { return end.map { nil } }
                state.reader = continuation
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
