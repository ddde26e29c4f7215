import APIKit
import APIKitOAuth
import Testing

/// canaille: a whole identity provider, over authlib, at which a user signs in with a password and then consents.
///
/// It compares redirect URIs with their ports, accepts no other authentication for a revocation than the header, and
/// leaves `iss` out of refusals before the user is asked, although its metadata promises it. It fails with the status
/// 500 at a second token within a second, unless the client's algorithm signs with random numbers, which the file of
/// the server chooses. The client that registers itself has another algorithm, and does not refresh.
@Suite(.running(.canaille), .timeLimit(.minutes(10))) struct CanailleTests {
    private static let issuer = OAuthServer.canaille.issuer
    private static let resource = issuer + "/oauth/userinfo"
    private static let secret = "s:c/r+et"

    private struct User: JSONResponse, Equatable {
        let sub: String
    }

    /// A user with a browser that has no session yet.
    private actor Person {
        private(set) var pageCount = 0
        private let browser = Browser()
        private var isSignedIn = false

        func approve(_ url: URL) async throws -> String { try await answer("accept", url) }
        func deny(_ url: URL) async throws -> String { try await answer("deny", url) }

        private func answer(_ answer: String, _ url: URL) async throws -> String {
            pageCount += 1
            if !isSignedIn { try await signIn(from: url) }
            return try await browser.post(url.absoluteString, form: "answer=\(answer)").location
        }

        /// Enters the name and the password on the pages to which the authorization endpoint redirects.
        private func signIn(from url: URL) async throws {
            let name = try await browser.send(.get, url.absoluteString).location
            let password = try await browser.post(absolute(name), form: "login=alice").location
            let back = try await browser.post(absolute(password), form: "password=password").location
            #expect(absolute(back).hasPrefix(OAuthServer.canaille.issuer + "/oauth/authorize?"))
            isSignedIn = true
        }

        private func absolute(_ location: String) -> String {
            location.hasPrefix("/") ? OAuthServer.canaille.issuer + location : location
        }

        nonisolated var approves: OAuthFlow { .authorizationCode(present: .page { try await self.approve($0) }) }
    }

    private let alice = Person()
    private let store = OpenStore()
    private let log = TokenLog()
    private let user = Read(resource, as: JSON<User>.self)

    private func account(
        _ clientID: String, _ authentication: ClientAuthentication = .none, flow: OAuthFlow? = nil
    ) -> OAuth {
        OAuth(
            issuer: Self.issuer, clientID: clientID, authentication: authentication, scopes: ["openid"], store: store,
            flow: flow ?? alice.approves, client: log.client)
    }

    private func client(_ account: OAuth, leeway: Duration = .seconds(5)) -> any APIClient {
        URLSession.api.authorized(by: account, for: APIBase(Self.issuer), leeway: leeway)
    }

    // MARK: - Authorization code

    @Test(
        arguments: [
            ("native", ClientAuthentication.none), ("web", .basic(secret: secret)), ("post", .post(secret: secret)),
        ] as [(String, ClientAuthentication)])
    func clientSignsInAndRefreshesWithRotation(_ id: String, _ authentication: ClientAuthentication) async throws {
        let client = client(account(id, authentication), leeway: longerThanTokensLive)
        #expect(try await client.send(user) == User(sub: "alice"))
        let first = try await store.tokens
        for _ in 0..<3 { #expect(try await client.send(user) == User(sub: "alice")) }
        let last = try await store.tokens
        #expect(first.accessToken != last.accessToken)
        #expect(first.refreshToken != nil && first.refreshToken != last.refreshToken)
        #expect(try await Browser().status(of: Self.resource, with: first) == 401)
        #expect(await alice.pageCount == 1)
        #expect(await log.grantTypes == ["authorization_code"] + Array(repeating: "refresh_token", count: 3))
    }

    /// A made-up API leads to the server.
    @Test func unknownClientOfALoopbackPortIsRegisteredOnce() async throws {
        let account = OAuth(
            resource: Self.issuer, clients: [.dynamic(name: "APIKit")], scopes: ["openid"], store: store,
            flow: .authorizationCode(present: .loopbackPage { [alice] in try await alice.approve($0) }),
            client: log.client.withAPI(Self.issuer, trusting: Self.issuer))
        let client = client(account)
        #expect(try await client.send(user) == User(sub: "alice"))
        #expect(try await client.send(user) == User(sub: "alice"))
        #expect(await log.registrationCount == 1)
        #expect(await alice.pageCount == 1)
        #expect(await log.grantTypes == ["authorization_code"])
    }

    @Test func denialThatNamesItsIssuerIsARefusal() async throws {
        let flow = OAuthFlow.authorizationCode(present: .page { [alice] in try await alice.deny($0) })
        let error = try await client(account("native", flow: flow)).oauthError(of: user)
        #expect(error.code == .refused)
        #expect(error.serverCode == "access_denied")
        #expect(await log.grantTypes.isEmpty)
    }

    @Test func addedScopeIsGrantedByASecondPage() async throws {
        let account = account("native")
        try await account.signIn()
        #expect(try await store.tokens.scopes == ["openid"])
        try await account.signIn(addingScopes: ["email"])
        #expect(Set(try await store.tokens.scopes) == ["openid", "email"])
        #expect(await alice.pageCount == 2)
    }

    // MARK: - Refresh and sign-out

    @Test func refreshTokenThatAnotherProgramHasUsedLeadsToANewSignIn() async throws {
        let client = client(account("native"), leeway: longerThanTokensLive)
        _ = try await client.send(user)
        let shared = try #require(try await store.tokens.refreshToken)
        let response = try await Browser().post(
            Self.issuer + "/oauth/token", form: "grant_type=refresh_token&client_id=native&refresh_token=\(shared)")
        #expect(response.head.status == 200)
        #expect(try await client.send(user) == User(sub: "alice"))
        #expect(await alice.pageCount == 2)
    }

    @Test func signOutRevokesTheTokens() async throws {
        let account = account("web", .basic(secret: Self.secret))
        let client = client(account)
        _ = try await client.send(user)
        let tokens = try await store.tokens
        try await account.signOut()
        #expect(await store.account == nil)
        #expect(try await Browser().status(of: Self.resource, with: tokens) == 401)
        #expect(try await client.send(user) == User(sub: "alice"))
        #expect(await alice.pageCount == 2)
    }

    // MARK: - Client credentials

    @Test func programSignsInAsItselfAndRevokesItsToken() async throws {
        let account = account("machine", .basic(secret: Self.secret), flow: .clientCredentials)
        try await account.signIn()
        let tokens = try await store.tokens
        #expect(tokens.refreshToken == nil)
        #expect(try await isActive(tokens.accessToken))
        try await account.signOut()
        #expect(try await !isActive(tokens.accessToken))
    }

    /// Without a code: the server's storage in memory confuses the codes of a client if one of them was not redeemed.
    @Test func wrongSecretIsRefused() async throws {
        let account = account("machine", .basic(secret: "wrong"), flow: .clientCredentials)
        let error = await #expect(throws: OAuthError.self) { try await account.signIn() }
        #expect(error?.code == .refused)
        #expect(error?.serverCode == "invalid_client")
    }

    /// Whether a token of the client `machine` is valid, as the server says (RFC 7662).
    private func isActive(_ token: String) async throws -> Bool {
        let pair = Data("machine:s%3Ac%2Fr%2Bet".utf8).base64EncodedString()
        let response = try await Browser().post(
            Self.issuer + "/oauth/introspect", form: "token=\(token)", headers: [.authorization: "Basic \(pair)"])
        return try JSONValue.process(data: try #require(response.body.data))["active"] == true
    }
}
