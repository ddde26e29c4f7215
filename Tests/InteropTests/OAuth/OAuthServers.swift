import APIKit
import APIKitOAuth
import APIKitTesting
import Testing

/// The authorization servers of the tests. `Scripts/interop` starts them, and sets a variable to the issuer of each.
/// The files in `Tests/Environment/oauth` say which users and clients they know.
enum OAuthServer: String {
    case django = "APIKIT_OAUTH_DJANGO"
    case glewlwyd = "APIKIT_OAUTH_GLEWLWYD"
    case openID = "APIKIT_OAUTH_OIDC"
    case mcp = "APIKIT_OAUTH_MCP"
    case authlib = "APIKIT_OAUTH_AUTHLIB"
    case canaille = "APIKIT_OAUTH_CANAILLE"
    /// Two issuers, whose paths are not in `issuer`.
    case idpyoidc = "APIKIT_OAUTH_IDPYOIDC"
    /// An issuer with a slash at its end, which is not in `issuer`.
    case fastMCP = "APIKIT_OAUTH_FASTMCP"

    fileprivate var address: String? { ProcessInfo.processInfo.environment[rawValue] }

    var issuer: String { address ?? "http://127.0.0.1" }

    /// The issuer without its path.
    var origin: String { issuer.split(separator: "/").prefix(2).joined(separator: "//") }
}

extension Trait where Self == ConditionTrait {
    /// Runs a suite if the server is available.
    static func running(_ server: OAuthServer) -> Self { .enabled(if: server.address != nil, "run by Scripts/interop") }
}

// MARK: - Requests

/// Reads a resource at any URL.
struct Read<Response: APIResponse>: APIRequest {
    let base: APIBase
    var path: URLPath { "" }

    init(_ url: String, as response: Response.Type) { base = APIBase(url) }
}

/// A browser, or any other program that sends requests without a credential source. It keeps cookies, and follows no
/// redirects.
struct Browser: Sendable {
    private let session = URLSession(configuration: .ephemeral)

    func send(
        _ method: HTTPMethod = .get, _ url: String, headers: HTTPHeaders = [:], body: RequestBody? = nil
    ) async throws -> HTTPResponse {
        let request = HTTPRequest(
            method: method, url: try #require(URL(string: url)), headers: headers, body: body,
            options: RequestOptions(redirects: .refuse))
        return try await session.perform(request)
    }

    func post(_ url: String, form: String, headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
        let body = RequestBody.data(Data(form.utf8), contentType: "application/x-www-form-urlencoded")
        return try await send(.post, url, headers: headers, body: body)
    }

    func send(_ method: HTTPMethod, _ url: String, json: JSONValue) async throws -> HTTPResponse {
        let body = RequestBody.data(Data(json.description.utf8), contentType: "application/json")
        return try await send(method, url, body: body)
    }

    /// The status of a response to a request with a token.
    func status(of url: String, with tokens: OAuthTokens) async throws -> Int {
        try await send(.get, url, headers: [.authorization: "Bearer \(tokens.accessToken)"]).head.status
    }
}

extension HTTPResponse {
    /// Where a response redirects to; it may be relative.
    var location: String {
        get throws { try #require(head.headers[.location], "the status is \(head.status)") }
    }
}

extension URL {
    /// The encoded query.
    var encodedQuery: String { query(percentEncoded: true) ?? "" }
}

// MARK: - Clients

/// A store that a test can look into.
actor OpenStore: TokenStore {
    private var accounts: [String: StoredAccount] = [:]

    func load(for key: String) -> StoredAccount? { accounts[key] }
    func save(_ account: StoredAccount?, for key: String) { accounts[key] = account }

    /// The only account in the store, beside which there may be entries without tokens and without a client.
    var account: StoredAccount? {
        let accounts = accounts.values.filter { $0.tokens != nil || $0.client != nil }
        return accounts.count == 1 ? accounts.first : nil
    }

    /// The tokens of the only account.
    var tokens: OAuthTokens {
        get throws { try #require(account?.tokens) }
    }

    /// Makes the access token of each account one that has expired.
    func expireAccessTokens() {
        for key in accounts.keys { accounts[key]?.tokens?.expires = .distantPast }
    }
}

/// Records what a client asks an authorization server for.
actor TokenLog {
    /// The grant types of the requests for tokens.
    private(set) var grantTypes: [String] = []
    /// The number of registrations.
    private(set) var registrationCount = 0

    private func record(_ request: HTTPRequest) {
        guard request.method == .post, let body = request.body?.data else { return }
        let text = String(decoding: body, as: UTF8.self)
        for field in text.split(separator: "&") where field.hasPrefix("grant_type=") {
            grantTypes.append(String(field.dropFirst("grant_type=".count)))
        }
        if text.contains(#""redirect_uris""#) { registrationCount += 1 }
    }

    /// A client whose requests are recorded.
    nonisolated var client: any APIClient {
        URLSession.api.intercepted { request, _, next in
            await self.record(request)
            return try await next(request)
        }
    }
}

extension APIClient {
    /// A client for which a made-up API says that it trusts an authorization server (RFC 9728).
    func withAPI(_ api: String, trusting issuer: String) -> any APIClient {
        let metadata: JSONValue = ["resource": .string(api), "authorization_servers": [.string(issuer)]]
        return intercepted { request, _, next in
            guard request.url.path().hasPrefix("/.well-known/oauth-protected-resource") else {
                return try await next(request)
            }
            return .json(metadata.description)
        }
    }
}

extension AuthorizationPresentation {
    /// A browser that shows a page, and then opens the redirect at its end, which arrives at a port of the program.
    static func loopbackPage(_ present: @escaping @Sendable (URL) async throws -> String) -> Self {
        .loopback { url in
            let response = try await Browser().send(.get, try await present(url))
            #expect(response.head.status == 200)
        }
    }

    /// A browser that shows a page and returns where it ends.
    static func page(
        redirectURI: String = redirectURI, _ present: @escaping @Sendable (URL) async throws -> String
    ) -> Self {
        .custom(redirectURI: redirectURI) { url in try #require(URL(string: try await present(url))) }
    }

    static let redirectURI = "http://127.0.0.1:46046/callback"
}

/// A longer time than tokens live, so that each request after the first one renews them.
let longerThanTokensLive = Duration.seconds(240)

extension APIClient {
    /// The error that a request fails with because there is no token for it.
    func oauthError<R: APIRequest>(of request: R) async throws -> OAuthError {
        let error = try await #require(throws: APIError<R.Failure.Model>.self) { try await self.send(request) }
        return try #require(error.transportError?.underlying as? OAuthError)
    }
}
