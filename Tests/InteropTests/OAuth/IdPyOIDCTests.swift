import APIKit
import APIKitOAuth
import Testing

/// idpyoidc: two issuers with paths at one host, whose metadata is below the paths, and tokens that are bound to a key.
///
/// It compares redirect URIs with their ports, decodes neither the ID nor the secret of the `Authorization` header, and
/// wants the hash of the token in a proof as hexadecimal digits, not in base64url (RFC 9449, section 4.2). So tokens
/// that are bound to a key are obtained, but not sent. With client credentials, it issues tokens of the unknown type
/// `access_token` (RFC 6749, section 7.1), which are not tried.
@Suite(.running(.idpyoidc), .timeLimit(.minutes(10))) struct IdPyOIDCTests {
    private static let address = OAuthServer.idpyoidc.issuer
    private static let issuer = address + "/plain"
    private static let issuerOfBoundTokens = address + "/dpop"
    private static let resource = issuer + "/userinfo"

    private struct User: JSONResponse {
        let sub: String
    }

    /// A user who is signed in at the server, which asks for nothing.
    private actor Person {
        private(set) var pageCount = 0

        func approve(_ url: URL) async throws -> String {
            pageCount += 1
            return try await Browser().send(.get, url.absoluteString).location
        }

        nonisolated var approves: OAuthFlow { .authorizationCode(present: .page { try await self.approve($0) }) }
    }

    private let person = Person()
    private let store = OpenStore()
    private let log = TokenLog()
    private let user = Read(resource, as: JSON<User>.self)

    private func account(
        _ clientID: String, _ authentication: ClientAuthentication = .none, at issuer: String = issuer,
        flow: OAuthFlow? = nil, client: (any APIClient)? = nil
    ) -> OAuth {
        OAuth(
            issuer: issuer, clientID: clientID, authentication: authentication, scopes: ["openid"], store: store,
            flow: flow ?? person.approves, client: client ?? log.client)
    }

    private func client(_ account: OAuth, leeway: Duration = .seconds(5)) -> any APIClient {
        URLSession.api.authorized(by: account, for: APIBase(Self.issuer), leeway: leeway)
    }

    private static let clients: [(String, ClientAuthentication)] = [
        ("native", .none), ("web", .basic(secret: "secret")), ("web", .post(secret: "secret")),
    ]

    // MARK: - Authorization code

    @Test(arguments: clients)
    func clientSignsInAndRefreshesWithRotation(_ id: String, _ authentication: ClientAuthentication) async throws {
        let client = client(account(id, authentication), leeway: longerThanTokensLive)
        #expect(try await !client.send(user).sub.isEmpty)
        let first = try await store.tokens
        for _ in 0..<3 { #expect(try await !client.send(user).sub.isEmpty) }
        let last = try await store.tokens
        #expect(first.accessToken != last.accessToken)
        #expect(first.refreshToken != nil && first.refreshToken != last.refreshToken)
        #expect(await person.pageCount == 1)
        #expect(await log.grantTypes == ["authorization_code"] + Array(repeating: "refresh_token", count: 3))
    }

    @Test(arguments: [ClientAuthentication.basic(secret: "wrong"), .post(secret: "wrong"), .none])
    func wrongSecretIsRefused(_ authentication: ClientAuthentication) async throws {
        let error = try await client(account("web", authentication)).oauthError(of: user)
        #expect(error.code == .refused)
        #expect(error.serverCode == "invalid_client")
    }

    /// A made-up API leads to the server.
    @Test func unknownClientOfALoopbackPortIsRegisteredOnce() async throws {
        let account = OAuth(
            resource: Self.issuer, clients: [.dynamic(name: "APIKit")], scopes: ["openid"], store: store,
            flow: .authorizationCode(present: .loopbackPage { [person] in try await person.approve($0) }),
            client: log.client.withAPI(Self.issuer, trusting: Self.issuer))
        let client = client(account, leeway: longerThanTokensLive)
        #expect(try await !client.send(user).sub.isEmpty)
        #expect(try await !client.send(user).sub.isEmpty)
        #expect(await log.registrationCount == 1)
        #expect(await person.pageCount == 1)
        #expect(await log.grantTypes == ["authorization_code", "refresh_token"])
    }

    @Test func addedScopeIsGrantedByASecondPage() async throws {
        let account = account("native")
        try await account.signIn()
        #expect(try await store.tokens.scopes == ["openid"])
        try await account.signIn(addingScopes: ["email"])
        #expect(Set(try await store.tokens.scopes) == ["openid", "email"])
        #expect(await person.pageCount == 2)
    }

    /// As if one issuer had led the user to the page of another one, to obtain its code (RFC 9207, section 1). The
    /// metadata does not promise `iss`.
    @Test func codeOfTheOtherIssuerIsRejected() async throws {
        let flow = OAuthFlow.authorizationCode(
            present: .page { [person] url in
                let other = url.absoluteString.replacing("/plain/", with: "/dpop/")
                return try await person.approve(try #require(URL(string: other)))
            })
        let error = try await client(account("native", flow: flow)).oauthError(of: user)
        #expect(error.code == .redirectRejected)
        #expect(error.message.contains("issuer"))
        #expect(await log.grantTypes.isEmpty)
    }

    // MARK: - Refresh

    /// The server refuses a refresh token that was used before with `invalid_request`, and not with `invalid_grant`
    /// (RFC 6749, section 5.2).
    @Test func signInShowsThePageAgainIfAnotherProgramHasUsedTheRefreshToken() async throws {
        try await account("native").signIn()
        let shared = try #require(try await store.tokens.refreshToken)
        let response = try await Browser().post(
            Self.issuer + "/token", form: "grant_type=refresh_token&client_id=native&refresh_token=\(shared)")
        #expect(response.head.status == 200)
        await store.expireAccessTokens()
        try await account("native").signIn()
        #expect(await person.pageCount == 2)
        #expect(try await store.tokens.refreshToken != shared)
    }

    // MARK: - Sign-out

    /// The server answers every revocation with the text `OK`.
    @Test(arguments: clients)
    func signOutRevokesTheTokens(_ id: String, _ authentication: ClientAuthentication) async throws {
        let account = account(id, authentication)
        let client = client(account)
        _ = try await client.send(user)
        let tokens = try await store.tokens
        try await account.signOut()
        #expect(await store.account == nil)
        #expect(try await Browser().status(of: Self.resource, with: tokens) == 401)
        #expect(try await !client.send(user).sub.isEmpty)
        #expect(await person.pageCount == 2)
    }

    // MARK: - Tokens that are bound to a key

    /// A key that another program has, which signs what it is sent.
    private func key() async throws -> DPoPKey {
        let url = Self.address + "/key"
        let response = try await Browser().send(.get, url)
        let publicKey = try JSONValue.process(data: try #require(response.body.data))
        return DPoPKey(algorithm: "ES256", publicKey: publicKey) { data in
            let response = try await Browser().send(.post, url, body: .data(data, contentType: "application/jwt"))
            return try #require(response.body.data)
        }
    }

    @Test(arguments: clients)
    func clientThatProvesPossessionGetsTokensOfThatType(
        _ id: String, _ authentication: ClientAuthentication
    ) async throws {
        let proving = log.client.provingPossession(of: try await key())
        let account = account(id, authentication, at: Self.issuerOfBoundTokens, client: proving)
        try await account.signIn()
        let first = try await store.tokens
        #expect(first.tokenType == "DPoP")
        let credential = try #require(try await account.credential())
        #expect(try await account.replacement(for: credential) != nil)
        let second = try await store.tokens
        #expect(second.tokenType == "DPoP")
        #expect(first.accessToken != second.accessToken && first.refreshToken != second.refreshToken)
        #expect(await log.grantTypes == ["authorization_code", "refresh_token"])
        #expect(await person.pageCount == 1)
    }
}
