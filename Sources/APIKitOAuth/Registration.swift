import APIKitCore

/// Registers a client at a server (RFC 7591).
struct Registration: Sendable {
    let server: AuthorizationServer
    let client: any APIClient

    /// Registers a client.
    ///
    /// - Parameters:
    ///   - name: The name that users see.
    ///   - redirectURI: The redirect URI; nil if the flow has no redirect.
    ///   - grantType: The grant type of the flow.
    ///   - scopes: The scopes that the client will request.
    /// - Returns: The client.
    /// - Throws: ``OAuthError`` if the server does not register clients, or refuses; the errors of the connection.
    func register(
        name: String, redirectURI: String?, grantType: String, scopes: [String]
    ) async throws -> RegisteredClient {
        guard let url = server.registrationEndpoint else {
            throw OAuthError(
                .unsupported,
                "none of the clients can be used at \(ServerURL.quoted(server.name)), which does not register new ones: "
                    + "register one by hand, and name it with OAuthClient.registered")
        }
        let request = RegistrationRequest(
            url: url, name: name, redirectURI: redirectURI, grantTypes: [grantType, "refresh_token"],
            authenticationMethod: authenticationMethod,
            scope: scopes.isEmpty ? nil : scopes.joined(separator: " "))
        let response: RegistrationResponse
        do {
            response = try await client.send(request)
        } catch {
            throw TokenEndpoint.error(for: error, of: url, hiding: [])
        }
        guard !response.client_id.isEmpty else {
            throw OAuthError(.badResponse, "the registration returned an empty client ID")
        }
        return RegisteredClient(
            id: response.client_id, secret: response.client_secret,
            authenticationMethod: response.token_endpoint_auth_method ?? authenticationMethod, redirectURI: redirectURI,
            secretExpires: expiry(of: response))
    }

    /// How the client will authenticate itself: without a secret if the server allows that, since an app cannot keep
    /// one.
    private var authenticationMethod: String {
        let supported = server.authenticationMethods ?? ["none"]
        let preferred = ["none", "client_secret_basic", "client_secret_post"]
        return preferred.first { supported.contains($0) } ?? "none"
    }

    /// When the secret expires; nil for zero, which means never (RFC 7591, section 3.2.1).
    private func expiry(of response: RegistrationResponse) -> Date? {
        guard let seconds = response.client_secret_expires_at?.value, seconds > 0 else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }
}
