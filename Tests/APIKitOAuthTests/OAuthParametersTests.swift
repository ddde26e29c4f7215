import APIKitClients
import APIKitCore
import APIKitTestServer
import APIKitTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import APIKitOAuth

/// Further parameters of the requests to an authorization server.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct OAuthParametersTests {
    private static let parameters = OAuthParameters(
        authorization: ["prompt": "consent", "audience": "a page"], deviceAuthorization: ["audience": "a device"],
        token: ["audience": "a token"], refresh: ["audience": "a refresh"])

    private static func server() throws -> OAuthServer {
        try OAuthServer(
            ServerBehavior(clients: [
                ServerClient(id: "app"), ServerClient(id: "job", authentication: .post(secret: "s")),
            ]))
    }

    private static func account(
        _ server: OAuthServer, _ parameters: OAuthParameters = parameters, agent: UserAgent = UserAgent(),
        flow: OAuthFlow? = nil
    ) -> OAuth {
        OAuth(
            issuer: server.issuer, clientID: "app", scopes: ["read"], parameters: parameters,
            flow: flow ?? .browser(agent), client: network)
    }

    // MARK: - Where they are sent

    @Test func eachKindOfRequestHasItsOwn() async throws {
        let server = try Self.server()
        let account = Self.account(server)
        try await account.signIn()
        let page = try #require(server.requests(to: .authorize).first).fields
        #expect(page["prompt"] == "consent" && page["audience"] == "a page" && page["code_challenge"] != nil)
        server.expireAccessTokens()
        let url = try #require(URL(string: "https://api.example.com"))
        let credential = try #require(try await account.credential())
        _ = try await account.replacement(
            for: credential, refusedBy: HTTPResponse(head: HTTPResponse.Head(status: 401, url: url)))
        let grants = server.requests(to: .token).map { [$0.fields["grant_type"], $0.fields["audience"]] }
        #expect(grants == [["authorization_code", "a token"], ["refresh_token", "a refresh"]])
        try await account.signOut()
        #expect(server.requests(to: .revoke).allSatisfy { $0.fields["audience"] == nil })
    }

    @Test func deviceAndClientCredentialsHaveThem() async throws {
        let server = try Self.server()
        let flow = OAuthFlow.deviceCode { server.decide(.approved, userCode: $0.userCode) }
        let clock = ManualClock(skippingSleep: true)
        let device = OAuth(
            issuer: server.issuer, clientID: "app", parameters: Self.parameters, flow: flow,
            client: network.timed(by: clock))
        try await device.signIn()
        #expect(server.requests(to: .device).map { $0.fields["audience"] } == ["a device"])
        #expect(server.requests(to: .token).map { $0.fields["audience"] } == ["a token"])
        let job = OAuth(
            issuer: server.issuer, clientID: "job", authentication: .post(secret: "s"), parameters: Self.parameters,
            flow: .clientCredentials, client: network)
        try await job.signIn()
        #expect(server.requests(to: .token).last?.fields["audience"] == "a token")
    }

    @Test func serversThatAnAPINamesGetThem() async throws {
        let server = try Self.server()
        let api = try ProtectedResource(ProtectedResource.Behavior(servers: [server]))
        let account = OAuth(
            resource: api.identifier, clients: [.preregistered("app", at: server.issuer)],
            parameters: OAuthParameters(authorization: ["login_hint": "a@example.com"]), flow: .browser(UserAgent()),
            client: network)
        try await account.signIn()
        #expect(server.requests(to: .authorize).first?.fields["login_hint"] == "a@example.com")
    }

    // MARK: - What they cannot change

    @Test(arguments: Array(OAuthParameters.ownNames) + ["State", "CLIENT_ID"]) func parametersOfTheSignInCannotBeSet(
        name: String
    ) async throws {
        let server = try Self.server()
        let further: Parameters = Parameters([(name, "x")])
        let agent = UserAgent()
        let device = OAuthFlow.deviceCode { server.decide(.approved, userCode: $0.userCode) }
        let accounts = [
            Self.account(server, OAuthParameters(authorization: further), agent: agent),
            Self.account(server, OAuthParameters(deviceAuthorization: further), flow: device),
            Self.account(server, OAuthParameters(token: further), flow: .clientCredentials),
            // Before the page is shown, and not after the user has signed in.
            Self.account(server, OAuthParameters(token: further), agent: agent),
            Self.account(server, OAuthParameters(refresh: further), agent: agent),
        ]
        for account in accounts {
            let error = await oauthError { try await account.signIn() }
            #expect(error?.code == .invalidConfiguration)
            #expect(error?.message.contains(name) == true)
        }
        #expect(agent.openedURLs.isEmpty && server.requests.allSatisfy { $0.endpoint == .metadata })

        // Stored tokens need no page.
        let store = MemoryTokenStore()
        let tokens = OAuthTokens(accessToken: "a", refreshToken: "r", expires: Date(timeIntervalSinceNow: -1))
        await store.save(StoredAccount(tokens: tokens), for: "\(server.issuer) app")
        let renewed = OAuth(
            issuer: server.issuer, clientID: "app", parameters: OAuthParameters(refresh: further), store: store,
            flow: .browser(agent), client: network)
        let error = await oauthError { try await renewed.signIn() }
        #expect(error?.code == .invalidConfiguration && server.requests(to: .token).isEmpty)
    }

    /// A query of a URL, further parameters, and whether a request may have both.
    private static let combinations: [(query: String, further: Parameters, isAccepted: Bool)] = [
        ("", [:], true), ("?a=1", ["b": "2"], true), ("", ["a": "1", "b": "2"], true),
        ("", ["a": "1", "a": "2"], false), ("?a=1", ["a": "2"], false), ("?%61=1", ["a": "2"], false),
        ("?own=1", [:], false), ("?o%77n", [:], false), ("", ["own": "2"], false), ("?x=own", [:], true),
        ("", ["State": "2"], true),
    ]

    @Test(arguments: combinations) func noParameterIsSentTwice(
        combination: (query: String, further: Parameters, isAccepted: Bool)
    ) throws {
        let url = try ServerURL("https://auth.example.com/token\(combination.query)", "the token endpoint")
        let own: Parameters = ["own": "1"]
        do {
            let all = try OAuthParameters.adding(combination.further, to: own, at: url)
            #expect(combination.isAccepted && all == own + combination.further)
        } catch {
            #expect(!combination.isAccepted && error.code == .invalidConfiguration)
        }
    }

    /// The authorization endpoint comes from the server; the program would wait for a `state` that never arrives.
    @Test func pageThatHasAStateAlreadyIsNotOpened() async throws {
        let server = try Self.server()
        server.change { behavior in
            behavior.edit = { endpoint, metadata in
                guard endpoint == .metadata, let page = metadata["authorization_endpoint"]?.string else { return }
                metadata["authorization_endpoint"] = .string(page + "?state=other")
            }
        }
        let agent = UserAgent()
        let error = await oauthError { try await Self.account(server, agent: agent).signIn() }
        #expect(error?.code == .invalidConfiguration && agent.openedURLs.isEmpty)
    }

    // MARK: - Secrets

    @Test func secretsAmongThemAreInNoText() async throws {
        let server = try Self.server()
        server.change { behavior in
            behavior.intercept = { endpoint, _ in
                guard endpoint == .token else { return nil }
                return .json(#"{"error": "invalid_request", "error_description": "what is hunter22?"}"#, status: 400)
            }
        }
        let parameters = OAuthParameters(token: ["api_key": "hunter22"])
        let error = await oauthError { try await Self.account(server, parameters).signIn() }
        #expect(error?.code == .refused && error?.message.contains("hunter22") == false)
        #expect(!"\(parameters)".contains("hunter22") && "\(parameters)".contains("api_key"))
        var dumped = ""
        dump(parameters, to: &dumped)
        #expect(!dumped.contains("hunter22"))
    }
}
