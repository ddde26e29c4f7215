import APIKitTestServer
import Testing

@testable import APIKitFoundation

@Suite struct TransferTests {
    @Test func cancelledBeforeItsTaskIsMadeItEndsAsCancelledAndSendsNothing() async throws {
        let server = try LoopbackServer { _ in .text("") }
        let request = HTTPRequest(url: server.url)
        let transfer = Transfer(for: Attempt(request: request))
        transfer.cancel()
        await #expect(throws: CancellationError.self) {
            try await withCheckedThrowingContinuation { continuation in
                transfer.start(over: Route(session: .api), continuation)
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test func cancelledBetweenCreatingAndResumingItEndsAsCancelledAndSendsNothing() async throws {
        let server = try LoopbackServer { _ in .text("") }
        let request = HTTPRequest(url: server.url)
        for session in [URLSession.api, .shared] {
            let transfer = Transfer(for: Attempt(request: request))
            await #expect(throws: CancellationError.self) {
                try await withCheckedThrowingContinuation { continuation in
                    transfer.start(over: Route(session: session), continuation) { transfer.cancel() }
                }
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test func whatComesAfterTheEndChangesNothing() async throws {
        let request = HTTPRequest(url: URL(string: "http://127.0.0.1:9/")!)
        let transfer = Transfer(for: Attempt(request: request))
        await #expect(throws: CancellationError.self) {
            try await withCheckedThrowingContinuation { continuation in
                transfer.start(over: Route(session: .api), continuation) { transfer.cancel() }
            }
        }
        transfer.receive(Data("late".utf8))
        transfer.complete(URLError(.timedOut))
        transfer.cancel()
    }
}
