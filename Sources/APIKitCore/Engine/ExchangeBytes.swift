/// The body of a response as it arrives. The exchange ends when its reader stops, or when nobody is going to read.
struct ExchangeBytes: AsyncSequence, Sendable {
    private let reading: Reading

    init(of exchange: Exchange) {
        reading = Reading(exchange)
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(reading: reading)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let reading: Reading

        @concurrent
        mutating func next() async throws -> Data? {
            try await reading.exchange.nextPiece()
        }
    }

    /// Ends the exchange with its last reference.
    fileprivate final class Reading: Sendable {
        let exchange: Exchange

        init(_ exchange: Exchange) {
            self.exchange = exchange
        }

        deinit {
            exchange.fail(CancellationError())
        }
    }
}
