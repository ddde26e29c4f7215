import APIKit
import APIKitOAuth
import Testing

// MCP.swift in the folder above is the file of the example mcp-client.

/// The package mcp as an authorization server and as the MCP server that trusts it: its refusals lead to its metadata,
/// clients register themselves, and tokens are for one API only.
@Suite(.running(.mcp), .timeLimit(.minutes(10))) struct MCPAuthorizationTests {
    private static let issuer = OAuthServer.mcp.issuer
    private static let resource = issuer + "/mcp"

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

    /// Registers a client by hand.
    private func register(_ method: String) async throws -> Registered {
        let response = try await Browser().send(
            .post, Self.issuer + "/register",
            json: [
                "redirect_uris": [.string(AuthorizationPresentation.redirectURI)], "client_name": "APIKit",
                "token_endpoint_auth_method": .string(method), "scope": "tools more",
            ])
        return try JSON<Registered>.process(data: try #require(response.body.data))
    }

    private func expectTools(_ client: any APIClient) async throws {
        let page = try await client.send(ListTools())
        #expect(page.tools.map(\.name) == ["add", "count", "fail"])
    }

    // MARK: - From a refusal to an answer

    @Test func refusalLeadsToARegistrationASignInAndTheTools() async throws {
        let client = client(account())
        let page = try await client.send(ListTools())
        let add = try #require(page.tools.first { $0.name == "add" })
        let sum = try await client.send(CallTool(tool: add, input: ["first": 2, "second": 40])).result()
        #expect(sum.structuredContent?["result"] == 42)
        let count = try #require(page.tools.first { $0.name == "count" })
        let counted = try await client.send(CallTool(tool: count, input: ["to": 3])).result()
        #expect(counted.content.first?.text == "counted to 3")
        #expect(await user.pageCount == 1)
        #expect(await log.registrationCount == 1)
        #expect(try await store.tokens.scopes == ["tools"])
    }

    @Test func concurrentRequestsSignInOnce() async throws {
        let client = client(account())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { try await expectTools(client) } }
            try await group.waitForAll()
        }
        #expect(await user.pageCount == 1)
        #expect(await log.grantTypes == ["authorization_code"])
    }

    @Test func clientOfALoopbackPortIsRegisteredOnce() async throws {
        let presentation = AuthorizationPresentation.loopbackPage { [user] in try await user.approve($0) }
        let account = account(flow: .authorizationCode(present: presentation))
        let client = client(account)
        try await expectTools(client)
        let registered = try #require(await store.account?.client)
        // The server cannot revoke the tokens of this client.
        _ = try? await account.signOut()
        try await expectTools(client)
        let later = try #require(await store.account?.client)
        // The port is used again, unless another program has taken it meanwhile.
        #expect(later == registered || later.redirectURI != registered.redirectURI)
        #expect(await user.pageCount == 2)
    }

    @Test(arguments: ["none", "client_secret_basic", "client_secret_post"])
    func clientThatWasRegisteredByHandSignsInAndRefreshes(_ method: String) async throws {
        let registered = try await register(method)
        let secret = registered.client_secret ?? ""
        let authentications: [String: ClientAuthentication] = [
            "none": .none, "client_secret_basic": .basic(secret: secret), "client_secret_post": .post(secret: secret),
        ]
        let authentication = try #require(authentications[method])
        let clients = [
            ClientRegistration.preregistered(registered.client_id, at: Self.issuer, authentication: authentication)
        ]
        let client = client(account(clients), leeway: longerThanTokensLive)
        try await expectTools(client)
        try await expectTools(client)
        #expect(await log.registrationCount == 0)
        #expect(await log.grantTypes == ["authorization_code", "refresh_token"])
    }

    // MARK: - Refresh

    @Test func refreshReplacesBothTokens() async throws {
        let client = client(account(), leeway: longerThanTokensLive)
        try await expectTools(client)
        let first = try await store.tokens
        for _ in 0..<3 { try await expectTools(client) }
        let last = try await store.tokens
        #expect(first.accessToken != last.accessToken && first.refreshToken != last.refreshToken)
        #expect(try await Browser().status(of: Self.resource, with: first) == 401)
        #expect(await user.pageCount == 1)
        #expect(await log.grantTypes == ["authorization_code"] + Array(repeating: "refresh_token", count: 3))
    }

    @Test func otherProcessUsesTheRegistrationAndTheTokens() async throws {
        try await expectTools(client(account()))
        try await expectTools(client(account(), leeway: longerThanTokensLive))
        #expect(await user.pageCount == 1)
        #expect(await log.registrationCount == 1)
    }

    // MARK: - Scopes

    @Test func insufficientScopeLeadsToASignInWithTheScopesThatTheAPILists() async throws {
        try await expectTools(client(account(scopes: ["more"])))
        // The server grants a client only the scopes that it was registered for.
        #expect(await log.registrationCount == 2)
        #expect(await user.pageCount == 2)
        #expect(Set(try await store.tokens.scopes) == ["more", "tools"])
    }

    @Test func tokensThatDoNotNameTheAPIAreNotRenewedWithoutEnd() async throws {
        let registered = try await register("none")
        let account = OAuth(
            issuer: Self.issuer, clientID: registered.client_id, scopes: ["tools"], store: store, flow: user.approves,
            client: log.client)
        #expect(try await client(account).oauthError(of: ListTools()).code == .refusedByAPI)
        #expect(await user.pageCount == 1)
        #expect(await log.grantTypes.count <= 6)
    }

    @Test func clientThatNamesTheAPIGetsATokenForIt() async throws {
        let registered = try await register("none")
        let account = OAuth(
            issuer: Self.issuer, clientID: registered.client_id, scopes: ["tools"], resource: Self.resource,
            store: store, flow: user.approves, client: log.client)
        try await expectTools(client(account))
        #expect(await user.pageCount == 1)
    }

    // MARK: - Sign-out

    @Test func signOutRevokesTheTokens() async throws {
        let registered = try await register("client_secret_post")
        let secret = try #require(registered.client_secret)
        let account = account([
            .preregistered(registered.client_id, at: Self.issuer, authentication: .post(secret: secret))
        ])
        let client = client(account)
        try await expectTools(client)
        let tokens = try await store.tokens
        try await account.signOut()
        #expect(try await Browser().status(of: Self.resource, with: tokens) == 401)
        let refresh =
            "grant_type=refresh_token&client_id=\(registered.client_id)&client_secret=\(secret)"
            + "&refresh_token=\(tokens.refreshToken ?? "")"
        #expect(try await Browser().post(Self.issuer + "/token", form: refresh).head.status == 400)
        try await expectTools(client)
        #expect(await user.pageCount == 2)
    }

    /// The server demands the secret in the body, even from a client that has none there.
    @Test func signOutForgetsTheTokensEvenIfTheServerRefusesToRevokeThem() async throws {
        let account = account()
        try await expectTools(client(account))
        let error = await #expect(throws: OAuthError.self) { try await account.signOut() }
        #expect(error?.code == .refused)
        #expect(try await !account.isSignedIn())
        // The registration stays.
        #expect(await store.account?.client != nil)
    }
}
