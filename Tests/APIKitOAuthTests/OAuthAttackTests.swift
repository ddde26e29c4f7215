import APIKitClients
import APIKitCore
import APIKitSupport
import APIKitTestServer
import APIKitTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import APIKitOAuth

/// What a server, a store or a user of the library may do to a source without harm.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct OAuthAttackTests {
    /// An authorization server, an API that accepts its tokens, and a browser.
    private struct World {
        let server: OAuthServer
        let api: ProtectedResource
        let browser = UserAgent()
        let clock = ManualClock(skippingSleep: true)

        init(_ behavior: ServerBehavior = ServerBehavior(clients: [ServerClient(id: "app")])) throws {
            server = try OAuthServer(behavior)
            api = try ProtectedResource(ProtectedResource.Behavior(servers: [server]))
        }

        func account(flow: OAuthFlow? = nil, store: some TokenStore = MemoryTokenStore()) -> OAuth {
            OAuth(
                issuer: server.issuer, clientID: "app", scopes: ["read"], store: store, flow: flow ?? .browser(browser),
                client: network.timed(by: clock))
        }

        func client(_ account: OAuth) -> any APIClient {
            network.timed(by: clock).authorized(by: account, for: APIBase(api.origin))
        }

        /// Sends a request to the API, and returns the status.
        @discardableResult
        func status(by client: any APIClient, path: String = "") async throws -> Int {
            let url = try #require(URL(string: api.identifier + path))
            return try await client.perform(HTTPRequest(url: url)).head.status
        }

        var grantTypes: [String?] { server.requests(to: .token).map { $0.fields["grant_type"] } }
    }

    private static let noRefreshTokens = ServerBehavior(
        clients: [ServerClient(id: "app")], issuesRefreshTokens: false)

    // MARK: - Servers that are not quite standard

    // GitHub does.
    @Test func errorsWithTheStatus200AreErrors() async throws {
        let world = try World()
        let pending = Locked(2)
        world.server.change { behavior in
            behavior.intercept = { endpoint, _ in
                guard endpoint == .token else { return nil }
                let isPending = pending.withLock { count in
                    count -= 1
                    return count >= 0
                }
                return isPending ? .json(#"{"error": "authorization_pending"}"#, status: 200) : nil
            }
        }
        let server = world.server
        let account = world.account(flow: .deviceCode { server.decide(.approved, userCode: $0.userCode) })
        try await account.signIn()
        #expect(world.server.requests(to: .token).count == 3)

        world.server.change { behavior in
            behavior.intercept = { endpoint, _ in
                endpoint == .token ? .json(#"{"error": "bad_verification_code"}"#, status: 200) : nil
            }
        }
        let refusal = await oauthError { try await world.account().signIn() }
        #expect(refusal?.code == .refused && refusal?.serverCode == "bad_verification_code")
    }

    // Google does.
    @Test func pageOfADeviceCodeMayHaveItsOldName() async throws {
        let world = try World()
        world.server.change { behavior in
            behavior.edit = { endpoint, json in
                guard endpoint == .device else { return }
                json["verification_url"] = json["verification_uri"]
                json["verification_uri"] = nil
            }
        }
        let server = world.server
        try await world.account(flow: .deviceCode { server.decide(.approved, userCode: $0.userCode) }).signIn()
    }

    // GitHub has a code of its own for it.
    @Test func refreshTokenThatIsRefusedWithTheStatus200LeadsToASignIn() async throws {
        let world = try World()
        let client = world.client(world.account())
        #expect(try await world.status(by: client) == 200)
        world.server.change { behavior in
            behavior.intercept = { endpoint, request in
                let isRefresh = String(decoding: request.body, as: UTF8.self).contains("grant_type=refresh_token")
                return isRefresh ? .json(#"{"error": "bad_refresh_token"}"#, status: 200) : nil
            }
        }
        world.server.expireAccessTokens()
        #expect(try await world.status(by: client) == 200)
        #expect(world.browser.openedURLs.count == 2)
    }

    // MARK: - Browser windows

    @Test(arguments: [0, 20]) func shortLifetimesDoNotOpenTheBrowserForEachRequest(lifetime: Int) async throws {
        let world = try World(Self.noRefreshTokens)
        let clock = world.clock
        world.server.change {
            $0.accessTokenLifetime = 3600
            $0.edit = { if $0 == .token { $1["expires_in"] = .number(JSONValue.Number(lifetime)) } }
        }
        let client = world.client(world.account())
        for _ in 0..<3 {
            #expect(try await world.status(by: client) == 200)
            clock.advance(by: .seconds(1))
        }
        #expect(world.browser.openedURLs.count == 1)
    }

    @Test func tokensThatExpireAtOnceAndAreRefusedOpenFewWindows() async throws {
        let world = try World(Self.noRefreshTokens)
        let clock = world.clock
        world.server.change { $0.edit = { if $0 == .token { $1["expires_in"] = 1 } } }
        world.api.change {
            $0.intercept = { _ in
                clock.advance(by: .seconds(2))
                return .status(401, headers: [("WWW-Authenticate", "Bearer")])
            }
        }
        let client = world.client(world.account())
        for _ in 0..<2 { _ = try? await world.status(by: client) }
        #expect(world.browser.openedURLs.count <= 5)
    }

    @Test func userWhoRefusesIsNotAskedForEachRequest() async throws {
        let world = try World()
        world.server.change { $0.userApproves = false }
        let account = world.account()
        let client = world.client(account).retrying(.backoff(attempts: 3))
        for _ in 0..<20 { await #expect(throws: (any Error).self) { try await world.status(by: client) } }
        #expect(world.browser.openedURLs.count <= 5)
        // The program may ask at any time, and later requests do, too.
        world.server.change { $0.userApproves = true }
        try await account.signIn()
        #expect(try await world.status(by: client) == 200)
        try await account.signOut()
        #expect(try await world.status(by: client) == 200)
    }

    @Test func apiThatAsksForEverNewScopesIsNotObeyedForever() async throws {
        let world = try World()
        let count = Locked(0)
        world.api.change {
            $0.intercept = { request in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return .status(
                    403, headers: [("WWW-Authenticate", #"Bearer error="insufficient_scope", scope="s\#(number)""#)])
            }
        }
        let client = world.client(world.account())
        for index in 0..<20 { #expect(try await world.status(by: client, path: "/\(index)") == 403) }
        #expect(world.browser.openedURLs.count <= 5)
    }

    // MARK: - Clocks

    @Test func apiThatHasBeenRepairedIsNoticedByAProgramThatPolls() async throws {
        let world = try World()
        let client = world.client(world.account())
        #expect(try await world.status(by: client) == 200)
        world.api.change { $0.servers = [] }
        for _ in 0..<12 {
            _ = try? await world.status(by: client)
            world.clock.advance(by: .seconds(5))
        }
        world.api.change { [server = world.server] in $0.servers = [server] }
        var statuses: [Int] = []
        for _ in 0..<24 {
            if let status = try? await world.status(by: client) { statuses.append(status) }
            world.clock.advance(by: .seconds(5))
        }
        #expect(statuses.last == 200)
        #expect(world.browser.openedURLs.count == 1)
    }

    @Test func limitsEndIfTheClockIsSetBack() {
        var limits = RenewalLimits()
        let late = Date(timeIntervalSince1970: 1e9)
        let early = late.addingTimeInterval(-86_400)
        let credential = Credential.authorization("Bearer x", expires: nil)
        limits.recordSignIn(credential, at: late)
        #expect(limits.isFromRecentSignIn(credential, at: late) && !limits.isFromRecentSignIn(credential, at: early))
        let renewal = Renewal(
            reason: .refused(credential, APIKitOAuth.Refusal(.status(401))), tokens: OAuthTokens(accessToken: "x"),
            programScopes: nil, listedScopes: [], needsUser: true, now: late)
        let refusals = (0..<7).map { _ in
            let isAllowed = limits.refusals.allowsEvent(at: late)
            if isAllowed { limits.record(.signIn, of: renewal) }
            return isAllowed
        }
        #expect(refusals == [true, true, true, true, true, false, false])
        #expect(limits.refusals.allowsEvent(at: early))
        let operation = renewal.reason.operation
        let scopeSignIns = (0..<4).map { _ in
            let isAllowed = limits.allowsScopeSignIn(for: operation, at: late)
            if isAllowed { limits.record(.signInAdding(["write"]), of: renewal) }
            return isAllowed
        }
        #expect(scopeSignIns == [true, true, true, false])
        #expect(limits.allowsScopeSignIn(for: operation, at: early))
    }

    // MARK: - Secrets

    @Test(arguments: ["BASE64", "FORM", "PERCENT"]) func errorsThatQuoteEncodedSecretsAreMasked(
        quote: String
    ) async throws {
        let secret = "s3cret/w0rd+x y"
        var behavior = ServerBehavior(
            clients: [ServerClient(id: "app", authentication: .basic(secret: secret))])
        behavior.intercept = { endpoint, request in
            guard endpoint == .token else { return nil }
            let header = request.values(of: "Authorization").first ?? ""
            let text =
                switch quote {
                case "BASE64": String(header.dropFirst("Basic ".count))
                case "FORM": "s3cret%2Fw0rd%2Bx+y"
                default: "s3cret%2Fw0rd%2Bx%20y"
                }
            return .json(#"{"error": "invalid_client", "error_description": "no \#(text) here"}"#, status: 401)
        }
        let server = try OAuthServer(behavior)
        let account = OAuth(
            issuer: server.issuer, clientID: "app", authentication: .basic(secret: secret), flow: .clientCredentials,
            client: network)
        let error = await oauthError { try await account.signIn() }
        let message = try #require(error?.message)
        #expect(message.contains("***"), "\(message)")
    }

    @Test(arguments: [
        ClientAuthentication.basic(secret: "s3cret"), .post(secret: "s3cret"), .privateKeyJWT { _ in "s3cret" },
    ])
    func secretIsNotSentToAServerThatAnAPINames(authentication: ClientAuthentication) async throws {
        let document = "https://example.com/app.json"
        var behavior = ServerBehavior()
        behavior.clientDocuments = [ServerClient(id: document, authentication: .post(secret: "s3cret"))]
        let scenario = try MCPScenario(
            server: behavior, clients: { _ in [.metadataDocument(document, authentication: authentication)] })
        _ = await oauthError { _ = try await scenario.call() }
        let bodies = scenario.server.requests(to: .token).map { String(decoding: $0.received.body, as: UTF8.self) }
        #expect(bodies.allSatisfy { !$0.contains("s3cret") })
        #expect(scenario.server.requests(to: .token).allSatisfy { $0.received.values(of: "Authorization").isEmpty })
    }

    // Nobody would see that the API gets more than the program has asked for.
    @Test func apiDoesNotChooseTheScopesOfAProgramWithoutAUser() async throws {
        let secret = "s3cret"
        let world = try World(
            ServerBehavior(clients: [ServerClient(id: "app", authentication: .post(secret: secret))]))
        world.api.change {
            $0.scopes = { _ in ["admin"] }
            $0.challengedScopes = { $0 }
        }
        let account = OAuth(
            issuer: world.server.issuer, clientID: "app", authentication: .post(secret: secret), scopes: ["read"],
            flow: .clientCredentials, client: network)
        #expect(try await world.status(by: world.client(account)) == 403)
        #expect(world.server.requests(to: .token).map { $0.fields["scope"] } == ["read"])
    }

    // A server on the network could otherwise use this program to reach services that only this computer can.
    @Test func apiOnTheNetworkCannotSendRequestsToThisComputer() async throws {
        let api = "https://api.example.com/mcp"
        for place in ["challenge", "issuer", "token_endpoint", "device_authorization_endpoint"] {
            let inner = "http://127.0.0.1:9/x"
            let stub = StubClient { request in
                switch request.url.path {
                case "/mcp":
                    let challenge = place == "challenge" ? #"Bearer resource_metadata="\#(inner)""# : "Bearer"
                    return .status(401, headers: [.wwwAuthenticate: challenge])
                case "/.well-known/oauth-protected-resource/mcp":
                    let issuer = place == "issuer" ? inner : "https://auth.example.com"
                    return .json(#"{"resource": "\#(api)", "authorization_servers": ["\#(issuer)"]}"#)
                case "/.well-known/oauth-authorization-server":
                    var metadata: JSONValue.Object = [
                        "issuer": "https://auth.example.com", "token_endpoint": "https://auth.example.com/token",
                        "device_authorization_endpoint": "https://auth.example.com/device",
                        "client_id_metadata_document_supported": true,
                    ]
                    metadata[place] = .string(inner)
                    return .json(JSONValue.object(metadata).description)
                default: return .status(404)
                }
            }
            let account = OAuth(
                resource: api, clients: [.metadataDocument("https://example.com/app.json")], flow: .deviceCode { _ in },
                client: stub)
            let client = stub.authorized(by: account, for: APIBase(api))
            _ = await oauthError { _ = try await client.perform(HTTPRequest(url: try #require(URL(string: api)))) }
            #expect(stub.requests.allSatisfy { $0.url.host != "127.0.0.1" }, "\(place)")
        }
    }

    // A program that signs in as itself must not send its own token in place of a user's, or the other way around.
    @Test func tokensOfAProgramAreNotThoseOfItsUser() async throws {
        let world = try World(
            ServerBehavior(clients: [ServerClient(id: "app", authentication: .post(secret: "s3cret"))]))
        let store = MemoryTokenStore()
        func account(_ flow: OAuthFlow) -> OAuth {
            OAuth(
                issuer: world.server.issuer, clientID: "app", authentication: .post(secret: "s3cret"), store: store,
                flow: flow, client: network)
        }
        try await account(.clientCredentials).signIn()
        try await account(.browser(world.browser)).signIn()
        try await account(.clientCredentials).signIn()
        #expect(world.grantTypes == ["client_credentials", "authorization_code"])
    }

    // MARK: - Values

    @Test(arguments: [1e300, -1e300, 1e18, 4e9]) func datesFarAwayCanBeDescribed(seconds: Double) {
        let date = Date(timeIntervalSince1970: seconds)
        let account = StoredAccount(
            tokens: OAuthTokens(accessToken: "x", expires: date),
            client: RegisteredClient(id: "x", secretExpires: date))
        #expect("\(account)".contains("StoredAccount"))
    }

    @Test(arguments: ["1e300", "-1e300", "1e18", "\"1e300\""]) func secretsThatExpireFarAwayAreKept(
        expiry: String
    ) async throws {
        let store = FileTokenStore(
            URL.temporaryDirectory.appending(path: "\(UUID().uuidString)").appending(path: "tokens.json"))
        defer { try? FileManager.default.removeItem(at: store.url.deletingLastPathComponent()) }
        let value = try JSONReader().decode(JSONValue.self, from: Data(expiry.utf8))
        let account = StoredAccount(
            client: RegisteredClient(id: "x", secret: "y", secretExpires: Date(timeIntervalSince1970: 1e300)))
        try await store.save(account, for: "a")
        #expect(try await store.load(for: "a")?.client?.id == "x")
        var behavior = ServerBehavior(registeredAuthentication: { .post(secret: "s3cret") })
        behavior.edit = { if $0 == .register { $1["client_secret_expires_at"] = value } }
        let scenario = try MCPScenario(server: behavior)
        #expect(try await scenario.call().head.status == 200)
    }

    // MARK: - Signing out

    @Test func signOutDuringTheFirstLoadIsNotUndone() async throws {
        let world = try World()
        let memory = MemoryTokenStore()
        try await world.account(store: memory).signIn()
        let store = SlowStore(accounts: memory)
        let account = world.account(store: store)
        let first = Task { try await account.credential() }
        await store.hasLoaded.wait()
        try await account.signOut()
        store.mayReturn.release()
        let credential = try await first.value
        #expect(credential?.description == "no credential")
        #expect(try await !account.isSignedIn())
    }

    @Test func signOutWhileASignInLoadsIsNotUndone() async throws {
        let world = try World()
        let memory = MemoryTokenStore()
        try await world.account(store: memory).signIn()
        let store = SlowStore(accounts: memory)
        let account = world.account(store: store)
        let signIn = Task { try await account.signIn() }
        await store.hasLoaded.wait()
        try await account.signOut()
        store.mayReturn.release()
        try await signIn.value
        #expect(world.browser.openedURLs.count == 2)
        #expect(try await world.status(by: world.client(account)) == 200)
    }

    /// A store whose first load takes long.
    private final class SlowStore: TokenStore {
        let accounts: MemoryTokenStore
        let hasLoaded = Hold()
        let mayReturn = Hold()
        private let count = Locked(0)

        init(accounts: MemoryTokenStore) { self.accounts = accounts }

        func load(for key: String) async throws -> StoredAccount? {
            let account = await accounts.load(for: key)
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst {
                hasLoaded.release()
                await mayReturn.wait()
            }
            return account
        }

        func save(_ account: StoredAccount?, for key: String) async throws { await accounts.save(account, for: key) }
    }

    // MARK: - Waiting

    @Test func requestOfThePresentationDoesNotWaitForItself() async throws {
        let world = try World()
        let client = Locked<(any APIClient)?>(nil)
        let errors = Recorder<OAuthError.Code?>()
        let account = world.account(
            flow: .authorizationCode(
                present: .custom(redirectURI: UserAgent.redirectURI) { url in
                    if let client = client.withLock({ $0 }) {
                        errors.append(await oauthError { try await world.status(by: client) }?.code)
                    }
                    return try await world.browser.open(url)
                }))
        client.withLock { $0 = world.client(account) }
        try await account.signIn()
        #expect(errors.values == [.signInRequired])
        client.withLock { $0 = nil }
        #expect(try await world.status(by: world.client(account)) == 200)
    }

    /// A store with one lock for all keys.
    private final class StoreWithOneLock: TokenStore {
        private let accounts = MemoryTokenStore()

        func load(for key: String) async throws -> StoredAccount? { await accounts.load(for: key) }

        func save(_ account: StoredAccount?, for key: String) async throws { await accounts.save(account, for: key) }

        func withLock<Value: Sendable>(
            for key: String, _ body: @Sendable () async throws -> Value
        ) async throws -> Value {
            try await accounts.withLock(for: "", body)
        }
    }

    @Test func requestOfThePresentationDoesNotWaitForItselfIfTheAPINamesAnotherServer() async throws {
        let scenario = try MCPScenario()
        let other = try OAuthServer(ServerBehavior(registeredAuthentication: { .none }))
        let client = Locked<(any APIClient)?>(nil)
        let errors = Recorder<OAuthError.Code?>()
        let account = OAuth(
            resource: scenario.resource.identifier, clients: [.dynamic(name: "Test")], store: StoreWithOneLock(),
            flow: .authorizationCode(
                present: .custom(redirectURI: UserAgent.redirectURI) { url in
                    scenario.resource.change { $0.servers = [other] }
                    let nested = client.withLock { $0 }
                    errors.append(await oauthError { _ = try await scenario.call(by: nested) }?.code)
                    return try await scenario.agent.open(url)
                }),
            client: network)
        client.withLock { $0 = network.authorized(by: account, for: APIBase(scenario.resource.origin)) }
        try await account.signIn()
        #expect(errors.values == [.signInRequired])
    }

    // MARK: - Signing out of an API

    // The API could otherwise have the tokens of one server sent to another one.
    @Test func signOutRevokesAtTheServerThatIssuedTheTokens() async throws {
        let other = try OAuthServer(ServerBehavior(registeredAuthentication: { .none }))
        let memory = MemoryTokenStore()
        let store = HookedStore(accounts: memory)
        let server = try OAuthServer(ServerBehavior(registeredAuthentication: { .none }))
        let api = try ProtectedResource(ProtectedResource.Behavior(servers: [server]))
        let account = OAuth(
            resource: api.identifier, clients: [.dynamic(name: "Test")], store: store, flow: .browser(UserAgent()),
            client: network)
        let client = network.authorized(by: account, for: APIBase(api.origin))
        let request = HTTPRequest(url: try #require(URL(string: api.identifier)))
        #expect(try await client.perform(request).head.status == 200)
        store.beforeSave.withLock { hook in
            hook = {
                api.change { $0.servers = [other] }
                let status = try await client.perform(request).head.status
                #expect(status == 200)
            }
        }
        try await account.signOut()
        #expect(other.requests(to: .revoke).isEmpty)
        #expect(server.requests(to: .revoke).count == 2)
    }

    @Test func signOutRevokesAtTheServerThatIssuedTheTokensAfterAnotherSignInHasFailed() async throws {
        let scenario = try MCPScenario()
        #expect(try await scenario.call().head.status == 200)
        let other = try OAuthServer(ServerBehavior(registeredAuthentication: { .none }))
        other.change { $0.userApproves = false }
        scenario.resource.change { $0.servers = [other] }
        await #expect(throws: (any Error).self) { try await scenario.call() }
        try await scenario.account.signOut()
        #expect(scenario.server.requests(to: .revoke).count == 2)
        #expect(other.requests(to: .revoke).isEmpty)
        scenario.resource.change { $0.servers = [scenario.server] }
        #expect(try await scenario.call().head.status == 200)
        #expect(scenario.server.requests(to: .authorize).count == 2)
    }

    /// A store that does something before it saves.
    private final class HookedStore: TokenStore {
        let accounts: MemoryTokenStore
        let beforeSave = Locked<(@Sendable () async throws -> Void)?>(nil)

        init(accounts: MemoryTokenStore) { self.accounts = accounts }

        func load(for key: String) async throws -> StoredAccount? { await accounts.load(for: key) }

        func save(_ account: StoredAccount?, for key: String) async throws {
            if let hook = beforeSave.withLock({ $0.take() }) {
                // A request of another task.
                try await Task.detached { try await hook() }.value
            }
            await accounts.save(account, for: key)
        }
    }

    // MARK: - Stores that fail

    // With rotation, the refresh token in the store is no longer valid.
    @Test func tokensAreNotLostIfTheStoreFailsOnce() async throws {
        let world = try World()
        let store = HookedStore(accounts: MemoryTokenStore())
        let client = world.client(world.account(store: store))
        #expect(try await world.status(by: client) == 200)
        world.server.expireAccessTokens()
        store.beforeSave.withLock { $0 = { throw CocoaError(.fileWriteOutOfSpace) } }
        await #expect(throws: (any Error).self) { try await world.status(by: client) }
        #expect(try await world.status(by: client) == 200)
        #expect(world.browser.openedURLs.count == 1)
        #expect(world.grantTypes == ["authorization_code", "refresh_token"])
        // Another source finds the new tokens.
        #expect(try await world.status(by: world.client(world.account(store: store))) == 200)
        #expect(world.server.refreshTokenReuseCount == 0 && world.grantTypes.count == 2)
    }

    /// With rotation, the tokens in the store are invalid already.
    @Test func signOutRevokesTokensThatCouldNotBeStored() async throws {
        let world = try World()
        let store = HookedStore(accounts: MemoryTokenStore())
        let account = world.account(store: store)
        let client = world.client(account)
        #expect(try await world.status(by: client) == 200)
        let first = try #require(try await account.tokens())
        world.server.expireAccessTokens()
        store.beforeSave.withLock { $0 = { throw CocoaError(.fileWriteOutOfSpace) } }
        await #expect(throws: (any Error).self) { try await world.status(by: client) }
        try await account.signOut()
        let revoked = world.server.requests(to: .revoke).map { $0.fields["token"] }
        #expect(revoked.count == 2 && Set(revoked).isDisjoint(with: [first.accessToken, first.refreshToken]))
    }

    // MARK: - Other servers

    @Test func serverOfTheSameTokensDoesNotChooseTheIssuer() async throws {
        let scenario = try MCPScenario()
        let attacker = try OAuthServer(ServerBehavior(registeredAuthentication: { .none }))
        let other = try ProtectedResource(ProtectedResource.Behavior(servers: [attacker]))
        other.change { [identifier = scenario.resource.identifier] behavior in
            behavior.edit = { $0["resource"] = .string(identifier) }
        }
        let client = network.authorized(
            by: scenario.account, for: APIBase(scenario.resource.origin), APIBase(other.origin))
        let api = HTTPRequest(url: try #require(URL(string: scenario.resource.identifier)))
        #expect(try await client.perform(api).head.status == 200)
        _ = await oauthError {
            _ = try await client.perform(HTTPRequest(url: try #require(URL(string: other.identifier))))
        }
        #expect(attacker.requests.isEmpty && !other.requests.isEmpty)
    }
}
