import APIKitClients
import APIKitCore
import APIKitOAuth
import APIKitTestServer
import Foundation
import TestTraits
import Testing

/// What the Model Context Protocol demands of clients (revision 2026-07-28, basic/authorization), as its conformance
/// suite measures it. The comments name the scenarios of that suite.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct MCPAuthorizationTests {

    // MARK: - Discovery

    /// Where the metadata of a server and its authorization server are, and where the client looks for them.
    struct Places: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var resourcePaths: [String]?
        var isNamed = true
        var issuerPath = ""
        var serverPath: String
        let expectedAtResource: [String]
        let expectedAtServer: [String]
    }

    private static let places: [Places] = [
        Places(
            testDescription: "metadata-default", serverPath: "/.well-known/oauth-authorization-server",
            expectedAtResource: ["/.well-known/oauth-protected-resource/mcp"],
            expectedAtServer: ["/.well-known/oauth-authorization-server"]),
        Places(
            testDescription: "metadata-var1", isNamed: false, serverPath: "/.well-known/openid-configuration",
            expectedAtResource: ["/.well-known/oauth-protected-resource/mcp"],
            expectedAtServer: ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"]),
        Places(
            testDescription: "metadata-var2", resourcePaths: ["/.well-known/oauth-protected-resource"], isNamed: false,
            issuerPath: "/tenant1", serverPath: "/.well-known/oauth-authorization-server/tenant1",
            expectedAtResource: [
                "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource",
            ],
            expectedAtServer: ["/.well-known/oauth-authorization-server/tenant1"]),
        Places(
            testDescription: "metadata-var3", resourcePaths: ["/custom/metadata/location.json"],
            issuerPath: "/tenant1", serverPath: "/tenant1/.well-known/openid-configuration",
            expectedAtResource: ["/custom/metadata/location.json"],
            expectedAtServer: [
                "/.well-known/oauth-authorization-server/tenant1", "/.well-known/openid-configuration/tenant1",
                "/tenant1/.well-known/openid-configuration",
            ]),
    ]

    // auth/metadata-default, auth/metadata-var1, auth/metadata-var2, auth/metadata-var3
    @Test(arguments: places) func findsMetadataInTheOrderOfTheSpecification(places: Places) async throws {
        var behavior = ServerBehavior(registeredAuthentication: { .none })
        behavior.issuerPath = places.issuerPath
        behavior.metadataPaths = [places.serverPath]
        let scenario = try MCPScenario(server: behavior) {
            $0.metadataPaths = places.resourcePaths
            $0.namesMetadata = places.isNamed
        }
        #expect(try await scenario.call().head.status == 200)
        #expect(scenario.resourceMetadataPaths == places.expectedAtResource)
        let endpoints = ["/register", "/authorize", "/token"].map { places.issuerPath + $0 }
        #expect(scenario.server.paths == places.expectedAtServer + endpoints)
    }

    // auth/metadata-default: the server refuses an authorization request without a challenge, and a token request
    // whose verifier does not match it.
    @Test func provesWithPKCEThatItStartedTheSignIn() async throws {
        let scenario = try MCPScenario()
        _ = try await scenario.call()
        let authorization = try #require(scenario.server.requests(to: .authorize).first?.fields)
        let verifier = try #require(scenario.server.requests(to: .token).first?.fields["code_verifier"])
        #expect(authorization["code_challenge_method"] == "S256")
        #expect(authorization["code_challenge"] == sha256(Data(verifier.utf8)).base64URLEncodedString())
    }

    // auth/resource-mismatch
    @Test(arguments: [
        "https://evil.example.com/mcp", "http://127.0.0.1.evil.example/mcp", "/other", "/mc", "/mcp/tools",
    ])
    func metadataOfAnotherResourceIsNotUsed(resource: String) async throws {
        let scenario = try MCPScenario()
        let origin = scenario.resource.origin
        let described = resource.hasPrefix("/") ? origin + resource : resource
        scenario.resource.change { $0.edit = { $0["resource"] = .string(described) } }
        let error = await oauthError { _ = try await scenario.call() }
        #expect([.discoveryFailed, .insecureURL].contains(error?.code))
        #expect(scenario.server.requests.isEmpty && scenario.agent.openedURLs.isEmpty)
    }

    // auth/metadata-issuer-mismatch
    @Test(arguments: ["https://attacker.example.com", "/x"]) func metadataOfAnotherIssuerIsNotUsed(
        issuer: String
    ) async throws {
        let scenario = try MCPScenario()
        let wrong = issuer == "/x" ? scenario.server.issuer + "/x" : issuer
        scenario.server.change { $0.edit = { if $0 == .metadata { $1["issuer"] = .string(wrong) } } }
        #expect(await oauthError { _ = try await scenario.call() }?.code == .discoveryFailed)
        #expect(scenario.server.requests.allSatisfy { $0.endpoint == .metadata || $0.endpoint == nil })
        #expect(!scenario.server.requests(to: .metadata).isEmpty)
    }

    // MARK: - Registration

    // auth/basic-cimd
    @Test func usesTheURLOfItsDocumentAsClientID() async throws {
        let document = "https://app.example.com/client.json"
        let behavior = ServerBehavior(
            clientDocuments: [ServerClient(id: document)], registeredAuthentication: { .none })
        let scenario = try MCPScenario(
            server: behavior, clients: { _ in [.metadataDocument(document), .dynamic(name: "Test")] })
        #expect(try await scenario.call().head.status == 200)
        #expect(scenario.server.requests(to: .register).isEmpty)
        #expect(scenario.server.requests(to: .authorize).map { $0.fields["client_id"] } == [document])
        #expect(scenario.server.requests(to: .token).map { $0.fields["client_id"] } == [document])
    }

    // The other side of auth/basic-cimd: without the promise in the metadata, the server would refuse the URL.
    @Test func registersWhereDocumentsAreNotSupported() async throws {
        let scenario = try MCPScenario(
            clients: { _ in [.metadataDocument("https://app.example.com/client.json"), .dynamic(name: "Test")] })
        #expect(try await scenario.call().head.status == 200)
        #expect(scenario.server.requests(to: .register).count == 1)
    }

    // auth/pre-registration
    @Test func usesTheClientThatWasRegisteredByHand() async throws {
        let client = ServerClient(id: "by hand: ü", authentication: .basic(secret: "s3cret & +"))
        let behavior = ServerBehavior(authenticationMethods: ["client_secret_basic"], clients: [client])
        let scenario = try MCPScenario(
            server: behavior,
            clients: { issuer in
                let authentication = ClientAuthentication.basic(secret: "s3cret & +")
                return [
                    .dynamic(name: "Test"), .preregistered("by hand: ü", at: issuer, authentication: authentication),
                ]
            })
        #expect(try await scenario.call().head.status == 200)
        #expect(scenario.server.paths.filter { $0.hasPrefix("/register") }.isEmpty)
    }

    // basic/authorization/client-registration, "Authorization Server Binding".
    @Test func clientOfAnotherServerIsNotUsed() async throws {
        let client = ServerClient(id: "app", authentication: .post(secret: "s3cret"))
        let scenario = try MCPScenario(
            server: ServerBehavior(clients: [client]),
            clients: { _ in
                [.preregistered("app", at: "https://other.example", authentication: .post(secret: "s3cret"))]
            })
        #expect(await oauthError { _ = try await scenario.call() }?.code == .unsupported)
        #expect(scenario.server.requests.allSatisfy { $0.endpoint == .metadata })
    }

    // auth/metadata-default and auth/offline-access-scope check the metadata of a client that registers itself.
    @Test func registersAsANativeClientThatRefreshes() async throws {
        let scenario = try MCPScenario()
        _ = try await scenario.call()
        let body = try #require(scenario.server.requests(to: .register).first?.received.body)
        let metadata = try JSONReader().decode(JSONValue.self, from: body)
        #expect(metadata["application_type"] == "native")
        #expect(metadata["grant_types"] == ["authorization_code", "refresh_token"])
        #expect(metadata["redirect_uris"] == [.string(UserAgent.redirectURI)])
        #expect(metadata["client_name"] == "Test")
    }

    // auth/authorization-server-migration
    @Test func registersAgainIfTheAuthorizationServerChanges() async throws {
        let scenario = try MCPScenario()
        #expect(try await scenario.call().head.status == 200)
        let successor = try OAuthServer(ServerBehavior(registeredAuthentication: { .none }))
        scenario.resource.change { $0.servers = [successor] }
        #expect(try await scenario.call().head.status == 200)
        #expect(successor.requests(to: .register).count == 1)

        let firstClient = try #require(scenario.server.requests(to: .authorize).first?.fields["client_id"])
        let secrets = scenario.server.secrets + [firstClient]
        for request in successor.requests {
            let text = request.received.head + String(decoding: request.received.body, as: UTF8.self)
            #expect(secrets.allSatisfy { !text.contains($0) })
        }
        // The first server is not asked again either, since its tokens are of no use.
        #expect(scenario.server.requests(to: .token).count == 1)
    }

    // MARK: - Client authentication

    /// A way to authenticate at the token endpoint, as a server gives it to clients that register.
    struct Method: Sendable, CustomTestStringConvertible {
        let authentication: ServerClient.Authentication
        var testDescription: String { authentication.method }
    }

    private static let methods: [Method] = [
        Method(authentication: .basic(secret: "s:e cret+%é")), Method(authentication: .post(secret: "s:e cret+%é")),
        Method(authentication: .none),
    ]

    // auth/token-endpoint-auth-basic, auth/token-endpoint-auth-post, auth/token-endpoint-auth-none
    @Test(arguments: methods) func authenticatesAsTheServerDemands(method: Method) async throws {
        let authentication = method.authentication
        var behavior = ServerBehavior(authenticationMethods: [authentication.method])
        behavior.registeredAuthentication = { authentication }
        behavior.requiresResource = true
        let scenario = try MCPScenario(server: behavior) { $0.checksAudience = true }
        #expect(try await scenario.call().head.status == 200)
        let token = try #require(scenario.server.requests(to: .token).first)
        #expect(token.received.values(of: "Authorization").isEmpty == (authentication.method != "client_secret_basic"))
        #expect((token.fields["client_secret"] == nil) == (authentication.method != "client_secret_post"))

        // The resource (RFC 8707) is the same in both requests.
        let authorization = try #require(scenario.server.requests(to: .authorize).first)
        #expect(authorization.fields["resource"] == scenario.resource.identifier)
        #expect(token.fields["resource"] == scenario.resource.identifier)
    }

    /// Stands for a signature, since there is no algorithm for one on all platforms.
    private static func signature(of bytes: Data) -> Data { sha256(Data("key".utf8) + bytes) }

    // auth/client-credentials-basic and auth/client-credentials-jwt, which are not scored.
    @Test(arguments: ["client_secret_basic", "client_secret_post", "private_key_jwt"])
    func programSignsInAsItself(method: String) async throws {
        let server: ServerClient.Authentication
        let client: ClientAuthentication
        switch method {
        case "client_secret_basic": (server, client) = (.basic(secret: "s:e cret+%é"), .basic(secret: "s:e cret+%é"))
        case "client_secret_post": (server, client) = (.post(secret: "s:e cret+%é"), .post(secret: "s:e cret+%é"))
        default:
            server = .privateKeyJWT(algorithm: "ES256") { $1 == Self.signature(of: $0) }
            client = .privateKeyJWT(algorithm: "ES256", keyID: "k1") { Self.signature(of: $0) }
        }
        var behavior = ServerBehavior(clients: [ServerClient(id: "a:ä +", authentication: server)])
        behavior.requiresResource = true
        let scenario = try MCPScenario(
            server: behavior,
            resource: {
                $0.checksAudience = true
                $0.scopes = { _ in ["mcp:basic"] }
                $0.challengedScopes = { $0 }
            },
            clients: { [.preregistered("a:ä +", at: $0, authentication: client)] }, flow: .clientCredentials)
        #expect(try await scenario.call().head.status == 200)
        // Another token, for which an assertion is signed anew.
        scenario.server.expireAccessTokens()
        try await scenario.account.signOut()
        #expect(try await scenario.call().head.status == 200)
        let requests = scenario.server.requests(to: .token)
        #expect(requests.map { $0.fields["grant_type"] } == ["client_credentials", "client_credentials"])
        #expect(requests.allSatisfy { $0.fields["scope"] == "mcp:basic" })
        #expect(scenario.agent.openedURLs.isEmpty && scenario.server.requests(to: .authorize).isEmpty)
        if method == "private_key_jwt" {
            let assertion = try #require(SignedToken(requests[0].fields["client_assertion"] ?? ""))
            #expect(assertion.header["kid"] == "k1")
        }
    }

    // MARK: - Scopes

    // auth/scope-from-www-authenticate
    @Test func requestsTheScopesOfTheChallenge() async throws {
        let scenario = try MCPScenario {
            $0.scopesSupported = ["mcp:basic", "mcp:admin"]
            $0.scopes = { _ in ["mcp:basic"] }
            $0.challengedScopes = { $0 }
        }
        #expect(try await scenario.call().head.status == 200)
        #expect(scenario.requestedScopes == [["mcp:basic"]])
    }

    // auth/scope-from-scopes-supported
    @Test func requestsAllScopesOfTheMetadataIfTheChallengeNamesNone() async throws {
        let scopes = ["mcp:basic", "mcp:read", "mcp:write"]
        let scenario = try MCPScenario {
            $0.scopesSupported = scopes
            $0.scopes = { _ in scopes }
        }
        #expect(try await scenario.call().head.status == 200)
        #expect(scenario.requestedScopes == [Set(scopes)])
    }

    // auth/scope-omitted-when-undefined
    @Test func requestsNoScopesIfNoneAreNamed() async throws {
        var behavior = ServerBehavior(registeredAuthentication: { .none })
        behavior.scopesSupported = ["mcp:basic"]
        let scenario = try MCPScenario(server: behavior)
        #expect(try await scenario.call().head.status == 200)
        #expect(scenario.requestedScopes == [nil])
    }

    // auth/scope-step-up
    @Test func requestsMoreScopesBesidesThoseItHas() async throws {
        let scenario = try MCPScenario {
            // Neither of the needed scopes: the client may not add these.
            $0.scopesSupported = ["mcp:profile"]
            $0.scopes = { $0.mcpMethod == "tools/call" ? ["mcp:write"] : ["mcp:basic"] }
            $0.challengedScopes = { $0 }
        }
        #expect(try await scenario.call("tools/list").head.status == 200)
        #expect(try await scenario.call("tools/call").head.status == 200)
        #expect(scenario.requestedScopes == [["mcp:basic"], ["mcp:basic", "mcp:write"]])
        // The new token is good for both.
        #expect(try await scenario.call("tools/list").head.status == 200)
        #expect(scenario.agent.openedURLs.count == 2)
    }

    // Some servers grant a client only the scopes that it was registered for (RFC 7591, section 2).
    @Test func registersAgainForMoreScopes() async throws {
        let scenario = try MCPScenario {
            $0.scopes = { $0.mcpMethod == "tools/call" ? ["mcp:write"] : ["mcp:basic"] }
            $0.challengedScopes = { $0 }
        }
        #expect(try await scenario.call("tools/list").head.status == 200)
        scenario.server.change { $0.userApproves = false }
        #expect(try await scenario.call("tools/call").head.status == 403)
        // The refresh token belongs to the client before.
        scenario.server.expireAccessTokens()
        #expect(try await scenario.call("tools/list").head.status == 200)
        #expect(scenario.agent.openedURLs.count == 2)
        scenario.server.change { $0.userApproves = true }
        #expect(try await scenario.call("tools/call").head.status == 200)
        let scopes = try scenario.server.requests(to: .register).map { request in
            try JSONReader().decode(JSONValue.self, from: request.received.body)["scope"]?.string
        }
        #expect(scopes == ["mcp:basic", "mcp:basic mcp:write", "mcp:basic mcp:write"])
    }

    // auth/scope-retry-limit
    @Test func scopesThatNeverSufficeAreNotRequestedWithoutEnd() async throws {
        let scenario = try MCPScenario()
        let challenge = #"Bearer error="insufficient_scope", scope="mcp:admin""#
        scenario.resource.change {
            $0.challengedScopes = { _ in ["mcp:admin"] }
            $0.intercept = { request in
                guard request.bearerToken != nil else { return nil }
                return .status(403, headers: [("WWW-Authenticate", challenge)])
            }
        }
        #expect(try await scenario.call().head.status == 403)
        #expect(scenario.agent.openedURLs.count == 1)
        // Nor at the next call.
        #expect(try await scenario.call().head.status == 403)
        #expect(scenario.agent.openedURLs.count == 1)
    }

    // A refusal of scopes is about one operation. The token is as good as before for all others.
    @Test(arguments: [true, false]) func operationThatIsNotAllowedDoesNotEndTheSession(asksUser: Bool) async throws {
        let scenario = try MCPScenario {
            $0.scopes = { $0.mcpMethod == "tools/call" ? ["mcp:admin"] : [] }
            $0.challengedScopes = { $0.isEmpty || asksUser ? $0 : ["mcp:basic"] }
        }
        #expect(try await scenario.call("tools/list").head.status == 200)
        // The user does not grant more, or there is nothing to ask for.
        scenario.server.change { $0.userApproves = false }
        for _ in 0..<2 {
            let status = try? await scenario.call("tools/call").head.status
            #expect(status == nil || status == 403)
            #expect(try await scenario.call("tools/list").head.status == 200)
        }
        #expect(Set(scenario.resource.tokens).count == 2)  // none at first, and then the same one
    }

    // Another source over the same store has stepped up meanwhile.
    @Test func takesTheTokensOfASiblingWithMoreScopes() async throws {
        let store = MemoryTokenStore()
        let scenario = try MCPScenario(
            resource: {
                $0.scopes = { $0.mcpMethod == "tools/call" ? ["mcp:write"] : ["mcp:basic"] }
                $0.challengedScopes = { $0 }
            }, store: store)
        let sibling = scenario.sibling(store: store)
        #expect(try await scenario.call("tools/list").head.status == 200)
        #expect(try await scenario.call("tools/list", by: sibling).head.status == 200)
        #expect(try await scenario.call("tools/call").head.status == 200)
        #expect(try await scenario.call("tools/call", by: sibling).head.status == 200)
        #expect(scenario.agent.openedURLs.count == 2)
    }

    // The same of a server that names other scopes each time.
    @Test func serverThatNamesOtherScopesEachTimeDoesNotAskTheUserWithoutEnd() async throws {
        let scenario = try MCPScenario()
        let resource = scenario.resource
        resource.change {
            $0.intercept = { [weak resource] request in
                guard request.bearerToken != nil, let resource else { return nil }
                let challenge = #"Bearer error="insufficient_scope", scope="mcp:\#(resource.requests.count)""#
                return .status(403, headers: [("WWW-Authenticate", challenge)])
            }
        }
        for _ in 0..<4 { #expect(try await scenario.call().head.status == 403) }
        #expect((2...4).contains(scenario.agent.openedURLs.count))
    }

    // auth/offline-access-scope: the challenge's scopes, and the one for a refresh token.
    @Test func requestsOfflineAccessIfTheServerListsIt() async throws {
        var behavior = ServerBehavior(registeredAuthentication: { .none })
        behavior.scopesSupported = ["mcp:basic", "offline_access"]
        let scenario = try MCPScenario(server: behavior) {
            $0.scopesSupported = ["mcp:basic"]
            $0.scopes = { _ in ["mcp:basic"] }
        }
        #expect(try await scenario.call().head.status == 200)
        #expect(scenario.requestedScopes == [["mcp:basic", "offline_access"]])
    }

    // auth/offline-access-not-supported: the server refuses unknown scopes.
    @Test func doesNotRequestOfflineAccessOtherwise() async throws {
        var behavior = ServerBehavior(registeredAuthentication: { .none })
        behavior.scopesSupported = ["mcp:basic", "mcp:read"]
        let scenario = try MCPScenario(server: behavior) {
            $0.scopesSupported = ["mcp:basic", "mcp:read"]
            $0.scopes = { _ in ["mcp:basic", "mcp:read"] }
        }
        #expect(try await scenario.call().head.status == 200)
        #expect(scenario.requestedScopes == [["mcp:basic", "mcp:read"]])
    }

    // MARK: - The issuer of a redirect

    /// What metadata promises about `iss`, and what the redirect has.
    struct IssuerCase: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isPromised: Bool?
        let parameter: ServerBehavior.IssuerParameter
        /// What is appended to the right issuer instead.
        var suffix: String?
        let isAccepted: Bool
    }

    private static let issuerCases: [IssuerCase] = [
        IssuerCase(testDescription: "iss-supported", isPromised: true, parameter: .issuer, isAccepted: true),
        IssuerCase(testDescription: "iss-not-advertised", isPromised: nil, parameter: .absent, isAccepted: true),
        IssuerCase(testDescription: "iss-supported-missing", isPromised: true, parameter: .absent, isAccepted: false),
        IssuerCase(
            testDescription: "iss-wrong-issuer", isPromised: true, parameter: .text("https://evil.example.com"),
            isAccepted: false),
        IssuerCase(
            testDescription: "iss-unexpected", isPromised: nil, parameter: .text("https://evil.example.com"),
            isAccepted: false),
        IssuerCase(
            testDescription: "iss-normalized", isPromised: true, parameter: .issuer, suffix: "/", isAccepted: false),
    ]

    // auth/iss-supported, auth/iss-not-advertised, auth/iss-supported-missing, auth/iss-wrong-issuer,
    // auth/iss-unexpected, auth/iss-normalized
    @Test(arguments: issuerCases) func comparesTheIssuerOfTheRedirect(issuerCase: IssuerCase) async throws {
        var behavior = ServerBehavior(registeredAuthentication: { .none })
        behavior.advertisesIssuerParameter = issuerCase.isPromised
        behavior.issuerParameter = issuerCase.parameter
        let scenario = try MCPScenario(server: behavior)
        if let suffix = issuerCase.suffix {
            let issuer = scenario.server.issuer
            scenario.server.change { $0.issuerParameter = .text(issuer + suffix) }
        }
        let error = await oauthError { _ = try await scenario.call() }
        #expect(error?.code == (issuerCase.isAccepted ? nil : .redirectRejected))
        #expect(scenario.agent.openedURLs.count == 1)
        #expect(scenario.server.requests(to: .token).count == (issuerCase.isAccepted ? 1 : 0))
    }
}
