import APIKit
import APIKitTestServer
import TestTraits
import Testing

/// Engines that are made with a configuration.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct ConfigurationTests {
    private func client(_ change: (URLSessionConfiguration) -> Void) -> some APIClient {
        let configuration = URLSessionConfiguration.api
        change(configuration)
        return URLSession.api(configuration: configuration)
    }

    @Test func apiKeepsNothing() {
        let configuration = URLSessionConfiguration.api
        #expect(configuration.urlCache == nil)
        #expect(configuration.httpCookieStorage == nil)
        #expect(configuration.urlCredentialStorage == nil)
        #expect(configuration.httpMaximumConnectionsPerHost >= 32)
        // It caps the timeouts of requests.
        #expect(configuration.timeoutIntervalForRequest >= 86_400)
    }

    @Test func additionalHeadersStayAtTheirOrigin() async throws {
        let other = try LoopbackServer { _ in .text("other") }
        let server = try LoopbackServer { [url = other.url] _ in
            .status(302, headers: [("Location", url.absoluteString)])
        }
        let client = client { $0.httpAdditionalHeaders = ["Authorization": "Bearer abc", "X-Team": "blue"] }
        _ = try await client.send(Probe<String>(base: APIBase(server.url)))
        #expect(server.requests.first?.values(of: "Authorization") == ["Bearer abc"])
        #expect(server.requests.first?.values(of: "X-Team") == ["blue"])
        #expect(other.requests.first?.values(of: "Authorization") == [])
    }

    @Test func timeoutOfTheConfigurationIsAnUpperBound() async throws {
        let server = try LoopbackServer { _ in ServerAnswer(steps: [.waitForClient]) }
        let client = client { $0.timeoutIntervalForRequest = 0.2 }
        #expect(try await client.failure(of: Probe<String>(base: APIBase(server.url))).transportCode == .timedOut)
    }

    @Test func connectionsPerHostAreLimited() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in ServerAnswer(steps: [.waitFor(gate)] + ServerAnswer.text("ok").steps) }
        let client = client { $0.httpMaximumConnectionsPerHost = 4 }
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 {
                group.addTask { try await client.send(Probe<String>(base: APIBase(server.url), method: .post)) }
            }
            await server.waitForRequests(4)
            #expect(server.openConnections == 4)
            gate.open()
            for try await text in group { #expect(text == "ok") }
        }
        #expect(server.requests.count == 20)
    }
}
