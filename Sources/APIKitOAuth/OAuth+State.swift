import APIKitClients
import APIKitCore

extension OAuth {
    /// What is in memory.
    struct State: Sendable {
        /// The tokens to send; nil if there are none.
        private(set) var tokens: OAuthTokens?
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
        var unaccepted: Credential?
        /// When ``tokens`` were first used.
        private var firstUse: Date?
        /// The last sign-in: the token that it issued, and when.
        private var lastSignIn: (credential: Credential, date: Date)?
        /// When valid tokens were refused, so that others were obtained.
        private var refusals = RecentDates()
        /// When the user was asked to sign in for a request.
        private var automaticSignIns = RecentDates()
        /// When more scopes have been requested in the last hour, by the operation of the API.
        private var stepUps: [String: [Date]] = [:]

        /// Takes what was in the store, unless tokens have been obtained or forgotten meanwhile.
        mutating func endLoading(_ stored: OAuthTokens?) {
            if hasLoaded { return }
            hasLoaded = true
            tokens = stored
        }

        mutating func use(_ tokens: OAuthTokens, at date: Date) {
            if self.tokens != tokens { firstUse = date }
            self.tokens = tokens
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
            hasLoaded = true
            signOutCount += 1
            unsaved = [:]
            unaccepted = nil
            lastSignIn = nil
            automaticSignIns = RecentDates()
            stepUps = [:]
        }

        // MARK: - Limits

        mutating func recordSignIn(_ tokens: OAuthTokens, at date: Date) {
            lastSignIn = (tokens.credential, date)
            // Some servers issue the same token again.
            unaccepted = nil
        }

        /// Whether a token is that of a sign-in less than a minute ago.
        func isFromRecentSignIn(_ credential: Credential, at date: Date) -> Bool {
            guard let lastSignIn, lastSignIn.credential == credential else { return false }
            return RecentDates.isRecent(lastSignIn.date, at: date)
        }

        /// Counts that an API has refused a token that has not expired, so that another one is obtained.
        ///
        /// - Returns: Whether another one may help. Otherwise, it would be the sixth within a minute.
        mutating func recordRefusal(at date: Date) -> Bool { refusals.add(date) }

        /// Counts that the user is asked to sign in because a request needs tokens.
        ///
        /// - Returns: Whether that may happen. Otherwise, a user who does not want to sign in, or a server whose tokens
        ///   are of no use, would lead to a page in the browser for each request.
        mutating func recordAutomaticSignIn(at date: Date) -> Bool { automaticSignIns.add(date) }

        /// Counts an attempt to get more scopes for an operation.
        ///
        /// - Returns: Whether it may be made: there are at most three within an hour, so that an API that is never
        ///   satisfied does not ask the user without end.
        mutating func recordStepUp(for operation: String, at date: Date) -> Bool {
            stepUps = stepUps.mapValues { dates in dates.filter { (0..<3600).contains(date.timeIntervalSince($0)) } }
            stepUps = stepUps.filter { !$0.value.isEmpty }
            if stepUps[operation, default: []].count >= 3 { return false }
            stepUps[operation, default: []].append(date)
            return true
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
    func isCurrent(at now: Date) -> Bool { (0..<3600).contains(now.timeIntervalSince(date)) }
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
