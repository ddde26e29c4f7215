import APIKitClients
import APIKitCore
import APIKitTestServer
import APIKitTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import APIKitOAuth

/// What an explicit sign-in and sign-out do, whatever is stored and whatever the server says.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct OAuthSignInTests {
    /// An authorization server, an API that accepts its tokens, and a browser. The accounts share a store.
    private struct World {
        let server: OAuthServer
        let api: ProtectedResource
        let browser = UserAgent()
        let store = MemoryTokenStore()
        let clock = ManualClock()

        init(_ behavior: ServerBehavior = ServerBehavior(clients: [ServerClient(id: "app")])) throws {
            server = try OAuthServer(behavior)
            api = try ProtectedResource(ProtectedResource.Behavior(servers: [server]))
        }

        /// The account of a process, or of a version of the program.
        func account(
            scopes: [String] = ["read"], signsInAutomatically: Bool = true, bearerTokenTypes: [String] = []
        ) -> OAuth {
            OAuth(
                issuer: server.issuer, clientID: "app", scopes: scopes, store: store, flow: .browser(browser),
                signsInAutomatically: signsInAutomatically, bearerTokenTypes: bearerTokenTypes,
                client: network.timed(by: clock))
        }

        func client(_ account: OAuth) -> any APIClient {
            network.timed(by: clock).authorized(by: account, for: APIBase(api.origin))
        }

        func status(by client: any APIClient) async throws -> Int {
            try await client.perform(HTTPRequest(url: try #require(URL(string: api.identifier)))).head.status
        }

        /// Answers each refresh, and leaves other requests to the server.
        func answerRefreshes(_ answer: ServerAnswer) {
            server.change {
                $0.intercept = { _, request in
                    let isRefresh = String(decoding: request.body, as: UTF8.self).contains("grant_type=refresh_token")
                    return isRefresh ? answer : nil
                }
            }
        }

        /// The scopes that the user was asked for.
        var scopes: [String?] { server.requests(to: .authorize).map { $0.fields["scope"] } }
        var refreshCount: Int {
            server.requests(to: .token).count { $0.fields["grant_type"] == "refresh_token" }
        }
    }

    // MARK: - Scopes

    @Test func signInAsksForAScopeThatTheProgramHasAdded() async throws {
        let world = try World()
        try await world.account(scopes: ["read"]).signIn()
        let updated = world.account(scopes: ["read", "write"])
        try await updated.signIn()
        try await updated.signIn()
        try await world.account(scopes: ["read", "write"]).signIn()
        #expect(world.scopes == ["read", "read write"])
    }

    @Test func refusalForAScopeThatTheProgramHasAddedAsksTheUser() async throws {
        let world = try World()
        try await world.account(scopes: ["read"]).signIn()
        world.api.change {
            $0.scopes = { _ in ["write"] }
            $0.challengedScopes = { $0 }
        }
        let client = world.client(world.account(scopes: ["read", "write"]))
        #expect(try await world.status(by: client) == 200)
        #expect(world.scopes == ["read", "read write"])
    }

    @Test func onlyAnExplicitRequestAsksAgainForAScopeThatWasNotGranted() async throws {
        let world = try World()
        // The user grants less than the program asks for.
        world.server.change { $0.edit = { if $0 == .token { $1["scope"] = "read" } } }
        try await world.account(scopes: ["read", "write"]).signIn()
        try await world.account(scopes: ["read", "write"]).signIn()
        #expect(world.scopes == ["read write"])
        try await world.account(scopes: ["read", "write"]).signIn(addingScopes: ["write"])
        #expect(world.scopes == ["read write", "read write"])
    }

    @Test func refreshedTokensKeepTheRequestedScopes() async throws {
        let world = try World()
        world.server.change { $0.edit = { if $0 == .token { $1["scope"] = "read" } } }
        let account = world.account(scopes: ["read", "write"])
        try await account.signIn()
        world.clock.advance(by: .seconds(3600))
        try await account.signIn()
        try await world.account(scopes: ["read", "write"]).signIn()
        #expect(world.scopes == ["read write"] && world.refreshCount == 1)
    }

    // GitHub separates the scopes of its responses by commas.
    @Test func scopesThatAreJoinedByCommasAreGranted() async throws {
        let world = try World()
        world.server.change { $0.edit = { if $0 == .token { $1["scope"] = "read,write" } } }
        let account = world.account()
        try await account.signIn(addingScopes: ["write"])
        try await account.signIn(addingScopes: ["write"])
        #expect(world.scopes == ["read write"])
    }

    // MARK: - Refresh tokens that are refused

    @Test(arguments: [
        ServerAnswer.json(#"{"error": "invalid_refresh_token"}"#, status: 400),
        .json(#"{"error": "invalid_request"}"#, status: 400), .json(#"{"error": "access_denied"}"#, status: 403),
        .json(#"{"error": "token_expired"}"#, status: 200), .status(404), .json("{}"),
    ])
    func signInLeadsToTheUserHoweverTheRefreshIsRefused(answer: ServerAnswer) async throws {
        let world = try World()
        let account = world.account()
        try await account.signIn()
        world.answerRefreshes(answer)
        world.clock.advance(by: .seconds(3600))
        try await account.signIn()
        #expect(world.browser.openedURLs.count == 2)
        #expect(try await world.status(by: world.client(account)) == 200)
    }

    @Test func serverThatFailsDoesNotLeadToTheUser() async throws {
        let world = try World()
        let account = world.account()
        try await account.signIn()
        world.answerRefreshes(.status(503))
        world.clock.advance(by: .seconds(3600))
        #expect(await oauthError { try await account.signIn() }?.code == .serverFailed)
        #expect(world.browser.openedURLs.count == 1)
    }

    @Test func deadRefreshTokenIsSentOnce() async throws {
        let world = try World()
        let account = world.account(signsInAutomatically: false)
        try await account.signIn()
        world.server.revokeAll()
        world.clock.advance(by: .seconds(3600))
        let client = world.client(account)
        // Another source over the same store, as of another process, and a later one.
        let clients = [client, client, client, world.client(world.account(signsInAutomatically: false))]
        for client in clients + clients {
            let error = await oauthError { _ = try await world.status(by: client) }
            #expect(error?.code == .signInRequired)
        }
        #expect(world.refreshCount == 1)
        try await account.signIn()
        #expect(try await world.status(by: client) == 200)
        #expect(world.refreshCount == 1 && world.browser.openedURLs.count == 2)
    }

    @Test func deadRefreshTokenOfTokensThatTheAPIRefusesIsSentOnce() async throws {
        let world = try World()
        let account = world.account(signsInAutomatically: false)
        try await account.signIn()
        world.clock.advance(by: .seconds(120))
        world.server.revokeAll()
        for _ in 0..<8 {
            let error = await oauthError { _ = try await world.status(by: world.client(account)) }
            #expect(error?.code == .signInRequired)
        }
        #expect(world.refreshCount == 1)
    }

    /// The server does not say why, so the refresh token is kept.
    @Test func refusedTokensAreNotValidForOtherProcessesHoweverTheRefreshFails() async throws {
        let world = try World()
        let account = world.account(signsInAutomatically: false)
        try await account.signIn()
        world.clock.advance(by: .seconds(120))
        world.server.expireAccessTokens()
        world.answerRefreshes(.status(400))
        let error = await oauthError { _ = try await world.status(by: world.client(account)) }
        #expect(error?.code == .signInRequired)
        try await world.account(signsInAutomatically: false).signIn()
        #expect(world.browser.openedURLs.count == 2)
    }

    // MARK: - Responses

    @Test func otherMembersOfTokenResponsesAreKept() async throws {
        let world = try World()
        world.server.change { behavior in
            behavior.edit = { endpoint, json in
                guard endpoint == .token else { return }
                json["instance_url"] = "https://eu.example.com"
                json["account"] = ["id": 1234567890123456789]
            }
        }
        try await world.account().signIn()
        // After a restart, and after a refresh whose response has only one of them.
        let account = world.account()
        let parameters = try #require(try await account.tokens()).additionalParameters
        #expect(parameters == ["instance_url": "https://eu.example.com", "account": ["id": 1234567890123456789]])
        world.server.change { $0.edit = { if $0 == .token { $1["instance_url"] = "https://us.example.com" } } }
        world.server.expireAccessTokens()
        #expect(try await world.status(by: world.client(account)) == 200)
        for account in [account, world.account()] {
            let parameters = try #require(try await account.tokens()).additionalParameters
            #expect(parameters["instance_url"] == "https://us.example.com")
            #expect(parameters["account"]?["id"] == 1234567890123456789)
            #expect(parameters.object?.count == 2)
        }
    }

    @Test func membersThatAreTooLongAreLeftOut() async throws {
        let world = try World()
        world.server.change { behavior in
            behavior.edit = { endpoint, json in
                guard endpoint == .token else { return }
                json["long"] = .string(String(repeating: "x", count: 20_000))
                json["id_token"] = .string(String(repeating: "x", count: 20_000))
                var deep: JSONValue = 1
                for _ in 0..<50 { deep = [deep] }
                json["deep"] = deep
                json["short"] = "s"
            }
        }
        try await world.account().signIn()
        let tokens = try #require(try await world.account().tokens())
        #expect(tokens.additionalParameters.object?.map(\.name).sorted() == ["deep", "short"])
        #expect(tokens.idToken == nil)
    }

    // Some servers, such as Slack's, have types of their own.
    @Test func otherTokenTypesAreSentAsBearerIfTheProgramSaysSo() async throws {
        let world = try World()
        world.server.change { $0.edit = { if $0 == .token { $1["token_type"] = "user" } } }
        let error = await oauthError { try await world.account().signIn() }
        #expect(error?.code == .badResponse && error?.message.contains("bearerTokenTypes") == true)
        let account = world.account(bearerTokenTypes: ["User"])
        try await account.signIn()
        #expect(try await world.status(by: world.client(account)) == 200)
        #expect(try await account.tokens()?.tokenType == "user")
    }

    // MARK: - Signing out

    // As Google: the access token is invalid once the refresh token is revoked.
    @Test func signOutSucceedsIfATokenIsInvalidAlready() async throws {
        let world = try World()
        let account = world.account()
        try await account.signIn()
        world.server.change {
            $0.intercept = { endpoint, request in
                let isAccessToken = String(decoding: request.body, as: UTF8.self).contains("access_token")
                return endpoint == .revoke && isAccessToken ? .json(#"{"error": "invalid_token"}"#, status: 400) : nil
            }
        }
        try await account.signOut()
        #expect(world.server.requests(to: .revoke).count == 2)
    }

    @Test func signOutRevokesTheOtherTokenIfOneFails() async throws {
        let world = try World()
        let account = world.account()
        try await account.signIn()
        world.server.change {
            $0.intercept = { endpoint, request in
                let isRefreshToken = String(decoding: request.body, as: UTF8.self).contains("refresh_token")
                return endpoint == .revoke && isRefreshToken ? .status(503) : nil
            }
        }
        #expect(await oauthError { try await account.signOut() }?.code == .serverFailed)
        let hints = world.server.requests(to: .revoke).map { $0.fields["token_type_hint"] }
        #expect(hints == ["refresh_token", "access_token"])
    }
}
