import APIKitCore

/// Registers a client at a server (RFC 7591).
struct Registration: Sendable {
    /// The registration endpoint.
    let url: ServerURL
    let server: AuthorizationServer
    let client: any APIClient

    /// Registers a client.
    ///
    /// - Parameters:
    ///   - name: The name that users see.
    ///   - redirectURI: The redirect URI; nil if the flow has no redirect.
    ///   - grantType: The grant type of the flow.
    ///   - scopes: The scopes that the client will request. Some servers grant no others, and without any, none.
    /// - Returns: The client.
    /// - Throws: ``OAuthError`` if the server refuses, demands an authentication that this library has no secret for,
    ///   or returns an ID or a secret that is too long; the errors of the connection.
    func register(
        name: String, redirectURI: String?, grantType: String, scopes: [String]
    ) async throws -> RegisteredClient {
        let request = RegistrationRequest(
            url: url, name: name, redirectURI: redirectURI, grantTypes: [grantType, "refresh_token"],
            authenticationMethod: authenticationMethod,
            scope: scopes.isEmpty ? nil : scopes.joined(separator: " "))
        let response: RegistrationResponse
        do {
            response = try await client.send(request)
        } catch {
            throw AuthorizationServerClient.error(for: error, of: url, hiding: [])
        }
        guard !response.client_id.isEmpty else {
            throw OAuthError(.badResponse, "the registration returned an empty client ID")
        }
        try StorageLimits.check(response.client_id, "the client ID")
        try StorageLimits.check(response.client_secret, "the client secret")
        let method = response.token_endpoint_auth_method ?? authenticationMethod
        guard Self.methods.contains(method) else {
            throw OAuthError(.unsupported, "the client was registered with another authentication than requested")
        }
        return RegisteredClient(
            id: response.client_id, secret: response.client_secret, authenticationMethod: method,
            redirectURI: redirectURI, secretExpires: expiry(of: response), scopes: scopes)
    }

    /// How a client that registers itself can authenticate itself, in the order of preference.
    private static let methods = ["none", "client_secret_basic", "client_secret_post"]

    /// How the client will authenticate itself: without a secret if the server allows that, since an app cannot keep
    /// one.
    private var authenticationMethod: String {
        // Without a list, the default is `client_secret_basic` (RFC 8414, section 2), but many servers that register
        // clients without a secret publish none.
        let supported = server.authenticationMethods ?? ["none"]
        return Self.methods.first { supported.contains($0) } ?? "none"
    }

    /// When the secret expires; nil for zero, which means never (RFC 7591, section 3.2.1).
    private func expiry(of response: RegistrationResponse) -> Date? {
        guard let seconds = response.client_secret_expires_at?.value, seconds > 0 else { return nil }
        // Infinity could not be stored.
        let year10000 = 253_402_300_800.0
        return Date(timeIntervalSince1970: min(seconds, year10000))
    }
}
