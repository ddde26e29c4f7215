/// The bytes of a stream that have arrived and wait for its reader.
///
/// If the engine can make the server wait, enough unread bytes pause it. If it cannot, their number is limited.
struct UnreadBytes: Sendable {
    /// What a reader takes.
    struct Taken {
        /// The bytes that waited; nil if there were none.
        let bytes: Data?
        /// Whether the engine was paused and is to resume.
        let endsPause: Bool
    }

    private let limit: Int
    /// Whether the engine should pause; always false for an engine that cannot.
    private(set) var isPaused = false
    private var bytes = Data()

    /// Creates an empty buffer.
    ///
    /// - Parameter limit: The maximum number of bytes that may wait.
    init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// The number of unread bytes at which an engine pauses, at most the limit: enough to keep a fast reader busy, yet
    /// little memory for each of many streams.
    private var pauseThreshold: Int { min(limit, 256 << 10) }

    /// Adds a piece to the bytes that wait for the reader, and pauses the engine if they are enough.
    ///
    /// A piece that would exceed the limit is rejected, with two exceptions: if no other bytes wait, and if the engine
    /// can pause but is not paused yet, since it then pauses after this piece.
    ///
    /// - Parameters:
    ///   - piece: The bytes that have arrived.
    ///   - canPause: Whether the engine can make the server wait.
    /// - Returns: Whether the piece was added.
    mutating func append(_ piece: Data, canPause: Bool) -> Bool {
        let isOnlyPiece = bytes.isEmpty
        let isWithinLimit = piece.count <= limit - bytes.count
        let canStillPause = canPause && !isPaused
        let isAccepted = isOnlyPiece || isWithinLimit || canStillPause
        guard isAccepted else { return false }
        if isOnlyPiece {
            bytes = piece
        } else {
            bytes.append(piece)
        }
        if canStillPause {
            isPaused = bytes.count >= pauseThreshold
        }
        return true
    }

    /// Takes the bytes that wait, and ends a pause.
    mutating func take() -> Taken {
        let taken = Taken(bytes: bytes.isEmpty ? nil : bytes, endsPause: isPaused)
        bytes = Data()
        isPaused = false
        return taken
    }
}
