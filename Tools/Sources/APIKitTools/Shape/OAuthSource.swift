/// A source of tokens for which a function is generated, such as `OAuth.shop(clientID:flow:)`.
struct OAuthSource {
    /// How the authorization server is found.
    enum Server: Hashable {
        /// By its metadata, whose place follows from the issuer.
        case issuer(String)
        /// By the URLs that the description has.
        case urls(URLs)
    }

    /// The URLs of an authorization server.
    struct URLs: Hashable {
        var token: String
        var authorization: String?
        var deviceAuthorization: String?
    }

    /// A flow with which the source can obtain tokens.
    enum Flow: String {
        case authorizationCode, deviceAuthorization, clientCredentials

        /// The flow as it is passed to a source.
        var code: String {
            switch self {
            case .authorizationCode: ".authorizationCode"
            case .deviceAuthorization: ".deviceCode"
            case .clientCredentials: ".clientCredentials"
            }
        }
    }

    /// The name of the function, such as `shop`.
    var name = ""
    var server: Server
    /// The described flows, in the order of the description. Empty for an issuer, whose metadata says which it has.
    var flows: [Flow] = []
    /// The names of the security schemes.
    var schemes: [String]

    /// Whether there is only one way to sign in, and no user takes part in it.
    var isForPrograms: Bool { flows == [.clientCredentials] }
}

extension OAuthFlow {
    /// The flow as a source uses it; nil for one that sources do not offer.
    var usableFlow: OAuthSource.Flow? { OAuthSource.Flow(rawValue: name) }

    /// Whether the flow is one of those that must not be used anymore (RFC 9700, sections 2.1.2 and 2.4).
    var isInsecure: Bool { ["implicit", "password"].contains(name) }

    /// The URL with a name in the source, such as `tokenUrl`.
    func url(_ name: String) -> String? { urls.first { $0.name == name }?.url }

    /// The names of the URLs that a source needs for the flow and that the description does not have.
    var missingURLs: [String] {
        var needed = ["tokenUrl"]
        switch usableFlow {
        case .authorizationCode: needed.insert("authorizationUrl", at: 0)
        case .deviceAuthorization: needed.insert("deviceAuthorizationUrl", at: 0)
        case .clientCredentials, nil: break
        }
        return needed.filter { url($0) == nil }
    }
}

extension SecurityScheme {
    /// The issuer of the tokens, which follows from the place of its metadata; nil if there is none, or if it is
    /// elsewhere.
    ///
    /// It is what stands before `/.well-known/openid-configuration` at the end of the URL (OpenID Connect Discovery),
    /// or around `/.well-known/oauth-authorization-server` (RFC 8414, section 3.1).
    var issuer: String? {
        for (_, url) in metadataURLs where !url.contains(where: { "?#".contains($0) }) {
            let ofOpenID = "/.well-known/openid-configuration"
            if url.hasSuffix(ofOpenID) { return String(url.dropLast(ofOpenID.count)) }
            let ofOAuth = "/.well-known/oauth-authorization-server"
            let parts = url.split(separator: ofOAuth, omittingEmptySubsequences: false)
            if parts.count == 2, parts[1].isEmpty || parts[1].hasPrefix("/") { return String(parts[0] + parts[1]) }
        }
        return nil
    }
}
