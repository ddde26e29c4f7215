/// The bytes of a stream that have arrived and wait for its reader: bounded, or paused if the engine can have the
/// server wait.
struct UnreadBytes: Sendable {
    private let limit: Int
    /// Whether an engine that can pause should.
    private(set) var isPaused = false
    private var bytes = Data()

    /// Creates an empty buffer for a number of bytes.
    init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// How many bytes pause an engine that can be paused: enough to keep a fast reader busy, and little memory for each
    /// of many streams.
    private var pauseThreshold: Int { min(limit, 256 << 10) }

    /// Adds a piece, and pauses the engine if enough bytes wait.
    ///
    /// - Returns: False if more bytes would wait than the limit. One piece may always wait, and so may the one after
    ///   which the engine pauses.
    mutating func append(_ piece: Data, canPause: Bool) -> Bool {
        let canStillPause = canPause && !isPaused
        guard canStillPause || bytes.isEmpty || piece.count <= limit - bytes.count else { return false }
        if bytes.isEmpty { bytes = piece } else { bytes.append(piece) }
        if canStillPause { isPaused = bytes.count >= pauseThreshold }
        return true
    }

    /// Takes the bytes that wait, and ends a pause.
    ///
    /// - Returns: The bytes, nil if there are none, and whether there was a pause.
    mutating func take() -> (bytes: Data?, hasResumed: Bool) {
        defer { (bytes, isPaused) = (Data(), false) }
        return (bytes.isEmpty ? nil : bytes, isPaused)
    }
}
