import APIKitCore

/// How a program becomes a client of an authorization server that it finds by discovery.
///
/// ```swift
/// let clients: [ClientRegistration] = [
///     .preregistered("my-app", at: "https://auth.example.com"),
///     .metadataDocument("https://example.com/my-app.json"),
///     .dynamic(name: "My App"),
/// ]
/// ```
public struct ClientRegistration: Sendable {
    enum Kind: Sendable {
        case preregistered(id: String, issuer: String)
        case metadataDocument(String)
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
    /// - Returns: The registration.
    public static func preregistered(
        _ id: String, at issuer: String, authentication: ClientAuthentication = .none
    ) -> ClientRegistration {
        ClientRegistration(kind: .preregistered(id: id, issuer: issuer), authentication: authentication)
    }

    /// A client whose ID is the URL of a document about it, for servers whose metadata says that they accept one (OAuth
    /// Client ID Metadata Document).
    ///
    /// - Parameters:
    ///   - url: The URL of the document, with https and a path. Its `redirect_uris` contain the redirect URI.
    ///   - authentication: How the client authenticates itself: without a secret, since it is the same client at all
    ///     servers. One with ``ClientAuthentication/basic(secret:)``, ``ClientAuthentication/post(secret:)`` or
    ///     ``ClientAuthentication/privateKeyJWT(assertion:)`` is never used.
    /// - Returns: The registration.
    public static func metadataDocument(_ url: String, authentication: ClientAuthentication = .none)
        -> ClientRegistration
    {
        ClientRegistration(kind: .metadataDocument(url), authentication: authentication)
    }

    /// A client that registers itself, once at each server (RFC 7591). The store keeps the registration.
    ///
    /// - Parameter name: The name that users see when they grant access.
    /// - Returns: The registration.
    public static func dynamic(name: String) -> ClientRegistration {
        ClientRegistration(kind: .dynamic(name: name), authentication: .none)
    }
}
