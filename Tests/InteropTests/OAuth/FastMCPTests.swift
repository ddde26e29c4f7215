import APIKit
import APIKitOAuth
import Testing

/// FastMCP with the authorization server that it has for tests: its issuer is a host with a slash at its end.
///
/// It accepts a secret in the `Authorization` header for tokens, but for a revocation only in the body; the tests of
/// the package mcp, from which it has this, cover a sign-out that fails. Its redirects do not name their issuer. It has
/// neither device codes nor client credentials.
@Suite(.running(.fastMCP), .timeLimit(.minutes(10))) struct FastMCPTests {
    private static let origin = OAuthServer.fastMCP.issuer
    private static let issuer = origin + "/"
    private static let resource = origin + "/mcp"

    /// A user. The server asks for nothing, and redirects at once.
    private actor User {
        private(set) var pageCount = 0

        func approve(_ url: URL) async throws -> String {
            pageCount += 1
            return try await Browser().send(.get, url.absoluteString).location
        }

        nonisolated var approves: OAuthFlow { .authorizationCode(present: .page { try await self.approve($0) }) }
    }

    private struct Registered: JSONResponse {
        let client_id: String
        let client_secret: String?

        func authentication(_ method: String) throws -> ClientAuthentication {
            switch method {
            case "client_secret_basic": .basic(secret: try #require(client_secret))
            case "client_secret_post": .post(secret: try #require(client_secret))
            default: .none
            }
        }
    }

    private let user = User()
    private let store = OpenStore()
    private let log = TokenLog()

    private func account(
        _ clients: [ClientRegistration] = [.dynamic(name: "APIKit")], scopes: [String]? = nil, flow: OAuthFlow? = nil
    ) -> OAuth {
        OAuth(
            resource: Self.resource, clients: clients, scopes: scopes, store: store, flow: flow ?? user.approves,
            client: log.client)
    }

    private func client(_ account: OAuth, leeway: Duration = .seconds(5)) -> any APIClient {
        URLSession.api.based(at: APIBase(Self.resource)).authorized(by: account, for: .mcp, leeway: leeway)
    }

    /// Tokens live for an hour.
    private let longerThanTokensLive = Duration.seconds(7200)

    /// Registers a client by hand.
    private func register(_ method: String) async throws -> Registered {
        let response = try await Browser().send(
            .post, Self.origin + "/register",
            json: [
                "redirect_uris": [.string(AuthorizationPresentation.redirectURI)], "client_name": "APIKit",
                "token_endpoint_auth_method": .string(method), "scope": "tools more",
            ])
        return try JSON<Registered>.process(data: try #require(response.body.data))
    }

    private func expectTools(_ client: any APIClient) async throws {
        let page = try await client.send(ListTools())
        #expect(page.tools.map(\.name) == ["add"])
    }

    @Test func refusalLeadsToARegistrationASignInByALoopbackPortAndTheTools() async throws {
        let client = client(
            account(flow: .authorizationCode(present: .loopbackPage { [user] in try await user.approve($0) })))
        let page = try await client.send(ListTools())
        let add = try #require(page.tools.first { $0.name == "add" })
        let sum = try await client.send(CallTool(tool: add, input: ["first": 2, "second": 40])).result()
        #expect(sum.structuredContent?["result"] == 42)
        #expect(await user.pageCount == 1)
        #expect(await log.registrationCount == 1)
        #expect(await log.grantTypes == ["authorization_code"])
    }

    @Test(arguments: ["none", "client_secret_basic", "client_secret_post"])
    func clientThatWasRegisteredByHandSignsInAndRefreshesWithRotation(_ method: String) async throws {
        let registered = try await register(method)
        let account = account([
            .preregistered(
                registered.client_id, at: Self.issuer, authentication: try registered.authentication(method))
        ])
        let client = client(account, leeway: longerThanTokensLive)
        try await expectTools(client)
        let first = try await store.tokens
        for _ in 0..<3 { try await expectTools(client) }
        let last = try await store.tokens
        #expect(first.accessToken != last.accessToken && first.refreshToken != last.refreshToken)
        #expect(try await Browser().status(of: Self.resource, with: first) == 401)
        #expect(await log.registrationCount == 0)
        #expect(await user.pageCount == 1)
        #expect(await log.grantTypes == ["authorization_code"] + Array(repeating: "refresh_token", count: 3))
    }

    @Test(arguments: [ClientAuthentication.basic(secret: "wrong"), .post(secret: "wrong")])
    func wrongSecretIsRefused(_ authentication: ClientAuthentication) async throws {
        let registered = try await register(authentication.description)
        let account = account([
            .preregistered(registered.client_id, at: Self.issuer, authentication: authentication)
        ])
        let error = try await client(account).oauthError(of: ListTools())
        #expect(error.code == .refused)
        #expect(error.serverCode == "invalid_client")
    }

    @Test func refreshTokenThatAnotherProgramHasUsedLeadsToANewSignIn() async throws {
        let registered = try await register("none")
        let client = client(
            account([.preregistered(registered.client_id, at: Self.issuer)]), leeway: longerThanTokensLive)
        try await expectTools(client)
        let shared = try #require(try await store.tokens.refreshToken)
        let form = "grant_type=refresh_token&client_id=\(registered.client_id)&refresh_token=\(shared)"
        #expect(try await Browser().post(Self.origin + "/token", form: form).head.status == 200)
        try await expectTools(client)
        #expect(await user.pageCount == 2)
    }

    @Test func insufficientScopeLeadsToASignInWithTheScopesThatTheAPINames() async throws {
        try await expectTools(client(account(scopes: ["more"])))
        // The server grants a client only the scopes that it was registered for.
        #expect(await log.registrationCount == 2)
        #expect(await user.pageCount == 2)
        #expect(Set(try await store.tokens.scopes) == ["more", "tools"])
    }

    // MARK: - The slash at the end of the issuer

    @Test(arguments: [origin, issuer]) func issuerIsFoundWithAndWithoutTheSlash(_ issuer: String) async throws {
        let registered = try await register("none")
        let account = OAuth(
            issuer: issuer, clientID: registered.client_id, scopes: ["tools"], resource: Self.resource, store: store,
            flow: user.approves, client: log.client)
        let client = client(account, leeway: longerThanTokensLive)
        try await expectTools(client)
        try await expectTools(client)
        #expect(await user.pageCount == 1)
        #expect(await log.grantTypes == ["authorization_code", "refresh_token"])
    }

    @Test(arguments: [origin, issuer])
    func clientThatWasRegisteredByHandIsRecognizedWithAndWithoutTheSlash(_ issuer: String) async throws {
        let registered = try await register("none")
        try await expectTools(client(account([.preregistered(registered.client_id, at: issuer)])))
        #expect(await log.registrationCount == 0)
        #expect(await user.pageCount == 1)
    }

    // MARK: - Sign-out

    @Test func signOutRevokesTheTokens() async throws {
        let method = "client_secret_post"
        let registered = try await register(method)
        let account = account([
            .preregistered(
                registered.client_id, at: Self.issuer, authentication: try registered.authentication(method))
        ])
        let client = client(account)
        try await expectTools(client)
        let tokens = try await store.tokens
        try await account.signOut()
        #expect(try await Browser().status(of: Self.resource, with: tokens) == 401)
        try await expectTools(client)
        #expect(await user.pageCount == 2)
    }
}
