import APIKitClients
import APIKitCore

extension OAuth {
    /// Why tokens are needed.
    enum Reason: Sendable {
        /// The program asks for a sign-in, and for scopes besides those that were requested before. A token that the
        /// API does not accept is replaced, although it has not expired.
        case signIn(addingScopes: [String], replacing: Credential?)
        /// A token expires soon or has expired, or there is none.
        case expiring(Credential)
        /// The API has refused a token, or a request without one.
        case refused(Credential, Refusal)

        /// The scopes that the program asks for besides those that were requested before.
        var addedScopes: [String] {
            if case .signIn(let scopes, _) = self { scopes } else { [] }
        }

        var refusal: Refusal? {
            if case .refused(_, let refusal) = self { refusal } else { nil }
        }

        /// The credential that is to be replaced.
        var replaced: Credential? {
            switch self {
            case .signIn(_, let credential): credential
            case .expiring(let credential), .refused(let credential, _): credential
            }
        }
    }

    /// Returns the credential of other tokens: those that another task or process has obtained meanwhile, new ones by
    /// the refresh token, or those of a new sign-in. All of that happens under the store's lock, so that it happens
    /// once.
    ///
    /// - Returns: The credential; nil if the API asks for scopes that were requested already.
    /// - Throws: ``OAuthError``; the errors of the connection, the store and the presentation; `CancellationError`.
    func renewCredential(for reason: Reason) async throws -> Credential? {
        let target = try await target(for: reason.refusal)
        return try await withLock(for: target.key) {
            let account = try await self.account(at: target.key)
            if let refusal = reason.refusal, refusal.asksForMoreScopes {
                return try await self.withMoreScopes(refusal, account, at: target, reason)
            }
            let hasNewScopes = !Set(reason.addedScopes).isSubset(of: self.requestedScopes(account, at: target))
            guard let tokens = account.tokens, !hasNewScopes else {
                return try await self.runFlow(
                    account, at: target, scopes: self.scopes(for: reason, account, at: target), reason)
            }
            if self.isOther(tokens, than: reason) { return self.use(tokens) }
            if self.mayStillBeSent(tokens, despite: reason) { return self.use(tokens) }
            try self.checkRefusal(reason, of: tokens)
            return try await self.replace(tokens, account, at: target, reason)
        }
    }

    /// Whether there are valid tokens in the store, which are sent from now on. No server is asked, so that a program
    /// can start without a network.
    func hasValidStoredTokens() async throws -> Bool {
        guard let key = keyWithoutDiscovery, let tokens = try await store.load(for: key)?.tokens else { return false }
        let isAccepted = tokens.credential != state.withLock { $0.unaccepted }
        guard isAccepted, !isExpired(tokens) else { return false }
        _ = use(tokens)
        return true
    }

    /// Obtains other tokens than the stored ones: by the refresh token or, if there is none or it is no longer valid,
    /// by a new sign-in.
    private func replace(
        _ tokens: OAuthTokens, _ account: StoredAccount, at target: Target, _ reason: Reason
    ) async throws -> Credential? {
        var account = account
        switch try await refresh(tokens, account, at: target) {
        case .refreshed(let credential): return credential
        case .notPossible: break
        case .unknownClient: account.client = nil
        }
        return try await runFlow(account, at: target, scopes: scopes(for: reason, account, at: target), reason)
    }

    /// Checks whether other tokens could help.
    ///
    /// - Throws: ``OAuthError`` with the code `refusedByAPI` if the API refuses whatever the server issues. Otherwise,
    ///   each request would ask the user to sign in again.
    private func checkRefusal(_ reason: Reason, of tokens: OAuthTokens) throws(OAuthError) {
        guard case .refused(let credential, let refusal) = reason, !isExpired(tokens) else { return }
        let refusesEverything = state.withLock { [now] in
            $0.recordRefusal(of: credential, hasRefreshToken: tokens.refreshToken != nil, at: now)
        }
        guard refusesEverything else { return }
        state.withLock { $0.unaccepted = tokens.credential }
        let message =
            "the API refuses tokens that were just issued (\(refusal.summary)): it may expect another issuer, other "
            + "scopes or another resource"
        throw OAuthError(.refusedByAPI, message)
    }

    private var now: Date { client.clock.dates()() }

    /// Whether stored tokens can be sent in place of those that are to be replaced. Another task or process has renewed
    /// them meanwhile.
    private func isOther(_ tokens: OAuthTokens, than reason: Reason) -> Bool {
        !isExpired(tokens) && tokens.credential != reason.replaced
    }

    /// Whether tokens that expire soon are sent until they have expired: only the user could replace them.
    private func mayStillBeSent(_ tokens: OAuthTokens, despite reason: Reason) -> Bool {
        guard case .expiring = reason, !isExpired(tokens) else { return false }
        return tokens.refreshToken == nil && flow.needsUser
    }

    private func isExpired(_ tokens: OAuthTokens) -> Bool {
        guard let expires = tokens.expires else { return false }
        return expires <= now
    }

    /// Sends these tokens from now on.
    private func use(_ tokens: OAuthTokens) -> Credential {
        state.withLock { [now] in $0.use(tokens, at: now) }
        return tokens.credential
    }

