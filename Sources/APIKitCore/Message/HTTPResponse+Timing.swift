extension HTTPResponse {
    /// When each step of a request was done, counted from when the engine received it, by the call's clock; nil for a
    /// step that the engine cannot observe.
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
        /// Whether the connection was reused, or how long opening it took.
        public var connection: Connection?

        /// Creates a timing from the steps that are known.
        public init(
            sent: Duration? = nil, firstByte: Duration? = nil, finished: Duration? = nil, connection: Connection? = nil
        ) {
            self.sent = sent
            self.firstByte = firstByte
            self.finished = finished
            self.connection = connection
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
