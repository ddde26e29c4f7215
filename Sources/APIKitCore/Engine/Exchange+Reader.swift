// The reader's side: the loop over a stream.
extension Exchange {
    /// The body of the response as it arrives. Releasing the stream and its iterator cancels the exchange.
    var bytes: ByteStream {
        let reading = Reading(self)
        return ByteStream(readingOnce: {
            ByteStream.Iterator { try await reading.exchange.nextPiece() }
        })
    }

    /// Returns the next piece of a stream, nil at its end, and waits for it if necessary. A cancel of the waiting task
    /// fails the exchange.
    func nextPiece() async throws -> Data? {
        try Task.checkCancellation()
        switch update({ $0.takePiece() }) {
        case .result(let result):
            return try result.get()
        case .nothingYet:
            return try await waitForPiece()
        }
    }

    /// Waits for the next piece of a stream or its end, nil. A cancel of the waiting task fails the exchange.
    private func waitForPiece() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { reader in
                switch update({ $0.takePiece(orKeep: reader) }) {
                case .result(let result):
                    // It has arrived meanwhile.
                    reader.resume(with: result)
                case .nothingYet:
                    // The state has kept the reader, and an event resumes it.
                    break
                }
            }
        } onCancel: {
            fail(CancellationError())
        }
    }
}

/// Cancels an exchange when its last reference is released, so that a body that nobody reads is not received.
private final class Reading: Sendable {
    let exchange: Exchange

    init(_ exchange: Exchange) {
        self.exchange = exchange
    }

    deinit {
        exchange.fail(CancellationError())
    }
}
