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
        /// Whether the connection was reused, or how long opening it took.
        public var connection: Connection?

        /// Creates a timing from the steps that are known.
        public init(
            queued: ContinuousClock.Instant? = nil,
            sent: ContinuousClock.Instant? = nil,
            firstByte: ContinuousClock.Instant? = nil,
            finished: ContinuousClock.Instant? = nil,
            connection: Connection? = nil
        ) {
            self.queued = queued
            self.sent = sent
            self.firstByte = firstByte
            self.finished = finished
            self.connection = connection
        }

        /// The time from `queued` to `finished`.
        public var total: Duration? {
            guard let queued, let finished else { return nil }
            return queued.duration(to: finished)
        }
    }
}

extension HTTPResponse.Timing {
    /// The connection of a request: a kept one, or how long the steps to a new one took.
    public struct Connection: Sendable, Hashable {
        /// Whether an earlier request had opened the connection, so that no step was needed.
        public var isReused: Bool
        /// How long the host's name was looked up.
        public var nameLookup: Duration?
        /// How long the connection took to open, after the look-up.
        public var connect: Duration?
        /// How long the TLS handshake took, nil without TLS.
        public var secureHandshake: Duration?

        /// Creates a description of a connection.
        public init(
            isReused: Bool, nameLookup: Duration? = nil, connect: Duration? = nil, secureHandshake: Duration? = nil
        ) {
            self.isReused = isReused
            self.nameLookup = nameLookup
            self.connect = connect
            self.secureHandshake = secureHandshake
        }
    }
}
