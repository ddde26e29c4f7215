import APIKitClients
import APIKitCore
import APIKitOAuth
import APIKitSupport
import APIKitTestServer
import APIKitTesting
import Foundation
import TestSupport
import TestTraits
import Testing

/// Servers without metadata, whose URLs are known.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct OAuthEndpointsTests {
    private struct Things: APIRequest {
        typealias Response = Data
        let api: String
        var base: APIBase { APIBase(api) }
        var path: URLPath { "" }
    }

    private static func endpoints(_ server: OAuthServer) -> OAuthEndpoints {
        OAuthEndpoints(
            authorization: "\(server.issuer)/authorize", token: "\(server.issuer)/token",
            deviceAuthorization: "\(server.issuer)/device", revocation: "\(server.issuer)/revoke")
    }

    private static func world() throws -> (server: OAuthServer, api: ProtectedResource) {
        let server = try OAuthServer(ServerBehavior(clients: [ServerClient(id: "app")]))
        return (server, try ProtectedResource(ProtectedResource.Behavior(servers: [server])))
    }

    @Test func signsInWithPKCEAndRevokesWithoutMetadata() async throws {
        let (server, api) = try Self.world()
        let browser = UserAgent()
        let presentation = AuthorizationPresentation.custom(redirectURI: UserAgent.redirectURI) {
            try await browser.open($0)
        }
        let account = OAuth(
            endpoints: Self.endpoints(server), clientID: "app", scopes: ["read"],
            flow: .authorizationCode(present: presentation), client: network)
        _ = try await network.authorized(by: account, for: APIBase(api.origin)).send(Things(api: api.identifier))
        try await account.signOut()
        let query = try #require(browser.openedURLs.first?.query)
        #expect(query.contains("code_challenge=") && query.contains("code_challenge_method=S256"))
        #expect(server.requests(to: .token).first?.fields["code_verifier"] != nil)
        #expect(server.requests(to: .metadata).isEmpty && server.requests(to: .revoke).count == 2)
    }

    /// As GitHub does.
    @Test func refusalsMayHaveTheStatusOfASuccess() async throws {
        let clock = ManualClock(skippingSleep: true)
        let (server, _) = try Self.world()
        let remaining = Locked(["authorization_pending", "slow_down", "authorization_pending"])
        server.change { behavior in
            behavior.intercept = { endpoint, _ in
                guard endpoint == .token, let error = remaining.withLock({ $0.popLast() }) else { return nil }
                return .json(#"{"error": "\#(error)", "error_description": "Wait."}"#)
            }
        }
        let account = OAuth(
            endpoints: Self.endpoints(server), clientID: "app",
            flow: .deviceCode { server.decide(.approved, userCode: $0.userCode) },
            client: network.timed(by: clock))
        try await account.signIn()
        #expect(server.requests(to: .token).count == 4)
        remaining.withLock { $0 = ["incorrect_device_code"] }
        try await account.signOut()
        let error = await #expect(throws: OAuthError.self) { try await account.signIn() }
        #expect(error?.code == .refused && error?.serverCode == "incorrect_device_code")
    }
}
