public import APIKitCore

/// A client as an authorization server knows it: the result of a dynamic registration (RFC 7591, section 3.2.1).
///
/// Descriptions never show the secret.
public struct RegisteredClient: Sendable, Hashable, Codable {
    /// The client identifier.
    public var id: String
    /// The client secret; nil for a public client.
    public var secret: String?
    /// How the client authenticates itself at the token endpoint, by the name in the registry of OAuth, such as
    /// `client_secret_basic`.
    public var authenticationMethod: String
    /// The redirect URI that was registered.
    public var redirectURI: String?
    /// When the secret expires; nil if it does not.
    public var secretExpires: Date?
    /// The scopes that the client registered for; nil if they are not known. A sign-in for others registers the client
    /// again, since some servers do not grant them.
    public var scopes: [String]?

    /// Creates a registered client.
    public init(
        id: String, secret: String? = nil, authenticationMethod: String = "none", redirectURI: String? = nil,
        secretExpires: Date? = nil, scopes: [String]? = nil
    ) {
        self.id = id
        self.secret = secret
        self.authenticationMethod = authenticationMethod
        self.redirectURI = redirectURI
        self.secretExpires = secretExpires
        self.scopes = scopes
    }
}

extension RegisteredClient: CustomStringConvertible, CustomReflectable {
    /// The client without its secret.
    public var description: String {
        MaskedDescription("RegisteredClient")
            .value("id", id)
            .secret("secret", secret)
            .value("authenticationMethod", authenticationMethod)
            .value("redirectURI", redirectURI)
            .value("secretExpires", secretExpires)
            .value("scopes", scopes)
            .text
    }

    /// A mirror without children, so that `dump` does not show the secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RegisteredClient {
    /// The client as it authenticates itself.
    var identity: ClientIdentity {
        guard let secret else { return ClientIdentity(id: id, authentication: .none) }
        switch authenticationMethod {
        case "none": return ClientIdentity(id: id, authentication: .none)
        case "client_secret_post": return ClientIdentity(id: id, authentication: .post(secret: secret))
        default: return ClientIdentity(id: id, authentication: .basic(secret: secret))
        }
    }
}
