/// What has arrived of a stream and waits for its one reader.
final class ChunkQueue: Sendable {
    private struct State: Sendable {
        var chunks: [Data] = []
        var count = 0
        /// How it ended: well, where there is no error in it.
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<[Data], any Error>?
        var isClaimed = false
    }

    private let limit: Int
    private let state = Locked(State())

    /// - Parameter limit: The most bytes that may wait.
    init(limit: Int) {
        self.limit = limit
    }

    /// Makes the caller the one who reads, or lets go; false where somebody is already.
    func claim() -> Bool {
        state.withLock { state in
            defer { state.isClaimed = true }
            return !state.isClaimed
        }
    }

    /// Adds a chunk; false where the reader has fallen too far behind.
    func append(_ chunk: Data) -> Bool {
        let (isWithinLimit, reader) = state.withLock { state in
            guard state.end == nil else { return (true, nil as CheckedContinuation<[Data], any Error>?) }
            if let reader = state.reader.take() { return (true, reader) }
            guard chunk.count <= limit - state.count else { return (false, nil) }
            state.chunks.append(chunk)
            state.count += chunk.count
            return (true, nil)
        }
        reader?.resume(returning: [chunk])
        return isWithinLimit
    }

    /// Ends the stream, if it has not ended yet; what waits is read before the end is.
    func finish(_ end: Result<Void, any Error>) {
        let reader = state.withLock { state in
            guard state.end == nil else { return nil as CheckedContinuation<[Data], any Error>? }
            state.end = end
            return state.reader.take()
        }
        reader?.resume(with: end.map { [] })
    }

    /// The chunks that wait, or the next one; none at the end.
    func next() async throws -> [Data] {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state -> Result<[Data], any Error>? in
                if !state.chunks.isEmpty {
                    defer { (state.chunks, state.count) = ([], 0) }
                    return .success(state.chunks)
                }
                if let end = state.end { return end.map { [] } }
                state.reader = continuation
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
