import APIKit
import APIKitOAuth
import Testing

/// django-oauth-toolkit: an issuer with a path, which announces `iss` in its redirects.
@Suite(.running(.django), .timeLimit(.minutes(10))) struct DjangoTests {
    private static let issuer = OAuthServer.django.issuer
    private static let resource = OAuthServer.django.origin + "/resource"
    private static let secret = "s e:c/r+et"

    private struct Owner: JSONResponse, Equatable {
        let user: String?
    }

    /// Alice, who is signed in at the server.
    private actor Alice {
        private(set) var pageCount = 0
        private let browser = Browser()

        func approve(_ url: URL) async throws -> String {
            pageCount += 1
            return try await browser.post(url.absoluteString, form: url.encodedQuery + "&allow=Authorize").location
        }

        func deny(_ url: URL) async throws -> String {
            pageCount += 1
            return try await browser.post(url.absoluteString, form: url.encodedQuery).location
        }

        nonisolated var approves: OAuthFlow { .authorizationCode(present: .page { try await self.approve($0) }) }

        /// Enters a user code, and accepts or denies.
        func decide(_ action: String, _ code: DeviceAuthorization) async throws {
            pageCount += 1
            let page = code.verificationURL.absoluteString
            let next = try await browser.post(page, form: "user_code=\(code.userCode)").location
            _ = try await browser.post(OAuthServer.django.origin + next, form: "action=\(action)").location
        }
    }

    private let alice = Alice()
    private let store = OpenStore()
    private let log = TokenLog()
    private var owner: Read<JSON<Owner>> { Read(Self.resource, as: JSON<Owner>.self) }

    private func account(
        _ clientID: String, _ authentication: ClientAuthentication = .none, scopes: [String] = ["read"],
        flow: OAuthFlow? = nil, signsInAutomatically: Bool = true
    ) -> OAuth {
        OAuth(
            issuer: Self.issuer, clientID: clientID, authentication: authentication, scopes: scopes, store: store,
            flow: flow ?? alice.approves, signsInAutomatically: signsInAutomatically, client: log.client)
    }

    private func client(_ account: OAuth, leeway: Duration = .seconds(5)) -> any APIClient {
        URLSession.api.authorized(by: account, for: APIBase(OAuthServer.django.origin), leeway: leeway)
    }

    // MARK: - Authorization code

    @Test func publicClientSignsInByALoopbackPort() async throws {
        let presentation = AuthorizationPresentation.loopbackPage { [alice] in try await alice.approve($0) }
        let client = client(account("native", flow: .authorizationCode(present: presentation)))
        #expect(try await client.send(owner) == Owner(user: "alice"))
        #expect(try await client.send(owner) == Owner(user: "alice"))
        #expect(await alice.pageCount == 1)
        #expect(await log.grantTypes == ["authorization_code"])
    }

    @Test(arguments: [ClientAuthentication.basic(secret: secret), .post(secret: secret)])
    func confidentialClientSignsInAndRefreshes(_ authentication: ClientAuthentication) async throws {
        let client = client(account("web", authentication), leeway: longerThanTokensLive)
        #expect(try await client.send(owner) == Owner(user: "alice"))
        #expect(try await client.send(owner) == Owner(user: "alice"))
        #expect(await log.grantTypes == ["authorization_code", "refresh_token"])
    }

    @Test(arguments: [ClientAuthentication.basic(secret: "s e"), .post(secret: "s e")])
    func wrongSecretIsRefused(_ authentication: ClientAuthentication) async throws {
        let error = try await client(account("web", authentication)).oauthError(of: owner)
        #expect(error.code == .refused)
        #expect(error.serverCode == "invalid_client")
    }

    @Test func denialFailsTheRequestAndNamesTheServersCode() async throws {
        let flow = OAuthFlow.authorizationCode(present: .page { [alice] in try await alice.deny($0) })
        let error = try await client(account("native", flow: flow)).oauthError(of: owner)
        // The server announces `iss`, and leaves it out of this redirect.
        #expect(error.code == .redirectRejected)
        #expect(error.message.contains("access_denied"))
        #expect(await log.grantTypes.isEmpty)
    }

    @Test func unknownScopeIsRefused() async throws {
        let error = try await client(account("native", scopes: ["unknown"])).oauthError(of: owner)
        #expect(error.code == .refused)
        #expect(error.serverCode == "invalid_scope")
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

    @Test func tokenThatASiblingHasReplacedIsReplacedWithoutARefresh() async throws {
        let one = client(account("native"))
        _ = try await one.send(owner)
        let other = client(account("native"), leeway: longerThanTokensLive)
        #expect(try await other.send(owner) == Owner(user: "alice"))
        // The server refuses the token that `one` still has.
        #expect(try await one.send(owner) == Owner(user: "alice"))
        #expect(await log.grantTypes == ["authorization_code", "refresh_token"])
    }

    @Test func stolenRefreshTokenLeadsToANewSignIn() async throws {
        let account = account("native")
        let impatient = client(account, leeway: longerThanTokensLive)
        _ = try await impatient.send(owner)
        let stolen = try #require(try await store.tokens.refreshToken)
        _ = try await impatient.send(owner)
        let response = try await Browser().post(
            Self.issuer + "/token/", form: "grant_type=refresh_token&client_id=native&refresh_token=\(stolen)")
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
        #expect(try await !account.isSignedIn())
        #expect(await store.account == nil)
        #expect(try await Browser().status(of: Self.resource, with: tokens) == 401)
        // The next request signs in again.
        #expect(try await client.send(owner) == Owner(user: "alice"))
        #expect(await alice.pageCount == 2)
    }

    // MARK: - Device code

    /// The metadata lacks the device authorization endpoint.
    private func deviceAccount(
        _ clientID: String, _ authentication: ClientAuthentication = .none, over client: (any APIClient)? = nil,
        show: @escaping @Sendable (DeviceAuthorization) async throws -> Void
    ) -> OAuth {
        OAuth(
            endpoints: OAuthEndpoints(
                token: Self.issuer + "/token/", deviceAuthorization: Self.issuer + "/device-authorization/",
                revocation: Self.issuer + "/revoke_token/"),
            clientID: clientID, authentication: authentication, scopes: ["read"], store: store,
            flow: .deviceCode(show: show), client: client ?? log.client)
    }

    @Test(arguments: [("tv", ClientAuthentication.none), ("box", .basic(secret: secret))])
    func deviceIsSignedInOnceTheUserAccepts(_ clientID: String, _ authentication: ClientAuthentication) async throws {
        let account = deviceAccount(clientID, authentication) { [alice] in try await alice.decide("accept", $0) }
        let client = client(account, leeway: longerThanTokensLive)
        #expect(try await client.send(owner) == Owner(user: "alice"))
        #expect(try await client.send(owner) == Owner(user: "alice"))
        #expect(await alice.pageCount == 1)
        #expect(await log.grantTypes.last == "refresh_token")
        let tokens = try await store.tokens
        try await account.signOut()
        #expect(try await Browser().status(of: Self.resource, with: tokens) == 401)
    }

    @Test func deviceWaitsWhileTheUserHasNotDecided() async throws {
        let (codes, shown) = AsyncStream.makeStream(of: DeviceAuthorization.self)
        let log = log
        // The user accepts after the server was asked once.
        let waiting = log.client.intercepted { [alice] request, _, next in
            let response = try await next(request)
            if await log.grantTypes.count == 1, response.head.status == 400 {
                for await code in codes {
                    try await alice.decide("accept", code)
                    break
                }
            }
            return response
        }
        let account = deviceAccount("tv", over: waiting) { shown.yield($0) }
        #expect(try await client(account).send(owner) == Owner(user: "alice"))
        #expect(await log.grantTypes.count == 2)
    }

    @Test func deviceThatTheUserDeniesIsRefused() async throws {
        let account = deviceAccount("tv") { [alice] in try await alice.decide("deny", $0) }
        let error = try await client(account).oauthError(of: owner)
        #expect(error.code == .refused)
        #expect(error.serverCode == "access_denied")
    }

    // MARK: - Client credentials

    @Test(arguments: [ClientAuthentication.basic(secret: secret), .post(secret: secret)])
    func programSignsInAsItself(_ authentication: ClientAuthentication) async throws {
        let account = account("machine", authentication, flow: .clientCredentials, signsInAutomatically: false)
        let client = client(account, leeway: longerThanTokensLive)
        #expect(try await client.send(owner) == Owner(user: nil))
        #expect(try await client.send(owner) == Owner(user: nil))
        // There is no refresh token.
        #expect(await log.grantTypes == ["client_credentials", "client_credentials"])
        let tokens = try await store.tokens
        try await account.signOut()
        #expect(try await Browser().status(of: Self.resource, with: tokens) == 401)
    }

    // MARK: - Discovery

    private func discovered(_ clients: [ClientRegistration], scopes: [String]? = nil) -> OAuth {
        OAuth(
            resource: Self.resource, clients: clients, scopes: scopes, store: store, flow: alice.approves,
            client: log.client)
    }

    @Test func refusalLeadsToTheAuthorizationServer() async throws {
        let client = client(discovered([.preregistered("native", at: Self.issuer)]))
        #expect(try await client.send(owner) == Owner(user: "alice"))
        #expect(await log.registrationCount == 0)
    }

    @Test func unknownClientIsRegisteredOnce() async throws {
        let first = discovered([.dynamic(name: "APIKit")])
        #expect(try await client(first).send(owner) == Owner(user: "alice"))
        // Another process finds the registration in the store.
        let second = discovered([.dynamic(name: "APIKit")])
        #expect(try await client(second, leeway: longerThanTokensLive).send(owner) == Owner(user: "alice"))
        #expect(await log.registrationCount == 1)
        let tokens = try await store.tokens
        try await second.signOut()
        #expect(try await Browser().status(of: Self.resource, with: tokens) == 401)
        #expect(await store.account?.client != nil)
    }

    @Test func insufficientScopeLeadsToASignInWithTheScopesThatTheAPILists() async throws {
        let client = client(discovered([.preregistered("native", at: Self.issuer)], scopes: ["write"]))
        #expect(try await client.send(owner) == Owner(user: "alice"))
        #expect(await alice.pageCount == 2)
        #expect(Set(try await store.tokens.scopes) == ["read", "write"])
    }

    @Test func insufficientScopeReachesTheCallerIfNobodyNamesTheScopes() async throws {
        let client = client(account("native", scopes: ["write"]))
        #expect(try await failure(of: owner, over: client).status == 403)
        #expect(await alice.pageCount == 1)
    }
}
