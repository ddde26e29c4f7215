import APIKitClients
public import APIKitCore

/// The tokens that an authorization server has issued (RFC 6749, section 5.1).
///
/// Descriptions never show the tokens themselves.
public struct OAuthTokens: Sendable, Hashable, Codable {
    /// The access token.
    public var accessToken: String
    /// How the access token is used, such as `Bearer`. Case does not matter.
    public var tokenType: String
    /// The refresh token; nil if the server issued none.
    public var refreshToken: String?
    /// When the access token expires; nil if the server did not say.
    public var expires: Date?
    /// The scopes that were granted.
    public var scopes: [String]
    /// The ID token of OpenID Connect, a statement about the user. It is stored as received, and its signature is not
    /// verified.
    public var idToken: String?

    /// Creates tokens.
    public init(
        accessToken: String, tokenType: String = "Bearer", refreshToken: String? = nil, expires: Date? = nil,
        scopes: [String] = [], idToken: String? = nil
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.refreshToken = refreshToken
        self.expires = expires
        self.scopes = scopes
        self.idToken = idToken
    }
}

extension OAuthTokens: CustomStringConvertible, CustomReflectable {
    /// The type of the tokens, their scopes and their expiry date. The tokens themselves are masked.
    public var description: String {
        MaskedDescription("OAuthTokens")
            .secret("accessToken", accessToken)
            .value("tokenType", tokenType)
            .secret("refreshToken", refreshToken)
            .value("expires", expires)
            .value("scopes", scopes)
            .secret("idToken", idToken)
            .text
    }

    /// A mirror without children, so that `dump` does not show the tokens.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension OAuthTokens {
    /// What is sent with a request.
    var credential: Credential { .authorization("\(scheme) \(accessToken)", expires: expires) }

    /// The scheme as registered: servers write the type in any case.
    private var scheme: String { tokenType.lowercased() == "dpop" ? "DPoP" : "Bearer" }
}
