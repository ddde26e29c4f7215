import APIKitCore

/// An authorization server whose URLs have been checked.
struct AuthorizationServer: Sendable {
    /// The issuer as the metadata has it; nil for a server that is known only by its URLs.
    let issuer: String?
    let tokenEndpoint: ServerURL
    let authorizationEndpoint: ServerURL?
    let deviceAuthorizationEndpoint: ServerURL?
    let revocationEndpoint: ServerURL?
    let registrationEndpoint: ServerURL?
    /// Whether the metadata lists PKCE with S256 (RFC 7636); nil if there is no metadata.
    let supportsS256: Bool?
    /// Whether authorization requests have to be pushed to the server first (RFC 9126, section 5).
    let requiresPushedRequests: Bool
    /// Whether each redirect has the parameter `iss` (RFC 9207).
    let promisesIssuerParameter: Bool
    /// Whether a client's ID may be the URL of its metadata.
    let supportsClientMetadataDocuments: Bool
    /// How a client may authenticate itself; nil if the server does not say.
    let authenticationMethods: [String]?
    /// The scopes that the server lists.
    let scopes: [String]

    /// The issuer; without metadata, the token endpoint. It is the audience of client assertions (RFC 7523, section 3),
    /// and begins the key in the store.
    var identifier: String { issuer ?? tokenEndpoint.text }

    /// Checks the metadata that was found for an issuer.
    ///
    /// - Throws: ``OAuthError`` if it is that of another issuer, has no token endpoint, or names a URL without
    ///   encryption.
    init(_ metadata: ServerMetadata, issuer: String) throws(OAuthError) {
        guard Issuer.isSame(issuer, metadata.issuer) else {
            let message =
                "the metadata of the issuer \(ServerURL.quoted(issuer)) is that of \(ServerURL.quoted(metadata.issuer)): "
                + "both have to be the same text"
            throw OAuthError(.discoveryFailed, message)
        }
        guard let token = metadata.token_endpoint else {
            throw OAuthError(
                .discoveryFailed, "the metadata of the issuer \(ServerURL.quoted(issuer)) has no token endpoint")
        }
        // Redirects have this spelling.
        self.issuer = metadata.issuer
        let source = try ServerURL(issuer, "the issuer")
        tokenEndpoint = try ServerURL(token, "the token endpoint", namedBy: source)
        authorizationEndpoint = try Self.url(
            metadata.authorization_endpoint, "the authorization endpoint", namedBy: source)
        deviceAuthorizationEndpoint = try Self.url(
            metadata.device_authorization_endpoint, "the device authorization endpoint", namedBy: source)
        revocationEndpoint = try Self.url(metadata.revocation_endpoint, "the revocation endpoint", namedBy: source)
        registrationEndpoint = try Self.url(
            metadata.registration_endpoint, "the registration endpoint", namedBy: source)
        let methods = metadata.code_challenge_methods_supported ?? []
        supportsS256 = methods.contains("S256")
        requiresPushedRequests = metadata.require_pushed_authorization_requests == true
        promisesIssuerParameter = metadata.authorization_response_iss_parameter_supported == true
        supportsClientMetadataDocuments = metadata.client_id_metadata_document_supported == true
        authenticationMethods = metadata.token_endpoint_auth_methods_supported
        scopes = metadata.scopes_supported ?? []
    }

    /// Checks URLs that the program knows.
    ///
    /// - Throws: ``OAuthError`` if one of them is without encryption.
    init(_ endpoints: OAuthEndpoints) throws(OAuthError) {
        issuer = nil
        tokenEndpoint = try ServerURL(endpoints.token, "the token endpoint")
        authorizationEndpoint = try Self.url(endpoints.authorization, "the authorization endpoint")
        deviceAuthorizationEndpoint = try Self.url(endpoints.deviceAuthorization, "the device authorization endpoint")
        revocationEndpoint = try Self.url(endpoints.revocation, "the revocation endpoint")
        registrationEndpoint = nil
        supportsS256 = nil
        requiresPushedRequests = false
        promisesIssuerParameter = false
        supportsClientMetadataDocuments = false
        authenticationMethods = nil
        scopes = []
    }

    private static func url(
        _ text: String?, _ name: String, namedBy source: ServerURL? = nil
    ) throws(OAuthError) -> ServerURL? {
        guard let text else { return nil }
        return try ServerURL(text, name, namedBy: source)
    }
}
