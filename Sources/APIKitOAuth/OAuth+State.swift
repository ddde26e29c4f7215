import APIKitClients
import APIKitCore

extension OAuth {
    /// What is in memory.
    struct State: Sendable {
        /// The tokens to send; nil if there are none.
        private(set) var tokens: OAuthTokens?
        /// The authorization server that has issued ``tokens``, if they were not only loaded. An API may have named
        /// another one since then.
        private(set) var issuingTarget: Target?
        /// How often tokens have been forgotten. A credential that stands for missing tokens has this number, so that
        /// no replacement from before a sign-out is sent after it.
        private(set) var signOutCount = 0
        /// Whether the store has been read.
        private(set) var hasLoaded = false
        /// The metadata of the authorization server that was read last.
        var server: KnownServer?
        /// The authorization server that an API has named last.
        var target: Target?
        /// The tokens that servers have issued and that are not in the store yet, by its keys.
        var unsaved: [String: UnsavedAccount] = [:]
        /// The token that the API has refused last, although it had not expired.
        private(set) var unaccepted: Credential?
        /// When ``tokens`` were first used.
        private var firstUse: Date?
        /// What was obtained lately.
        private(set) var limits = RenewalLimits()
        /// The work that is being done while a lock of the store is held.
        var lockedSections: [LockedSection] = []

        /// Sends what was in the store, unless tokens have been obtained or forgotten meanwhile.
        mutating func endLoading(_ stored: OAuthTokens?) {
            if hasLoaded { return }
            hasLoaded = true
            tokens = stored
        }

        mutating func use(_ tokens: OAuthTokens, of target: Target?, at date: Date) {
            if self.tokens != tokens { firstUse = date }
            self.tokens = tokens
            issuingTarget = target
            hasLoaded = true
        }

        /// Whether a credential is that of the current tokens, which were valid for less than a minute when they were
        /// first used, and of that time less than a half has passed. Such tokens always expire soon, and would be
        /// replaced for each request.
        func isInFirstHalf(_ credential: Credential, at date: Date) -> Bool {
            guard let tokens, tokens.credential == credential, let expires = tokens.expires, let firstUse else {
                return false
            }
            let lifetime = expires.timeIntervalSince(firstUse)
            let elapsed = date.timeIntervalSince(firstUse)
            let isShort = lifetime < 60
            return isShort && elapsed >= 0 && elapsed < lifetime / 2
        }

        mutating func forget() {
            tokens = nil
            issuingTarget = nil
            hasLoaded = true
            signOutCount += 1
            unsaved = [:]
            unaccepted = nil
            limits.forgetSignIns()
        }

        // MARK: - Renewals

        /// Decides what is done, and counts it.
        mutating func begin(_ renewal: Renewal) -> Renewal.Action {
            // Even if nothing replaces these tokens now, signIn() must not take them for valid.
            if let refused = renewal.refusedTokens { unaccepted = refused.credential }
            let action = renewal.action(within: limits)
            limits.record(action, of: renewal)
            return action
        }

        /// Counts that the user is asked to sign in.
        mutating func recordSignInPage(for renewal: Renewal, at date: Date) {
            if renewal.isAutomaticSignIn { limits.recordAutomaticSignIn(at: date) }
        }

        /// Remembers the tokens of a sign-in.
        mutating func endSignIn(_ tokens: OAuthTokens, at date: Date) {
            limits.recordSignIn(tokens.credential, at: date)
            // Some servers issue the same token again.
            unaccepted = nil
        }
    }
}

/// An authorization server whose metadata has been read.
struct KnownServer: Sendable {
    /// The issuer as the program or an API names it.
    let issuer: String
    let server: AuthorizationServer
    /// When the metadata was read, or was last found not to be readable.
    let date: Date

    /// Whether the metadata need not be read again: it was read less than an hour ago. Servers move their endpoints,
    /// and programs may run for months.
    func isCurrent(at now: Date) -> Bool { date.isWithin(3600, before: now) }
}

/// An account with tokens that are not in the store yet.
struct UnsavedAccount: Sendable {
    let account: StoredAccount
    /// The tokens in the store.
    let replaced: OAuthTokens?

    /// Whether the store still has the tokens that were replaced. Otherwise, another process has signed in or out
    /// meanwhile.
    func isMissing(in stored: StoredAccount?) -> Bool { OAuthTokens.areSame(stored?.tokens, replaced) }
}
