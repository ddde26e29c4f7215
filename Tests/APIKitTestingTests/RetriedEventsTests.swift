import APIKitClients
import APIKitCore
import APIKitStreams
import APIKitTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RetriedEventsTests {
    private struct TickerRequest: DirectoryRequest {
        typealias Response = ServerSentEvents
        var path: URLPath { "ticker" }
    }

    private func stub(refusing count: Int) -> StubClient {
        let refusals = Array(repeating: StubClient.Answer<ServerSentEvents>.status(503), count: count)
        let first = StubClient.Answer<ServerSentEvents>.events([.init(data: "a", id: "1")])
        let second = StubClient.Answer<ServerSentEvents>.events([.init(data: "b", id: "2")])
        var stub = StubClient(clock: ManualClock(skippingSleep: true))
            .answering(TickerRequest.self, with: .status(204))
            .answering(TickerRequest.self, once: second)
        for refusal in refusals { stub = stub.answering(TickerRequest.self, once: refusal) }
        return stub.answering(TickerRequest.self, once: first)
    }

    // The article on streaming says both.
    @Test func refusalWhileReconnectingEndsTheLoopUnlessItIsRetried() async throws {
        let error = await #expect(throws: DirectoryFailure.self) {
            for try await _ in stub(refusing: 1).events(for: TickerRequest()) {}
        }
        #expect(error?.status == 503)
        let server = stub(refusing: 2)
        var events: [String] = []
        for try await event in server.retrying().events(for: TickerRequest()) { events.append(event.data) }
        #expect(events == ["a", "b"])
        #expect(server.requests.map { $0.headers[.lastEventID] } == [nil, "1", "1", "1", "2"])
    }
}
