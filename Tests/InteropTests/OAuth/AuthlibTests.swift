import APIKit
import APIKitOAuth
import Testing

/// authlib: every redirect names its issuer, also one with an error, and one server has all four grants.
///
/// It decodes `%2B` in the ID and the secret of the `Authorization` header, but not a plus sign, which is a space there
/// (RFC 6749, section 2.3.1). So the secret of a client that uses the header has no space. And its refusals for want of
/// scopes have no `WWW-Authenticate` header (RFC 6750, section 3), so that they reach the caller.
@Suite(.running(.authlib), .timeLimit(.minutes(10))) struct AuthlibTests {
    private static let issuer = OAuthServer.authlib.issuer
    private static let resource = issuer + "/resource"
    private static let secret = "s:c/r+et"

    private struct Owner: JSONResponse, Equatable {
        let user: String
    }

    /// Alice, who is signed in at the server.
    private actor Alice {
        private(set) var pageCount = 0
        private let browser = Browser()

        func approve(_ url: URL) async throws -> String {
            pageCount += 1
            return try await browser.send(.get, url.absoluteString + "&approve=yes").location
        }

        func deny(_ url: URL) async throws -> String {
            pageCount += 1
            return try await browser.send(.get, url.absoluteString).location
        }

        /// Opens the page of a user code.
        func decide(_ code: DeviceAuthorization, approves: Bool) async throws {
            pageCount += 1
            let page = try #require(code.verificationURLComplete).absoluteString
            let response = try await browser.send(.get, page + (approves ? "&approve=yes" : ""))
            #expect(response.head.status == 200)
        }

        nonisolated var approves: OAuthFlow {
            .authorizationCode(present: .loopbackPage { try await self.approve($0) })
        }
    }

    private let alice = Alice()
    private let store = OpenStore()
    private let log = TokenLog()
    private let owner = Read(resource, as: JSON<Owner>.self)

    private func account(
        _ clientID: String, _ authentication: ClientAuthentication = .none, flow: OAuthFlow? = nil
    ) -> OAuth {
        OAuth(
            issuer: Self.issuer, clientID: clientID, authentication: authentication, scopes: ["read"], store: store,
            flow: flow ?? alice.approves, client: log.client)
    }

    private func client(_ account: OAuth, leeway: Duration = .seconds(5)) -> any APIClient {
        URLSession.api.authorized(by: account, for: APIBase(Self.issuer), leeway: leeway)
    }

    // MARK: - Authorization code

    @Test func publicClientSignsInByALoopbackPort() async throws {
        let client = client(account("native"))
        #expect(try await client.send(owner) == Owner(user: "alice"))
        #expect(try await client.send(owner) == Owner(user: "alice"))
        #expect(await alice.pageCount == 1)
        #expect(await log.grantTypes == ["authorization_code"])
    }

    @Test(
        arguments: [
            ("web", ClientAuthentication.basic(secret: secret)), ("web", .post(secret: secret)),
            ("spaced", .post(secret: "s e:c/r+et")),
        ] as [(String, ClientAuthentication)])
    func confidentialClientSignsInAndRefreshes(_ clientID: String, _ authentication: ClientAuthentication) async throws
    {
        let client = client(account(clientID, authentication), leeway: longerThanTokensLive)
        #expect(try await client.send(owner) == Owner(user: "alice"))
        #expect(try await client.send(owner) == Owner(user: "alice"))
        #expect(await log.grantTypes == ["authorization_code", "refresh_token"])
    }

    @Test(arguments: [ClientAuthentication.basic(secret: "wrong"), .post(secret: "wrong"), .none])
    func wrongSecretIsRefused(_ authentication: ClientAuthentication) async throws {
        let error = try await client(account("web", authentication)).oauthError(of: owner)
        #expect(error.code == .refused)
        #expect(error.serverCode == "invalid_client")
    }

    @Test func denialThatNamesItsIssuerIsARefusal() async throws {
        let flow = OAuthFlow.authorizationCode(present: .loopbackPage { [alice] in try await alice.deny($0) })
        let error = try await client(account("native", flow: flow)).oauthError(of: owner)
        #expect(error.code == .refused)
        #expect(error.serverCode == "access_denied")
        #expect(await log.grantTypes.isEmpty)
    }

    @Test func addedScopeIsGrantedByASecondPage() async throws {
        let account = account("native")
        let client = client(account)
        let other = Read(Self.resource + "/write", as: JSON<Owner>.self)
        #expect(try await failure(of: other, over: client).status == 403)
        try await account.signIn(addingScopes: ["write"])
        #expect(try await client.send(other) == Owner(user: "alice"))
        #expect(await alice.pageCount == 2)
        #expect(Set(try await store.tokens.scopes) == ["read", "write"])
    }

    // MARK: - Refresh

    @Test func refreshReplacesBothTokens() async throws {
        let client = client(account("native"), leeway: longerThanTokensLive)
        _ = try await client.send(owner)
        let first = try await store.tokens
        for _ in 0..<3 { #expect(try await client.send(owner) == Owner(user: "alice")) }
        let last = try await store.tokens
        #expect(first.accessToken != last.accessToken)
        #expect(first.refreshToken != last.refreshToken)
        #expect(try await Browser().status(of: Self.resource, with: first) == 401)
        #expect(await alice.pageCount == 1)
        #expect(await log.grantTypes == ["authorization_code"] + Array(repeating: "refresh_token", count: 3))
    }

    @Test func stolenRefreshTokenLeadsToANewSignIn() async throws {
        let account = account("native")
        let impatient = client(account, leeway: longerThanTokensLive)
        _ = try await impatient.send(owner)
        let stolen = try #require(try await store.tokens.refreshToken)
        _ = try await impatient.send(owner)
        let response = try await Browser().post(
            Self.issuer + "/token", form: "grant_type=refresh_token&client_id=native&refresh_token=\(stolen)")
        #expect(response.head.status == 400)
        // The server has revoked the tokens that replaced the stolen one.
        #expect(try await client(account).send(owner) == Owner(user: "alice"))
        #expect(await alice.pageCount == 2)
    }

    // MARK: - Sign-out

    @Test(
        arguments: [
            ("native", ClientAuthentication.none), ("web", .basic(secret: secret)), ("web", .post(secret: secret)),
        ] as [(String, ClientAuthentication)])
    func signOutRevokesTheTokens(_ clientID: String, _ authentication: ClientAuthentication) async throws {
        let account = account(clientID, authentication)
        let client = client(account)
        _ = try await client.send(owner)
        let tokens = try await store.tokens
        try await account.signOut()
        #expect(await store.account == nil)
        #expect(try await Browser().status(of: Self.resource, with: tokens) == 401)
        #expect(try await client.send(owner) == Owner(user: "alice"))
        #expect(await alice.pageCount == 2)
    }

    // MARK: - Other flows

    @Test func deviceIsSignedInOnceTheUserAccepts() async throws {
        let flow = OAuthFlow.deviceCode { [alice] in try await alice.decide($0, approves: true) }
        let account = account("tv", flow: flow)
        let client = client(account, leeway: longerThanTokensLive)
        #expect(try await client.send(owner) == Owner(user: "alice"))
        #expect(try await client.send(owner) == Owner(user: "alice"))
        #expect(await alice.pageCount == 1)
        #expect(await log.grantTypes.last == "refresh_token")
        let tokens = try await store.tokens
        try await account.signOut()
        #expect(try await Browser().status(of: Self.resource, with: tokens) == 401)
    }

    @Test func deviceThatTheUserDeniesIsRefused() async throws {
        let flow = OAuthFlow.deviceCode { [alice] in try await alice.decide($0, approves: false) }
        let error = try await client(account("tv", flow: flow)).oauthError(of: owner)
        #expect(error.code == .refused)
        #expect(error.serverCode == "access_denied")
    }

    @Test(arguments: [ClientAuthentication.basic(secret: secret), .post(secret: secret)])
    func programSignsInAsItself(_ authentication: ClientAuthentication) async throws {
        let account = account("machine", authentication, flow: .clientCredentials)
        let client = client(account, leeway: longerThanTokensLive)
        #expect(try await client.send(owner) == Owner(user: "machine"))
        #expect(try await client.send(owner) == Owner(user: "machine"))
        #expect(await log.grantTypes == ["client_credentials", "client_credentials"])
        let tokens = try await store.tokens
        try await account.signOut()
        #expect(try await Browser().status(of: Self.resource, with: tokens) == 401)
    }

    // MARK: - Registration

    @Test func unknownClientOfALoopbackPortIsRegisteredOnce() async throws {
        let account = OAuth(
            resource: Self.resource, clients: [.dynamic(name: "APIKit")], store: store, flow: alice.approves,
            client: log.client)
        let client = client(account, leeway: longerThanTokensLive)
        #expect(try await client.send(owner) == Owner(user: "alice"))
        #expect(try await client.send(owner) == Owner(user: "alice"))
        #expect(await log.registrationCount == 1)
        #expect(await alice.pageCount == 1)
        #expect(await log.grantTypes == ["authorization_code", "refresh_token"])
        // Those that the metadata of the API lists.
        #expect(Set(try await store.tokens.scopes) == ["read", "write"])
        let tokens = try await store.tokens
        try await account.signOut()
        #expect(try await Browser().status(of: Self.resource, with: tokens) == 401)
    }
}
