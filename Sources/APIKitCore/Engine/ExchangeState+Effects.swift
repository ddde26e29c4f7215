extension ExchangeState {
    /// What the exchange does, after releasing the lock, as a consequence of an event.
    ///
    /// Checked continuations are indirect: the compiler does not know their size, which would make each copy of any
    /// effect expensive.
    enum Effect: Sendable {
        /// Resumes the caller, which takes the response or throws the error.
        case resumeCaller(Caller.Continuation, Result<Void, any Error>)
        /// Resumes the reader with the next piece or the end of the stream.
        indirect case resumeReader(StreamedBody.Reader, StreamedBody.ReadResult)
        /// Resumes the feeder, which then produces the next piece or notices the end of the exchange.
        indirect case resumeFeeder(StreamedBody.Feeder)
        /// Reports progress.
        case report(TransferProgress, to: ProgressReporter)
        /// Reports the last progress, and completes the exchange when that has been reported.
        case reportLast(TransferProgress, to: ProgressReporter)
        /// Has the engine stop the transfer.
        case stop(Exchange.Transport)
        /// Has the engine resume the transfer.
        case unpause(Exchange.Transport)
        /// Releases the engine's closures, for the same reason as ``release(_:)``.
        case releaseTransport(Exchange.Transport)
        /// Releases a value. The effect holds the last reference to it, so that its deinitializer, which may call the
        /// exchange, runs outside of the lock.
        case release(any Sendable)
    }
}
