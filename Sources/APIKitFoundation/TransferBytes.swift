/// The body of a response as it arrives. The transfer ends when its reader stops, or when nobody is going to read.
struct TransferBytes: AsyncSequence, Sendable {
    private let reading: Reading

    init(of transfer: Transfer, in chunks: ChunkQueue) {
        reading = Reading(transfer, chunks)
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(reading: reading)
    }

    struct Iterator: AsyncIteratorProtocol {
        let reading: Reading

        @concurrent
        mutating func next() async throws -> Data? {
            try Task.checkCancellation()
            return try await reading.next()
        }
    }

    /// A body that is read, or may yet be, for as long as this lives.
    final class Reading: Sendable {
        private let transfer: Transfer
        private let chunks: ChunkQueue

        init(_ transfer: Transfer, _ chunks: ChunkQueue) {
            self.transfer = transfer
            self.chunks = chunks
        }

        deinit {
            transfer.cancel()
        }

        func next() async throws -> Data? {
            try await withTaskCancellationHandler {
                try await chunks.next()
            } onCancel: {
                transfer.cancel()
            }
        }
    }
}
