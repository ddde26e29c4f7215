import APIKitClients
import APIKitCore
import APIKitSupport

extension LockedAccount {
    /// Obtains tokens by the flow, and stores them.
    ///
    /// - Throws: ``OAuthError``, with the code `signInRequired` if the user may not be asked; the errors of the
    ///   connection, the store and the presentation; `CancellationError`.
    mutating func signIn(scopes: [String]) async throws -> Credential {
        let date = now
        let problem = source.state.withLock { renewal.signInProblem(within: $0.limits, at: date) }
        if let problem { throw OAuthError(problem, for: renewal.reason) }
        guard scopes.joined(separator: " ").utf8.count <= StorageLimits.text else {
            throw OAuthError(.discoveryFailed, "the scopes that the API names are longer than 16 KiB")
        }
        switch source.flow.kind {
        case .clientCredentials:
            let signIn = try await prepareSignIn(scopes, redirectURI: nil)
            return try await finish(signIn.withClientCredentials())
        case .deviceCode(let show):
            let signIn = try await prepareSignIn(scopes, redirectURI: nil)
            let tokens = try await signIn.withDeviceCode { [source, renewal] code in
                source.recordSignInPage(for: renewal)
                try await show(code)
            }
            return try await finish(tokens)
        case .authorizationCode(let presentation):
            let session = try await presentation.begin(stored.client?.redirectURI)
            defer { session.end() }
            let signIn = try await prepareSignIn(scopes, redirectURI: session.redirectURI)
            let tokens = try await signIn.withAuthorizationCode(session) { [source, renewal] in
                source.recordSignInPage(for: renewal)
            }
            return try await finish(tokens)
        }
    }

    /// Prepares a sign-in as a client that the server knows.
    private mutating func prepareSignIn(_ scopes: [String], redirectURI: String?) async throws -> SignIn {
        let identity = try await findOrRegisterClient(redirectURI: redirectURI, scopes: scopes)
        return SignIn(serverClient: source.serverClient(at: target, identity), scopes: scopes)
    }

    /// Stores the tokens of a sign-in, and sends them from now on.
    private mutating func finish(_ tokens: OAuthTokens) async throws -> Credential {
        let credential = try await storeAndUse(tokens)
        let date = now
        source.state.withLock { $0.endSignIn(tokens, at: date) }
        return credential
    }

    /// Returns the client that the program is for the server. If the server does not know one, registers it.
    private mutating func findOrRegisterClient(redirectURI: String?, scopes: [String]) async throws -> ClientIdentity {
        let known = source.identity(at: target.server, stored, redirectURI: redirectURI, scopes: scopes)
        if let known { return known }
        let client = try await source.register(at: target, redirectURI: redirectURI, scopes: scopes)
        // Tokens of the client before stay with it, until there are others.
        let keepsClient = stored.tokens != nil && stored.client != nil
        stored.client = client
        if !keepsClient { try await save() }
        return client.identity
    }
}
