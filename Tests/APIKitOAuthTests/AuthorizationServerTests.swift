import APIKitCore
import APIKitTestServer
import APIKitTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import APIKitOAuth

/// What the metadata of a server decides.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct AuthorizationServerTests {
    // MARK: - The issuer

    /// The issuer that was named, the one in the metadata, and whether they are the same.
    private static let issuers: [(named: String, published: String, isSame: Bool)] = [
        ("https://auth.example.com", "https://auth.example.com", true),
        ("https://auth.example.com", "https://auth.example.com/", true),
        ("https://auth.example.com/", "https://auth.example.com", true),
        ("https://auth.example.com:8443", "https://auth.example.com:8443/", true),
        ("https://auth.example.com/a", "https://auth.example.com/a/", false),
        ("https://auth.example.com/a/", "https://auth.example.com/a", false),
        ("https://auth.example.com", "https://auth.example.com//", false),
        ("https://auth.example.com", "https://Auth.example.com", false),
        ("https://auth.example.com", "https://auth.example.com:443", false),
        ("https://auth.example.com", "https://auth.example.com/?", false),
        ("https://auth.example.com", "http://auth.example.com/", false),
    ]

    /// FastMCP publishes an issuer with a slash, and is named without one.
    @Test(arguments: issuers) func issuersMayDifferInTheSlashAfterAHost(
        issuer: (named: String, published: String, isSame: Bool)
    ) throws {
        let metadata = ServerMetadata(issuer: issuer.published, token_endpoint: "https://auth.example.com/token")
        let server = try? AuthorizationServer(metadata, issuer: issuer.named)
        #expect(server?.issuer == (issuer.isSame ? issuer.published : nil))
    }

    @Test(arguments: [true, false]) func metadataWithASlashIsReadOnceAndNamesTheIssuerOfRedirects(
        isRegisteredWithSlash: Bool
    ) async throws {
        let server = try OAuthServer(ServerBehavior(clients: [ServerClient(id: "app")]))
        let slashed = server.issuer + "/"
        server.change { behavior in
            behavior.edit = { if $0 == .metadata { $1["issuer"] = .string(slashed) } }
            behavior.issuerParameter = .text(slashed)
        }
        let account = OAuth(
            issuer: server.issuer, clientID: "app", flow: .browser(UserAgent()), client: network)
        try await account.signIn()
        try await account.signOut()
        try await account.signIn()
        #expect(server.requests(to: .metadata).count == 1)

        let resource = try ProtectedResource(ProtectedResource.Behavior(servers: [server]))
        let mcp = OAuth(
            resource: resource.identifier,
            clients: [.preregistered("app", at: isRegisteredWithSlash ? slashed : server.issuer)],
            flow: .browser(UserAgent()), client: network)
        try await mcp.signIn()
        #expect(try await mcp.isSignedIn())
    }

    @Test func metadataIsReadAgainAfterAnHour() async throws {
        let clock = ManualClock(skippingSleep: true)
        let server = try OAuthServer(ServerBehavior(clients: [ServerClient(id: "app")]))
        let account = OAuth(
            issuer: server.issuer, clientID: "app", flow: .browser(UserAgent()), client: network.timed(by: clock))
        func signInAgain() async throws {
            try await account.signIn()
            try await account.signOut()
        }
        try await signInAgain()
        clock.advance(by: .seconds(3590))
        try await signInAgain()
        #expect(server.requests(to: .metadata).count == 1)
        clock.advance(by: .seconds(20))
        try await signInAgain()
        #expect(server.requests(to: .metadata).count == 2)
        // What was known is used if the metadata cannot be read, and after that for a while.
        server.change { $0.intercept = { endpoint, _ in endpoint == .metadata ? .status(503) : nil } }
        clock.advance(by: .seconds(3610))
        try await signInAgain()
        #expect(server.requests(to: .metadata).count == 3)
    }

    // MARK: - What a sign-in by redirect needs

    private static func account(_ edit: @escaping @Sendable (inout JSONValue.Object) -> Void) throws -> (
        OAuthServer, UserAgent, OAuth
    ) {
        var behavior = ServerBehavior(clients: [ServerClient(id: "app")])
        behavior.edit = { if $0 == .metadata { edit(&$1) } }
        let server = try OAuthServer(behavior)
        let agent = UserAgent()
        let account = OAuth(issuer: server.issuer, clientID: "app", flow: .browser(agent), client: network)
        return (server, agent, account)
    }

    /// Entra supports S256, and its metadata does not say so.
    @Test func serverWithoutS256InItsMetadataIsAnErrorThatNamesTheWayOut() async throws {
        let (server, agent, account) = try Self.account { $0["code_challenge_methods_supported"] = nil }
        let error = await oauthError { try await account.signIn() }
        #expect(error?.code == .unsupported && agent.openedURLs.isEmpty)
        #expect(server.requests(to: .metadata).count == 1)
        #expect(error?.message.contains("S256") == true && error?.message.contains("OAuthEndpoints") == true)
    }

    /// RFC 9126, section 5. Such a server would show an error page, for which the program would wait in vain.
    @Test func serverThatRequiresPushedRequestsIsAnErrorAtOnce() async throws {
        let (server, agent, account) = try Self.account { $0["require_pushed_authorization_requests"] = true }
        let error = await oauthError { try await account.signIn() }
        #expect(error?.code == .unsupported && agent.openedURLs.isEmpty)
        #expect(error?.message.contains("RFC 9126") == true)
        server.change { $0.edit = { if $0 == .metadata { $1["require_pushed_authorization_requests"] = false } } }
        let other = OAuth(issuer: server.issuer, clientID: "app", flow: .browser(agent), client: network)
        try await other.signIn()
        #expect(server.requests(to: .token).count == 1)
    }
}
