#if canImport(FoundationNetworking)
import APIKitFoundation
import APIKitTestServer
import Testing

/// Requests that have a connection of their own, on Linux.
@Suite(.timeLimit(.minutes(1))) struct OwnConnectionTests {
    @Test func waitingForAConnectionEndsWithTheTimeout() async throws {
        let server = try LoopbackServer { _ in ServerAnswer(steps: [.waitForClient]) }
        let configuration = URLSessionConfiguration.api
        configuration.httpMaximumConnectionsPerHost = 1
        let session = URLSession.api(configuration: configuration)
        let first = Task { try await session.send(Probe<String>(baseURL: server.url, method: .post)) }
        await server.waitForRequests(1)
        let second = Probe<String>(
            baseURL: server.url, method: .post, options: RequestOptions(timeout: .seconds(1)))
        let error = await #expect(throws: APIError<ServerError>.self) { try await session.send(second) }
        #expect(error?.transportCode == .timedOut)
        #expect(server.requests.count == 1)
        first.cancel()
        _ = await first.result
    }

    @Test func ownConnectionsObserveTheSessionsLimit() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            ServerAnswer(steps: [.waitFor(gate)] + ServerAnswer.text("ok").steps)
        }
        let configuration = URLSessionConfiguration.api
        configuration.httpMaximumConnectionsPerHost = 4
        let session = URLSession.api(configuration: configuration)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 {
                group.addTask { try await session.send(Probe<String>(baseURL: server.url, method: .post)) }
            }
            await server.waitForRequests(4)
            #expect(server.openConnections == 4)
            gate.open()
            for try await text in group { #expect(text == "ok") }
        }
        #expect(server.requests.count == 20)
    }
}
#endif
