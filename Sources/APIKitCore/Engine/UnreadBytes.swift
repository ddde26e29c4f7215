/// The bytes of a stream that have arrived and wait for its reader: bounded, or paused if the engine can have the
/// server wait.
struct UnreadBytes: Sendable {
    private let limit: Int
    /// Whether an engine that can pause should.
    private(set) var isPaused = false
    /// The pieces that arrived last, and before them, in reverse, those that are read next: removing one releases it.
    private var arrived: [Data] = []
    private var next: [Data] = []
    private var count = 0

    /// Creates an empty buffer for a number of bytes.
    init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// How many bytes pause an engine that can be paused.
    private var pauseThreshold: Int { min(limit, 256 << 10) }

    /// Adds a piece, and pauses the engine if enough bytes wait.
    ///
    /// - Returns: False if more bytes would wait than the limit. One piece may always wait, and so may the one after
    ///   which the engine pauses.
    mutating func append(_ piece: Data, canPause: Bool) -> Bool {
        let mayPause = canPause && !isPaused
        guard mayPause || count == 0 || piece.count <= limit - count else { return false }
        arrived.append(piece)
        count += piece.count
        if mayPause { isPaused = count >= pauseThreshold }
        return true
    }

    /// Removes the piece that is read next.
    mutating func removeFirst() -> Data? {
        if next.isEmpty {
            next = arrived.reversed()
            arrived = []
        }
        guard let piece = next.popLast() else { return nil }
        count -= piece.count
        return piece
    }

    /// Ends a pause if most bytes have been read.
    ///
    /// - Returns: Whether there was a pause, and it ended.
    mutating func resume() -> Bool {
        guard isPaused, count <= pauseThreshold / 2 else { return false }
        isPaused = false
        return true
    }
}
