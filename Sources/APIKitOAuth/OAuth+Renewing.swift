import APIKitClients
import APIKitCore
import APIKitSupport

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

        /// Whether the program asks for a sign-in, and not a request for a token.
        var isSignIn: Bool {
            if case .signIn = self { true } else { false }
        }
    }

    /// Returns the credential of other tokens: those that another task or process has obtained meanwhile, new ones by
    /// the refresh token, or those of a new sign-in. All of that happens under the store's lock, so that it happens
    /// once. ``Renewal`` decides which.
    ///
    /// - Returns: The credential; nil if the API asks for scopes that were requested already.
    /// - Throws: ``OAuthError``; the errors of the connection, the store and the presentation; `CancellationError`.
    func renewCredential(for reason: Reason) async throws -> Credential? {
        let target = try await target(for: reason.refusal)
        // The list may have the same lock as the account.
        try checkHeldLocks()
        return try await listing(target) {
            try await self.withLock(for: target.key) {
                try await self.renewLockedCredential(for: reason, at: target)
            }
        }
    }

    /// Returns the credential of other tokens. The caller holds the lock of the account.
    private func renewLockedCredential(for reason: Reason, at target: Target) async throws -> Credential? {
        let account = try await account(at: target.key)
        let renewal = renewal(for: reason, account.tokens, listedScopes: target.scopes)
        let scopes = renewal.scopes(at: target.server.scopes)
        switch renewal.action {
        case .use(let tokens):
            return use(tokens)
        case .refresh(let tokens):
            try checkRefusal(reason, of: tokens)
            return try await refreshOrSignIn(tokens, account, at: target, scopes: scopes, reason)
        case .signIn:
            if let tokens = account.tokens { try checkRefusal(reason, of: tokens) }
            let remaining = try await expiringRefusedTokens(of: account, at: target, reason)
            return try await runFlow(remaining, at: target, scopes: scopes, reason)
        case .signInAdding(let missing):
            return try await addScopes(account, at: target, scopes: scopes.adding(missing), reason)
        case .keepRefusal:
            return nil
        }
    }

    /// Whether there are valid tokens in the store with the scopes of the program, which are sent from now on. No
    /// server is asked, so that a program can start without a network.
    func hasUsableStoredTokens(for reason: Reason) async throws -> Bool {
        guard let key = keyWithoutDiscovery, let tokens = try await store.load(for: key)?.tokens else { return false }
        guard case .use = renewal(for: reason, tokens, listedScopes: []).action else { return false }
        _ = use(tokens)
        return true
    }

    private func renewal(for reason: Reason, _ tokens: OAuthTokens?, listedScopes: [String]) -> Renewal {
        Renewal(
            reason: reason, tokens: tokens, programScopes: scopes, listedScopes: listedScopes,
            needsUser: flow.needsUser, now: now)
    }

    /// Checks whether other tokens could help against a refusal.
    ///
    /// - Throws: ``OAuthError`` with the code `refusedByAPI` if the API refuses whatever the server issues. Otherwise,
    ///   each request would ask the user to sign in again.
    private func checkRefusal(_ reason: Reason, of tokens: OAuthTokens) throws(OAuthError) {
        guard case .refused(let credential, let refusal) = reason, !tokens.isExpired(at: now) else { return }
        let needsSignIn = tokens.refreshToken == nil
        let mayHelp = state.withLock { [now] state in
            // Even if nothing replaces these tokens now, signIn() must not take them for valid.
            state.unaccepted = tokens.credential
            if needsSignIn, state.isFromRecentSignIn(credential, at: now) { return false }
            // Nothing is obtained, so that the API cannot refuse that.
            if needsSignIn, !mayStartFlow { return true }
            return state.recordRefusal(at: now)
        }
        if mayHelp { return }
        let message =
            "the API refuses tokens that were just issued (\(refusal.summary)): it may expect another issuer, other "
            + "scopes or another resource"
        throw OAuthError(.refusedByAPI, message)
    }

    /// The account, in which tokens that the API has refused have expired from now on, if only the user can replace
    /// them. If that does not happen now, an explicit sign-in of another process must not take them for valid.
    private func expiringRefusedTokens(
        of account: StoredAccount, at target: Target, _ reason: Reason
    ) async throws -> StoredAccount {
        guard flow.needsUser, reason.refusal != nil else { return account }
        guard let tokens = account.tokens, !tokens.isExpired(at: now) else { return account }
        var account = account
        account.tokens?.expires = .distantPast
        try await save(account, at: target.key)
        return account
    }

    private var now: Date { client.clock.dates()() }

    /// Sends these tokens from now on.
    func use(_ tokens: OAuthTokens) -> Credential {
        state.withLock { [now] in $0.use(tokens, at: now) }
        return tokens.credential
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

    /// Checks that the task does not hold a lock already. It would wait for itself forever.
    ///
    /// - Throws: ``OAuthError`` with the code `signInRequired`, since what presents the sign-in needs its tokens.
    private func checkHeldLocks() throws(OAuthError) {
        let source = ObjectIdentifier(self)
        let isHeldAlready = Self.heldLocks.contains { held in
            held.source == source && !held.isReleased.withLock { $0 }
        }
        if isHeldAlready {
            throw OAuthError(.signInRequired, "what presents the sign-in needs the tokens of this sign-in")
        }
    }

    /// Runs `body` while it holds the store's lock.
    ///
    /// - Throws: What `body` throws; the errors of the lock; ``OAuthError`` with the code `signInRequired` if the task
    ///   holds the lock already.
    func withLock<Value: Sendable>(
        for key: String, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try checkHeldLocks()
        let lock = HeldLock(of: self)
        defer { lock.isReleased.withLock { $0 = true } }
        return try await Self.$heldLocks.withValue(Self.heldLocks + [lock]) {
            try await store.withLock(for: key, body)
        }
    }

    // MARK: - Refresh

    /// The result of a refresh.
    private enum Refresh {
        case refreshed(Credential)
        /// Only a sign-in helps, with what remains of the account.
        case notPossible(StoredAccount)
    }

    /// Obtains new tokens with the refresh token or, if it is no longer valid, by a new sign-in.
    private func refreshOrSignIn(
        _ tokens: OAuthTokens, _ account: StoredAccount, at target: Target, scopes: [String], _ reason: Reason
    ) async throws -> Credential {
        switch try await refresh(tokens, account, at: target, reason) {
        case .refreshed(let credential): credential
        case .notPossible(let remaining): try await runFlow(remaining, at: target, scopes: scopes, reason)
        }
    }

    private func refresh(
        _ tokens: OAuthTokens, _ account: StoredAccount, at target: Target, _ reason: Reason
    ) async throws -> Refresh {
        guard let refreshToken = tokens.refreshToken else { return .notPossible(account) }
        guard let identity = identity(at: target.server, account) else { return .notPossible(account) }
        do {
            let new = try await serverClient(at: target, identity).refresh(tokens, with: refreshToken)
            return .refreshed(try await storeAndUse(new, account, at: target))
        } catch let error as OAuthError {
            let isRegistered = identity.id == account.client?.id
            var remaining = account
            switch Renewal.afterFailure(error, isSignIn: reason.isSignIn, isRegisteredClient: isRegistered) {
            case .forgetRefreshToken:
                if let other = try await replacedMeanwhile(tokens, at: target) { return .refreshed(use(other)) }
                remaining.tokens?.refreshToken = nil
                // The API has refused the access token, too.
                if reason.refusal != nil { remaining.tokens?.expires = .distantPast }
                // Otherwise, each later request, and each other process, would send it again.
                try await save(remaining, at: target.key)
            case .forgetClient:
                remaining.client = nil
                // It was issued to that client.
                remaining.tokens?.refreshToken = nil
                try await save(remaining, at: target.key)
            case .signIn:
                if let other = try await replacedMeanwhile(tokens, at: target) { return .refreshed(use(other)) }
            case .fail:
                throw error
            }
            return .notPossible(remaining)
        }
    }

    /// After a refresh token was refused, looks for the tokens that another process has obtained with it: a store
    /// without a lock between processes does not prevent that.
    private func replacedMeanwhile(_ tokens: OAuthTokens, at target: Target) async throws -> OAuthTokens? {
        guard let stored = try await store.load(for: target.key)?.tokens else { return nil }
        if stored.refreshToken == tokens.refreshToken { return nil }
        // The other process has only removed the refresh token, since it was refused there, too.
        let isSameToken = stored.accessToken == tokens.accessToken && stored.refreshToken == nil
        return isSameToken ? nil : stored
    }

    // MARK: - Sign-in

    /// Obtains tokens with the scopes that the API asks for, in addition to those that were requested before.
    ///
    /// - Returns: The credential; nil if the API has asked too often, or if the user does not grant more. The API's
    ///   refusal stands then, for this request.
    private func addScopes(
        _ account: StoredAccount, at target: Target, scopes: [String], _ reason: Reason
    ) async throws -> Credential? {
        let operation = reason.refusal?.operation ?? ""
        guard state.withLock({ [now] in $0.recordStepUp(for: operation, at: now) }) else { return nil }
        do {
            return try await runFlow(account, at: target, scopes: scopes, reason)
        } catch let error as OAuthError where error.meansNoMoreScopes {
            return nil
        }
    }

    /// Obtains tokens by the flow, and stores them.
    private func runFlow(
        _ account: StoredAccount, at target: Target, scopes: [String], _ reason: Reason
    ) async throws -> Credential {
        try checkSignIn(for: reason)
        guard scopes.joined(separator: " ").utf8.count <= StorageLimits.text else {
            throw OAuthError(.discoveryFailed, "the scopes that the API names are longer than 16 KiB")
        }
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

    /// Whether a request may start the flow.
    private var mayStartFlow: Bool { !flow.needsUser || signsInAutomatically }

    /// Checks whether the flow may be started now.
    ///
    /// - Throws: ``OAuthError`` with the code `signInRequired` if the user may not be asked.
    private func checkSignIn(for reason: Reason) throws(OAuthError) {
        if reason.isSignIn || !flow.needsUser { return }
        guard mayStartFlow else {
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
            // Tokens of the client before stay with it, until there are others.
            let keepsClient = account.tokens != nil && account.client != nil
            account.client = client
            if !keepsClient { try await save(account, at: target.key) }
            identity = client.identity
        }
        let tokens = try await flow(SignIn(serverClient: serverClient(at: target, identity), scopes: scopes))
        let credential = try await storeAndUse(tokens, account, at: target)
        state.withLock { [now] in $0.recordSignIn(tokens, at: now) }
        return credential
    }
}

extension OAuthError {
    /// Whether a sign-in for more scopes ended without them.
    fileprivate var meansNoMoreScopes: Bool {
        [.refused, .cancelledByUser, .timedOut, .signInRequired].contains(code)
    }
}
