import APIKit
import APIKitOAuth
import APIKitTesting
import Testing

// The code of the article SigningInWithOAuth about certain servers, unchanged, and a stub of each server that demands
// what the server documents.

nonisolated struct Vendors {
    let clientID: String
    let secret: String
    let store: MemoryTokenStore
    let flow: OAuthFlow
    let client: any APIClient

    func google() -> OAuth {
        let google = OAuth(
            issuer: "https://accounts.google.com", clientID: clientID,
            authentication: .post(secret: secret),
            scopes: ["https://www.googleapis.com/auth/drive.readonly"],
            parameters: OAuthParameters(
                authorization: ["access_type": "offline", "prompt": "consent"]),
            store: store, flow: flow, client: client)
        return google
    }

    func gitHub() -> OAuth {
        let gitHub = OAuth(
            endpoints: OAuthEndpoints(
                authorization: "https://github.com/login/oauth/authorize",
                token: "https://github.com/login/oauth/access_token",
                deviceAuthorization: "https://github.com/login/device/code"),
            clientID: clientID, authentication: .post(secret: secret),
            scopes: ["repo", "read:user"], store: store, flow: flow, client: client)
        return gitHub
    }

    func entra() -> OAuth {
        let tenant = "https://login.microsoftonline.com/organizations/oauth2/v2.0"
        let entra = OAuth(
            endpoints: OAuthEndpoints(
                authorization: "\(tenant)/authorize", token: "\(tenant)/token",
                deviceAuthorization: "\(tenant)/devicecode"),
            clientID: clientID,
            scopes: ["https://graph.microsoft.com/User.Read", "offline_access"],
            store: store, flow: flow, client: client)
        return entra
    }

    func auth0() -> OAuth {
        let audience: Parameters = ["audience": "https://api.example.com"]
        let auth0 = OAuth(
            issuer: "https://example.eu.auth0.com/", clientID: clientID,
            scopes: ["read:orders", "offline_access"],
            parameters: OAuthParameters(
                authorization: audience, deviceAuthorization: audience),
            store: store, flow: flow, client: client)
        return auth0
    }

    func auth0Program() -> OAuth {
        let program = OAuth(
            issuer: "https://example.eu.auth0.com/", clientID: clientID,
            authentication: .post(secret: secret),
            parameters: OAuthParameters(token: ["audience": "https://api.example.com"]),
            flow: .clientCredentials, client: client)
        return program
    }

    func dropbox() -> OAuth {
        let dropbox = OAuth(
            endpoints: OAuthEndpoints(
                authorization: "https://www.dropbox.com/oauth2/authorize",
                token: "https://api.dropboxapi.com/oauth2/token"),
            clientID: clientID,
            parameters: OAuthParameters(
                authorization: ["token_access_type": "offline"]),
            store: store, flow: flow, client: client)
        return dropbox
    }

    func atlassian() -> OAuth {
        let atlassian = OAuth(
            endpoints: OAuthEndpoints(
                authorization: "https://auth.atlassian.com/authorize",
                token: "https://auth.atlassian.com/oauth/token"),
            clientID: clientID, authentication: .post(secret: secret),
            scopes: ["read:jira-work", "offline_access"],
            parameters: OAuthParameters(
                authorization: ["audience": "api.atlassian.com", "prompt": "consent"]),
            store: store, flow: flow, client: sendingJSON(client))
        return atlassian
    }

    func okta() -> OAuth {
        let okta = OAuth(
            issuer: "https://example.okta.com/oauth2/default", clientID: clientID,
            scopes: ["orders", "offline_access"], store: store, flow: flow, client: client)
        return okta
    }

    func oktaProgram() -> OAuth {
        let program = OAuth(
            issuer: "https://example.okta.com", clientID: clientID,
            authentication: .privateKeyJWT { request in
                try token(audience: request.tokenEndpoint, subject: request.clientID)
            },
            scopes: ["okta.users.read"], flow: .clientCredentials, client: client)
        return program
    }

    func salesforce() -> OAuth {
        let salesforce = OAuth(
            issuer: "https://login.salesforce.com", clientID: clientID,
            scopes: ["api", "refresh_token"], store: store, flow: flow, client: client)
        return salesforce
    }

    func notion() -> OAuth {
        let notion = OAuth(
            endpoints: OAuthEndpoints(
                authorization: "https://api.notion.com/v1/oauth/authorize",
                token: "https://api.notion.com/v1/oauth/token"),
            clientID: clientID, authentication: .basic(secret: secret),
            parameters: OAuthParameters(authorization: ["owner": "user"]),
            store: store, flow: flow, client: sendingJSON(client))
        return notion
    }

    func spotify() -> OAuth {
        let spotify = OAuth(
            endpoints: OAuthEndpoints(
                authorization: "https://accounts.spotify.com/authorize",
                token: "https://accounts.spotify.com/api/token"),
            clientID: clientID, scopes: ["user-library-read"],
            store: store, flow: flow, client: client)
        return spotify
    }

    func discord() -> OAuth {
        let discord = OAuth(
            endpoints: OAuthEndpoints(
                authorization: "https://discord.com/oauth2/authorize",
                token: "https://discord.com/api/oauth2/token",
                revocation: "https://discord.com/api/oauth2/token/revoke"),
            clientID: clientID, scopes: ["identify"],
            store: store, flow: flow, client: client)
        return discord
    }

    func sendingJSON(_ client: any APIClient) -> any APIClient {
        client.intercepted { request, _, next in
            guard let form = request.body?.data else { return try await next(request) }
            var parts = URLComponents()
            parts.percentEncodedQuery = String(decoding: form, as: UTF8.self)
                .replacing("+", with: "%20")
            var fields: [String: String] = [:]
            for item in parts.queryItems ?? [] { fields[item.name] = item.value }
            var request = request
            request.body = .data(try JSONEncoder().encode(fields), contentType: .json)
            request.headers["Notion-Version"] = "2022-06-28"
            return try await next(request)
        }
    }

    func gitLab() -> OAuth {
        let gitLab = OAuth(
            issuer: "https://gitlab.com", clientID: clientID, scopes: ["read_user"],
            store: store, flow: flow, client: client)
        return gitLab
    }
}

