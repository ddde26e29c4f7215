extension HTTPResponse {
    /// Timestamps of each step, as far as the engine knows them; nil for a step that it cannot observe.
    ///
    /// Over `URLSession`, `sent` is when the request was handed to it or, with a body, when it had taken the last byte.
    public struct Timing: Sendable, Hashable {
        /// When the engine received the request.
        public var queued: ContinuousClock.Instant?
        /// When the request was sent.
        public var sent: ContinuousClock.Instant?
        /// When the head of the response arrived.
        public var firstByte: ContinuousClock.Instant?
        /// When the body was complete.
        public var finished: ContinuousClock.Instant?

        /// Creates a timing from the steps that are known.
        public init(
            queued: ContinuousClock.Instant? = nil,
            sent: ContinuousClock.Instant? = nil,
            firstByte: ContinuousClock.Instant? = nil,
            finished: ContinuousClock.Instant? = nil
        ) {
            self.queued = queued
            self.sent = sent
            self.firstByte = firstByte
            self.finished = finished
        }

        /// The time from `queued` to `finished`.
        public var total: Duration? {
            guard let queued, let finished else { return nil }
            return queued.duration(to: finished)
        }
    }
}
