import APIKit
import APIKitOAuth
import APIKitTesting
import Testing

/// The code in `Access`, as it is generated: what requests send to identify their sender, and where.
@Suite struct AccessTests {
    /// The request that a stub receives from a client with credentials.
    private func sent<R: AccessRequest>(
        _ endpoint: R, through client: (StubClient) -> any APIClient
    ) async throws -> HTTPRequest {
        let stub = StubClient().answering(R.self, with: .status(204))
        _ = try await client(stub).send(endpoint)
        return try #require(stub.requests.last)
    }

    /// An endpoint with a base of its own.
    private struct Probe: AccessRequest {
        typealias Response = NoContent
        var base: APIBase
        var path: URLPath { "notes" }
    }

    // MARK: - Credentials

    @Test func eachCredentialIsSentInItsPlace() async throws {
        let bearer = try await sent(NotesRequest()) { $0.authorized(by: .access(token: "t"), for: .access) }
        #expect(bearer.headers[.authorization] == "Bearer t")
        let other = try await sent(NotesRequest()) { $0.authorized(by: .access(jwt: "j"), for: .access) }
        #expect(other.headers[.authorization] == "Bearer j")
        let basic = try await sent(UsersRequest()) {
            $0.authorized(by: .access(username: "ada", password: "p"), for: .access)
        }
        #expect(basic.headers[.authorization] == "Basic YWRhOnA=")
        let header = try await sent(UsersRequest()) { $0.authorized(by: .access(adminKey: "k"), for: .access) }
        #expect(header.headers["X-Admin-Key"] == "k")
        let whole = try await sent(UsersRequest()) { $0.authorized(by: .access(bot: "Bot k"), for: .access) }
        #expect(whole.headers[.authorization] == "Bot k")
        let query = try await sent(NotesRequest()) { $0.authorized(by: .access(defaultKey: "a b"), for: .access) }
        #expect(query.url.query(percentEncoded: true) == "api%20key=a%20b")
    }

    @Test func severalCredentialsAreSentTogether() async throws {
        let request = try await sent(UsersRequest()) {
            $0.authorized(by: .access(username: "ada", password: "p"), for: .access)
                .authorized(by: .access(adminKey: "k"), for: .access)
        }
        #expect(request.headers[.authorization] == "Basic YWRhOnA=")
        #expect(request.headers["X-Admin-Key"] == "k")
    }

    @Test func requestThatNeedsNoCredentialHasNone() async throws {
        let request = try await sent(StatusRequest()) { $0.authorized(by: .access(token: "t"), for: .access) }
        #expect(request.headers[.authorization] == nil)
    }

    @Test func credentialsAreSentToAnotherServerOnlyIfItIsNamed() async throws {
        let main = try await sent(ReplaceUsersRequest()) { $0.authorized(by: .access(token: "t"), for: .access) }
        #expect(main.headers[.authorization] == nil)
        let both = try await sent(ReplaceUsersRequest()) {
            $0.authorized(by: .access(token: "t"), for: .access, .accessAdmin)
        }
        #expect(both.headers[.authorization] == "Bearer t")
    }

    @Test func placesAndScopesOfTokensAreConstants() {
        #expect(AccessOAuth.authorizationURL == "https://login.access.example.com/authorize")
        #expect(AccessOAuth.refreshURL == "https://eu.access.example.com/refresh")
        let scopes = AccessOAuth.Scope.allCases.map(\.rawValue)
        #expect(scopes == ["https://access.example.com/auth/admin", "notes:read", "notes:write"])
        let expiry = Date(timeIntervalSince1970: 9)
        #expect(Credential.access(token: "t", expires: expiry).expires == expiry)
    }

    // MARK: - Sources of tokens

