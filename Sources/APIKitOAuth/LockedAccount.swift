import APIKitClients
import APIKitCore
import APIKitSupport

/// An account whose lock is held, and in which tokens are renewed as a ``Renewal`` decides.
struct LockedAccount {
    let source: OAuth
    let target: OAuth.Target
    let renewal: Renewal
    /// What is in the store, with the changes that are to be saved.
    var stored: StoredAccount

    var now: Date { source.now }

    /// Returns the credential of other tokens.
    ///
    /// - Returns: The credential; nil if the API's refusal stands.
    /// - Throws: ``OAuthError``; the errors of the connection, the store and the presentation; `CancellationError`.
    mutating func renewCredential() async throws -> Credential? {
        switch source.state.withLock({ $0.begin(renewal) }) {
        case .use(let tokens):
            return source.use(tokens, of: target)
        case .refresh(let tokens):
            return try await refresh(tokens)
        case .signIn:
            try await expireRefusedTokens()
            return try await signIn(scopes: scopes)
        case .signInAdding(let missing):
            do {
                return try await signIn(scopes: scopes.adding(missing))
            } catch let error as OAuthError where error.meansNoMoreScopes {
                return nil
            }
        case .keepRefusal:
            return nil
        case .fail(let problem):
            throw OAuthError(problem, for: renewal.reason)
        }
    }

    /// The scopes of a sign-in. A refusal for their scopes may add some.
    private var scopes: [String] { renewal.scopes(at: target.server.scopes) }

    // MARK: - The store

    /// Stores tokens, and sends them from now on. In this order: tokens that are used but not stored would be lost if
    /// the process ended, and with rotation the old ones would be invalid.
    ///
    /// - Throws: ``OAuthError`` with the code `badResponse` if the server has issued more than is stored; the errors of
    ///   the store.
    mutating func storeAndUse(_ tokens: OAuthTokens) async throws -> Credential {
        var new = stored
        new.tokens = tokens
        if try new.isTooLarge {
            throw OAuthError(.badResponse, "the tokens and the registration are larger than 128 KiB together")
        }
        let unsaved = UnsavedAccount(account: new, replaced: stored.tokens)
        source.state.withLock { $0.unsaved[target.key] = unsaved }
        try await source.save(new, at: target.key)
        source.state.withLock { $0.unsaved[target.key] = nil }
        stored = new
        return source.use(tokens, of: target)
    }

    /// Saves what remains of the account.
    func save() async throws {
        try await source.save(stored, at: target.key)
    }

    /// Marks tokens that the API has refused as expired, if only the user can replace them. If that does not happen
    /// now, an explicit sign-in of another process must not take them for valid.
    private mutating func expireRefusedTokens() async throws {
        guard renewal.needsUser, renewal.refusedTokens != nil, stored.tokens?.expires != .distantPast else { return }
        stored.tokens?.expires = .distantPast
        try await save()
    }

    // MARK: - Refresh

    /// Obtains new tokens with the refresh token or, if it is no longer valid, by a new sign-in.
    private mutating func refresh(_ old: OAuthTokens) async throws -> Credential {
        if let refreshToken = old.refreshToken, let identity = source.identity(at: target.server, stored) {
            do {
                let new = try await source.serverClient(at: target, identity).refresh(old, with: refreshToken)
                // Tokens that are too large to be stored count as a response that is not readable: an explicit sign-in
                // then starts the flow.
                return try await storeAndUse(new)
            } catch let error as OAuthError {
                let isRegistered = identity.id == stored.client?.id
                let other = try await recover(from: error, refreshing: old, asRegisteredClient: isRegistered)
                if let other { return source.use(other, of: target) }
            }
        }
        try await expireRefusedTokens()
        return try await signIn(scopes: scopes)
    }

    /// Reacts to the failure of a refresh, and saves what remains of the account.
    ///
    /// - Returns: The tokens that another process has obtained meanwhile; nil if only a sign-in helps.
    /// - Throws: The error, if a sign-in would not help; the errors of the store.
    private mutating func recover(
        from error: OAuthError, refreshing old: OAuthTokens, asRegisteredClient isRegisteredClient: Bool
    ) async throws -> OAuthTokens? {
        let isSignIn = renewal.reason.isSignIn
        switch Renewal.afterFailure(error, isSignIn: isSignIn, isRegisteredClient: isRegisteredClient) {
        case .forgetRefreshToken:
            if let other = try await tokensOfAnotherProcess(insteadOf: old) { return other }
            stored.tokens?.refreshToken = nil
            // The API has refused the access token, too.
            if renewal.reason.refusal != nil { stored.tokens?.expires = .distantPast }
            // Otherwise, each later request, and each other process, would send it again.
            try await save()
            return nil
        case .forgetClient:
            if let other = try await tokensOfAnotherProcess(insteadOf: old) { return other }
            stored.client = nil
            // It was issued to that client.
            stored.tokens?.refreshToken = nil
            try await save()
            return nil
        case .signIn:
            return try await tokensOfAnotherProcess(insteadOf: old)
        case .fail:
            throw error
        }
    }

    /// After a refresh was refused, looks for the tokens that another process has obtained meanwhile: a store without a
    /// lock between processes does not prevent that.
    private func tokensOfAnotherProcess(insteadOf old: OAuthTokens) async throws -> OAuthTokens? {
        guard let new = try await source.store.load(for: target.key)?.tokens else { return nil }
        if new.refreshToken == old.refreshToken { return nil }
        // The other process has only removed the refresh token, since it was refused there, too.
        let isSameToken = new.accessToken == old.accessToken && new.refreshToken == nil
        return isSameToken ? nil : new
    }
}

extension OAuthError {
    /// Whether a sign-in for more scopes ended without them.
    fileprivate var meansNoMoreScopes: Bool {
        [.refused, .cancelledByUser, .timedOut, .signInRequired].contains(code)
    }
}
