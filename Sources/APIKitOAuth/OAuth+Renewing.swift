import APIKitClients
import APIKitCore
import APIKitSupport

extension OAuth {
    /// Returns the credential of other tokens: those that another task or process has obtained meanwhile, new ones by
    /// the refresh token, or those of a new sign-in. All of that happens under the store's lock, so that it happens
    /// once. ``Renewal`` decides which, and ``LockedAccount`` does it.
    ///
    /// - Returns: The credential; nil if the API asks for scopes that were requested already.
    /// - Throws: ``OAuthError``; the errors of the connection, the store and the presentation; `CancellationError`.
    func renewCredential(for reason: Reason) async throws -> Credential? {
        let target = try await target(for: reason.refusal)
        // The list may have the same lock as the account.
        try checkThatNoLockIsHeld()
        return try await keepingOnList(target) {
            try await self.withStoreLock(for: target.key) {
                let stored = try await self.account(at: target.key)
                let renewal = self.renewal(of: stored.tokens, for: reason, listedScopes: target.scopes)
                var account = LockedAccount(source: self, target: target, renewal: renewal, stored: stored)
                return try await account.renewCredential()
            }
        }
    }

    /// Sends the tokens in the store from now on, if they are valid and have the scopes of the program. No server is
    /// asked, so that a program can start without a network.
    ///
    /// - Returns: Whether there are such tokens.
    /// - Throws: The errors of the store.
    func useStoredTokens(for reason: Reason) async throws -> Bool {
        let signOutCount = state.withLock { $0.signOutCount }
        guard let key = keyWithoutDiscovery, let tokens = try await store.load(for: key)?.tokens else { return false }
        let renewal = renewal(of: tokens, for: reason, listedScopes: [])
        return state.withLock { state in
            // A sign-out since then has revoked these tokens.
            guard state.signOutCount == signOutCount else { return false }
            guard case .use = renewal.action(within: state.limits) else { return false }
            state.use(tokens, of: nil, at: renewal.now)
            return true
        }
    }

    /// Counts that the user is asked to sign in.
    func recordSignInPage(for renewal: Renewal) {
        let date = now
        state.withLock { $0.recordSignInPage(for: renewal, at: date) }
    }

    private func renewal(of tokens: OAuthTokens?, for reason: Reason, listedScopes: [String]) -> Renewal {
        Renewal(
            reason: reason, tokens: tokens, programScopes: scopes, listedScopes: listedScopes,
            needsUser: flow.needsUser, signsInAutomatically: signsInAutomatically, now: now)
    }

    var now: Date { client.clock.dates()() }

    /// Sends these tokens of a server from now on.
    func use(_ tokens: OAuthTokens, of target: Target) -> Credential {
        let date = now
        state.withLock { $0.use(tokens, of: target, at: date) }
        return tokens.credential
    }
}
