/// The body of a response as it arrives.
///
/// The exchange is cancelled when the last reference to the sequence and its iterators is released, so that a body that
/// nobody reads is not received.
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

    /// Cancels the exchange when its last reference is released.
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
