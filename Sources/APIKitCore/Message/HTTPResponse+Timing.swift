extension HTTPResponse {
    /// When each step of a request was done, counted from when the engine received it, by the call's clock, and how long
    /// the steps to its connection took; nil for a step that there was not, or that the engine cannot observe.
    ///
    /// Over `URLSession` on Apple's platforms, `sent` is when the request was handed to it or, with a body, when it had
    /// taken the last byte.
    public struct Timing: Sendable, Hashable {
        /// When the request was sent.
        public var sent: Duration?
        /// When the head of the response arrived.
        public var firstByte: Duration?
        /// When the body was complete.
        public var finished: Duration?
        /// Whether an earlier request had opened the connection, so that no step to it was needed.
        public var isConnectionReused: Bool?
        /// How long the host's name was looked up.
        public var nameLookup: Duration?
        /// How long the connection took to open, after the look-up.
        public var connect: Duration?
        /// How long the TLS handshake took.
        public var secureHandshake: Duration?

        /// Creates a timing from the steps that are known.
        public init(
            sent: Duration? = nil, firstByte: Duration? = nil, finished: Duration? = nil,
            isConnectionReused: Bool? = nil, nameLookup: Duration? = nil, connect: Duration? = nil,
            secureHandshake: Duration? = nil
        ) {
            self.sent = sent
            self.firstByte = firstByte
            self.finished = finished
            self.isConnectionReused = isConnectionReused
            self.nameLookup = nameLookup
            self.connect = connect
            self.secureHandshake = secureHandshake
        }
    }
}
