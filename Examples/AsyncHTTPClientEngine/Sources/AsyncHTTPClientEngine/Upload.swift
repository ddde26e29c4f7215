import APIKitCore
import AsyncHTTPClient
import NIOCore

/// Writes the body of a request part by part, so that only a few parts are in memory at once.
final class Upload {
    /// Completes after the last part, or with what has gone wrong.
    let end: EventLoopFuture<Void>
    private let task: Task<Void, Never>
    private let partSent: AsyncStream<Void>.Continuation

    init(of body: RequestBody, to writer: HTTPClient.Body.StreamWriter, on loop: any EventLoop) {
        let (partsSent, partSent) = AsyncStream.makeStream(of: Void.self)
        let promise = loop.makePromise(of: Void.self)
        task = promise.completeWithTask { try await Self.write(body, to: writer, partsSent: partsSent) }
        // One part ahead, so that the end of the body follows its last part at once.
        partSent.yield()
        self.partSent = partSent
        end = promise.futureResult
    }

    private static func write(
        _ body: RequestBody, to writer: HTTPClient.Body.StreamWriter,
        partsSent: AsyncStream<Void>
    ) async throws {
        var partsSent = partsSent.makeAsyncIterator()
        for try await piece in body.bytes {
            // The future of a part never completes if the request ends first,
            // so this waits for the delegate's report.
            _ = writer.write(.byteBuffer(ByteBuffer(bytes: piece)))
            await partsSent.next()
        }
        // A stream that ends because of a cancel must not pass for a whole one.
        try Task.checkCancellation()
    }

    /// Lets the next part be written.
    func didSendPart() {
        partSent.yield()
    }

    /// Stops reading the body.
    func cancel() {
        task.cancel()
    }
}
