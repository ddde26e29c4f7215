import APIKitClients
import APIKitCore
import APIKitTestServer
import APIKitTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import APIKitOAuth

/// What a client must not do, whatever an authorization server, a browser or an API says.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct OAuthSafetyTests {
    /// An authorization server that knows a client, and that client.
    private struct World {
        let server: OAuthServer
        let agent: UserAgent
        let account: OAuth

        init(
            _ behavior: ServerBehavior = ServerBehavior(), agent: UserAgent = UserAgent(),
            authentication: (server: ServerClient.Authentication, client: ClientAuthentication) = (.none, .none),
            flow: OAuthFlow? = nil, store: any TokenStore = MemoryTokenStore(), client: any APIClient = network
        ) throws {
            var behavior = behavior
            behavior.clients = [ServerClient(id: "app", authentication: authentication.server)]
            server = try OAuthServer(behavior)
            self.agent = agent
            account = OAuth(
                issuer: server.issuer, clientID: "app", authentication: authentication.client, scopes: ["read"],
                store: store, flow: flow ?? .browser(agent), client: client)
        }

        /// The error of a sign-in; nil if it succeeds.
        func failure() async -> OAuthError? { await oauthError { try await account.signIn() } }
    }

    // MARK: - The redirect

    @Test(arguments: [nil, "", "other", "STATE", "STATE ", "two"])
    func redirectOfAnotherSignInIsRejected(state: String?) async throws {
        let agent = UserAgent { fields in
            let sent = fields["state"] ?? ""
            fields["state"] = state?.replacingOccurrences(of: "STATE", with: sent.uppercased())
            if state == "two" {
                fields["state"] = sent
                fields.append("state", "other")
            }
        }
        let world = try World(agent: agent)
        #expect(await world.failure()?.code == .redirectRejected)
        #expect(world.server.requests(to: .token).isEmpty)
    }

    @Test func eachSignInHasItsOwnStateAndVerifier() async throws {
        let world = try World()
        for _ in 0..<3 {
            try await world.account.signIn()
            try await world.account.signOut()
        }
        let states = world.server.requests(to: .authorize).compactMap { $0.fields["state"] }
        let verifiers = world.server.requests(to: .token).compactMap { $0.fields["code_verifier"] }
        #expect(Set(states).count == 3 && Set(verifiers).count == 3)
        // 256 bits (RFC 6749, section 10.10; RFC 7636, section 7.1).
        #expect((states + verifiers).allSatisfy { $0.utf8.count == 43 })
    }

    /// An `iss` parameter, as a text in which ISSUER stands for the right one, and whether it is accepted.
    private static let issuers: [(String?, isPromised: Bool?, isAccepted: Bool)] = [
        ("ISSUER", true, true), ("ISSUER", false, true), ("ISSUER", nil, true),
        (nil, true, false), (nil, false, true), (nil, nil, true),
        ("https://attacker.test", true, false), ("https://attacker.test", false, false),
        ("https://attacker.test", nil, false), ("", true, false), ("", nil, false), ("ISSUER/", true, false),
        ("ISSUER/", nil, false), ("ISSUER?", true, false), ("ISSUER#", true, false), ("%49SSUER", true, false),
        ("HTTP-ISSUER", true, false), ("ISSUER ", true, false),
    ]

    @Test(arguments: issuers, [false, true]) func issuerIsComparedAsTextBeforeTheCodeIsRedeemed(
        issuer: (text: String?, isPromised: Bool?, isAccepted: Bool), isError: Bool
    ) async throws {
        var behavior = ServerBehavior()
        behavior.advertisesIssuerParameter = issuer.isPromised
        behavior.userApproves = !isError
        let agent = UserAgent { fields in
            let right = fields["iss"] ?? ""
            fields["iss"] = issuer.text?
                .replacingOccurrences(of: "HTTP-ISSUER", with: right.replacingOccurrences(of: "http:", with: "HTTP:"))
                .replacingOccurrences(of: "%49SSUER", with: right.replacingOccurrences(of: "1", with: "%31"))
                .replacingOccurrences(of: "ISSUER", with: right)
            if isError {
                fields["error_description"] = "call 555-0100"
            }
        }
        let world = try World(behavior, agent: agent)
        let error = await world.failure()
        if !issuer.isAccepted {
            #expect(error?.code == .redirectRejected)
            // What another server says is not repeated.
            #expect(error?.message.contains("555-0100") == false && error?.serverCode == nil)
        } else if isError {
            #expect(error?.code == .refused && error?.serverCode == "access_denied")
        } else {
            #expect(error == nil)
        }
        #expect(world.server.requests(to: .token).count == (issuer.isAccepted && !isError ? 1 : 0))
    }

    @Test(arguments: ["code", "iss", "error"]) func repeatedParametersAreRejected(name: String) async throws {
        let world = try World(
            agent: UserAgent {
                $0.append(name, $0[name] ?? "x"); $0.append(name, "x")
            })
        #expect(await world.failure()?.code == .redirectRejected)
        #expect(world.server.requests(to: .token).isEmpty)
    }

    @Test func redirectToAnotherURLIsRejected() async throws {
        let agent = UserAgent()
        let flow = OAuthFlow.authorizationCode(
            present: .custom(redirectURI: UserAgent.redirectURI) { url in
                let redirect = try await agent.open(url).absoluteString
                return try #require(URL(string: redirect.replacingOccurrences(of: "/callback", with: "/other")))
            })
        let world = try World(flow: flow)
        #expect(await world.failure()?.code == .redirectRejected)
        #expect(world.server.requests(to: .token).isEmpty)
    }

    // The code of a redirect is form-encoded; a server that gets another one refuses it.
    @Test func codeKeepsItsCharacters() async throws {
        let code = "a+b/c=%25 &é~"
        let sent = Recorder<String?>()
        var behavior = ServerBehavior()
        behavior.editRedirect = { $0["code"] = code }
        let world = try World(behavior)
        _ = await world.failure()
        for request in world.server.requests(to: .token) { sent.append(request.fields["code"]) }
        #expect(sent.values == [code])
    }

    // MARK: - URLs without encryption

    private static let insecureURLs = [
        "http://auth.example.com/x", "http://localhost:80@attacker.test/x", "http://127.0.0.1.attacker.test/x",
        "http://localhost.attacker.test/x", "http://attacker.test/127.0.0.1", "http://attacker.test#127.0.0.1",
        "http://attacker.test?localhost", "http://user:password@127.0.0.1/x", "http://0.0.0.0/x",
        "http://127.0.0.1\\@attacker.test/x", "http://[::ffff:8.8.8.8]/x", "HTTP://attacker.test/x",
        "ftp://127.0.0.1/x", "file:///etc/passwd", "javascript:alert(1)", "//127.0.0.1/x", "/token", "token", "",
        "https://", "https:///x", " https://auth.example.com/x", "https://auth.example.com/x\nHost: a",
    ]

    private static let endpointMembers = [
        "authorization_endpoint", "token_endpoint", "device_authorization_endpoint", "revocation_endpoint",
    ]

    @Test(arguments: insecureURLs) func endpointsMustUseHTTPSExceptOnLoopback(url: String) async throws {
        for member in Self.endpointMembers {
            var behavior = ServerBehavior()
            behavior.edit = { if $0 == .metadata { $1[member] = .string(url) } }
            let world = try World(behavior)
            let error = await world.failure()
            #expect([.insecureURL, .discoveryFailed].contains(error?.code), "\(member): \(String(describing: error))")
            #expect(world.server.requests.count == 1 && world.agent.openedURLs.isEmpty)
            #expect(error?.message.contains("password@") != true)
        }
    }

    @Test(arguments: insecureURLs.filter { !$0.isEmpty }) func metadataURLsMustUseHTTPSExceptOnLoopback(
        url: String
    ) async throws {
        let stub = StubClient(.status(404))
        let account = OAuth(issuer: url, clientID: "app", flow: .clientCredentials, client: stub)
        #expect(await oauthError { try await account.signIn() } != nil)
        #expect(stub.requests.isEmpty)

        let scenario = try MCPScenario()
        let challenge = #"Bearer resource_metadata="\#(url.replacingOccurrences(of: "\n", with: ""))""#
        scenario.resource.change {
            $0.intercept = { $0.path == "/mcp" ? .status(401, headers: [("WWW-Authenticate", challenge)]) : nil }
        }
        #expect(await oauthError { _ = try await scenario.call() } != nil)
        scenario.resource.change { behavior in
            behavior.intercept = { _ in nil }
            behavior.edit = { $0["authorization_servers"] = [.string(url)] }
        }
        #expect(await oauthError { _ = try await scenario.call() } != nil)
        #expect(scenario.server.requests.isEmpty && scenario.agent.openedURLs.isEmpty)
    }

    // MARK: - Secrets

    /// A way to authenticate, of the server and of the client.
    struct Secret: Sendable, CustomTestStringConvertible {
        let server: ServerClient.Authentication
        let client: ClientAuthentication
        var testDescription: String { server.method }
    }

    private static let secrets: [Secret] = [
        Secret(server: .none, client: .none),
        Secret(server: .basic(secret: "s3cret:wörd & +"), client: .basic(secret: "s3cret:wörd & +")),
        Secret(server: .post(secret: "s3cret:wörd & +"), client: .post(secret: "s3cret:wörd & +")),
    ]

    @Test(arguments: secrets) func secretsAreInNoURLLogOrDescription(secret: Secret) async throws {
        let log = Recorder<String>()
        let logged = network.logged(headers: true, bodies: true) { log.append($0) }
        let store = MemoryTokenStore()
        let world = try World(authentication: (secret.server, secret.client), store: store, client: logged)
        let api = try ProtectedResource(ProtectedResource.Behavior(servers: [world.server]))
        let client = logged.authorized(by: world.account, for: APIBase(api.origin))
        let request = HTTPRequest(url: try #require(URL(string: api.identifier)))
        // A sign-in, a refresh, and a sign-out.
        #expect(try await client.perform(request).head.status == 200)
        world.server.expireAccessTokens()
        #expect(try await client.perform(request).head.status == 200)
        #expect(world.server.requests(to: .token).count == 2)
        var texts = log.values
        texts.append("\(world.account) \(secret.client)")
        dump(world.account, to: &texts[0])
        dump(secret.client, to: &texts[0])
        try await world.account.signOut()
        #expect(world.server.requests(to: .revoke).count == 2)
        texts += log.values
        texts += (world.server.requests.map(\.received) + api.requests).map(\.target)

        let secrets = world.server.secrets
        // The code, two pairs of tokens and the verifier, at the least.
        #expect(secrets.count >= 6)
        for secret in secrets {
            let forms = [
                secret, secret.formEncoded, Data(secret.utf8).base64EncodedString(),
                Data("app:\(secret.formEncoded)".utf8).base64EncodedString(),
            ]
            for form in forms {
                let finds = texts.filter { $0.contains(form) }
                #expect(finds.isEmpty, "\(form)")
            }
        }
    }

    @Test func tokensAreOnlySentToTheAPI() async throws {
        let world = try World()
        let api = try ProtectedResource(ProtectedResource.Behavior(servers: [world.server]))
        let other = try ProtectedResource(ProtectedResource.Behavior(servers: [world.server]))
        let client = network.authorized(by: world.account, for: APIBase(api.origin))
        #expect(
            try await client.perform(HTTPRequest(url: try #require(URL(string: api.identifier)))).head.status == 200)
        api.change { [identifier = other.identifier] in
            $0.intercept = { _ in .status(307, headers: [("Location", identifier)]) }
        }
        _ = try await client.perform(HTTPRequest(url: try #require(URL(string: api.identifier))))
        _ = try await client.perform(HTTPRequest(url: try #require(URL(string: other.identifier))))
        #expect(other.tokens.allSatisfy { $0 == nil } && !other.tokens.isEmpty)
    }

    /// What a server quotes in the error of a refresh.
    private static let quotes = [
        #"{"error": "server_error", "error_description": "bad token REFRESH"}"#,
        #"{"error": "REFRESH", "error_description": "ACCESS"}"#,
        #"{"error": "invalid_client", "error_description": "got refresh_token=REFRESH&client_secret=SECRET"}"#,
        #"{"error": "invalid_client", "error_uri": "https://example.com/REFRESH"}"#,
        #"{"error": "x", "error_description": "Authorization: Basic BASIC"}"#,
        #"{"error": "x", "error_description": "neither SECRET nor FORM nor BASIC"}"#,
        #"{"error": {"refresh_token": "REFRESH"}}"#, #"{"refresh_token": "REFRESH"}"#, "REFRESH",
        "<p>REFRESH SECRET</p>",
    ]

    @Test(arguments: quotes, [400, 401, 403, 500]) func errorsThatQuoteSecretsAreMasked(
        quote: String, status: Int
    ) async throws {
        let secret = "s3cret&w0rd"
        // This server writes an earlier token under a harmless name into a body, which a log of all bodies would
        // contain.
        let world = try World(
            authentication: (.basic(secret: secret), .basic(secret: secret)), client: browserNetwork)
        let api = try ProtectedResource(ProtectedResource.Behavior(servers: [world.server]))
        let log = Recorder<String>()
        let client = browserNetwork.logged(to: { log.append($0) }).authorized(
            by: world.account, for: APIBase(api.origin))
        let request = HTTPRequest(url: try #require(URL(string: api.identifier)))
        _ = try await client.perform(request)
        let secrets = world.server.secrets
        let refreshToken = try #require(secrets.first { $0.hasPrefix("refresh") })
        let accessToken = try #require(secrets.first { $0.hasPrefix("access") })
        let basic = Data("app:\(secret.formEncoded)".utf8).base64EncodedString()
        let body = quote.replacingOccurrences(of: "REFRESH", with: refreshToken)
            .replacingOccurrences(of: "ACCESS", with: accessToken).replacingOccurrences(of: "SECRET", with: secret)
            .replacingOccurrences(of: "BASIC", with: basic).replacingOccurrences(of: "FORM", with: secret.formEncoded)
        world.server.change {
            $0.intercept = { endpoint, _ in endpoint == .token ? .json(body, status: status) : nil }
        }
        world.server.expireAccessTokens()
        var texts: [String] = []
        do {
            // The refusal of the API, if the refresh token counts as invalid.
            let status = try await client.perform(request).head.status
            #expect(status == 401)
        } catch {
            texts = ["\(error)", "\(error.localizedDescription)", String(reflecting: error)]
            dump(error, to: &texts[0])
        }
        for text in texts + log.values {
            #expect(
                [refreshToken, accessToken, secret, secret.formEncoded, basic].allSatisfy { !text.contains($0) },
                "\(text)")
        }
    }

    @Test func textsOfServersCannotForgeLines() async throws {
        var behavior = ServerBehavior(userApproves: false)
        behavior.editRedirect = {
            $0["error_description"] = "\u{1B}[2Jno\r\n\u{202E}root# ok" + String(repeating: "x", count: 5000)
        }
        let message = try #require(await World(behavior).failure()?.message)
        let isPlain = message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0x202E }
        #expect(isPlain && message.utf8.count < 1000, "\(message.debugDescription)")
    }

    @Test func signOutForgetsTokensWithoutTheServer() async throws {
        let world = try World()
        try await world.account.signIn()
        world.server.change { $0.intercept = { _, _ in .status(503) } }
        #expect(await oauthError { try await world.account.signOut() } != nil)
        #expect(try await !world.account.isSignedIn())
        // Another source, whose server cannot be reached.
        let stub = StubClient(.status(503))
        let other = OAuth(issuer: "https://auth.example", clientID: "app", flow: .clientCredentials, client: stub)
        try await other.signOut()
        #expect(try await !other.isSignedIn())
        #expect(stub.requests.isEmpty)
    }

    // MARK: - Redirects and sizes

    private static let requestEndpoints: [ServerBehavior.Endpoint] = [.metadata, .token, .device, .revoke, .register]

    @Test(arguments: requestEndpoints, [301, 302, 303, 307, 308]) func redirectsOfEndpointsAreNotFollowed(
        endpoint: ServerBehavior.Endpoint, status: Int
    ) async throws {
        let thief = try OAuthServer(ServerBehavior(clients: [ServerClient(id: "app")]))
        let target =
            "\(thief.issuer)/\(endpoint == .metadata ? ".well-known/oauth-authorization-server" : endpoint.rawValue)"
        var behavior = ServerBehavior(registeredAuthentication: { .none })
        behavior.intercept = { current, _ in
            current == endpoint ? .status(status, headers: [("Location", target)]) : nil
        }
        if endpoint == .register {
            #expect(await oauthError { _ = try await MCPScenario(server: behavior).call() } != nil)
        } else {
            let flow = endpoint == .device ? OAuthFlow.deviceCode { _ in } : nil
            let world = try World(behavior, flow: flow)
            let error = await oauthError {
                try await world.account.signIn()
                try await world.account.signOut()
            }
            #expect(error != nil && !world.server.requests(to: endpoint).isEmpty)
        }
        #expect(thief.requests.isEmpty)
    }

    @Test(arguments: requestEndpoints, [true, false]) func responsesAreBounded(
        endpoint: ServerBehavior.Endpoint, isEndless: Bool
    ) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{\"access_token\": \""
        let filler = Data(repeating: UInt8(ascii: "x"), count: 64 * 1024)
        let endless = ServerAnswer(steps: [.send(Data(head.utf8)), .sendForever(filler, pause: .zero)])
        let large = ServerAnswer(steps: [
            .send(Data(head.utf8)), .sendRepeatedly(filler, times: 64), .send(Data("\"}".utf8)), .close,
        ])
        var behavior = ServerBehavior(registeredAuthentication: { .none })
        behavior.intercept = { current, _ in current == endpoint ? (isEndless ? endless : large) : nil }
        let failure: (any Error)? = await {
            do {
                if endpoint == .register {
                    _ = try await MCPScenario(server: behavior).call()
                } else {
                    let flow = endpoint == .device ? OAuthFlow.deviceCode { _ in } : nil
                    let world = try World(behavior, flow: flow)
                    try await world.account.signIn()
                    try await world.account.signOut()
                }
                return nil
            } catch {
                return error
            }
        }()
        #expect(failure != nil)
    }

    // MARK: - Servers that lie

    /// A member of a response with an unusual value, and what becomes of the sign-in; nil if it succeeds.
    struct Lie: Sendable, CustomTestStringConvertible {
        let endpoint: ServerBehavior.Endpoint
        let member: String
        let value: JSONValue?
        let outcome: OAuthError.Code?
        var testDescription: String { "\(endpoint.rawValue) \(member): \(value.map { "\($0)".prefix(40) } ?? "")" }

        init(_ endpoint: ServerBehavior.Endpoint, _ member: String, _ value: JSONValue?, _ outcome: OAuthError.Code?) {
            self.endpoint = endpoint
            self.member = member
            self.value = value
            self.outcome = outcome
        }
    }

    /// Values of the wrong type for a member that is a text.
    private static let wrongTexts: [JSONValue?] = [nil, .null, 1, true, ["x"], ["x": "y"]]

    private static let metadataLies: [Lie] =
        wrongTexts.map { Lie(.metadata, "issuer", $0, .discoveryFailed) }
        + ["", "https://attacker.test"].map { Lie(.metadata, "issuer", $0, .discoveryFailed) }
        + wrongTexts.prefix(2).map { Lie(.metadata, "token_endpoint", $0, .discoveryFailed) }
        + wrongTexts.prefix(2).map { Lie(.metadata, "authorization_endpoint", $0, .unsupported) }
        + [nil, .null, [], ["plain"], ["s256"]].map {
            Lie(.metadata, "code_challenge_methods_supported", $0, .unsupported)
        }
        + ["S256", 1, ["S256": true]].map { Lie(.metadata, "code_challenge_methods_supported", $0, .discoveryFailed) }

    private static let tokenLies: [Lie] =
        wrongTexts.map { Lie(.token, "access_token", $0, .badResponse) }
        + ["", " ", "a b", "a\nb", "a\r\nX-Evil: 1", "é", "a\u{0}", "a\u{7F}"].map {
            Lie(.token, "access_token", $0, .badResponse)
        }
        + [nil, .null, "Bearer", "bearer", "BEARER"].map { Lie(.token, "token_type", $0, nil) }
        + ["mac", "N_A", "", "Bearer ", "Basic", 1].map { Lie(.token, "token_type", $0, .badResponse) }
        + [nil, .null, 3600, 3600.5, "3600", 1e300, "1e300", -1, 0].map { Lie(.token, "expires_in", $0, nil) }
        + [nil, .null, ""].map { Lie(.token, "refresh_token", $0, nil) }
        + [nil, .null, "", "read", "read  write", "other"].map { Lie(.token, "scope", $0, nil) }

    @Test(arguments: metadataLies + tokenLies) func liesAreFoundOut(lie: Lie) async throws {
        var behavior = ServerBehavior()
        behavior.edit = { if $0 == lie.endpoint { $1[lie.member] = lie.value } }
        let world = try World(behavior)
        let error = await world.failure()
        #expect(error?.code == lie.outcome, "\(String(describing: error))")
        if lie.outcome != nil {
            #expect(try await !world.account.isSignedIn())
        }
    }

    /// Members of a registration and of the metadata of an API, in which a sign-in cannot trust.
    private static let apiLies: [(isRegistration: Bool, member: String, value: JSONValue?)] =
        [nil, .null, "", 1, ["x"]].map { (true, "client_id", $0) }
        + [1, ["x"], true].map { (true, "client_secret", $0) }
        + [nil, .null, [], "x", [1], [""], ["x"], ["/"], ["http://attacker.test"]].map {
            (false, "authorization_servers", $0)
        }
        + [nil, .null, "", 1, ["x"], "x", "/mcp", "https://*"].map { (false, "resource", $0) }

    @Test(arguments: apiLies) func liesOfAnAPIAreFoundOut(
        lie: (isRegistration: Bool, member: String, value: JSONValue?)
    ) async throws {
        var behavior = ServerBehavior(registeredAuthentication: { .none })
        if lie.isRegistration {
            behavior.edit = { if $0 == .register { $1[lie.member] = lie.value } }
        }
        let scenario = try MCPScenario(
            server: behavior,
            resource: { if !lie.isRegistration { $0.edit = { $0[lie.member] = lie.value } } })
        let code = await oauthError { _ = try await scenario.call() }?.code
        #expect([.badResponse, .discoveryFailed, .insecureURL].contains(code), "\(String(describing: code))")
        #expect(scenario.agent.openedURLs.isEmpty && scenario.server.requests(to: .token).isEmpty)
    }

    // RFC 6749, sections 3.1 and 3.2.
    @Test func endpointsKeepTheirQuery() async throws {
        var behavior = ServerBehavior()
        behavior.edit = { endpoint, metadata in
            guard endpoint == .metadata else { return }
            for member in ["authorization_endpoint", "token_endpoint"] {
                metadata[member] = .string((metadata[member]?.string ?? "") + "?tenant=a%20b&x=")
            }
        }
        let world = try World(behavior)
        _ = await world.failure()
        let authorization = try #require(world.server.requests(to: .authorize).first)
        #expect(authorization.received.query?.hasPrefix("tenant=a%20b&x=&") == true)
        #expect(authorization.fields["client_id"] == "app")
        #expect(world.server.requests(to: .token).map(\.received.query) == ["tenant=a%20b&x="])
    }

    /// Whole bodies that are not what an endpoint returns.
    private static let bodies = [
        "", "null", "[]", "{}", "1", "\"x\"", "{", "<html></html>", "access_token=x&token_type=Bearer",
        "{\"access_token\": \"x\", \"access_token\": \"y\"",
        String(repeating: "[", count: 100_000), "\u{FEFF}{}",
    ]

    @Test(arguments: [.metadata, .token, .device] as [ServerBehavior.Endpoint], bodies)
    func bodiesOfOtherKindsAreErrors(endpoint: ServerBehavior.Endpoint, body: String) async throws {
        var behavior = ServerBehavior()
        behavior.intercept = { current, _ in current == endpoint ? .json(body) : nil }
        let world = try World(behavior, flow: endpoint == .device ? OAuthFlow.deviceCode { _ in } : nil)
        #expect([.badResponse, .discoveryFailed].contains(await world.failure()?.code))
        #expect(try await !world.account.isSignedIn())
    }

    // No text that a server calls a refresh token breaks the request that carries it.
    @Test(arguments: ["a\r\nb", "é", "\u{0}", "a&grant_type=x", String(repeating: "x", count: 16_384)])
    func unusualRefreshTokensAreSentAsTheyCame(token: String) async throws {
        var behavior = ServerBehavior(accessTokenLifetime: 1)
        behavior.edit = { if $0 == .token { $1["refresh_token"] = .string(token) } }
        let clock = ManualClock()
        let timed = network.timed(by: clock)
        let world = try World(behavior, client: timed)
        let api = try ProtectedResource(ProtectedResource.Behavior(servers: [world.server]))
        let client = timed.authorized(by: world.account, for: APIBase(api.origin))
        let request = HTTPRequest(url: try #require(URL(string: api.identifier)))
        _ = try await client.perform(request)
        clock.advance(by: .seconds(1))
        // The access token has expired. The server does not know the refresh token, and says so.
        _ = try await client.perform(request)
        let sent = world.server.requests(to: .token).compactMap { $0.fields["refresh_token"] }
        #expect(sent.first.map { $0.utf8.elementsEqual(token.utf8) } == true)
    }

    // They would leave no room in the store for the tokens of others.
    @Test(arguments: ["access_token", "refresh_token", "scope"]) func tokensThatAreTooLongAreNotStored(
        member: String
    ) async throws {
        var behavior = ServerBehavior()
        behavior.edit = { if $0 == .token { $1[member] = .string(String(repeating: "x", count: 16_385)) } }
        let world = try World(behavior)
        #expect(await world.failure()?.code == .badResponse)
        #expect(try await !world.account.isSignedIn())
    }

    @Test(arguments: ["client_id", "client_secret"]) func registrationsThatAreTooLongAreNotStored(
        member: String
    ) async throws {
        var behavior = ServerBehavior(registeredAuthentication: { .none })
        behavior.edit = { if $0 == .register { $1[member] = .string(String(repeating: "x", count: 16_385)) } }
        let store = MemoryTokenStore()
        let scenario = try MCPScenario(server: behavior, store: store)
        #expect(await oauthError { _ = try await scenario.call() }?.code == .badResponse)
        #expect(scenario.agent.openedURLs.isEmpty)
        let key = try await scenario.account.key()
        #expect(await store.load(for: key) == nil)
    }

    @Test func apiDoesNotChooseAKeyThatIsTooLong() async throws {
        let scenario = try MCPScenario()
        let path = "/" + String(repeating: "x", count: 5_000)
        scenario.server.change { $0.issuerPath = path }
        #expect(await oauthError { _ = try await scenario.call() }?.code == .discoveryFailed)
        #expect(scenario.server.requests(to: .register).isEmpty)
    }

    @Test func apiDoesNotChooseScopesThatAreTooLong() async throws {
        let scopes = (0..<2_000).map { "scope-\($0)" }
        let scenario = try MCPScenario { $0.scopesSupported = scopes }
        #expect(await oauthError { _ = try await scenario.call() }?.code == .discoveryFailed)
        #expect(scenario.agent.openedURLs.isEmpty && scenario.server.requests(to: .register).isEmpty)
    }

    @Test(
        arguments: [
            ("user_code", ""), ("user_code", "\u{1B}[2J"), ("user_code", nil),
            ("verification_uri", "javascript:alert(1)"),
            ("verification_uri", "http://attacker.test"), ("verification_uri", nil), ("verification_uri", "file:///"),
            ("verification_uri_complete", "data:text/html,x"), ("device_code", nil),
        ] as [(String, String?)])
    func deviceCodesThatCannotBeShownAreErrors(member: String, value: String?)
        async throws
    {
        var behavior = ServerBehavior()
        behavior.edit = { if $0 == .device { $1[member] = value.map(JSONValue.string) } }
        behavior.deviceErrors = ["access_denied"]  // so that a client that shows the code comes to an end
        let shown = Recorder<DeviceAuthorization>()
        let world = try World(behavior, flow: .deviceCode { code in shown.append(code) })
        #expect(await world.failure() != nil)
        #expect(shown.values.isEmpty && world.server.requests(to: .token).isEmpty)
    }
}