#if os(macOS) || os(Linux)
nonisolated func presentationsOfServers() -> [AuthorizationPresentation] {
    let fixedPort: AuthorizationPresentation = .browser(port: 8080)
    let localhost: AuthorizationPresentation = .browser(host: .localhost)
    return [fixedPort, localhost]
}
#endif

nonisolated func parametersOfGoogle() -> OAuthParameters {
    let parameters = OAuthParameters(
        authorization: ["access_type": "offline", "prompt": "consent"])
    return parameters
}

nonisolated func authenticateWithAssertion() -> ClientAuthentication {
    let authentication = ClientAuthentication.privateKeyJWT { request in
        try token(audience: request.tokenEndpoint, subject: request.clientID)
    }
    return authentication
}

/// Stands in for a signed token.
nonisolated func token(audience: String, subject: String) throws -> String { "aud:\(audience),sub:\(subject)" }

// MARK: - The servers

/// A stub of an authorization server. It demands certain fields, and answers as documented.
nonisolated final class VendorServer: Sendable {
    private let page: [String: String]
    private let redirectURI: String
    private let answer: @Sendable (_ path: String, _ fields: [String: String], HTTPRequest) -> HTTPResponse

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - page: The parameters that its page demands.
    ///   - redirectURI: The redirect URI that is registered.
    ///   - answer: Answers a request with the fields of its form or, if that is JSON, of its object.
    init(
        page: [String: String], redirectURI: String = "http://127.0.0.1:8080/callback",
        answer: @escaping @Sendable (_ path: String, _ fields: [String: String], HTTPRequest) -> HTTPResponse
    ) {
        self.page = page
        self.redirectURI = redirectURI
        self.answer = answer
    }

    /// The user's browser: it checks the page's parameters, and returns with a code.
    var flow: OAuthFlow {
        .authorizationCode(
            present: .custom(redirectURI: redirectURI) { [self] page in
                let fields = Self.fields(page.query(percentEncoded: true) ?? "")
                for (name, value) in self.page { #expect(fields[name] == value, "\(name)") }
                #expect(fields["redirect_uri"] == redirectURI && fields["code_challenge_method"] == "S256")
                #expect(fields["client_id"] == "my_app")
                return try #require(URL(string: "\(redirectURI)?code=c0de&state=\(fields["state"] ?? "")"))
            })
    }

    var client: any APIClient {
        StubClient { [answer] request in
            let body = request.body?.data ?? Data()
            let json = try? JSONDecoder().decode([String: String].self, from: body)
            let fields = json ?? Self.fields(String(decoding: body, as: UTF8.self))
            if fields["grant_type"] == "authorization_code" {
                #expect(fields["code"] == "c0de" && fields["code_verifier"]?.count == 43)
            }
            return answer(request.url.path, fields, request)
        }
    }

    private static func fields(_ form: String) -> [String: String] {
        var parts = URLComponents()
        parts.percentEncodedQuery = form.replacing("+", with: "%20")
        return Dictionary((parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 }
    }
}

@Suite nonisolated struct OAuthVendorTests {
    private static let tokens = #"{"access_token": "access", "token_type": "Bearer", "expires_in": 3600}"#

    private static func vendors(
        _ server: VendorServer, flow: OAuthFlow? = nil, store: MemoryTokenStore = MemoryTokenStore()
    ) -> Vendors {
        Vendors(
            clientID: "my_app", secret: "s3cret", store: store, flow: flow ?? server.flow, client: server.client)
    }

    // MARK: - Google

    /// A refresh token comes only with these parameters, and the response of a refresh has none.
    @Test func googleIssuesARefreshTokenForOfflineAccess() async throws {
        let server = VendorServer(page: ["access_type": "offline", "prompt": "consent"]) { path, fields, _ in
            switch path {
            case "/.well-known/openid-configuration":
                return .json(
                    """
                    {"issuer": "https://accounts.google.com",
                     "authorization_endpoint": "https://accounts.google.com/o/oauth2/v2/auth",
                     "token_endpoint": "https://oauth2.googleapis.com/token",
                     "device_authorization_endpoint": "https://oauth2.googleapis.com/device/code",
                     "revocation_endpoint": "https://oauth2.googleapis.com/revoke",
                     "code_challenge_methods_supported": ["plain", "S256"]}
                    """)
            case "/token":
                guard fields["client_secret"] == "s3cret", fields["client_id"] == "my_app" else {
                    return .json(#"{"error": "invalid_client"}"#, status: 401)
                }
                if fields["grant_type"] == "refresh_token" {
                    #expect(fields["refresh_token"] == "refresh")
                    return .json(Self.tokens)
                }
                return .json(
                    #"{"access_token": "first", "token_type": "Bearer", "expires_in": 1, "refresh_token": "refresh"}"#)
            default: return .status(404)
            }
        }
        let store = MemoryTokenStore()
        let account = Self.vendors(server, store: store).google()
        try await account.signIn()
        let first = try #require(try await account.credential())
        for _ in 0..<2 {
            let head = HTTPResponse.Head(status: 401, url: try #require(URL(string: "https://www.googleapis.com")))
            _ = try await account.replacement(for: first, refusedBy: HTTPResponse(head: head))
        }
        #expect(try await account.isSignedIn())
    }

    // MARK: - GitHub

    /// Errors have the status 200, and scopes are joined by commas.
    @Test(arguments: [true, false]) func gitHubRefusesWithTheStatus200(isRefusing: Bool) async throws {
        let server = VendorServer(page: ["scope": "repo read:user"]) { path, fields, request in
            #expect(path == "/login/oauth/access_token" && fields["client_secret"] == "s3cret")
            // Without this header, GitHub answers with a form.
            #expect(request.headers[.accept]?.contains("application/json") == true)
            if isRefusing {
                return .json(
                    #"{"error": "bad_verification_code", "error_description": "The code passed is incorrect."}"#)
            }
            return .json(#"{"access_token": "gho_1", "scope": "repo,read:user", "token_type": "bearer"}"#)
        }
        let account = Self.vendors(server).gitHub()
        if isRefusing {
            let error = await #expect(throws: OAuthError.self) { try await account.signIn() }
            #expect(error?.code == .refused && error?.serverCode == "bad_verification_code")
        } else {
            try await account.signIn()
        }
        #expect(try await account.isSignedIn() == !isRefusing)
    }

    // MARK: - Microsoft Entra

    @Test func entraNeedsItsURLs() async throws {
        let tenant = "https://login.microsoftonline.com/organizations"
        let server = VendorServer(
            page: ["scope": "https://graph.microsoft.com/User.Read offline_access"],
            redirectURI: "http://localhost:8080/callback"
        ) { path, fields, _ in
            if path.hasSuffix("/.well-known/openid-configuration") {
                return .json(
                    """
                    {"issuer": "\(tenant)/v2.0", "authorization_endpoint": "\(tenant)/oauth2/v2.0/authorize",
                     "token_endpoint": "\(tenant)/oauth2/v2.0/token",
                     "token_endpoint_auth_methods_supported": ["client_secret_post", "private_key_jwt"]}
                    """)
            }
            guard path == "/organizations/oauth2/v2.0/token" else { return .status(404) }
            #expect(fields["client_id"] == "my_app" && fields["client_secret"] == nil)
            return .json(Self.tokens)
        }
        let vendors = Self.vendors(server)
        let account = vendors.entra()
        try await account.signIn()
        #expect(try await account.isSignedIn())
        // By its issuer, the error names the way out.
        let byIssuer = OAuth(
            issuer: "\(tenant)/v2.0", clientID: "my_app", flow: vendors.flow, client: vendors.client)
        let error = await #expect(throws: OAuthError.self) { try await byIssuer.signIn() }
        #expect(error?.code == .unsupported && error?.message.contains("OAuthEndpoints") == true)
    }

    // MARK: - Auth0

    private static let auth0Metadata = """
        {"issuer": "https://example.eu.auth0.com/", "authorization_endpoint": "https://example.eu.auth0.com/authorize",
         "token_endpoint": "https://example.eu.auth0.com/oauth/token",
         "device_authorization_endpoint": "https://example.eu.auth0.com/oauth/device/code",
         "code_challenge_methods_supported": ["S256", "plain"]}
        """

    /// Without the audience, its tokens are for no API.
    @Test func auth0NeedsAnAudience() async throws {
        let audience = "https://api.example.com"
        let server = VendorServer(page: ["audience": audience]) { path, fields, _ in
            switch path {
            case "/.well-known/openid-configuration": return .json(Self.auth0Metadata)
            case "/oauth/device/code":
                #expect(fields["audience"] == audience)
                return .json(
                    """
                    {"device_code": "d", "user_code": "ABCD-EFGH", "expires_in": 900, "interval": 5,
                     "verification_uri": "https://example.eu.auth0.com/activate"}
                    """)
            case "/oauth/token":
                let isProgram = fields["grant_type"] == "client_credentials"
                #expect(fields["audience"] == (isProgram ? audience : nil))
                return .json(Self.tokens)
            default: return .status(404)
            }
        }
        try await Self.vendors(server).auth0().signIn()
        try await Self.vendors(server).auth0Program().signIn()
        let timed = Vendors(
            clientID: "my_app", secret: "", store: MemoryTokenStore(), flow: .deviceCode { _ in },
            client: server.client.timed(by: ManualClock(skippingSleep: true)))
        try await timed.auth0().signIn()
    }

    // MARK: - Okta

    /// The assertion of a service app is for the token endpoint, and not for the issuer.
    @Test func oktaNeedsAnAssertionForTheTokenEndpoint() async throws {
        let server = VendorServer(page: ["scope": "orders offline_access"]) { path, fields, request in
            let issuer = request.url.path.contains("default") ? "/oauth2/default" : ""
            if path.hasPrefix("/.well-known/oauth-authorization-server") {
                return .json(
                    """
                    {"issuer": "https://example.okta.com\(issuer)",
                     "authorization_endpoint": "https://example.okta.com\(issuer)/v1/authorize",
                     "token_endpoint": "https://example.okta.com\(issuer)/v1/token",
                     "code_challenge_methods_supported": ["S256"]}
                    """)
            }
            let isProgram = fields["grant_type"] == "client_credentials"
            let isRight = fields["client_assertion"] == "aud:https://example.okta.com/v1/token,sub:my_app"
            guard !isProgram || isRight else { return .json(#"{"error": "invalid_client"}"#, status: 401) }
            return .json(Self.tokens)
        }
        let vendors = Self.vendors(server)
        try await vendors.okta().signIn()
        try await vendors.oktaProgram().signIn()
    }

    // MARK: - Servers with JSON bodies

    @Test func notionGetsJSONAndItsVersion() async throws {
        let server = VendorServer(page: ["owner": "user", "response_type": "code"]) { path, fields, request in
            let basic = Data("my_app:s3cret".utf8).base64EncodedString()
            #expect(path == "/v1/oauth/token" && request.headers[.authorization] == "Basic \(basic)")
            #expect(request.headers["Notion-Version"] != nil)
            #expect(request.body?.contentType == .json)
            #expect(fields["redirect_uri"] == "http://127.0.0.1:8080/callback")
            return .json(#"{"access_token": "ntn_1", "token_type": "bearer", "bot_id": "1", "workspace_id": "2"}"#)
        }
        let account = Self.vendors(server).notion()
        try await account.signIn()
        #expect(try await account.isSignedIn())
    }

    @Test func atlassianNeedsAnAudienceAndGetsJSON() async throws {
        let server = VendorServer(page: ["audience": "api.atlassian.com", "prompt": "consent"]) {
            path, fields, request in
            #expect(path == "/oauth/token" && fields["client_secret"] == "s3cret")
            #expect(request.body?.contentType == .json)
            return .json(Self.tokens)
        }
        try await Self.vendors(server).atlassian().signIn()
    }

    // MARK: - Others

    @Test func dropboxIssuesARefreshTokenForOfflineAccess() async throws {
        let server = VendorServer(page: ["token_access_type": "offline"]) { path, _, request in
            #expect(path == "/oauth2/token" && request.url.host() == "api.dropboxapi.com")
            return .json(
                #"{"access_token": "sl.1", "token_type": "bearer", "expires_in": 14400, "refresh_token": "r"}"#)
        }
        try await Self.vendors(server).dropbox().signIn()
    }

    @Test func spotifyAndDiscordNeedOnlyTheirURLs() async throws {
        let server = VendorServer(page: [:]) { path, fields, _ in
            #expect(["/api/token", "/api/oauth2/token", "/api/oauth2/token/revoke"].contains(path))
            return fields["token"] == nil ? .json(Self.tokens) : .status(200)
        }
        try await Self.vendors(server).spotify().signIn()
        let discord = Self.vendors(server).discord()
        try await discord.signIn()
        try await discord.signOut()
        #expect(try await !discord.isSignedIn())
    }

    @Test func gitLabAndSalesforceNeedOnlyTheirIssuers() async throws {
        let server = VendorServer(page: [:]) { path, _, request in
            let origin = "https://\(request.url.host() ?? "")"
            guard path == "/.well-known/openid-configuration" else {
                return path == "/oauth/token" ? .json(Self.tokens) : .status(404)
            }
            return .json(
                """
                {"issuer": "\(origin)", "authorization_endpoint": "\(origin)/oauth/authorize",
                 "token_endpoint": "\(origin)/oauth/token", "code_challenge_methods_supported": ["plain", "S256"]}
                """)
        }
        try await Self.vendors(server).gitLab().signIn()
        try await Self.vendors(server).salesforce().signIn()
    }

    /// The tokens of users are nested in another object, and bot tokens are of a type of Slack's own.
    @Test func slackIsAnErrorAndNotAWrongToken() async throws {
        let server = VendorServer(page: [:]) { _, _, _ in
            .json(
                """
                {"ok": true, "app_id": "A1", "authed_user": {"id": "U1", "scope": "chat:write",
                 "access_token": "xoxp-1", "token_type": "user"}, "team": {"id": "T1"}}
                """)
        }
        let account = OAuth(
            endpoints: OAuthEndpoints(
                authorization: "https://slack.com/oauth/v2/authorize",
                token: "https://slack.com/api/oauth.v2.access"),
            clientID: "my_app", authentication: .post(secret: "s3cret"), flow: server.flow, client: server.client)
        let error = await #expect(throws: OAuthError.self) { try await account.signIn() }
        #expect(error?.code == .badResponse && error?.message.contains("xoxp") == false)
    }
}
