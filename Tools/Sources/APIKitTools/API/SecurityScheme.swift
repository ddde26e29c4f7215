/// A way in which an API identifies the sender of a request: a security scheme of a description, or a kind of
/// credential in a recording. It never contains a secret.
struct SecurityScheme {
    /// How the credential is sent.
    enum Kind: Hashable {
        /// A token in the header `Authorization` (RFC 6750).
        case bearer
        /// A user name and a password in the header `Authorization` (RFC 7617).
        case basic
        /// A key in the header of this name.
        case header(String)
        /// A key in the query item of this name.
        case query(String)
        /// No client of the library adds the credential. The phrase names it, such as "the cookie session", and the
        /// place is one that several may have in common, such as "a cookie".
        case unsupported(phrase: String, place: String)
    }

    /// The name in the source, to which security requirements refer.
    var name: String
    /// How the credential is sent.
    var kind: Kind
    /// What the source says about it, such as where users create a key.
    var documentation: String?
    /// The ways in which OAuth 2.0 issues a token; empty for other schemes.
    var flows: [OAuthFlow] = []
    /// The URL of a document that describes where tokens are issued, by its name in the source, such as
    /// `openIdConnectUrl`.
    var metadataURLs: [(name: String, url: String)] = []
    /// Where it is.
    var place: Place
}

extension SecurityScheme {
    /// Whether the description says where the credential, a token, is issued.
    var isIssued: Bool { !flows.isEmpty || !metadataURLs.isEmpty }
}

/// A way in which OAuth 2.0 issues a token, such as the authorization code (RFC 6749, section 1.3).
struct OAuthFlow {
    /// The name in the source, such as `authorizationCode`.
    var name: String
    /// The URLs by their names in the source, such as `tokenUrl`.
    var urls: [(name: String, url: String)]
    /// What a token may be used for, with a description of each.
    var scopes: [(name: String, documentation: String?)]
}

extension SecurityScheme.Kind {
    /// A key in the header of a name, which is not supported if the name is not a token (RFC 9110, section 5.6.2).
    static func key(inHeader name: String) -> Self {
        let signs = "!#$%&'*+-.^_`|~"
        let isToken = !name.isEmpty && name.allSatisfy { $0.isASCIIAlphanumeric || signs.contains($0) }
        if isToken { return .header(name) }
        return .unsupported(phrase: "the key in the header \(name)", place: "a header with an invalid name")
    }

    /// The value of a cookie. It belongs to a session of `URLSession`, which receives and sends cookies.
    static func cookie(_ name: String) -> Self { .unsupported(phrase: "the cookie \(name)", place: "a cookie") }

    /// The name of the header in lower case; nil if the credential is not in a header.
    var header: String? {
        switch self {
        case .bearer, .basic: "authorization"
        case .header(let name): name.lowercased()
        case .query, .unsupported: nil
        }
    }

    /// Whether a client of the library adds the credential.
    var isSupported: Bool {
        if case .unsupported = self { false } else { true }
    }
}

/// The credentials that a request needs together. Without any, the request needs none.
struct SecurityRequirement: Hashable {
    /// The scopes that the token must have, by the name of the security scheme. Other credentials have no scopes.
    var scopesByScheme: [String: Set<String>]

    /// The names of the security schemes, sorted.
    var schemeNames: [String] { scopesByScheme.keys.sorted() }

    /// The same credentials, with any scopes.
    var withoutScopes: SecurityRequirement {
        SecurityRequirement(scopesByScheme: scopesByScheme.mapValues { _ in [] })
    }

    /// Whether the request needs no credential.
    var isEmpty: Bool { scopesByScheme.isEmpty }
}
