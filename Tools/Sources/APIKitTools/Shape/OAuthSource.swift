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
    let name: String
    let server: Server
    /// The described flows, in the order of the description. Empty for an issuer, whose metadata says which it has.
    let flows: [Flow]
    /// The names of the security schemes.
    let schemes: [String]

    /// Whether there is only one way to sign in, and no user takes part in it.
    var isForPrograms: Bool { flows == [.clientCredentials] }
}

extension OAuthFlow {
    /// What sources of tokens do with a described flow.
    enum Offer {
        /// A source signs in with the flow at these URLs.
        case offered(OAuthSource.Flow, OAuthSource.URLs)
        /// Sources know the flow, but the description lacks these of its URLs.
        case lacksURLs([String])
        /// Sources do not have the flow.
        case unknown
        /// The flow must not be used anymore (RFC 9700, sections 2.1.2 and 2.4).
        case insecure
    }

    /// What sources of tokens do with the flow:
    ///
    ///     flow                   needs                               offer
    ///     authorizationCode      authorizationUrl, tokenUrl          offered with both URLs, or else lacksURLs
    ///     deviceAuthorization    deviceAuthorizationUrl, tokenUrl    offered with both URLs, or else lacksURLs
    ///     clientCredentials      tokenUrl                            offered with the URL, or else lacksURLs
    ///     implicit, password                                         insecure
    ///     any other                                                  unknown
    var offer: Offer {
        if isInsecure { return .insecure }
        guard let flow = OAuthSource.Flow(rawValue: name) else { return .unknown }
        let authorization = flow == .authorizationCode ? url("authorizationUrl") : nil
        let deviceAuthorization = flow == .deviceAuthorization ? url("deviceAuthorizationUrl") : nil
        var missing: [String] = []
        if flow == .authorizationCode, authorization == nil { missing.append("authorizationUrl") }
        if flow == .deviceAuthorization, deviceAuthorization == nil { missing.append("deviceAuthorizationUrl") }
        guard let token = url("tokenUrl") else { return .lacksURLs(missing + ["tokenUrl"]) }
        if !missing.isEmpty { return .lacksURLs(missing) }
        return .offered(
            flow,
            OAuthSource.URLs(token: token, authorization: authorization, deviceAuthorization: deviceAuthorization))
    }

    /// Whether the flow is one of those that must not be used anymore (RFC 9700, sections 2.1.2 and 2.4).
    var isInsecure: Bool { ["implicit", "password"].contains(name) }

    /// Whether sources sign in with the flow.
    var isOffered: Bool {
        if case .offered = offer { true } else { false }
    }

    /// Whether sources sign in with flows of this kind, if the description has their URLs.
    var isKnown: Bool { OAuthSource.Flow(rawValue: name) != nil }

    /// The URL with a name in the source, such as `tokenUrl`.
    func url(_ name: String) -> String? { urls.first { $0.name == name }?.url }
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
