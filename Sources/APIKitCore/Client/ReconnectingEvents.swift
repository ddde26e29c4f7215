/// The events of an endpoint, over as many connections as it takes; made by ``APIClient/events(for:attempts:reconnects:clock:)``.
public struct ReconnectingEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent

    private let source: Source

    /// - Parameters:
    ///   - attempts: How many attempts in a row may fail.
    ///   - reconnects: Whether there is more than one connection.
    ///   - lastEventID: The id that the first connection names; empty for none.
    ///   - clock: Times the pauses.
    ///   - failure: Makes the endpoint's error of one that breaks a connection.
    ///   - connect: Connects, telling the last event's id; nil where there is to be no other connection.
    init(
        attempts: Int,
        reconnects: Bool,
        lastEventID: String,
        clock: any Clock<Duration>,
        failure: @escaping @Sendable (TransportError) -> any Error,
        connect: @escaping @Sendable (String) async throws -> ServerSentEvents?
    ) {
        source = Source(
            attempts: attempts, reconnects: reconnects, lastEventID: lastEventID, clock: clock, failure: failure,
            connect: connect)
    }

    fileprivate struct Source: Sendable {
        let attempts: Int
        let reconnects: Bool
        let lastEventID: String
        let clock: any Clock<Duration>
        let failure: @Sendable (TransportError) -> any Error
        let connect: @Sendable (String) async throws -> ServerSentEvents?
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        Iterator(source: source)
    }

    /// Reads events.
    public struct Iterator: AsyncIteratorProtocol {
        private let source: Source
        private var connection: ServerSentEvents.Iterator?
        private var wasConnected = false
        private var isOver = false
        private var lastEventID: String
        private var retry = Duration.seconds(3)
        private var failures = 0

        fileprivate init(source: Source) {
            self.source = source
            lastEventID = source.lastEventID
        }

        /// The next event, nil at the end.
        @concurrent
        public mutating func next() async throws -> ServerSentEvent? {
            while !isOver {
                var pause: Duration
                do {
                    if connection == nil {
                        guard let events = try await source.connect(lastEventID) else { break }
                        connection = events.makeAsyncIterator(lastEventID: lastEventID)
                        wasConnected = true
                    }
                    let event = try await connection?.next()
                    noteProgress()
                    if let event {
                        failures = 0
                        return event
                    }
                    guard source.reconnects else { break }
                    pause = retry
                } catch {
                    noteProgress()
                    pause = try self.pause(after: error)
                }
                connection = nil
                do {
                    // Without a floor, a server that wants no pause and ends each connection would be asked all the time.
                    try await source.clock.sleep(for: Swift.max(pause, .milliseconds(100)))
                } catch {
                    throw end(with: error)
                }
            }
            (connection, isOver) = (nil, true)
            return nil
        }

        /// How long to wait before connecting again after a failure.
        ///
        /// - Throws: The failure, if another attempt is not allowed or would not help.
        private mutating func pause(after error: any Error) throws -> Duration {
            guard source.reconnects else { throw end(with: error) }
            // A server that is silent for long has nothing to say.
            if connection != nil, error.isTimeout { return retry }
            guard wasConnected, failures < source.attempts, error.isWorthAnotherAttempt else {
                throw end(with: error)
            }
            let doubled = Swift.max(retry, .milliseconds(100)) * (1 << Swift.min(failures, 20))
            failures += 1
            return Swift.max(retry, Swift.min(doubled, .seconds(60)))
        }

        /// Ends it all, and gives the error to say so with.
        private mutating func end(with error: any Error) -> any Error {
            (connection, isOver) = (nil, true)
            if (error as? any APIFailure)?.isCancellation == true { return CancellationError() }
            return (error as? TransportError).map(source.failure) ?? error
        }

        /// Keeps what the connection has told so far.
        private mutating func noteProgress() {
            guard let parser = connection?.parser else { return }
            // An id that no header can hold is left out, so that the server continues after the one before it.
            if parser.lastEventID.isFieldValue { lastEventID = parser.lastEventID }
            retry = parser.retry ?? retry
        }
    }
}

extension Error {
    fileprivate var isTimeout: Bool { (self as? TransportError)?.code == .timedOut }

    /// Whether a connection could not be made or kept, which may be otherwise the next time.
    fileprivate var isWorthAnotherAttempt: Bool {
        let code = (self as? TransportError)?.code ?? (self as? any APIFailure)?.transportCode
        let temporary: [TransportError.Code] = [.cannotConnect, .nameNotResolved, .timedOut, .connectionLost]
        return code.map(temporary.contains) ?? false
    }
}
