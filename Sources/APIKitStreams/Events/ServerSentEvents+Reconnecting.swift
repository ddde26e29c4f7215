import APIKitCore

extension ServerSentEvents {
    /// The events of an endpoint over any number of connections; created by
    /// ``APIClient/events(for:options:attempts:reconnects:)``.
    public struct Reconnecting: AsyncSequence, Sendable, EventSource {
        /// An event.
        public typealias Element = Event

        /// The number of consecutive attempts that may fail.
        let attempts: Int
        /// Whether to connect again when a connection ends or breaks.
        let reconnects: Bool
        /// The id that the first connection sends as `Last-Event-ID`; empty to send none.
        let lastEventID: String
        /// The endpoint and the response of the connection, and the clock of the pauses.
        let reading: ReadingContext
        /// Connects with the id of the last event; returns nil if the server has no more events.
        let connect: @Sendable (String) async throws -> ServerSentEvents?

        var context: ReadingContext? { reading }

        var withComments: Reconnecting { self }

        /// Returns an iterator, which connects when the first event is read.
        public func makeAsyncIterator() -> Iterator {
            Iterator(reading: self)
        }

        /// Reads the events of one connection after another.
        public struct Iterator: AsyncIteratorProtocol {
            private let reader: Reader

            init(reading events: Reconnecting) {
                reader = Reader(reading: events)
            }

            /// Returns the next event, or nil after the last one and after an error.
            ///
            /// - Throws: The endpoint's ``APIError``.
            @concurrent
            public mutating func next() async throws -> Event? { try await reader.next() }
        }

        /// The state of an iterator, in an object, so that the compiler does not generate copies of it.
        private final class Reader {
            private enum State {
                /// Before the first connection, whose failure is final.
                case initial
                /// Reading a connection.
                case connected
                /// Before the next attempt to connect.
                case disconnected(pause: Duration)
                /// After the last event, or an error.
                case ended
            }

            /// The shortest pause. Without it, a server that asks for no pause and ends each connection would receive
            /// requests without end.
            private static let minimumPause = Duration.milliseconds(100)
            /// The longest pause after failures, unless the server asks for a longer one.
            private static let maximumBackoff = Duration.seconds(60)
            /// The number of bytes up to which an id is sent. Many servers refuse a header of more than 8 KiB.
            private static let maximumIDLength = 8_000

            private let events: Reconnecting
            private var state = State.initial
            private var connection: ServerSentEvents.AsyncIterator?
            private var lastEventID: String
            /// The pause that the server has asked for.
            private var retry = Duration.seconds(3)
            /// The number of attempts that have failed since the last event.
            private var failureCount = 0

            init(reading events: Reconnecting) {
                self.events = events
                lastEventID = events.lastEventID
            }

            /// Returns the next event, or nil after the last one and after an error.
            @concurrent
            func next() async throws -> Event? {
                do {
                    while true {
                        let current = state
                        // Any error and the end of the last connection end the iterator. The functions below set
                        // another state if it continues.
                        state = .ended
                        switch current {
                        case .initial: try await connect()
                        case .connected: if let event = try await readEvent() { return event }
                        case .disconnected(let pause): try await reconnect(after: pause)
                        case .ended: return nil
                        }
                    }
                } catch {
                    throw events.reading.failure(error)
                }
            }

            /// Connects, and sets the state; leaves it as it is, at the end, if the server has no more events.
            @concurrent
            private func connect() async throws {
                guard let connection = try await events.connect(lastEventID) else { return }
                self.connection = connection.resuming(after: lastEventID).makeAsyncIterator()
                state = .connected
            }

            /// Waits, and connects again. If that fails, sets the state for another attempt, or throws the error.
            @concurrent
            private func reconnect(after pause: Duration) async throws {
                try await events.reading.clock.sleep(for: pause)
                do {
                    try await connect()
                } catch {
                    try prepareRetry(after: error)
                }
            }

            /// Reads the next event of the connection, and sets the state; returns nil if the connection has ended.
            @concurrent
            private func readEvent() async throws -> Event? {
                // The connection is removed from the property first, so that any error releases it.
                guard var connection = connection.take() else { return nil }
                do {
                    let event = try await connection.next()
                    keepPosition(of: connection)
                    if event != nil {
                        self.connection = connection
                        state = .connected
                        failureCount = 0
                    } else if events.reconnects {
                        state = .disconnected(pause: pause)
                    }
                    return event
                } catch {
                    keepPosition(of: connection)
                    guard events.reconnects else { throw error }
                    let isSilence = TransportError.code(of: error) == .timedOut
                    if isSilence {
                        // A server without new events may send nothing, so silence does not count as a failure.
                        state = .disconnected(pause: pause)
                    } else {
                        try prepareRetry(after: error)
                    }
                    return nil
                }
            }

            /// Sets the state for another attempt after one that failed, with a pause that doubles with each failure.
            ///
            /// - Throws: The error, if no attempt is left, or another one would not help.
            private func prepareRetry(after error: any Error) throws {
                guard failureCount < events.attempts, Self.isTransient(error) else { throw error }
                // From 10 doublings on, the shortest pause reaches the maximum, so 20 are enough and do not overflow.
                let doublings = Swift.min(failureCount, 20)
                let backoff = Swift.min(pause * (1 << doublings), Self.maximumBackoff)
                state = .disconnected(pause: Swift.max(pause, backoff))
                failureCount += 1
            }

            /// Whether the connection failed in a way that another attempt may repair.
            private static func isTransient(_ error: any Error) -> Bool {
                guard let code = TransportError.code(of: error) else { return false }
                return TransportError.Code.transient.contains(code)
            }

            /// The pause before the next connection if there was no failure.
            private var pause: Duration { Swift.max(retry, Self.minimumPause) }

            /// Remembers the id of the last event and the server's pause for the next connection.
            private func keepPosition(of connection: ServerSentEvents.AsyncIterator) {
                let parser = connection.response.parser
                // If the id cannot be sent in a header, the one before it is kept, and the server repeats this event.
                let canBeSent = parser.lastEventID.isFieldValue && parser.lastEventID.utf8.count <= Self.maximumIDLength
                if canBeSent { lastEventID = parser.lastEventID }
                if let retry = parser.retry { self.retry = retry }
            }
        }
    }
}
