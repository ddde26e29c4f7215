import APIKit
import APIKitTesting
import Hummingbird
import HummingbirdTesting
import ServiceLifecycle
import Testing

@testable import profiles

@Suite struct ProfilesTests {
    private static let ada = #"{"login": "ada", "name": "Ada Lovelace", "followers": 36}"#

    private func server(over gitHub: StubClient) -> some ApplicationProtocol {
        application(calling: gitHubClient(over: gitHub, credentials: .bearer("t0k3n")))
    }

    /// A stub of GitHub that responds once the server shuts down, or never.
    private func slowGitHub(onRequest begin: @escaping @Sendable () -> Void) -> StubClient {
        StubClient().answering(UserRequest.self) { _ in
            begin()
            try await gracefulShutdown()
            return User(login: "ada", name: "Ada Lovelace", followers: 36)
        }
    }

    @Test func sendsATokenAndRespondsFromTheCache() async throws {
        let gitHub = StubClient()
            .answering(UserRequest.self, with: .json(Self.ada, headers: [.cacheControl: "max-age=60"]))
        try await server(over: gitHub).test(.router) { client in
            for _ in 1...2 {
                try await client.execute(uri: "/profiles/ada", method: .get) { response in
                    #expect(response.status == .ok)
                    let profile = try JSONDecoder().decode(Profile.self, from: Data(String(buffer: response.body).utf8))
                    #expect(profile == Profile(name: "Ada Lovelace", followers: 36))
                }
            }
        }
        let requests = gitHub.requests
        #expect(requests.map { $0.headers[.authorization] } == ["Bearer t0k3n"])
    }

    @Test func respondsToFailures() async throws {
        let gitHub = StubClient()
            .answering(UserRequest.self, once: .status(404), .failure(TransportError(.secureConnectionFailed)))
        try await server(over: gitHub).test(.router) { client in
            try await client.execute(uri: "/profiles/nobody", method: .get) { #expect($0.status == .notFound) }
            try await client.execute(uri: "/profiles/ada", method: .get) { #expect($0.status == .badGateway) }
        }
    }

    @Test(.timeLimit(.minutes(10))) func finishesCallsAtShutdown() async throws {
        let (calls, call) = AsyncStream.makeStream(of: Void.self)
        let response = try await server(over: slowGitHub { call.finish() }).test(.live) { client in
            let request = ProfileRequest(port: try #require(client.port))
            let response = Task { try await URLSession.api.send(request) }
            for await _ in calls {}
            // The server shuts down when this returns.
            return response
        }
        #expect(try await response.value == Profile(name: "Ada Lovelace", followers: 36))
    }

    @Test(.timeLimit(.minutes(10))) func cancelsTheCallsOfARequest() async throws {
        let (calls, call) = AsyncStream.makeStream(of: Void.self)
        let gitHub = slowGitHub { call.finish() }
        let app = server(over: gitHub)
        let request = Task {
            try await app.test(.router) { client in
                _ = try await client.execute(uri: "/profiles/ada", method: .get) { $0.status }
            }
        }
        for await _ in calls {}
        request.cancel()
        // Never ends if the call goes on.
        _ = await request.result
        #expect(gitHub.requests.count == 1)
    }
}

/// The server as an API.
private struct ProfileRequest: APIRequest {
    typealias Response = JSON<Profile>
    let port: Int
    var base: APIBase { APIBase("http://localhost:\(port)") }
    var path: URLPath { "profiles/ada" }
}
