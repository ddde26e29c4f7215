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
        /// The id that the first connection names; empty if it names none.
        let lastEventID: String
        /// The endpoint and the response of the connection, and the clock of the pauses.
        let reading: ReadingContext
        /// Connects, naming the id of the last event; returns nil if the server has no more events.
        let connect: @Sendable (String) async throws -> ServerSentEvents?

        var context: ReadingContext? { reading }

        func reportingComments(_ isWanted: Bool) -> Reconnecting { self }

        /// Returns an iterator, which connects when the first event is read.
        public func makeAsyncIterator() -> JSONEvents<Event>.Iterator {
            JSONEvents.Iterator(Reader(events: self, lastEventID: lastEventID))
        }

        private final class Reader: AsyncIteratorProtocol {
            private enum State {
                /// Before the first connection, whose failure is final.
                case initial
                /// Reading a connection.
                case connected(failures: Int)
                /// Before the next attempt to connect.
                case disconnected(pause: Duration, failures: Int)
                /// After the last event, or an error.
                case ended
            }

            /// The bytes of an id that is sent; many servers refuse a header of more than 8 KiB.
            private static let longestEventID = 8_000

            let events: Reconnecting
            var lastEventID: String
            private var state = State.initial
            private var connection: ServerSentEvents.AsyncIterator?
            private var retry = Duration.seconds(3)

            init(events: Reconnecting, lastEventID: String) {
                self.events = events
                self.lastEventID = lastEventID
            }

            @concurrent
            func next() async throws -> Event? {
                do {
                    while true {
                        let current = state
                        // For whatever throws, and the end of the last connection.
                        state = .ended
                        switch current {
                        case .initial:
                            try await connect(failures: 0)
                        case .connected(let failures):
                            if let event = try await read(failures: failures) { return event }
                        case .disconnected(let pause, let failures):
                            // Without a minimum, a server that wants no pause and ends each connection would get
                            // requests without end.
                            try await events.reading.clock.sleep(for: Swift.max(pause, .milliseconds(100)))
                            do {
                                try await connect(failures: failures)
                            } catch {
                                try retry(after: error, failures: failures)
                            }
                        case .ended:
                            return nil
                        }
                    }
                } catch {
                    throw events.reading.failure(error)
                }
            }

            @concurrent
            @inline(never)
            private func connect(failures: Int) async throws {
                guard let connection = try await events.connect(lastEventID) else { return }
                self.connection = connection.resuming(after: lastEventID).makeAsyncIterator()
                state = .connected(failures: failures)
            }

            /// Returns the next event of a connection, or nil after it has ended.
            @concurrent
            private func read(failures: Int) async throws -> Event? {
                // Taken, so that it ends with whatever throws.
                guard var connection = connection.take() else { return nil }
                do {
                    let event = try await connection.next()
                    update(from: connection.response.parser)
                    if event != nil {
                        self.connection = connection
                        state = .connected(failures: 0)
                    } else if events.reconnects {
                        state = .disconnected(pause: retry, failures: failures)
                    }
                    return event
                } catch {
                    update(from: connection.response.parser)
                    guard events.reconnects else { throw error }
                    if TransportError.code(of: error) == .timedOut {
                        // A server that has no events sends nothing, which is not a failure.
                        state = .disconnected(pause: retry, failures: failures)
                    } else {
                        try retry(after: error, failures: failures)
                    }
                    return nil
                }
            }

            /// Prepares the next attempt after one that failed.
            ///
            /// - Throws: The error, if no attempt is left, or another one would not help.
            private func retry(after error: any Error, failures: Int) throws {
                guard failures < events.attempts, let code = TransportError.code(of: error),
                    TransportError.Code.transient.contains(code)
                else { throw error }
                let doubled = Swift.max(retry, .milliseconds(100)) * (1 << Swift.min(failures, 20))
                let pause = Swift.max(retry, Swift.min(doubled, .seconds(60)))
                state = .disconnected(pause: pause, failures: failures + 1)
            }

            /// Keeps what the next connection depends on.
            private func update(from parser: EventParser) {
                // If the id cannot be sent in a header, the server continues after the event before it.
                let isTooLong = parser.lastEventID.utf8.count > Self.longestEventID
                if !isTooLong, parser.lastEventID.isFieldValue { lastEventID = parser.lastEventID }
                retry = parser.retry ?? retry
            }
        }
    }
}