    /// Stores tokens, and sends them from now on. In this order: tokens that are used but not stored would be lost if
    /// the process ended, and with rotation the old ones would be invalid.
    private func storeAndUse(
        _ tokens: OAuthTokens, _ account: StoredAccount, at target: Target
    ) async throws -> Credential {
        var new = account
        new.tokens = tokens
        let unsaved = UnsavedAccount(account: new, replaced: account.tokens)
        state.withLock { $0.unsaved[target.key] = unsaved }
        try await save(new, at: target.key)
        state.withLock { $0.unsaved[target.key] = nil }
        return use(tokens)
    }

    /// Returns the account in the store. If the store has failed after a server had issued tokens, first saves those:
    /// with rotation, the ones in the store are no longer valid.
    ///
    /// - Throws: The errors of the store.
    private func account(at key: String) async throws -> StoredAccount {
        let stored = try await store.load(for: key) ?? StoredAccount()
        guard let unsaved = state.withLock({ $0.unsaved[key] }) else { return stored }
        // Otherwise, another process has signed in or out meanwhile.
        let isStillMissing = stored.tokens == unsaved.replaced
        if isStillMissing { try await save(unsaved.account, at: key) }
        state.withLock { $0.unsaved[key] = nil }
        return isStillMissing ? unsaved.account : stored
    }

    // MARK: - The lock

    /// The lock of a store, which a source holds until it is released.
    private final class HeldLock: Sendable {
        let source: ObjectIdentifier
        let isReleased = Locked(false)

        init(of source: OAuth) { self.source = ObjectIdentifier(source) }
    }

    /// The locks within which the current task was started. A task that outlives them may find them released.
    @TaskLocal private static var heldLocks: [HeldLock] = []

    /// Runs `body` while it holds the store's lock.
    ///
    /// - Throws: What `body` throws; the errors of the lock; ``OAuthError`` with the code `signInRequired` if the task
    ///   holds the lock already, since what presents the sign-in needs its tokens. It would wait for itself forever.
    func withLock<Value: Sendable>(
        for key: String, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        let lock = HeldLock(of: self)
        let isHeldAlready = Self.heldLocks.contains { held in
            held.source == lock.source && !held.isReleased.withLock { $0 }
        }
        if isHeldAlready {
            throw OAuthError(.signInRequired, "what presents the sign-in needs the tokens of this sign-in")
        }
        defer { lock.isReleased.withLock { $0 = true } }
        return try await Self.$heldLocks.withValue(Self.heldLocks + [lock]) {
            try await store.withLock(for: key, body)
        }
    }

    // MARK: - Refresh

    /// The result of a refresh.
    private enum Refresh {
        case refreshed(Credential)
        /// There is no refresh token, or it is no longer valid.
        case notPossible
        /// The server has forgotten the client that had registered itself.
        case unknownClient
    }

    /// Obtains new tokens with the refresh token.
    private func refresh(_ tokens: OAuthTokens, _ account: StoredAccount, at target: Target) async throws -> Refresh {
        guard let refreshToken = tokens.refreshToken else { return .notPossible }
        guard let identity = identity(at: target.server, account) else { return .notPossible }
        do {
            let new = try await serverClient(at: target, identity).refresh(tokens, with: refreshToken)
            return .refreshed(try await storeAndUse(new, account, at: target))
        } catch let error as OAuthError where error.meansInvalidGrant {
            return try await replacedMeanwhile(tokens, at: target)
        } catch let error as OAuthError where error.serverCode == "invalid_client" && identity.id == account.client?.id
        {
            return .unknownClient
        }
    }

    /// After a refresh token was refused, looks for the tokens that another process has obtained with it: a store
    /// without a lock between processes does not prevent that.
    private func replacedMeanwhile(_ tokens: OAuthTokens, at target: Target) async throws -> Refresh {
        guard let stored = try await store.load(for: target.key)?.tokens else { return .notPossible }
        return stored.refreshToken == tokens.refreshToken ? .notPossible : .refreshed(use(stored))
    }

    // MARK: - Scopes

    /// Signs in again with the scopes that the API asks for, besides those that were requested before. No refresh token
    /// can do that (RFC 6749, section 6).
    ///
    /// - Returns: The credential; nil if the API asks for nothing that was not requested, if it has asked too often, or
    ///   if the user does not grant more. The API's refusal stands then, for this request.
    private func withMoreScopes(
        _ refusal: Refusal, _ account: StoredAccount, at target: Target, _ reason: Reason
    ) async throws -> Credential? {
        // Not every API says in its refusal which scopes it needs.
        let needed = refusal.scopes.isEmpty ? target.scopes : refusal.scopes
        if let tokens = account.tokens, isOther(tokens, than: reason), Set(needed).isSubset(of: tokens.scopes) {
            return use(tokens)
        }
        let before = requestedScopes(account, at: target)
        let missing = needed.filter { !before.contains($0) }
        guard !missing.isEmpty else { return nil }
        // Without a user, nobody would see that the API gets more than the program has asked for.
        guard flow.needsUser || scopes == nil else { return nil }
        guard state.withLock({ [now] in $0.recordStepUp(for: refusal.operation, at: now) }) else { return nil }
        do {
            return try await runFlow(account, at: target, scopes: before + missing, reason)
        } catch let error as OAuthError where error.meansNoMoreScopes {
            return nil
        }
    }

