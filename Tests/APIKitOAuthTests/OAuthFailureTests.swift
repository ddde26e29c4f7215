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

/// What happens if a server fails, has forgotten its client, or leads elsewhere.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct OAuthFailureTests {
    private static func account(
        issuer: String, flow: OAuthFlow = .clientCredentials, client: any APIClient = network
    ) -> OAuth {
        OAuth(issuer: issuer, clientID: "app", authentication: .basic(secret: "s3cret"), flow: flow, client: client)
    }

    private static func server() throws -> OAuthServer {
        try OAuthServer(ServerBehavior(clients: [ServerClient(id: "app", authentication: .basic(secret: "s3cret"))]))
    }

    @Test func serverThatCannotBeReachedIsAnErrorOfTheConnection() async throws {
        let account = Self.account(issuer: "http://127.0.0.1:\(try LoopbackServer.unusedPort())")
        let error = await #expect(throws: TransportError.self) { try await account.signIn() }
        #expect(error?.code == .cannotConnect)
    }

    @Test func validStoredTokensNeedNoServer() async throws {
        let store = MemoryTokenStore()
        let issuer = "http://127.0.0.1:\(try LoopbackServer.unusedPort())"
        let account = OAuth(
            issuer: issuer, clientID: "app", store: store, flow: .browser(UserAgent()), client: network)
        let key = try #require(account.keyWithoutDiscovery)
        await store.save(StoredAccount(tokens: OAuthTokens(accessToken: "a valid token")), for: key)
        try await account.signIn()
        #expect(try await account.credential() == .bearer("a valid token"))
    }

    @Test func cancellationIsPassedOn() async throws {
        let server = try Self.server()
        let account = Self.account(issuer: server.issuer)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await account.signIn()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func failureOfTheServerIsNotTakenForMissingMetadata() async throws {
        let server = try Self.server()
        server.change { $0.intercept = { endpoint, _ in endpoint == .metadata ? .status(503) : nil } }
        let account = Self.account(issuer: server.issuer)
        let error = await #expect(throws: OAuthError.self) { try await account.signIn() }
        #expect(error?.code == .serverFailed)
        #expect(server.paths == ["/.well-known/oauth-authorization-server"])
    }

    @Test(arguments: ["https://auth.example.com", "https://localhost.example.com"])
    func serverElsewhereDoesNotLeadToThisComputer(issuer: String) {
        let metadata = ServerMetadata(issuer: issuer, token_endpoint: "http://127.0.0.1:6379/token")
        let error = #expect(throws: OAuthError.self) { try AuthorizationServer(metadata, issuer: issuer) }
        #expect(error?.code == .insecureURL)
        let https = ServerMetadata(issuer: issuer, token_endpoint: "https://localhost/token")
        #expect(throws: OAuthError.self) { try AuthorizationServer(https, issuer: issuer) }
    }

    @Test func serverOnThisComputerMayLeadToIt() throws {
        let metadata = ServerMetadata(issuer: "http://localhost:1", token_endpoint: "http://127.0.0.1:2/token")
        #expect(throws: Never.self) { try AuthorizationServer(metadata, issuer: "http://localhost:1") }
    }

    @Test func apiElsewhereDoesNotLeadToThisComputer() async throws {
        let stub = StubClient(
            .json(
                #"{"resource": "https://api.example.com", "authorization_servers": ["http://127.0.0.1:6379"]}"#))
        let account = OAuth(
            resource: "https://api.example.com", clients: [.dynamic(name: "App")], flow: .clientCredentials,
            client: stub)
        let error = await #expect(throws: OAuthError.self) { try await account.signIn() }
        #expect(error?.code == .insecureURL)
    }

    @Test func issuerThatKnowsTheProgramIsPreferred() async throws {
        let server = try OAuthServer(ServerBehavior(clients: [ServerClient(id: "app")]))
        let api = try ProtectedResource(ProtectedResource.Behavior(servers: [server]))
        let issuer = server.issuer
        api.change { behavior in
            behavior.edit = { $0["authorization_servers"] = ["http://127.0.0.1:1", .string(issuer)] }
        }
        let account = OAuth(
            resource: api.identifier, clients: [.preregistered("app", at: issuer)], flow: .browser(UserAgent()),
            client: network)
        try await account.signIn()
        #expect(server.requests(to: .token).count == 1)
    }

    @Test(arguments: ["verification_uri", "verification_uri_complete"])
    func serverElsewhereDoesNotSendTheUserToThisComputer(member: String) async throws {
        var response: JSONValue.Object = [
            "device_code": "d", "user_code": "U", "expires_in": 60,
            "verification_uri": "https://auth.example.com/device",
        ]
        response[member] = "http://127.0.0.1:8080/admin"
        let shown = Recorder<DeviceAuthorization>()
        let endpoints = OAuthEndpoints(
            token: "https://auth.example.com/token", deviceAuthorization: "https://auth.example.com/code")
        let account = OAuth(
            endpoints: endpoints, clientID: "app", flow: .deviceCode { shown.append($0) },
            client: StubClient(.json(JSONValue.object(response).description), clock: ManualClock(skippingSleep: true)))
        let error = await #expect(throws: OAuthError.self) { try await account.signIn() }
        #expect(error?.code == .insecureURL && shown.values.isEmpty)
    }

    @Test func tenThousandCancelledRequestsEndTheSignIn() async throws {
        let opened = Counter()
        let ended = Counter()
        let waits = Locked(true)
        let presentation = AuthorizationPresentation.custom(redirectURI: "app:/callback") { url in
            opened.next()
            if waits.withLock({ $0 }) {
                defer { ended.next() }
                try await ManualClock().sleep(for: .seconds(1))
            }
            let state = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?
                .first { $0.name == "state" }?.value
            return try #require(URL(string: "app:/callback?code=c&state=\(state ?? "")"))
        }
        let server = StubClient(.json(#"{"access_token": "a", "expires_in": 3600}"#))
        let endpoints = OAuthEndpoints(
            authorization: "https://auth.example.com/authorize", token: "https://auth.example.com/token")
        let account = OAuth(
            endpoints: endpoints, clientID: "app", flow: .authorizationCode(present: presentation), client: server)
        let api = StubClient(.json("{}"))
        let client = api.authorized(by: account, for: "https://api.example.com")
        let request = HTTPRequest(url: try #require(URL(string: "https://api.example.com/things")))
        let tasks = (0..<10_000).map { _ in Task { try await client.perform(request) } }
        while opened.value == 0 { await Task.yield() }
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        #expect(opened.value == 1)
        // The lock is free again, and nothing of the cancelled sign-in is left.
        waits.withLock { $0 = false }
        #expect(try await client.perform(request).head.status == 200)
        #expect(opened.value == 2 && ended.value == 1)
    }

    // MARK: - Failed registrations

    @Test func registrationsThatFailDoNotCountAsQuestionsToTheUser() async throws {
        let scenario = try MCPScenario()
        scenario.server.change {
            $0.intercept = { endpoint, _ in endpoint == .register ? .status(503) : nil }
        }
        for _ in 0..<6 {
            let error = await oauthError { _ = try await scenario.call() }
            #expect(error?.code == .serverFailed)
        }
        scenario.server.change { $0.intercept = { _, _ in nil } }
        #expect(try await scenario.call().head.status == 200)
    }

    // MARK: - Forgotten clients

    /// A store without a lock between processes, one of which saves an account.
    private struct UnlockedStore: TokenStore {
        let accounts = MemoryTokenStore()
        let ofAnotherProcess = Recorder<StoredAccount>()

        func load(for key: String) async -> StoredAccount? {
            if let account = ofAnotherProcess.values.last { return account }
            return await accounts.load(for: key)
        }

        func save(_ account: StoredAccount?, for key: String) async { await accounts.save(account, for: key) }
    }

    @Test func tokensOfAnotherProcessAreUsedIfTheServerHasForgottenTheClient() async throws {
        let store = UnlockedStore()
        let server = try OAuthServer(ServerBehavior(registeredAuthentication: { .none }))
        let api = try ProtectedResource(ProtectedResource.Behavior(servers: [server]))
        func account(store: some TokenStore) -> OAuth {
            OAuth(
                resource: api.identifier, clients: [.dynamic(name: "App")], store: store, flow: .browser(UserAgent()),
                client: network)
        }
        let client = network.authorized(by: account(store: store), for: APIBase(api.origin))
        let request = HTTPRequest(url: try #require(URL(string: api.identifier)))
        #expect(try await client.perform(request).head.status == 200)
        server.expireAccessTokens()
        let other = account(store: MemoryTokenStore())
        try await other.signIn()
        let tokens = try #require(try await other.tokens())
        server.change {
            $0.intercept = { endpoint, request in
                let isRefresh = String(decoding: request.body, as: UTF8.self).contains("grant_type=refresh_token")
                guard endpoint == .token, isRefresh else { return nil }
                store.ofAnotherProcess.append(StoredAccount(tokens: tokens))
                return .json(#"{"error": "invalid_client"}"#, status: 401)
            }
        }
        #expect(try await client.perform(request).head.status == 200)
        #expect(server.requests(to: .register).count == 2)
    }

    @Test func clientThatTheServerHasForgottenRegistersAgain() async throws {
        let server = try OAuthServer(
            ServerBehavior(registeredAuthentication: { .basic(secret: "a registered secret") }))
        let api = try ProtectedResource(ProtectedResource.Behavior(servers: [server]))
        let agent = UserAgent()
        let account = OAuth(
            resource: api.identifier, clients: [.dynamic(name: "App")], flow: .browser(agent), client: network)
        let client = network.authorized(by: account, for: APIBase(api.origin))
        let request = HTTPRequest(url: try #require(URL(string: api.identifier)))
        #expect(try await client.perform(request).head.status == 200)
        server.expireAccessTokens()
        server.change {
            $0.intercept = { endpoint, request in
                let isRefresh = String(decoding: request.body, as: UTF8.self).contains("grant_type=refresh_token")
                return endpoint == .token && isRefresh ? .json(#"{"error": "invalid_client"}"#, status: 401) : nil
            }
        }
        #expect(try await client.perform(request).head.status == 200)
        #expect(server.requests(to: .register).count == 2)
        #expect(agent.openedURLs.count == 2)
    }

    /// Each attempt would register the program again.
    @Test func forgottenClientRegistersOnceIfTheUserDoesNotSignIn() async throws {
        let server = try OAuthServer(
            ServerBehavior(registeredAuthentication: { .basic(secret: "a registered secret") }))
        let api = try ProtectedResource(ProtectedResource.Behavior(servers: [server]))
        let account = OAuth(
            resource: api.identifier, clients: [.dynamic(name: "App")], flow: .browser(UserAgent()), client: network)
        let client = network.authorized(by: account, for: APIBase(api.origin))
        let request = HTTPRequest(url: try #require(URL(string: api.identifier)))
        #expect(try await client.perform(request).head.status == 200)
        server.expireAccessTokens()
        server.change {
            $0.userApproves = false
            $0.intercept = { endpoint, request in
                let isRefresh = String(decoding: request.body, as: UTF8.self).contains("grant_type=refresh_token")
                return endpoint == .token && isRefresh ? .json(#"{"error": "invalid_client"}"#, status: 401) : nil
            }
        }
        for _ in 0..<3 { await #expect(throws: (any Error).self) { try await client.perform(request) } }
        #expect(server.requests(to: .register).count == 2)
        server.change { $0.userApproves = true }
        try await account.signIn()
        #expect(server.requests(to: .register).count == 2)
    }

    // MARK: - Scopes

    @Test func secondSignInAsksForTheScopesOfTheFirst() async throws {
        let server = try OAuthServer(
            ServerBehavior(registeredAuthentication: { .none }, issuesRefreshTokens: false))
        let api = try ProtectedResource(
            ProtectedResource.Behavior(
                servers: [server], scopesSupported: ["a", "b", "c"], scopes: { _ in ["b"] }, challengedScopes: { $0 }))
        let agent = UserAgent()
        let clock = ManualClock()
        let account = OAuth(
            resource: api.identifier, clients: [.dynamic(name: "App")], flow: .browser(agent),
            client: network.timed(by: clock))
        let client = network.timed(by: clock).authorized(by: account, for: APIBase(api.origin))
        let request = HTTPRequest(url: try #require(URL(string: api.identifier)))
        #expect(try await client.perform(request).head.status == 200)
        // The token expires before it is refused, so that no challenge names the scope.
        clock.advance(by: .seconds(3_600))
        #expect(try await client.perform(request).head.status == 200)
        let scopes = agent.openedURLs.map { URLComponents(url: $0, resolvingAgainstBaseURL: false)?.queryItems }
            .map { $0?.first { $0.name == "scope" }?.value }
        #expect(scopes == ["b", "b"])
    }

    @Test(arguments: [["read", "other"], "read other", "", []] as [JSONValue]) func scopesOfAResponseMayBeAList(
        scope: JSONValue
    ) async throws {
        let server = try OAuthServer(ServerBehavior(clients: [ServerClient(id: "app")]))
        server.change {
            $0.edit = { endpoint, json in
                if endpoint == .token { json["scope"] = scope }
            }
        }
        let store = MemoryTokenStore()
        let account = OAuth(
            issuer: server.issuer, clientID: "app", scopes: ["read", "other"], store: store,
            flow: .browser(UserAgent()), client: network)
        try await account.signIn()
        let key = try #require(account.keyWithoutDiscovery)
        #expect(await store.load(for: key)?.tokens?.scopes == ["read", "other"])
    }

    @Test func signInAsksForMoreScopes() async throws {
        let server = try OAuthServer(ServerBehavior(clients: [ServerClient(id: "app")]))
        let agent = UserAgent()
        let account = OAuth(
            issuer: server.issuer, clientID: "app", scopes: ["read"], flow: .browser(agent),
            signsInAutomatically: false,
            client: network)
        try await account.signIn()
        try await account.signIn(addingScopes: ["write"])
        try await account.signIn(addingScopes: ["write"])
        try await account.signIn()
        let scopes = agent.openedURLs.map { URLComponents(url: $0, resolvingAgainstBaseURL: false)?.queryItems }
            .map { $0?.first { $0.name == "scope" }?.value }
        #expect(scopes == ["read", "read write"])
    }

    // MARK: - Device codes

    @Test func deviceCodeSurvivesFailuresOfTheServer() async throws {
        let clock = ManualClock(skippingSleep: true)
        let server = try OAuthServer(ServerBehavior(clients: [ServerClient(id: "app")]))
        let failures = Locked(2)
        server.change {
            $0.intercept = { endpoint, _ in
                guard endpoint == .token else { return nil }
                let isFailing = failures.withLock { count in
                    count -= 1
                    return count >= 0
                }
                return isFailing ? .status(503) : nil
            }
        }
        let flow = OAuthFlow.deviceCode { server.decide(.approved, userCode: $0.userCode) }
        let account = OAuth(
            issuer: server.issuer, clientID: "app", flow: flow, client: network.timed(by: clock))
        try await account.signIn()
        // Pauses of 5, 10 and 20 seconds.
        #expect(clock.elapsed >= .seconds(35) && clock.elapsed < .seconds(36))
    }
}
