#if os(Linux)
import APIKitCore

/// Reads the body of a request in a task, a few pieces ahead of what is sent.
final class CurlUpload: Sendable {
    /// What there is of the body.
    enum Piece: Sendable {
        case bytes(Data)
        case end
        case failure(any Error)
    }

    private let task: Task<Void, Never>
    private let demand: AsyncStream<Void>.Continuation

    /// Starts reading. Two pieces are reported at once, and another one for each call of ``next()``.
    init(_ body: RequestBody, report: @escaping @Sendable (Piece) -> Void) {
        let (demands, demand) = AsyncStream.makeStream(of: Void.self)
        self.demand = demand
        demand.yield()
        // It is the engine's, and ends with the transfer.
        task = Task {
            var demands = demands.makeAsyncIterator()
            do {
                for try await piece in body.bytes {
                    report(.bytes(piece))
                    guard await demands.next() != nil else { return }
                }
                // A stream that ends because of a cancel must not pass for a whole one.
                if !Task.isCancelled { report(.end) }
            } catch {
                report(.failure(error))
            }
        }
    }

    /// Asks for another piece.
    func next() {
        demand.yield()
    }

    func cancel() {
        task.cancel()
    }
}
#endif
