// The reader of a stream, and the feeder: the task of a client that produces the body itself, such as a stub.
extension ExchangeState {
    /// Takes all unread bytes of a stream as one piece. If the engine had paused because of them, makes it resume.
    ///
    /// - Returns: The bytes or, after the last of them, how the stream ended.
    mutating func takePiece() -> StreamedBody.ReadAttempt {
        // Never nil, since only a response with a stream has a reader.
        guard let stream else { return .result(.success(nil)) }
        let taken = stream.take()
        if taken.endsPause {
            // The time of the pause does not count, since the reader was slow and not the server.
            restartTimeout()
            if case .receiving(_, let transport?) = phase { effects.append(.unpause(transport)) }
        }
        return taken.attempt
    }

    /// Takes the unread bytes of a stream. If nothing has arrived, keeps the reader, which the next piece or the end of
    /// the stream resumes. The feeder, a task that produces the body itself, may wait for that, and is resumed.
    ///
    /// - Returns: The same as ``takePiece()``, where `nothingYet` means that the reader was kept.
    mutating func takePiece(orKeep reader: StreamedBody.Reader) -> StreamedBody.ReadAttempt {
        let attempt = takePiece()
        guard case .nothingYet = attempt, let stream else { return attempt }
        if let feeder = stream.keep(reader) { effects.append(.resumeFeeder(feeder)) }
        return attempt
    }

    /// Keeps a feeder, the task of a client that produces the body itself, until the reader of a stream wants a piece.
    /// Without a stream that is arriving, or with a reader that waits, the feeder is resumed at once.
    mutating func wait(_ feeder: StreamedBody.Feeder) {
        if case .receiving = phase, let stream {
            let isKept = stream.keep(feeder)
            if isKept { return }
        }
        effects.append(.resumeFeeder(feeder))
    }

    /// The body that a reader takes; nil for any other body, and before the head.
    private var stream: StreamedBody? {
        switch phase {
        case .receiving(let response, _), .complete(let response), .ended(.response(let response)):
            guard case .stream(let stream) = response.body else { return nil }
            return stream
        case .waiting, .ended:
            return nil
        }
    }
}
