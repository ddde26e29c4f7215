/// A body that a reader takes as it arrives: the bytes that wait for the reader, and the task that waits for bytes or
/// for the reader.
///
/// It is a class, so that it is changed in place: the compiler does not know the size of its continuations, which makes
/// each copy of an enum that has them expensive.
///
/// `@unchecked Sendable`: only the state of an exchange uses it, under the lock of the exchange.
final class StreamedBody: @unchecked Sendable {
    /// The task that waits for the next piece.
    typealias Reader = CheckedContinuation<Data?, any Error>
    /// What a reader is resumed with: the next piece, nil at the end of the stream, or the error that ended the stream.
    typealias ReadResult = Result<Data?, any Error>
    /// The task of a client that produces the body itself, such as a stub, and waits until a reader wants the next
    /// piece.
    typealias Feeder = CheckedContinuation<Void, Never>

    @exclusivity(unchecked) private var unread: UnreadBytes
    @exclusivity(unchecked) private var waiting = Waiting.nobody
    /// How the stream ended, for a reader that first takes the unread bytes; nil while it has not ended.
    @exclusivity(unchecked) private var end: ReadResult?
    /// The fields after the body, for the response, which is delivered before they arrive.
    let trailers = Trailers()

    /// Which task waits. A reader and a feeder never wait at the same time: a reader that begins to wait resumes the
    /// feeder.
    enum Waiting: Sendable {
        case nobody
        case reader(Reader)
        case feeder(Feeder)
    }

    /// Creates a body that has not begun.
    ///
    /// - Parameter limit: The maximum number of bytes that may wait for the reader.
    init(limit: Int) {
        unread = UnreadBytes(limit: limit)
    }

    /// Whether the engine should pause, because enough bytes wait for the reader.
    var shouldPause: Bool { unread.isPaused }

    // MARK: - The engine's side

    /// Adds a piece that has arrived. If a reader waits for it, keeps nothing, and returns the reader: the caller
    /// resumes it with the piece.
    ///
    /// - Parameters:
    ///   - piece: The piece.
    ///   - canPause: Whether the engine can make the server wait.
    /// - Returns: What becomes of it.
    func add(_ piece: Data, canPause: Bool) -> ExchangeState.Body.Addition {
        if case .reader(let reader) = waiting {
            waiting = .nobody
            return .resumes(reader)
        }
        let isKept = unread.append(piece, canPause: canPause)
        return isKept ? .stored : .exceedsUnreadLimit
    }

    /// Keeps a feeder until a reader wants a piece.
    ///
    /// - Returns: Whether it was kept; false if a reader waits already.
    func keep(_ feeder: Feeder) -> Bool {
        if case .reader = waiting { return false }
        waiting = .feeder(feeder)
        return true
    }

    /// Ends the stream. The reader gets the unread bytes first.
    ///
    /// - Returns: The task that waits, and is to be resumed: a reader with the result, and a feeder so that it can end.
    func end(with result: ReadResult) -> Waiting {
        end = result
        defer { waiting = .nobody }
        return waiting
    }

    // MARK: - The reader's side

    /// What a reader finds when it asks for the next piece.
    enum ReadAttempt: Sendable {
        /// A piece, or the end of the stream.
        case result(ReadResult)
        /// Nothing yet: neither a piece nor the end of the stream has arrived.
        case nothingYet
    }

    /// What a reader takes.
    struct Taken {
        let attempt: ReadAttempt
        /// Whether the engine was paused, and is to resume.
        let endsPause: Bool
    }

    /// Takes all unread bytes as one piece or, after the last of them, the end of the stream.
    func take() -> Taken {
        let taken = unread.take()
        let attempt: ReadAttempt
        if let bytes = taken.bytes {
            attempt = .result(.success(bytes))
        } else if let end {
            attempt = .result(end)
        } else {
            attempt = .nothingYet
        }
        return Taken(attempt: attempt, endsPause: taken.endsPause)
    }

    /// Keeps the reader, which the next piece or the end of the stream resumes.
    ///
    /// - Returns: The feeder that has waited for a reader, and is to be resumed; nil if there is none.
    func keep(_ reader: Reader) -> Feeder? {
        defer { waiting = .reader(reader) }
        guard case .feeder(let feeder) = waiting else { return nil }
        return feeder
    }
}
