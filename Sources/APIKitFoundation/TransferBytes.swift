/// The body of a response as it arrives, for one reader. The transfer ends when the reader stops, or when nobody is
/// going to read.
struct TransferBytes: AsyncSequence, Sendable {
    private let unread: Unread

    init(of transfer: Transfer, in chunks: ChunkQueue) {
        unread = Unread(transfer, chunks)
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(reading: unread.chunks.claim() ? Reading(unread.transfer, unread.chunks) : nil)
    }

    struct Iterator: AsyncIteratorProtocol {
        /// Nil where another iterator reads already.
        let reading: Reading?

        @concurrent
        mutating func next() async throws -> Data? {
            guard let reading else {
                throw TransportError(.unsupported, "the body of a response can be read once")
            }
            try Task.checkCancellation()
            return try await reading.next()
        }
    }

    /// A body that somebody may still begin to read, and none will once this is gone.
    private final class Unread: Sendable {
        let transfer: Transfer
        let chunks: ChunkQueue

        init(_ transfer: Transfer, _ chunks: ChunkQueue) {
            self.transfer = transfer
            self.chunks = chunks
        }

        deinit {
            if chunks.claim() { transfer.cancel() }
        }
    }

    /// A body that is read for as long as this lives.
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
