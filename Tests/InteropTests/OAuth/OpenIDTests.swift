import APIKit
import APIKitOAuth
import Testing

/// oidc-provider-mock, over authlib: its metadata does not list PKCE, refresh tokens stay as they are, and invalid
/// access tokens are refused with the status 400.
@Suite(.running(.openID), .timeLimit(.minutes(10))) struct OpenIDTests {
    private static let issuer = OAuthServer.openID.issuer
    private static let resource = issuer + "/userinfo"

    private struct User: JSONResponse {
        let sub: String
    }

    /// A user who enters a name. Each test has a user of its own.
    private actor Person {
        let name: String
        private(set) var pageCount = 0
        private let browser = Browser()

        init(_ name: String) { self.name = name }

        func approve(_ url: URL) async throws -> String {
            pageCount += 1
            return try await browser.post(url.absoluteString, form: "sub=\(name)").location
        }

        nonisolated var approves: OAuthFlow { .authorizationCode(present: .page { try await self.approve($0) }) }

        /// Ends all sessions, as an administrator or the user does elsewhere.
        func revokeTokens() async throws {
            let page = OAuthServer.openID.issuer + "/users/\(name)/revoke-tokens"
            try #require(try await browser.send(.post, page).head.status == 204)
        }
    }

    private let person = Person("person-\(UUID())")
    private let store = OpenStore()
    private let log = TokenLog()
    private var user: Read<JSON<User>> { Read(Self.resource, as: JSON<User>.self) }

    /// The server's URLs, since its metadata does not say that it supports PKCE.
    private func account(flow: OAuthFlow? = nil) -> OAuth {
        OAuth(
            endpoints: OAuthEndpoints(
                authorization: Self.issuer + "/oauth2/authorize", token: Self.issuer + "/oauth2/token"),
            clientID: "app", authentication: .basic(secret: "s e:c/r+et"), scopes: ["openid", "email"], store: store,
            flow: flow ?? person.approves, client: log.client)
    }

    private func client(_ account: OAuth, leeway: Duration = .seconds(5)) -> any APIClient {
        URLSession.api.authorized(by: account, for: APIBase(Self.issuer), leeway: leeway) {
            $0.head.status == 400
        }
    }

    @Test func metadataWithoutProofKeysIsRefusedBeforeAPageIsShown() async throws {
        let account = OAuth(issuer: Self.issuer, clientID: "app", store: store, flow: person.approves)
        let error = try await client(account).oauthError(of: user)
        #expect(error.code == .unsupported)
        #expect(await person.pageCount == 0)
    }

    @Test func knownURLsLeadToTokens() async throws {
        let client = client(account())
        #expect(try await client.send(user).sub == person.name)
        #expect(try await client.send(user).sub == person.name)
        #expect(await person.pageCount == 1)
        #expect(try await store.tokens.idToken != nil)
    }

    @Test func refreshTokenIsKeptIfTheServerDoesNotReplaceIt() async throws {
        let client = client(account(), leeway: .seconds(7200))
        _ = try await client.send(user)
        let first = try await store.tokens
        for _ in 0..<3 { #expect(try await client.send(user).sub == person.name) }
        let last = try await store.tokens
        #expect(first.refreshToken != nil && first.refreshToken == last.refreshToken)
        #expect(first.accessToken != last.accessToken)
        #expect(try await Browser().status(of: Self.resource, with: first) == 400)
        #expect(await log.grantTypes == ["authorization_code"] + Array(repeating: "refresh_token", count: 3))
    }

    @Test func sessionThatWasEndedElsewhereLeadsToANewSignIn() async throws {
        let account = account()
        _ = try await client(account, leeway: .seconds(7200)).send(user)
        _ = try await client(account, leeway: .seconds(7200)).send(user)
        try await person.revokeTokens()
        #expect(try await client(account).send(user).sub == person.name)
        #expect(await person.pageCount == 2)
    }

    @Test func denialWithoutStateFailsTheRequest() async throws {
        let flow = OAuthFlow.authorizationCode(
            present: .page { try await Browser().post($0.absoluteString, form: "action=deny").location })
        let error = try await client(account(flow: flow)).oauthError(of: user)
        // The server leaves `state` out of this redirect, so that it could be from anyone.
        #expect(error.code == .redirectRejected)
        #expect(await log.grantTypes.isEmpty)
    }

    @Test func signOutForgetsTheTokensOfAServerThatCannotRevoke() async throws {
        let account = account()
        let client = client(account)
        _ = try await client.send(user)
        try await account.signOut()
        #expect(try await !account.isSignedIn())
        #expect(await store.account == nil)
        #expect(try await client.send(user).sub == person.name)
        #expect(await person.pageCount == 2)
    }
}
