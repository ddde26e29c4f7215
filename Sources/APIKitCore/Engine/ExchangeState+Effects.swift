// What an event means for the exchange.
extension ExchangeState {
    /// What the exchange does, after releasing the lock, as a consequence of an event.
    enum Effect: Sendable {
        /// Resumes the caller with the result.
        case resumeCaller(Caller, Result<Delivery, any Error>)
        /// Resumes the reader with the next piece or the end of the stream.
        case resumeReader(StreamedBody.Reader, StreamedBody.ReadResult)
        /// Resumes the feeder, which then produces the next piece or notices the end of the exchange.
        case resumeFeeder(StreamedBody.Feeder)
        /// Reports progress.
        case report(TransferProgress, to: ProgressReporter)
        /// Reports the last progress, and completes the exchange when that has been reported.
        case reportLast(TransferProgress, to: ProgressReporter, then: Delivered)
        /// Has the engine stop the transfer.
        case stop(Exchange.Transport)
        /// Has the engine resume the transfer.
        case unpause(Exchange.Transport)
        /// Releases a value. The effect holds the last reference to it, so that its deinitializer, which may call the
        /// exchange, runs outside of the lock.
        case release(any Sendable)
    }

    /// What the exchange has to do with a piece of the body.
    enum Receipt: Sendable {
        /// Nothing: the state has stored the piece.
        case stored
        /// Nothing: the piece is ignored, because it is empty or not expected.
        case ignored
        /// The piece is to be written to the file.
        case write(TemporaryFile)
        /// The wanted beginning of the body is complete, and the transfer is to be stopped.
        case beginningComplete
        /// The body exceeds the size limit, and the exchange fails.
        case tooLarge
        /// More bytes wait for the reader of a stream than are allowed, because the engine cannot pause or has not
        /// paused when it should. The exchange fails.
        case tooManyUnread
    }

    /// What the exchange has to do at the end of the body.
    enum EndReceipt: Sendable {
        /// Nothing: the body is complete, or the exchange was over before.
        case accepted
        /// No head has arrived, so there is no response. The exchange fails.
        case missingHead
    }

    /// What the exchange has to do with a response that has arrived as a whole.
    enum WholeReceipt: Sendable {
        /// The response is stored. The caller is resumed; it is nil if it does not wait yet.
        ///
        /// The receipt holds the last reference to the transport, so that its deinitializer, which may call the
        /// exchange, runs outside of the lock.
        case stored(Caller?, Exchange.Transport?)
        /// Nothing is stored. The head, the body and the end are to be reported one by one.
        case needsSingleEvents
    }
}