    /// An authorization server and an API in one: issues a token, and answers requests for notes.
    private var server: StubClient {
        StubClient()
            .answering(.post, "/machine", with: .json(#"{"access_token": "issued", "token_type": "Bearer"}"#))
            .answering(.get, "/v1/notes", with: .status(204))
    }

    @Test func sourceObtainsTheTokenOfARequest() async throws {
        let server = server
        let account = OAuth.accessClientCredentials(
            clientID: "machine", authentication: .basic(secret: "s"), scopes: [.notesRead, .admin],
            otherScopes: ["offline_access"], client: server)
        _ = try await server.authorized(by: account, for: .access).send(NotesRequest())
        let requests = server.requests
        #expect(
            requests.map(\.url.absoluteString) == [
                "https://login.access.example.com/machine", "https://eu.access.example.com/v1/notes",
            ])
        #expect(requests.first?.headers[.authorization] == "Basic bWFjaGluZTpz")
        let form = String(decoding: try #require(requests.first?.body?.data), as: UTF8.self)
        #expect(form.contains("grant_type=client_credentials"))
        #expect(form.contains("scope=notes%3Aread+https%3A%2F%2Faccess.example.com%2Fauth%2Fadmin+offline_access"))
        #expect(requests.last?.headers[.authorization] == "Bearer issued")
    }

    @Test func sourceShowsThePageOfTheDescription() async throws {
        let presentation = AuthorizationPresentation.custom(redirectURI: "app:/done") { url in
            #expect(url.absoluteString.hasPrefix("https://login.access.example.com/authorize?"))
            throw CancellationError()
        }
        let account = OAuth.accessAuthorizationCode(
            clientID: "app", flow: .authorizationCode(present: presentation), client: server)
        await #expect(throws: CancellationError.self) { try await account.signIn() }
    }

    @Test func sourceOfAnIssuerReadsItsMetadata() async throws {
        let server = server
        let account = OAuth.accessLogin(clientID: "app", flow: .clientCredentials, client: server)
        await #expect(throws: (any Error).self) { try await account.signIn() }
        let url = server.requests.first?.url.absoluteString
        #expect(url == "https://login.access.example.com/.well-known/oauth-authorization-server")
    }

    // MARK: - Servers

    @Test func headersOfAllRequestsBelongToTheBase() throws {
        let request = try NotesRequest().httpRequest()
        #expect(request.headers["Access-Version"] == "2026-11-01")
        #expect(request.headers["X-Trace"] == "true")
    }

    @Test func requestsAndCredentialsGoToTheChosenServer() async throws {
        let bases: [(APIBase, String)] = [
            (.accessSandbox, "https://sandbox.access.example.com/v1/notes"),
            (.access(region: .usEast1), "https://us-east-1.access.example.com/v1/notes"),
            (.access(version: "v2/beta"), "https://eu.access.example.com/v2/beta/notes"),
            (.accessYourOwn, "https://demo.access.example.org:8443/api/v1/notes"),
            (.accessYourOwn(tenant: "a-b.c", port: "80"), "https://a-b.c.access.example.org:80/api/v1/notes"),
        ]
        for (base, url) in bases {
            let request = try await sent(NotesRequest()) {
                $0.based(at: base, insteadOf: .access).authorized(by: .access(token: "t"), for: .access)
            }
            #expect(request.url.absoluteString == url)
            #expect(request.headers[.authorization] == "Bearer t")
            #expect(request.headers["Access-Version"] == "2026-11-01")
        }
    }

    @Test(arguments: [
        "evil.example/", "evil.example?", "evil.example#", "evil.example\\", "a@evil.example", "evil.example:80",
        "evil.example:80/", "[::1]", "a%2F", "\u{2100}", "a\u{FF0F}", "\n", "a b", "{tenant}", "",
    ])
    func textInAHostCannotChangeTheHost(tenant: String) throws {
        let error = #expect(throws: RequestError.self) {
            try Probe(base: .accessYourOwn(tenant: tenant)).httpRequest()
        }
        #expect(error?.code == .baseURL)
    }

    @Test(arguments: ["..", "../..", "v1/../..", "?a=b", "#", "\\..\\", "%2e%2e", "a b", ""])
    func textInAPathCannotLeaveIt(version: String) throws {
        let error = #expect(throws: RequestError.self) {
            try Probe(base: .access(version: version)).httpRequest()
        }
        #expect(error?.code == .baseURL)
    }

    @Test(arguments: ["80:90", "80/x", "80@evil.example", "eighty", "70000", "-1", ""])
    func textInAPlaceOfAPortIsAPort(port: String) throws {
        let error = #expect(throws: RequestError.self) {
            try Probe(base: .accessYourOwn(port: port)).httpRequest()
        }
        #expect(error?.code == .baseURL)
    }
}
