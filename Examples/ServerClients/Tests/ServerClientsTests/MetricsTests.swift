import APIKit
import APIKitTesting
import MetricsTestKit
import ServerClients
import Testing

@Suite struct MetricsTests {
    private let metrics = TestMetrics()

    private func dimensions(status: String) -> [(String, String)] {
        [("endpoint", "UserRequest"), ("method", "GET"), ("template", "/users/{login}"), ("status", status)]
    }

    @Test(arguments: [(200, "2xx"), (304, "3xx"), (404, "4xx"), (503, "5xx")])
    func countsByStatusClass(status: Int, label: String) async throws {
        _ = try? await StubClient(.status(status)).measured(by: metrics).send(UserRequest())
        let counter = try metrics.expectCounter("api_client_requests", dimensions(status: label))
        let timer = try metrics.expectTimer("api_client_request_duration", dimensions(status: label))
        #expect(counter.totalValue == 1)
        #expect(timer.values.count == 1)
        #expect(metrics.counters.count == 1)
    }

    @Test func countsAttempts() async throws {
        try await StubClient.flaky.measured(by: metrics).retrying().send(UserRequest())
        for status in ["5xx", "error", "2xx"] {
            #expect(try metrics.expectCounter("api_client_requests", dimensions(status: status)).totalValue == 1)
        }
        #expect(metrics.counterTotal(label: "api_client_requests") == 3)
    }

    @Test func countsStreamAtItsEnd() async throws {
        let stub = StubClient().answering(StreamRequest.self, with: .stream("ab", "c"))
        let stream = try await stub.measured(by: metrics).send(StreamRequest())
        #expect(metrics.counters.isEmpty)
        #expect(try await stream.data(upTo: 10).count == 3)
        #expect(metrics.counterTotal(label: "api_client_requests") == 1)
    }

    @Test func labelsHoldNoSecret() async {
        await sendSecrets { $0.measured(by: metrics) }
        #expect(metrics.counterTotal(label: "api_client_requests") == 3)
        #expect(metrics.description.contains("/users/{login}/keys/{}"))
        #expect(!metrics.description.contains(secret))
    }
}
