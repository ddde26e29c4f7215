import APIKitCore

/// A client that a program can be at an authorization server that it did not know before.
///
/// ```swift
/// let clients: [OAuthClient] = [
///     .registered("my-app", at: "https://auth.example.com"),
///     .document("https://example.com/my-app.json"),
///     .dynamic(name: "My App"),
/// ]
/// ```
public struct OAuthClient: Sendable {
    enum Kind: Sendable {
        case registered(id: String, issuer: String)
        case document(String)
        case dynamic(name: String)
    }

    let kind: Kind
    let authentication: ClientAuthentication

    /// A client that was registered at one authorization server by hand. It is never used at another one.
    ///
    /// - Parameters:
    ///   - id: The client's ID.
    ///   - issuer: The authorization server.
    ///   - authentication: How the client authenticates itself.
    /// - Returns: The client.
    public static func registered(
        _ id: String, at issuer: String, authentication: ClientAuthentication = .none
    ) -> OAuthClient {
        OAuthClient(kind: .registered(id: id, issuer: issuer), authentication: authentication)
    }

    /// A client whose ID is the URL of a document about it, for servers whose metadata says that they accept one (OAuth
    /// Client ID Metadata Document).
    ///
    /// - Parameters:
    ///   - url: The URL of the document, with https and a path. Its `redirect_uris` contain the redirect URI.
    ///   - authentication: How the client authenticates itself: without a secret, since it is the same client at all
    ///     servers. One with ``ClientAuthentication/basic(secret:)`` or ``ClientAuthentication/post(secret:)`` is never
    ///     used.
    /// - Returns: The client.
    public static func document(_ url: String, authentication: ClientAuthentication = .none) -> OAuthClient {
        OAuthClient(kind: .document(url), authentication: authentication)
    }

    /// A client that registers itself, once at each server (RFC 7591). The store keeps the registration.
    ///
    /// - Parameter name: The name that users see when they grant access.
    /// - Returns: The client.
    public static func dynamic(name: String) -> OAuthClient {
        OAuthClient(kind: .dynamic(name: name), authentication: .none)
    }
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
