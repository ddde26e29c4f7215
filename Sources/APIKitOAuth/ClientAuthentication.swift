public import APIKitCore
import APIKitSupport

/// How a program proves to an authorization server which client it is (RFC 6749, section 2.3).
///
/// An app that users install cannot keep a secret, and uses ``none``: PKCE protects its sign-in. A confidential client
/// uses the method that it was registered with.
public struct ClientAuthentication: Sendable {
    enum Kind: Sendable {
        case none
        case basic(secret: String)
        case post(secret: String)
        case privateKeyJWT(algorithm: String, keyID: String?, sign: @Sendable (Data) async throws -> Data)
        case assertion(@Sendable (ClientAssertionRequest) async throws -> String)
    }

    let kind: Kind

    /// Whether a server receives a secret that it could use at another one.
    var sendsSecret: Bool {
        switch kind {
        case .basic, .post: true
        // The closure may return an assertion that is valid at another server.
        case .assertion: true
        case .none, .privateKeyJWT: false
        }
    }

    /// The client has no secret, and sends only its ID.
    public static let none = ClientAuthentication(kind: .none)

    /// The ID and the secret in the `Authorization` header, each of them form-encoded first (RFC 6749, section 2.3.1).
    public static func basic(secret: String) -> ClientAuthentication {
        ClientAuthentication(kind: .basic(secret: secret))
    }

    /// The ID and the secret in the body, for servers that do not accept ``basic(secret:)``.
    public static func post(secret: String) -> ClientAuthentication {
        ClientAuthentication(kind: .post(secret: secret))
    }

    /// A token that the client signs with its private key (RFC 7523, section 2.2; `private_key_jwt` in OpenID Connect).
    ///
    /// ```swift
    /// let authentication = ClientAuthentication.privateKeyJWT(algorithm: "ES256") { data in
    ///     try privateKey.signature(for: data).rawRepresentation
    /// }
    /// ```
    ///
    /// Its audience is the issuer or, for a server that is known only by its URLs, the token endpoint. For servers that
    /// expect another audience or other headers, use ``privateKeyJWT(assertion:)``.
    ///
    /// - Parameters:
    ///   - algorithm: The name of the signature algorithm (RFC 7518, section 3.1), such as `ES256`.
    ///   - keyID: The ID of the key, if the server knows several.
    ///   - sign: Signs the bytes. For `ES256`, the signature is the two numbers of 32 bytes each, not DER.
    /// - Returns: The authentication method.
    public static func privateKeyJWT(
        algorithm: String, keyID: String? = nil, sign: @escaping @Sendable (Data) async throws -> Data
    ) -> ClientAuthentication {
        ClientAuthentication(kind: .privateKeyJWT(algorithm: algorithm, keyID: keyID, sign: sign))
    }

    /// A token that the program creates or obtains itself (RFC 7521, section 4.2; RFC 7523, section 2.2), for servers
    /// that expect other contents than those of ``privateKeyJWT(algorithm:keyID:sign:)``, such as the thumbprint of a
    /// certificate, and for tokens that the platform issues, such as a Kubernetes service account.
    ///
    /// ```swift
    /// let authentication = ClientAuthentication.privateKeyJWT { request in
    ///     try token(audience: request.tokenEndpoint, subject: request.clientID)
    /// }
    /// ```
    ///
    /// A server may accept each assertion only once, so the closure is called for each request that needs one.
    ///
    /// - Parameter assertion: Returns the token, a JSON Web Token that only the server of the request accepts. Its
    ///   errors end the sign-in or the refresh. One with characters that are not visible ASCII, such as the line break
    ///   at the end of a file, is an ``OAuthError`` with the code `invalidConfiguration`.
    /// - Returns: The authentication method.
    public static func privateKeyJWT(
        assertion: @escaping @Sendable (ClientAssertionRequest) async throws -> String
    ) -> ClientAuthentication {
        ClientAuthentication(kind: .assertion(assertion))
    }
}

extension ClientAuthentication: CustomStringConvertible, CustomReflectable {
    /// The name of the method, as servers list it in their metadata.
    public var description: String {
        switch kind {
        case .none: "none"
        case .basic: "client_secret_basic"
        case .post: "client_secret_post"
        case .privateKeyJWT, .assertion: "private_key_jwt"
        }
    }

    /// A mirror without children, so that `dump` does not show the secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// What a request to an authorization server contains to prove which client sends it.
struct ClientAuthenticationFields: Sendable {
    var headers = HTTPHeaders()
    var parameters = Parameters()
    /// The texts that must not be in any error.
    var secrets: [String] = []
}

/// The client that this program is for one authorization server.
struct ClientIdentity: Sendable {
    let id: String
    let authentication: ClientAuthentication

    /// Creates the headers and parameters that authenticate the client in one request.
    ///
    /// - Parameters:
    ///   - server: The server, for which alone an assertion is valid.
    ///   - now: The date of the assertion.
    /// - Returns: The headers and the parameters of the request.
    /// - Throws: What the closure of an assertion throws; ``OAuthError`` if its assertion cannot be sent.
    func authentication(for server: AuthorizationServer, now: Date) async throws -> ClientAuthenticationFields {
        switch authentication.kind {
        case .none:
            return ClientAuthenticationFields(parameters: ["client_id": id])
        case .basic(let secret):
            let pair = "\(Self.formEncoded(id)):\(Self.formEncoded(secret))"
            let encodedPair = Data(pair.utf8).base64EncodedString()
            // The ID is in the body, too, since some servers find the client by that.
            return ClientAuthenticationFields(
                headers: [.authorization: "Basic \(encodedPair)"], parameters: ["client_id": id],
                secrets: [secret, encodedPair])
        case .post(let secret):
            return ClientAuthenticationFields(
                parameters: ["client_id": id, "client_secret": secret], secrets: [secret])
        case .privateKeyJWT(let algorithm, let keyID, let sign):
            let assertion = try await JSONWebToken.clientAssertion(
                of: id, for: server.identifier, algorithm: algorithm, keyID: keyID, now: now, sign: sign)
            return fields(for: assertion)
        case .assertion(let closure):
            let request = ClientAssertionRequest(
                clientID: id, issuer: server.issuer, tokenEndpoint: server.tokenEndpoint.text)
            let assertion = try await closure(request)
            guard assertion.isVisibleASCII else {
                throw OAuthError(
                    .invalidConfiguration,
                    "the client assertion is empty or has other characters than visible ASCII, such as a line break")
            }
            return fields(for: assertion)
        }
    }

    /// An assertion as it is sent (RFC 7523, section 2.2).
    private func fields(for assertion: String) -> ClientAuthenticationFields {
        let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        return ClientAuthenticationFields(
            parameters: ["client_id": id, "client_assertion_type": type, "client_assertion": assertion],
            secrets: [assertion])
    }

    /// The encoding of a form (RFC 6749, appendix B), in which a space is a plus sign.
    static func formEncoded(_ text: String) -> String { encoded(text, .form) }

    /// A text in an encoding.
    static func encoded(_ text: String, _ encoding: PercentEncoding) -> String {
        var bytes: [UInt8] = []
        bytes.append(text, percentEncoded: encoding)
        return String(decoding: bytes, as: UTF8.self)
    }
}
