import APIKitClients
import APIKitCore
import APIKitSupport
import APIKitTestServer
import APIKitTesting
import Dispatch
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import APIKitOAuth

/// When tokens are obtained, renewed and kept.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct OAuthRenewalTests {
    private struct Things: APIRequest {
        typealias Response = Data
        let api: String
        var name = ""
        var base: APIBase { APIBase(api) }
        var path: URLPath { "" }
        var query: Parameters { ["name": name.isEmpty ? nil : name] }
    }

    /// An authorization server, an API that accepts its tokens, and a client for the API.
    private struct World {
        let server: OAuthServer
        let api: ProtectedResource
        let browser = UserAgent()
        let store = MemoryTokenStore()

        init(_ behavior: ServerBehavior = ServerBehavior(clients: [ServerClient(id: "app")])) throws {
            server = try OAuthServer(behavior)
            api = try ProtectedResource(ProtectedResource.Behavior(servers: [server]))
        }

        func account(
            flow: OAuthFlow? = nil, clock: any Clock<Duration> = ContinuousClock(), signsInAutomatically: Bool = true
        ) -> OAuth {
            account(store: store, flow: flow, clock: clock, signsInAutomatically: signsInAutomatically)
        }

        func account(
            store: some TokenStore, flow: OAuthFlow? = nil, clock: any Clock<Duration> = ContinuousClock(),
            signsInAutomatically: Bool = true
        ) -> OAuth {
            let presentation = AuthorizationPresentation.custom(redirectURI: UserAgent.redirectURI) { [browser] url in
                try await browser.open(url)
            }
            return OAuth(
                issuer: server.issuer, clientID: "app", scopes: ["read"], store: store,
                flow: flow ?? .authorizationCode(present: presentation), signsInAutomatically: signsInAutomatically,
                client: network.timed(by: clock))
        }

        func client(_ account: OAuth, leeway: Duration = .seconds(30)) -> any APIClient {
            network.authorized(by: account, for: APIBase(api.origin), leeway: leeway)
        }

        var things: Things { Things(api: api.identifier) }
        var url: URL { URL(string: api.identifier)! }  // a server's URL: always valid
        var grantTypes: [String?] { server.requests(to: .token).map { $0.fields["grant_type"] } }
    }

    @Test func browserOpensOnceForAllRequests() async throws {
        let world = try World()
        let client = world.client(world.account())
        let things = world.things
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { _ = try await client.send(things) } }
            try await group.waitForAll()
        }
        #expect(world.browser.openedURLs.count == 1)
        #expect(world.grantTypes == ["authorization_code"])
        // No request was sent without a token.
        #expect(world.api.tokens.allSatisfy { $0 != nil } && world.api.tokens.count == 20)
    }

    @Test func storedTokensNeedNoSignIn() async throws {
        let world = try World()
        _ = try await world.client(world.account()).send(world.things)
        // Another source over the same store, as after a restart.
        _ = try await world.client(world.account()).send(world.things)
        #expect(world.browser.openedURLs.count == 1)
        #expect(Set(world.api.tokens).count == 1)
    }

    @Test func refusedTokenIsRefreshed() async throws {
        let world = try World()
        let client = world.client(world.account())
        _ = try await client.send(world.things)
        world.server.expireAccessTokens()
        _ = try await client.send(world.things)
        #expect(world.browser.openedURLs.count == 1)
        #expect(world.grantTypes == ["authorization_code", "refresh_token"])
        #expect(world.server.refreshTokenReuseCount == 0)
    }

    @Test func refreshTokenStaysIfTheServerReturnsNone() async throws {
        let world = try World()
        world.server.change { $0.rotation = .none }
        let client = world.client(world.account())
        for _ in 0..<3 {
            _ = try await client.send(world.things)
            world.server.expireAccessTokens()
        }
        #expect(world.grantTypes == ["authorization_code", "refresh_token", "refresh_token"])
    }

    @Test func twoSourcesOverOneStoreRefreshOnce() async throws {
        let world = try World()
        let first = world.client(world.account())
        let second = world.client(world.account())
        _ = try await first.send(world.things)
        _ = try await second.send(world.things)
        world.server.expireAccessTokens()
        let things = world.things
        async let one = first.send(things)
        async let two = second.send(things)
        _ = try await (one, two)
        #expect(world.grantTypes == ["authorization_code", "refresh_token"])
    }

    @Test func siblingsTokensAreTakenIfTheRefreshTokenIsNoLongerValid() async throws {
        let world = try World()
        let store = MemoryTokenStore()
        let intruder = Locked<OAuth?>(nil)
        // The sibling refreshes while this source is about to, as if the store had no lock.
        let racing = StubClient { request in
            if request.method == .post, let account = intruder.withLock({ $0.take() }) {
                _ = try await account.replacement(for: .missing(1))
                return .json(#"{"error": "invalid_grant"}"#, status: 400)
            }
            return try await network.perform(request)
        }
        let presentation = AuthorizationPresentation.custom(redirectURI: UserAgent.redirectURI) { [world] in
            try await world.browser.open($0)
        }
        let unlocked = UnlockedStore(accounts: store)
        let account = OAuth(
            issuer: world.server.issuer, clientID: "app", scopes: ["read"], store: unlocked,
            flow: .authorizationCode(present: presentation), client: racing)
        let client = world.client(account)
        _ = try await client.send(world.things)
        world.server.change { $0.rotation = .strict }
        world.server.expireAccessTokens()
        let sibling = world.account(store: unlocked)
        let key = try #require(account.keyWithoutDiscovery)
        try await store.expire(key)
        intruder.withLock { $0 = sibling }
        _ = try await client.send(world.things)
        #expect(world.browser.openedURLs.count == 1)
        #expect(world.grantTypes == ["authorization_code", "refresh_token"])
    }

    /// A store that excludes nobody, as one without locks between processes.
    private struct UnlockedStore: TokenStore {
        let accounts: MemoryTokenStore

        func load(for key: String) async throws -> StoredAccount? { await accounts.load(for: key) }
        func save(_ account: StoredAccount?, for key: String) async throws { await accounts.save(account, for: key) }

        func withLock<Value: Sendable>(
            for key: String, _ body: @Sendable () async throws -> Value
        ) async throws -> Value {
            try await body()
        }
    }

    @Test func revokedRefreshTokenLeadsToANewSignIn() async throws {
        let world = try World()
        let client = world.client(world.account())
        _ = try await client.send(world.things)
        world.server.revokeAll()
        // Otherwise, the refusal of a token that was just issued would be final.
        let key = try #require(world.account().keyWithoutDiscovery)
        try await world.store.expire(key)
        let later = world.client(world.account())
        _ = try await later.send(world.things)
        #expect(world.browser.openedURLs.count == 2)
        #expect(world.grantTypes == ["authorization_code", "refresh_token", "authorization_code"])
    }

    @Test func tokensThatAreNeverAcceptedOpenTheBrowserOnce() async throws {
        let world = try World(
            ServerBehavior(clients: [ServerClient(id: "app")], issuesRefreshTokens: false))
        world.api.change { $0.servers = [] }
        let client = world.client(world.account())
        for _ in 0..<3 {
            let error = await #expect(throws: APIError<Data>.self) { try await client.send(world.things) }
            #expect((error?.transportError?.underlying as? OAuthError)?.code == .refusedByAPI)
        }
        #expect(world.browser.openedURLs.count == 1)
    }

    @Test func signInReplacesTokensThatTheAPIDoesNotAccept() async throws {
        let world = try World(
            ServerBehavior(clients: [ServerClient(id: "app")], issuesRefreshTokens: false))
        world.api.change { $0.servers = [] }
        let account = world.account()
        let client = world.client(account)
        await #expect(throws: APIError<Data>.self) { try await client.send(world.things) }
        world.server.revokeAll()
        world.api.change { [server = world.server] in $0.servers = [server] }
        try await account.signIn()
        _ = try await client.send(world.things)
        #expect(world.browser.openedURLs.count == 2)
    }

    @Test func tokensThatAreNeverAcceptedAreRefreshedAFewTimes() async throws {
        let world = try World()
        let clock = ManualClock()
        world.api.change { $0.servers = [] }
        let client = world.client(world.account(clock: clock))
        for _ in 0..<3 {
            let error = await #expect(throws: APIError<Data>.self) { try await client.send(world.things) }
            #expect((error?.transportError?.underlying as? OAuthError)?.code == .refusedByAPI)
        }
        #expect(world.grantTypes == ["authorization_code"] + Array(repeating: "refresh_token", count: 5))
        // A minute later, the API may have been repaired.
        clock.advance(by: .seconds(61))
        world.api.change { [server = world.server] in $0.servers = [server] }
        _ = try await client.send(world.things)
        #expect(world.browser.openedURLs.count == 1)
    }

    /// Tokens that were used, and are no longer valid although they have not expired.
    private func worldWithRevokedTokens(
        _ account: (World) -> OAuth, hasRefreshTokens: Bool
    ) async throws -> (world: World, account: OAuth) {
        let world = try World(
            ServerBehavior(clients: [ServerClient(id: "app")], issuesRefreshTokens: hasRefreshTokens))
        try await world.account().signIn()
        world.server.revokeAll()
        return (world, account(world))
    }

    /// Otherwise, the user could not get out of it: the API refuses the tokens, and the sign-in takes them for valid.
    @Test(arguments: [true, false], [true, false]) func signInReplacesTokensThatTheAPIHasRefused(
        hasRefreshTokens: Bool, isOtherProcess: Bool
    ) async throws {
        let (world, account) = try await worldWithRevokedTokens(
            { $0.account(signsInAutomatically: false) }, hasRefreshTokens: hasRefreshTokens)
        let error = await oauthError { _ = try await world.client(account).perform(HTTPRequest(url: world.url)) }
        #expect(error?.code == .signInRequired)
        let later = isOtherProcess ? world.account(signsInAutomatically: false) : account
        try await later.signIn()
        #expect(world.browser.openedURLs.count == 2)
        _ = try await world.client(later).send(world.things)
        // There are valid tokens now.
        try await later.signIn()
        #expect(world.browser.openedURLs.count == 2)
    }

    @Test func signInReplacesRefusedTokensAfterTheUserHasClosedThePage() async throws {
        let (world, account) = try await worldWithRevokedTokens({ $0.account() }, hasRefreshTokens: false)
        world.server.change { $0.userApproves = false }
        await #expect(throws: APIError<Data>.self) { try await world.client(account).send(world.things) }
        world.server.change { $0.userApproves = true }
        let count = world.browser.openedURLs.count
        try await account.signIn()
        #expect(world.browser.openedURLs.count == count + 1)
    }

    @Test(arguments: ["unauthorized_client", "invalid_client", "invalid_scope", "other"])
    func signInReplacesRefusedTokensThatCannotBeRefreshed(code: String) async throws {
        let (world, account) = try await worldWithRevokedTokens({ $0.account() }, hasRefreshTokens: true)
        world.server.change {
            $0.intercept = { endpoint, request in
                let isRefresh = String(decoding: request.body, as: UTF8.self).contains("grant_type=refresh_token")
                return isRefresh ? .json(#"{"error": "\#(code)"}"#, status: 400) : nil
            }
        }
        await #expect(throws: APIError<Data>.self) { try await world.client(account).send(world.things) }
        try await account.signIn()
        #expect(world.browser.openedURLs.count == 2)
        _ = try await world.client(account).send(world.things)
    }

    // MARK: - Scopes

    /// An API that needs the scope `write` for one of its requests.
    private func worldWithScopes() throws -> World {
        let world = try World()
        world.api.change { behavior in
            behavior.scopes = { $0.query == "name=new" ? ["write"] : ["read"] }
            behavior.challengedScopes = { $0 }
        }
        return world
    }

    @Test func scopeThatIsMissingIsRequestedBesideTheOthers() async throws {
        let world = try worldWithScopes()
        let client = world.client(world.account())
        _ = try await client.send(world.things)
        let new = Things(api: world.api.identifier, name: "new")
        _ = try await client.send(new)
        _ = try await client.send(world.things)
        let scopes = world.browser.openedURLs.map { $0.query(percentEncoded: true) ?? "" }
        #expect(scopes.count == 2 && scopes[0].contains("scope=read&") && scopes[1].contains("scope=read%20write&"))
    }

    @Test func tokenStaysValidForOtherRequestsIfMoreScopesAreNotGranted() async throws {
        let world = try worldWithScopes()
        let client = world.client(world.account())
        _ = try await client.send(world.things)
        world.server.change { $0.userApproves = false }
        let new = Things(api: world.api.identifier, name: "new")
        let error = await #expect(throws: APIError<Data>.self) { try await client.send(new) }
        #expect(error?.status == 403)
        let count = world.browser.openedURLs.count
        _ = try await client.send(world.things)
        #expect(world.browser.openedURLs.count == count)
        #expect(world.api.tokens.last != .some(nil))
    }

    @Test func refusalStandsIfTheScopesWereRequestedBefore() async throws {
        let world = try worldWithScopes()
        world.server.change { behavior in
            // The server grants less than is requested.
            behavior.edit = { endpoint, json in
                if endpoint == .token { json["scope"] = "read" }
            }
        }
        world.api.change {
            $0.intercept = { request in
                guard request.query == "name=new" else { return nil }
                return .status(
                    403, headers: [("WWW-Authenticate", #"Bearer error="insufficient_scope", scope="write""#)])
            }
        }
        let client = world.client(world.account())
        let new = Things(api: world.api.identifier, name: "new")
        for _ in 0..<3 {
            let error = await #expect(throws: APIError<Data>.self) { try await client.send(new) }
            #expect(error?.status == 403)
        }
        #expect(world.browser.openedURLs.count == 2)
        _ = try await client.send(world.things)
    }

    @Test func newTokensAreStoredBeforeTheyAreUsed() async throws {
        let world = try World()
        let client = world.client(world.account(store: FailingStore()))
        let error = await #expect(throws: APIError<Data>.self) { try await client.send(world.things) }
        #expect(error?.transportError?.underlying is FailingStore.Failure)
        #expect(world.api.tokens.isEmpty)
    }

    private struct FailingStore: TokenStore {
        struct Failure: Error {}
        func load(for key: String) async throws -> StoredAccount? { nil }
        func save(_ account: StoredAccount?, for key: String) async throws { throw Failure() }
    }

    @Test func cancelledRequestDoesNotLoseTheTokensOfARefresh() async throws {
        let world = try World()
        _ = try await world.client(world.account()).send(world.things)
        world.server.expireAccessTokens()
        let gate = DispatchSemaphore(value: 0)
        world.server.change { behavior in
            behavior.intercept = { endpoint, _ in
                if endpoint == .token { gate.wait() }
                return nil
            }
        }
        let account = world.account()
        let client = world.client(account)
        let things = world.things
        let task = Task { try await client.send(things) }
        while world.server.requests(to: .token).count < 2 { await Task.yield() }
        task.cancel()
        gate.signal()
        _ = await task.result
        world.server.change { $0.intercept = { _, _ in nil } }
        // The store's lock is free once the tokens are stored.
        _ = try await world.client(world.account()).send(things)
        #expect(world.grantTypes == ["authorization_code", "refresh_token"])
        #expect(world.server.refreshTokenReuseCount == 0)
    }

    // MARK: - Signing in and out

    @Test func requestFailsIfSignInIsNotAutomatic() async throws {
        let world = try World()
        let account = world.account(signsInAutomatically: false)
        let client = world.client(account)
        let error = await #expect(throws: APIError<Data>.self) { try await client.send(world.things) }
        #expect((error?.transportError?.underlying as? OAuthError)?.code == .signInRequired)
        #expect(world.browser.openedURLs.isEmpty && world.api.requests.isEmpty)
        try await account.signIn()
        _ = try await client.send(world.things)
        #expect(world.browser.openedURLs.count == 1)
    }

    @Test func signOutRevokesAndForgetsTheTokens() async throws {
        let world = try World()
        let account = world.account(signsInAutomatically: false)
        let client = world.client(account)
        try await account.signIn()
        _ = try await client.send(world.things)
        #expect(try await account.isSignedIn())
        try await account.signOut()
        #expect(try await !account.isSignedIn())
        #expect(
            world.server.requests(to: .revoke).map { $0.fields["token_type_hint"] } == [
                "refresh_token", "access_token",
            ])
        let count = world.api.requests.count
        await #expect(throws: APIError<Data>.self) { try await client.send(world.things) }
        // The old token is not sent again, not even to be refused.
        #expect(world.api.requests.count == count)
        try await account.signIn()
        _ = try await client.send(world.things)
        #expect(Set(world.api.tokens).count == 2)
    }

    @Test func signInWithValidTokensAsksNobody() async throws {
        let world = try World()
        let account = world.account()
        try await account.signIn()
        try await account.signIn()
        #expect(world.browser.openedURLs.count == 1 && world.grantTypes.count == 1)
    }

    @Test func signInWithExpiredTokensUsesTheRefreshToken() async throws {
        let world = try World()
        try await world.account().signIn()
        try await world.store.expire(try #require(world.account().keyWithoutDiscovery))
        try await world.account().signIn()
        #expect(world.browser.openedURLs.count == 1)
        #expect(world.grantTypes == ["authorization_code", "refresh_token"])
    }

    @Test func storeThatCannotBeReadFailsTheRequest() async throws {
        let world = try World()
        let client = world.client(world.account(store: UnreadableStore()))
        let error = await #expect(throws: APIError<Data>.self) { try await client.send(world.things) }
        #expect(error?.transportError?.underlying is UnreadableStore.Failure)
        #expect(world.browser.openedURLs.isEmpty && world.api.requests.isEmpty)
    }

    private struct UnreadableStore: TokenStore {
        struct Failure: Error {}
        func load(for key: String) async throws -> StoredAccount? { throw Failure() }
        func save(_ account: StoredAccount?, for key: String) async throws {}
    }

    // MARK: - Other flows

    @Test func clientCredentialsNeedNoUser() async throws {
        let secret = "s3cret with + and %"
        let world = try World(
            ServerBehavior(
                clients: [ServerClient(id: "back end", authentication: .basic(secret: secret))],
                issuesRefreshTokens: false))
        let account = OAuth(
            issuer: world.server.issuer, clientID: "back end", authentication: .basic(secret: secret),
            flow: .clientCredentials, signsInAutomatically: false, client: network)
        let client = world.client(account)
        _ = try await client.send(world.things)
        _ = try await client.send(world.things)
        #expect(world.grantTypes == ["client_credentials"])
    }

    @Test func deviceCodeIsAskedForUntilTheUserHasEnteredIt() async throws {
        let clock = ManualClock(skippingSleep: true)
        let world = try World()
        world.server.change { $0.deviceErrors = ["authorization_pending", "slow_down", "authorization_pending"] }
        let shown = Recorder<DeviceAuthorization>()
        let server = world.server
        let account = world.account(
            flow: .deviceCode { code in
                shown.append(code)
                server.decide(.approved, userCode: code.userCode)
            }, clock: clock)
        _ = try await world.client(account).send(world.things)
        #expect(shown.values.count == 1)
        // Pauses of 5, 5, 10 and 10 seconds.
        #expect(clock.elapsed >= .seconds(30) && clock.elapsed < .seconds(31))
        #expect(world.server.requests(to: .token).count == 4)
    }

    @Test(arguments: [(Grants.Device.Decision.denied, OAuthError.Code.refused), (.expired, .timedOut)])
    func deviceCodeThatIsNotEnteredFails(_ decision: Grants.Device.Decision, _ code: OAuthError.Code) async throws {
        let clock = ManualClock(skippingSleep: true)
        let world = try World()
        let server = world.server
        let account = world.account(flow: .deviceCode { server.decide(decision, userCode: $0.userCode) }, clock: clock)
        let error = await #expect(throws: OAuthError.self) { try await account.signIn() }
        #expect(error?.code == code)
    }

    @Test func deviceCodeExpiresByTheClock() async throws {
        let clock = ManualClock(skippingSleep: true)
        let world = try World()
        let account = world.account(flow: .deviceCode { _ in }, clock: clock)
        let error = await #expect(throws: OAuthError.self) { try await account.signIn() }
        #expect(error?.code == .timedOut)
    }
}

extension MemoryTokenStore {
    /// Changes the stored tokens so that they have expired, as if time had passed.
    func expire(_ key: String) async throws {
        var account = try #require(await load(for: key))
        account.tokens?.expires = .distantPast
        await save(account, for: key)
    }
}
