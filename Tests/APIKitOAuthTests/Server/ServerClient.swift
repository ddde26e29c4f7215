import Foundation

/// A client that an authorization server knows.
struct ServerClient: Sendable {
    /// How a client proves at the token endpoint who it is (RFC 6749, section 2.3).
    enum Authentication: Sendable {
        case none
        case basic(secret: String)
        case post(secret: String)
        /// A signed assertion (RFC 7523). The closure gets the bytes that were signed and the signature.
        case privateKeyJWT(algorithm: String, verify: @Sendable (_ signed: Data, _ signature: Data) -> Bool)

        /// The name in metadata and registrations.
        var method: String {
            switch self {
            case .none: "none"
            case .basic: "client_secret_basic"
            case .post: "client_secret_post"
            case .privateKeyJWT: "private_key_jwt"
            }
        }

        var secret: String? {
            switch self {
            case .basic(let secret), .post(let secret): secret
            case .none, .privateKeyJWT: nil
            }
        }
    }

    var id: String
    var authentication: Authentication = .none
    /// Where the server sends a browser. The port of a loopback address does not matter (RFC 8252, section 7.3).
    var redirectURIs = ["http://127.0.0.1/callback"]

    /// Whether a redirect URI of a request is one of the registered ones.
    func allows(redirectURI: String) -> Bool {
        redirectURIs.contains(redirectURI)
            || redirectURIs.contains { $0.withoutLoopbackPort == redirectURI.withoutLoopbackPort }
    }
}

extension String {
    /// This URL without its port if its host is a loopback address, unchanged otherwise.
    fileprivate var withoutLoopbackPort: String {
        guard var components = URLComponents(string: self), components.scheme == "http",
            ["127.0.0.1", "[::1]", "::1", "localhost"].contains(components.host ?? "")
        else { return self }
        components.port = nil
        return components.string ?? self
    }
}
