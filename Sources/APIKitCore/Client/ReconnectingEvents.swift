/// The events of an endpoint, over as many connections as it takes; made by ``APIClient/events(for:attempts:)``.
public struct ReconnectingEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent

    private let source: Source

    /// - Parameters:
    ///   - attempts: How many attempts in a row may fail.
    ///   - failure: Makes the endpoint's error of one that breaks a connection.
    ///   - connect: Connects, telling the last event's id; nil where there is to be no other connection.
    init(
        attempts: Int,
        failure: @escaping @Sendable (TransportError) -> any Error,
        connect: @escaping @Sendable (String) async throws -> ServerSentEvents?
    ) {
        source = Source(attempts: attempts, failure: failure, connect: connect)
    }

    fileprivate struct Source: Sendable {
        let attempts: Int
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
        private var lastEventID = ""
        private var retry = Duration.seconds(3)
        private var failures = 0
        /// Whether the connection has given an event.
        private var hasEvent = false

        fileprivate init(source: Source) {
            self.source = source
        }

        /// The next event, nil at the end.
        @concurrent
        public mutating func next() async throws -> ServerSentEvent? {
            while !isOver {
                var pause = retry
                do {
                    if connection == nil {
                        guard let events = try await source.connect(lastEventID) else { break }
                        connection = events.makeAsyncIterator(lastEventID: lastEventID)
                        wasConnected = true
                    }
                    let event = try await connection?.next()
                    noteProgress()
                    if let event {
                        (failures, hasEvent) = (0, true)
                        return event
                    }
                    // Without a floor, a server that wants no pause and has nothing to say would be asked all the time.
                    pause = hasEvent ? retry : Swift.max(retry, .milliseconds(100))
                } catch {
                    noteProgress()
                    // A server that is silent for long has nothing to say.
                    if !(connection != nil && error.isTimeout) {
                        guard wasConnected, failures < source.attempts, error.isWorthAnotherAttempt else {
                            throw end(with: error)
                        }
                        let base = Swift.max(retry, .milliseconds(100))
                        pause = Swift.max(retry, Swift.min(base * (1 << Swift.min(failures, 20)), .seconds(60)))
                        failures += 1
                    }
                }
                (connection, hasEvent) = (nil, false)
                do {
                    try await Task.sleep(for: pause)
                } catch {
                    throw end(with: error)
                }
            }
            isOver = true
            return nil
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
            lastEventID = parser.lastEventID
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
