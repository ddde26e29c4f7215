import APIKitCore
import APIKitSupport
import Foundation
import TestTraits
import Testing

/// The servers of this module's tests by themselves: they refuse what a client must not send.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct OAuthServerTests {
    private static let verifier = String(repeating: "v", count: 43)
    private static let redirectURI = "http://127.0.0.1:46046/callback"
    private static let client = ServerClient(id: "app")

    /// The fields of a valid authorization request.
    private var authorization: FormFields {
        FormFields([
            ("response_type", "code"), ("client_id", "app"), ("redirect_uri", Self.redirectURI), ("state", "s"),
            ("scope", "read write"), ("code_challenge_method", "S256"),
            ("code_challenge", sha256(Data(Self.verifier.utf8)).base64URLEncodedString()),
        ])
    }

    /// The parameters with which a browser returns to the client.
    private func authorize(_ fields: FormFields, at server: OAuthServer) async throws -> FormFields {
        let url = try #require(URL(string: "\(server.issuer)/authorize?\(fields.encoded)"))
        let redirect = try await UserAgent().open(url)
        return try #require(FormFields(encoded: redirect.query(percentEncoded: true) ?? ""))
    }

    private func post(
        _ fields: FormFields, to path: String, of server: OAuthServer, basic: String? = nil
    ) async throws -> (status: Int, body: JSONValue) {
        var request = HTTPRequest(method: .post, url: try #require(URL(string: server.issuer + path)))
        request.body = .data(
            Data(fields.encoded.utf8), contentType: MIMEType(rawValue: "application/x-www-form-urlencoded"))
        if let basic { request.headers[.authorization] = "Basic \(Data(basic.utf8).base64EncodedString())" }
        let response = try await browserNetwork.perform(request)
        let body = response.body.data ?? Data()
        return (response.head.status, body.isEmpty ? .null : try JSONReader().decode(JSONValue.self, from: body))
    }

    @Test func digestIsThatOfTheStandard() {
        let digest = sha256(Data("abc".utf8)).map { String(format: "%02x", $0) }.joined()
        #expect(digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        // RFC 7636, appendix B.
        let challenge = sha256(Data("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk".utf8)).base64URLEncodedString()
        #expect(challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func codeIsExchangedOnce() async throws {
        let server = try OAuthServer(ServerBehavior(clients: [Self.client]))
        let redirect = try await authorize(authorization, at: server)
        #expect(redirect["state"] == "s" && redirect["iss"] == server.issuer)
        let form = FormFields([
            ("grant_type", "authorization_code"), ("code", try #require(redirect["code"])), ("client_id", "app"),
            ("redirect_uri", Self.redirectURI), ("code_verifier", Self.verifier),
        ])
        let first = try await post(form, to: "/token", of: server)
        #expect(first.status == 200 && first.body["token_type"]?.string == "Bearer")
        #expect(first.body["expires_in"]?.number?.int == 3600 && first.body["scope"]?.string == "read write")
        let token = try #require(first.body["access_token"]?.string)
        #expect(server.use(accessToken: token)?.scopes == ["read", "write"])
        #expect(try await post(form, to: "/token", of: server).body["error"]?.string == "invalid_grant")
        #expect(server.use(accessToken: token) == nil)
    }

    @Test(
        arguments: [
            ("code_verifier", "of another sign-in"), ("code_verifier", nil), ("code", "x"),
            ("redirect_uri", "http://127.0.0.1:1/callback"), ("client_id", "other"), ("client_id", nil),
            ("client_secret", "x"), ("resource", "https://other.example"), ("grant_type", "password"),
        ] as [(String, String?)])
    func wrongTokenRequestsAreRefused(name: String, value: String?) async throws {
        let server = try OAuthServer(ServerBehavior(clients: [Self.client]))
        var form = FormFields([
            ("grant_type", "authorization_code"), ("client_id", "app"), ("redirect_uri", Self.redirectURI),
            ("code_verifier", Self.verifier),
            ("code", try #require(try await authorize(authorization, at: server)["code"])),
        ])
        form[name] = value == "of another sign-in" ? String(repeating: "w", count: 43) : value
        #expect(try await post(form, to: "/token", of: server).status >= 400)
    }

    @Test(
        arguments: [
            ("code_challenge", nil, "invalid_request"), ("code_challenge_method", "plain", "invalid_request"),
            ("response_type", "token", "unsupported_response_type"), ("scope", "read  write", "invalid_scope"),
        ] as [(String, String?, String)])
    func wrongAuthorizationRequestsAreRefused(name: String, value: String?, error: String) async throws {
        let server = try OAuthServer(ServerBehavior(clients: [Self.client]))
        var fields = authorization
        fields[name] = value
        let redirect = try await authorize(fields, at: server)
        #expect(redirect["error"] == error && redirect["code"] == nil)
    }

    @Test(arguments: [("client_id", "x"), ("redirect_uri", "http://127.0.0.1.attacker.test/callback")])
    func browserIsNotRedirectedToStrangers(name: String, value: String) async throws {
        let server = try OAuthServer(ServerBehavior(clients: [Self.client]))
        var fields = authorization
        fields[name] = value
        await #expect(throws: UserAgent.NoRedirect.self) { try await authorize(fields, at: server) }
    }

    @Test func secretIsFormEncodedInBasic() async throws {
        let client = ServerClient(id: "a:b c", authentication: .basic(secret: "s&%+é"))
        let server = try OAuthServer(ServerBehavior(clients: [client]))
        let form = FormFields([("grant_type", "client_credentials"), ("scope", "read")])
        let encoded = "a%3Ab+c:s%26%25%2B%C3%A9"
        #expect(try await post(form, to: "/token", of: server, basic: encoded).status == 200)
        #expect(try await post(form, to: "/token", of: server, basic: "a:b c:s&%+é").status == 401)
        #expect(try await post(form, to: "/token", of: server, basic: "a%3Ab+c:wrong").status == 401)
        var twice = form
        twice["client_secret"] = "s&%+é"
        #expect(try await post(twice, to: "/token", of: server, basic: encoded).status == 400)
    }

    // MARK: - Rotation

    private func refresh(_ token: String, at server: OAuthServer) async throws -> JSONValue {
        let form = FormFields([("grant_type", "refresh_token"), ("client_id", "app"), ("refresh_token", token)])
        return try await post(form, to: "/token", of: server).body
    }

    private func server(_ rotation: Grants.Rotation) async throws -> (OAuthServer, refreshToken: String) {
        let server = try OAuthServer(ServerBehavior(clients: [Self.client], rotation: rotation))
        let form = FormFields([
            ("grant_type", "authorization_code"), ("client_id", "app"), ("redirect_uri", Self.redirectURI),
            ("code_verifier", Self.verifier),
            ("code", try #require(try await authorize(authorization, at: server)["code"])),
        ])
        return (server, try #require(try await post(form, to: "/token", of: server).body["refresh_token"]?.string))
    }

    @Test func reuseRevokesTheFamilyIfRotationIsStrict() async throws {
        let (server, first) = try await server(.strict)
        let second = try #require(try await refresh(first, at: server)["refresh_token"]?.string)
        #expect(try await refresh(first, at: server)["error"]?.string == "invalid_grant")
        #expect(try await refresh(second, at: server)["error"]?.string == "invalid_grant")
        #expect(server.refreshTokenReuseCount == 1)
    }

    @Test(arguments: [true, false])
    func tokenStaysValidUntilItsSuccessorIsUsedIfRotationOverlaps(usesAccessToken: Bool) async throws {
        let (server, first) = try await server(.overlapping)
        #expect(try await refresh(first, at: server)["error"] == nil)
        let second = try await refresh(first, at: server)
        if usesAccessToken {
            #expect(server.use(accessToken: second["access_token"]?.string ?? "") != nil)
        } else {
            #expect(try await refresh(second["refresh_token"]?.string ?? "", at: server)["error"] == nil)
        }
        #expect(try await refresh(first, at: server)["error"]?.string == "invalid_grant")
    }

    // MARK: - The protected resource

    @Test func resourceSaysWhereToGetTokens() async throws {
        let server = try OAuthServer(ServerBehavior(clients: [Self.client]))
        var behavior = ProtectedResource.Behavior(servers: [server], scopesSupported: ["read"])
        behavior.scopes = { _ in ["admin"] }
        behavior.challengedScopes = { $0 }
        let resource = try ProtectedResource(behavior)
        let url = try #require(URL(string: resource.identifier))
        let refusal = try await browserNetwork.perform(HTTPRequest(url: url))
        #expect(refusal.head.status == 401)
        let metadataURL = "\(resource.origin)/.well-known/oauth-protected-resource/mcp"
        #expect(
            refusal.head.headers[.wwwAuthenticate] == #"Bearer resource_metadata="\#(metadataURL)", scope="admin""#)
        let metadata = try await browserNetwork.perform(HTTPRequest(url: try #require(URL(string: metadataURL))))
        let json = try JSONReader().decode(JSONValue.self, from: metadata.body.data ?? Data())
        #expect(json["resource"]?.string == resource.identifier)
        #expect(json["authorization_servers"] == [.string(server.issuer)])
    }
}
