import APIKit

nonisolated extension APIBase {
    /// The base of the Access API.
    ///
    /// The API expects a bearer token:
    ///
    /// ```swift
    /// let client = URLSession.api.authorized(by: .access(token: token), for: .access)
    /// ```
    ///
    /// With `OAuth.accessAuthorizationCode(clientID:flow:)` in place of `.access(token:)`, the client obtains and
    /// renews its tokens.
    static let access = APIBase("https://eu.access.example.com/v1", headers: commonHeaders)

    /// The base of the Access API for the given region and version.
    ///
    /// If `version` is empty, or contains characters that would change other parts of the URL, each request throws a
    /// `RequestError` with the code `baseURL`.
    ///
    /// ```swift
    /// let client = URLSession.api
    ///     .based(at: .access(region: .usEast1, version: version), insteadOf: .access)
    ///     .authorized(by: .access(token: token), for: .access)
    /// ```
    static func access(region: AccessRegion = .eu, version: String = "v1") -> APIBase {
        let version = checked(version, signs: "-._~/", else: "{version}")
        return APIBase("https://\(region.rawValue).access.example.com/\(version)", headers: commonHeaders)
    }

    /// The base of the Access API on another server: Sandbox server.
    ///
    /// ```swift
    /// let client = URLSession.api
    ///     .based(at: .accessSandbox, insteadOf: .access)
    ///     .authorized(by: .access(token: token), for: .access)
    /// ```
    static let accessSandbox = APIBase("https://sandbox.access.example.com/v1", headers: commonHeaders)

    /// The base of the Access API on another server: A server of your own.
    ///
    /// ```swift
    /// let client = URLSession.api
    ///     .based(at: .accessYourOwn, insteadOf: .access)
    ///     .authorized(by: .access(token: token), for: .access)
    /// ```
    static let accessYourOwn = APIBase("https://demo.access.example.org:8443/api/v1", headers: commonHeaders)

    /// The base of the Access API for the given tenant and port.
    ///
    /// If `tenant` or `port` is empty, or contains characters that would change other parts of the URL, each request
    /// throws a `RequestError` with the code `baseURL`.
    ///
    /// ```swift
    /// let client = URLSession.api
    ///     .based(at: .accessYourOwn(tenant: tenant, port: port), insteadOf: .access)
    ///     .authorized(by: .access(token: token), for: .access)
    /// ```
    static func accessYourOwn(tenant: String = "demo", port: String = "8443") -> APIBase {
        let tenant = checked(tenant, signs: "-.", else: "{tenant}")
        let port = checked(port, signs: "", else: "{port}")
        return APIBase("https://\(tenant).access.example.org:\(port)/api/v1", headers: commonHeaders)
    }

    /// The base of the Access API for endpoints on a server of their own.
    ///
    /// `authorized(by:for:)` sends credentials to it only if you name it, too: `for: .access, .accessAdmin`.
    static let accessAdmin = APIBase("https://admin.access.example.com", headers: commonHeaders)

    /// A value of the region in the URL of a server.
    enum AccessRegion: String, CaseIterable, Sendable {
        case eu, usEast1 = "us-east-1", `default`
    }

    /// Returns a part of a URL if it has only letters and digits of ASCII, and the given signs.
    /// Otherwise, or if it is empty, returns a placeholder in braces, with which no URL is valid.
    private static func checked(_ part: String, signs: String, else placeholder: String) -> String {
        let isAllowed = part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || signs.contains($0)) }
        return isAllowed && !part.isEmpty ? part : placeholder
    }

    private static let commonHeaders: HTTPHeaders = ["Access-Version": "2026-11-01", "X-Trace": "true"]
}

nonisolated extension CredentialSource where Self == Credential {
    /// The user name and the password that the Access API expects.
    static func access(username: String, password: String) -> Credential { .basic(user: username, password: password) }

    /// The API key that the Access API expects in the header X-Admin-Key.
    static func access(adminKey: String) -> Credential { .header("X-Admin-Key", adminKey) }

    /// The API key that the Access API expects in the header Authorization.
    ///
    /// It is the whole value of the header, with its scheme if the API expects one.
    static func access(bot: String) -> Credential { .header("Authorization", bot) }

    /// The bearer token that the Access API expects.
    ///
    /// The description calls it jwt.
    static func access(jwt: String) -> Credential { .bearer(jwt) }

    /// The bearer token that the Access API expects.
    ///
    /// The description calls it token.
    ///
    /// `AccessOAuth` says where it is issued. These sources obtain it: `OAuth.accessAuthorizationCode(clientID:flow:)`,
    /// `OAuth.accessClientCredentials(clientID:authentication:)` and `OAuth.accessLogin(clientID:flow:)`.
    static func access(token: String, expires: Date? = nil) -> Credential { .bearer(token, expires: expires) }

    /// The API key that the Access API expects in the query item api key.
    static func access(defaultKey: String) -> Credential { .query("api key", defaultKey) }
}

/// Where the Access API issues tokens (OAuth 2.0), and what for.
nonisolated enum AccessOAuth {
    /// Where users grant access.
    static let authorizationURL = "https://login.access.example.com/authorize"
    /// Where tokens are issued.
    static let authorizationCodeTokenURL = "https://login.access.example.com/token"
    /// Where tokens are renewed.
    static let refreshURL = "https://eu.access.example.com/refresh"
    /// Where tokens are issued.
    static let clientCredentialsTokenURL = "https://login.access.example.com/machine"
    /// The configuration of OpenID Connect.
    static let openIDConnectURL = "https://login.access.example.com/.well-known/openid-configuration"

    /// What a token may be used for.
    enum Scope: String, CaseIterable, Sendable {
        case admin = "https://access.example.com/auth/admin"
        case notesRead = "notes:read"
        /// Changes notes.
        case notesWrite = "notes:write"
    }
}

/// An endpoint of the Access API.
nonisolated protocol AccessRequest: APIRequest {}

nonisolated extension AccessRequest {
    var base: APIBase { .access }
}
