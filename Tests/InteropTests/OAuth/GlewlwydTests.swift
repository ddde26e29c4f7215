import APIKit
import APIKitOAuth
import Testing

/// glewlwyd: the metadata of OpenID Connect below the issuer's path, access tokens that stay valid after a refresh, and
/// refusals without a body.
@Suite(.running(.glewlwyd), .timeLimit(.minutes(10))) struct GlewlwydTests {
    private static let issuer = OAuthServer.glewlwyd.issuer
    private static let resource = issuer + "/userinfo"

    private struct User: JSONResponse {
        let sub: String
    }

    // The scopes do not include `openid`, for which the server demands a nonce.

    /// Alice, who signs in with her password, and then grants what is asked for.
    private actor Alice {
        private(set) var pageCount = 0
        private let browser = Browser()

        private func signIn(granting clientID: String) async throws {
            pageCount += 1
            let origin = OAuthServer.glewlwyd.origin
            let session = try await browser.send(
                .post, origin + "/api/auth/", json: ["username": "alice", "password": "password"])
            try #require(session.head.status == 200)
            let grant = try await browser.send(
                .put, origin + "/api/auth/grant/\(clientID)", json: ["scope": "openid read"])
            try #require(grant.head.status == 200)
        }

        func approve(_ url: URL) async throws -> String {
            let fields = url.encodedQuery.split(separator: "&")
            let clientID = try #require(fields.first { $0.hasPrefix("client_id=") }).dropFirst("client_id=".count)
            try await signIn(granting: String(clientID))
            return try await browser.send(.get, url.absoluteString + "&g_continue").location
        }

        func approve(_ code: DeviceAuthorization) async throws {
            try await signIn(granting: "tv")
            let page = try #require(code.verificationURLComplete).absoluteString
            #expect(try await browser.send(.get, page + "&g_continue").location.contains("deviceComplete"))
        }

        nonisolated var approves: OAuthFlow { .authorizationCode(present: .page { try await self.approve($0) }) }
    }

    private struct Registered: JSONResponse {
        let client_id: String
        let client_secret: String
    }

    private let alice = Alice()
    private let store = OpenStore()
    private let log = TokenLog()
    private var user: Read<JSON<User>> { Read(Self.resource, as: JSON<User>.self) }

    /// Registers a client by hand. Only one that may also have client credentials can revoke tokens.
    private func register(method: String = "client_secret_basic") async throws -> Registered {
        let response = try await Browser().send(
            .post, Self.issuer + "/register",
            json: [
                "redirect_uris": [.string(AuthorizationPresentation.redirectURI)], "client_name": "APIKit",
                "token_endpoint_auth_method": .string(method), "response_types": ["code"],
                "grant_types": ["authorization_code", "refresh_token", "client_credentials"],
            ])
        return try JSON<Registered>.process(data: try #require(response.body.data))
    }

    private func account(
        _ clientID: String, _ authentication: ClientAuthentication = .none, scopes: [String] = ["read"],
        flow: OAuthFlow? = nil
    ) -> OAuth {
        OAuth(
            issuer: Self.issuer, clientID: clientID, authentication: authentication, scopes: scopes, store: store,
            flow: flow ?? alice.approves, client: log.client)
    }

    private func client(_ account: OAuth, leeway: Duration = .seconds(5)) -> any APIClient {
        URLSession.api.authorized(by: account, for: APIBase(OAuthServer.glewlwyd.origin), leeway: leeway)
    }

    /// Whether a token is valid, as the server says (RFC 7662).
    private func isActive(_ token: String) async throws -> Bool {
        let pair = Data("machine:secret".utf8).base64EncodedString()
        let response = try await Browser().post(
            Self.issuer + "/introspect", form: "token=\(token)", headers: [.authorization: "Basic \(pair)"])
        return try JSONValue.process(data: try #require(response.body.data))["active"] == true
    }

    // MARK: - Authorization code

    @Test(arguments: ["client_secret_basic", "client_secret_post"])
    func registeredClientSignsInAndRefreshesWithRotation(_ method: String) async throws {
        let registered = try await register(method: method)
        let secret = registered.client_secret
        let authentication: ClientAuthentication =
            method == "client_secret_post" ? .post(secret: secret) : .basic(secret: secret)
        let account = account(registered.client_id, authentication)
        let client = client(account, leeway: longerThanTokensLive)
        #expect(try await !client.send(user).sub.isEmpty)
        let first = try await store.tokens
        for _ in 0..<3 { #expect(try await !client.send(user).sub.isEmpty) }
        let last = try await store.tokens
        #expect(first.refreshToken != last.refreshToken)
        #expect(await alice.pageCount == 1)
        #expect(await log.grantTypes == ["authorization_code"] + Array(repeating: "refresh_token", count: 3))

        try await account.signOut()
        #expect(try await !isActive(last.accessToken))
        #expect(try await !isActive(try #require(last.refreshToken)))
    }

    /// A refusal of a refresh token has neither a body nor an error code.
    @Test func stolenRefreshTokenLeadsToANewSignIn() async throws {
        let registered = try await register()
        let account = account(registered.client_id, .basic(secret: registered.client_secret))
        let client = client(account, leeway: longerThanTokensLive)
        _ = try await client.send(user)
        let stolen = try #require(try await store.tokens.refreshToken)
        _ = try await client.send(user)
        let pair = Data("\(registered.client_id):\(registered.client_secret)".utf8).base64EncodedString()
        let response = try await Browser().post(
            Self.issuer + "/token", form: "grant_type=refresh_token&refresh_token=\(stolen)",
            headers: [.authorization: "Basic \(pair)"])
        #expect(response.head.status == 400)
        #expect(try await !client.send(user).sub.isEmpty)
        #expect(await alice.pageCount == 2)
    }

    @Test func wrongSecretIsRefused() async throws {
        let registered = try await register()
        let error = try await client(account(registered.client_id, .basic(secret: "wrong"))).oauthError(of: user)
        #expect(error.code == .refused)
        #expect(error.serverCode == "unauthorized_client")
    }

    @Test func userWhoIsNotSignedInIsRefusedIfTheServerMayNotAsk() async throws {
        let registered = try await register()
        let flow = OAuthFlow.authorizationCode(
            present: .page { try await Browser().send(.get, $0.absoluteString + "&prompt=none").location })
        let account = account(registered.client_id, .basic(secret: registered.client_secret), flow: flow)
        let error = try await client(account).oauthError(of: user)
        #expect(error.code == .refused)
        #expect(error.serverCode == "interaction_required")
    }

    // MARK: - Other flows

    @Test func deviceIsSignedInOnceTheUserAccepts() async throws {
        let flow = OAuthFlow.deviceCode { [alice] in try await alice.approve($0) }
        let client = client(account("tv", flow: flow), leeway: longerThanTokensLive)
        #expect(try await !client.send(user).sub.isEmpty)
        #expect(try await !client.send(user).sub.isEmpty)
        #expect(await alice.pageCount == 1)
        #expect(await log.grantTypes.last == "refresh_token")
    }

    @Test func programSignsInAsItselfAndRevokesItsToken() async throws {
        let account = account("machine", .basic(secret: "secret"), flow: .clientCredentials)
        try await account.signIn()
        let tokens = try await store.tokens
        #expect(tokens.refreshToken == nil)
        #expect(try await isActive(tokens.accessToken))
        try await account.signOut()
        #expect(try await !isActive(tokens.accessToken))
    }

    /// The server does not revoke these tokens, and says that they are not active.
    @Test func programSignsInWithItsSecretInTheBody() async throws {
        try await account("machine", .post(secret: "secret"), flow: .clientCredentials).signIn()
        #expect(try await store.tokens.scopes == ["read"])
    }

    /// This refusal has a status only.
    @Test(arguments: [ClientAuthentication.basic(secret: "wrong"), .post(secret: "wrong")])
    func programWithAWrongSecretIsRefused(_ authentication: ClientAuthentication) async throws {
        let account = account("machine", authentication, flow: .clientCredentials)
        let error = await #expect(throws: OAuthError.self) { try await account.signIn() }
        #expect(error?.code == .refused)
        #expect(error?.serverCode == nil)
        #expect(error?.message.contains("403") == true)
    }

    // MARK: - Registration

    @Test func unknownClientIsRegisteredOnce() async throws {
        let api = OAuthServer.glewlwyd.origin + "/api"
        let account = OAuth(
            resource: api, clients: [.dynamic(name: "APIKit")], scopes: ["read"], store: store,
            flow: alice.approves, client: log.client.withAPI(api, trusting: Self.issuer))
        let client = client(account, leeway: longerThanTokensLive)
        #expect(try await !client.send(user).sub.isEmpty)
        #expect(try await !client.send(user).sub.isEmpty)
        #expect(await log.registrationCount == 1)
        #expect(await alice.pageCount == 1)
        #expect(await log.grantTypes == ["authorization_code", "refresh_token"])
    }
}
