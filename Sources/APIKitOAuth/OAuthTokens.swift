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
    /// The scopes that were requested at the sign-in; nil if they are not known. The user may have granted fewer.
    public var requestedScopes: [String]?
    /// The ID token of OpenID Connect, a statement about the user; nil if there is none, or if it is longer than
    /// 16 KiB. It is stored as received, and its signature is not verified.
    public var idToken: String?
    /// The text of ``additionalParameters``; nil if there are none. As text, it does not depend on what an encoder can
    /// represent: a number with very many digits would otherwise be an error, and the tokens could not be stored.
    private var additionalParametersText: String?

    /// The members of the server's responses that OAuth does not define, such as `instance_url` of Salesforce; an empty
    /// object if there are none.
    ///
    /// A member stays as it was if a later response leaves it out. Members that are nested more than 100 levels deep,
    /// or do not fit into 16 KiB together, are left out. They may contain secrets, and are masked in descriptions.
    public var additionalParameters: JSONValue {
        get {
            guard let text = additionalParametersText else { return [:] }
            // Damaged text must not cost the tokens beside it.
            return (try? JSONReader().decode(JSONValue.self, from: Data(text.utf8))) ?? [:]
        }
        set {
            additionalParametersText = newValue == [:] ? nil : newValue.description
        }
    }

    /// Creates tokens.
    public init(
        accessToken: String, tokenType: String = "Bearer", refreshToken: String? = nil, expires: Date? = nil,
        scopes: [String] = [], requestedScopes: [String]? = nil, idToken: String? = nil,
        additionalParameters: JSONValue = [:]
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.refreshToken = refreshToken
        self.expires = expires
        self.scopes = scopes
        self.requestedScopes = requestedScopes
        self.idToken = idToken
        self.additionalParameters = additionalParameters
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
            .value("requestedScopes", requestedScopes)
            .secret("idToken", idToken)
            .secret("additionalParameters", additionalParametersText)
            .text
    }

    /// A mirror without children, so that `dump` does not show the tokens.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension OAuthTokens {
    /// Whether the access token has expired.
    func isExpired(at date: Date) -> Bool {
        guard let expires else { return false }
        return expires <= date
    }

    /// What is sent with a request.
    var credential: Credential { .authorization("\(scheme) \(accessToken)", expires: expires) }

    /// The scheme as registered: servers write the type in any case. Another type than these two is sent as Bearer, as
    /// the program has said.
    private var scheme: String { tokenType.lowercased() == "dpop" ? "DPoP" : "Bearer" }
}