    /// The scopes that were requested or granted so far.
    private func requestedScopes(_ account: StoredAccount, at target: Target) -> [String] {
        let requested = state.withLock { $0.requestedScopes[target.key] } ?? scopes ?? []
        let granted = account.tokens?.scopes ?? []
        return requested.adding(granted)
    }

    /// The scopes of a sign-in: at least those of the sign-in before, since fewer would only lead to another one.
    private func scopes(for reason: Reason, _ account: StoredAccount, at target: Target) -> [String] {
        let before = requestedScopes(account, at: target)
        if before.isEmpty { return scopesOfFirstSignIn(for: reason, at: target) }
        // What the API asks for counts if the program leaves the scopes to it.
        let challenged = scopes == nil ? reason.refusal?.scopes ?? [] : []
        return before.adding(challenged).adding(reason.addedScopes)
    }

    /// The scopes of the first sign-in: the program's own, or those that the API asks for, or those that it lists.
    private func scopesOfFirstSignIn(for reason: Reason, at target: Target) -> [String] {
        if let scopes { return scopes.adding(reason.addedScopes) }
        var scopes = reason.refusal?.scopes ?? []
        if scopes.isEmpty { scopes = target.scopes }
        scopes = scopes.adding(reason.addedScopes)
        // Without it, some servers issue no refresh token (OpenID Connect Core 1.0, section 11).
        let offline = "offline_access"
        if target.server.scopes.contains(offline), flow.needsUser { scopes = scopes.adding([offline]) }
        return scopes
    }

    // MARK: - Sign-in

    /// Obtains tokens by the flow, and stores them.
    private func runFlow(
        _ account: StoredAccount, at target: Target, scopes: [String], _ reason: Reason
    ) async throws -> Credential {
        try checkSignIn(for: reason)
        switch flow.kind {
        case .clientCredentials:
            return try await obtainTokens(account, at: target, scopes, redirectURI: nil) {
                try await $0.withClientCredentials()
            }
        case .deviceCode(let show):
            return try await obtainTokens(account, at: target, scopes, redirectURI: nil) {
                try await $0.withDeviceCode(show: show)
            }
        case .authorizationCode(let presentation):
            let session = try await presentation.begin(account.client?.redirectURI)
            defer { session.end() }
            return try await obtainTokens(account, at: target, scopes, redirectURI: session.redirectURI) {
                try await $0.withAuthorizationCode(session)
            }
        }
    }

    /// Checks whether the flow may be started.
    ///
    /// - Throws: ``OAuthError`` with the code `signInRequired` if the user may not be asked.
    private func checkSignIn(for reason: Reason) throws(OAuthError) {
        guard flow.needsUser else { return }
        if case .signIn = reason { return }
        guard signsInAutomatically else {
            throw OAuthError(.signInRequired, "nobody is signed in: call signIn() first")
        }
        guard state.withLock({ [now] in $0.recordAutomaticSignIn(at: now) }) else {
            let message = "the user was asked to sign in five times within a minute: call signIn() to ask again"
            throw OAuthError(.signInRequired, message)
        }
    }

    /// Obtains tokens as a client that the server knows, which may have to be registered first, and stores them.
    private func obtainTokens(
        _ account: StoredAccount, at target: Target, _ scopes: [String], redirectURI: String?,
        _ flow: @Sendable (SignIn) async throws -> OAuthTokens
    ) async throws -> Credential {
        var account = account
        let identity: ClientIdentity
        if let known = self.identity(at: target.server, account, redirectURI: redirectURI, scopes: scopes) {
            identity = known
        } else {
            let client = try await register(at: target, redirectURI: redirectURI, scopes: scopes)
            account.client = client
            // Tokens of the client before stay with it, until there are others.
            if account.tokens == nil { try await save(account, at: target.key) }
            identity = client.identity
        }
        let tokens = try await flow(SignIn(serverClient: serverClient(at: target, identity), scopes: scopes))
        let credential = try await storeAndUse(tokens, account, at: target)
        state.withLock { [now] in $0.recordSignIn(tokens, scopes: scopes, key: target.key, at: now) }
        return credential
    }
}

extension OAuthError {
    /// Whether a sign-in for more scopes ended without them.
    fileprivate var meansNoMoreScopes: Bool {
        [.refused, .cancelledByUser, .timedOut, .signInRequired].contains(code)
    }

    /// Whether the server no longer accepts a refresh token. Some servers refuse it without saying why, and GitHub has
    /// a code of its own.
    fileprivate var meansInvalidGrant: Bool {
        code == .refused && [nil, "invalid_grant", "bad_refresh_token"].contains(serverCode)
    }
}

extension [String] {
    /// These scopes, and those of another list that are not among them.
    fileprivate func adding(_ others: [String]) -> [String] { self + others.filter { !contains($0) } }
}
