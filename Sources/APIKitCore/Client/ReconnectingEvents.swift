/// The events of an endpoint, over as many connections as it takes; made by ``APIClient/events(for:attempts:)``.
public struct ReconnectingEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent

    private let attempts: Int
    private let connect: @Sendable (String) async throws -> ServerSentEvents?

    /// - Parameter connect: Connects, telling the last event's id; nil where there is to be no other connection.
    init(attempts: Int, connect: @escaping @Sendable (String) async throws -> ServerSentEvents?) {
        self.attempts = attempts
        self.connect = connect
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        Iterator(attempts: attempts, connect: connect)
    }

    /// Reads events.
    public struct Iterator: AsyncIteratorProtocol {
        private let attempts: Int
        private let connect: @Sendable (String) async throws -> ServerSentEvents?
        private var connection: ServerSentEvents.Iterator?
        private var wasConnected = false
        private var lastEventID = ""
        private var retry = Duration.seconds(3)
        private var failures = 0

        init(attempts: Int, connect: @escaping @Sendable (String) async throws -> ServerSentEvents?) {
            self.attempts = attempts
            self.connect = connect
        }

        /// The next event, nil at the end.
        @concurrent
        public mutating func next() async throws -> ServerSentEvent? {
            while true {
                do {
                    if connection == nil {
                        guard let events = try await connect(lastEventID) else { return nil }
                        connection = events.makeAsyncIterator(lastEventID: lastEventID)
                        wasConnected = true
                    }
                    let event = try await connection?.next()
                    noteProgress()
                    if let event {
                        failures = 0
                        return event
                    }
                } catch {
                    noteProgress()
                    guard wasConnected, failures < attempts, error.isWorthAnotherAttempt else { throw error }
                    failures += 1
                }
                connection = nil
                try await Task.sleep(for: pause)
            }
        }

        /// Keeps what the connection has told so far.
        private mutating func noteProgress() {
            guard let parser = connection?.parser else { return }
            lastEventID = parser.lastEventID
            retry = parser.retry ?? retry
        }

        private var pause: Duration {
            let doubled = retry * (1 << Swift.min(Swift.max(0, failures - 1), 20))
            return Swift.max(retry, Swift.min(doubled, .seconds(60)))
        }
    }
}

extension Error {
    /// Whether a connection could not be made or kept, which may be otherwise the next time.
    fileprivate var isWorthAnotherAttempt: Bool {
        let code = (self as? TransportError)?.code ?? (self as? any APIFailure)?.transportCode
        let temporary: [TransportError.Code] = [.cannotConnect, .nameNotResolved, .timedOut, .connectionLost]
        return code.map(temporary.contains) ?? false
    }
}
