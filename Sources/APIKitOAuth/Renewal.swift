import APIKitClients
import APIKitCore

/// What is known when tokens are needed, and what is done then. It asks no server and changes nothing;
/// ``LockedAccount`` carries out what it decides.
struct Renewal: Sendable {
    let reason: OAuth.Reason
    /// The tokens in the store; nil if there are none.
    let tokens: OAuthTokens?
    /// The scopes of the program; nil if the API names them.
    let programScopes: [String]?
    /// The scopes that the API lists in its metadata.
    let listedScopes: [String]
    /// Whether a sign-in needs the user.
    let needsUser: Bool
    /// Whether a request may ask the user to sign in.
    var signsInAutomatically = true
    let now: Date

    // MARK: - The action

    /// What is done.
    enum Action: Sendable, Equatable {
        /// Sends the stored tokens.
        case use(OAuthTokens)
        /// Obtains other tokens with the refresh token, or by a sign-in if the server refuses it.
        case refresh(OAuthTokens)
        /// Obtains tokens by the flow.
        case signIn
        /// Obtains tokens with more scopes by the flow. If the user does not grant them, the API's refusal stands.
        case signInAdding([String])
        /// Lets the API's refusal stand.
        case keepRefusal
        /// Fails.
        case fail(Problem)
    }

    /// Why nothing is obtained.
    enum Problem: Sendable {
        /// The API refuses whatever the server issues. Otherwise, each request would ask the user to sign in again.
        case refusesNewTokens
        /// Nobody is signed in, and a request may not ask the user.
        case nobodyIsSignedIn
        /// Requests have asked the user too often.
        case hasAskedTooOften
    }

    /// What is done. In each part, the first line that applies counts.
    ///
    /// | Reason | Stored tokens | Action |
    /// | --- | --- | --- |
    /// | the program signs in | none | sign in |
    /// | | not requested with all scopes of the program | sign in |
    /// | | without a scope that the program adds | sign in |
    /// | | the API does not accept them | sign in |
    /// | | valid | use |
    /// | | expired | refresh; without a refresh token, sign in |
    /// | they expire | none | sign in |
    /// | | valid, and others than those that expire | use |
    /// | | valid, and only the user could replace them | use |
    /// | | others | refresh; without a refresh token, sign in |
    /// | refused | none | sign in |
    /// | | valid, and others than those that were refused | use |
    /// | | expired | refresh; without a refresh token, sign in |
    /// | | without a refresh token, and from a sign-in less than a minute ago | fail |
    /// | | without a refresh token, if requests may not ask the user | sign in, which then fails |
    /// | | others, after five like them within a minute | fail |
    /// | | others | refresh; without a refresh token, sign in |
    /// | refused for their scopes | valid, others than the refused ones, and with the scopes | use |
    /// | | expired, others than the refused ones, granted with the scopes, and with a refresh token | refresh |
    /// | | requested or granted with the scopes | keep the refusal |
    /// | | of a program without a user, which names its scopes | keep the refusal |
    /// | | others, after three sign-ins for the operation within an hour | keep the refusal |
    /// | | others | sign in for the missing scopes |
    ///
    /// - Parameter limits: What was obtained lately.
    /// - Returns: The action.
    func action(within limits: RenewalLimits) -> Action {
        switch reason {
        case .signIn(let added, let unaccepted): actionForSignIn(adding: added, unacceptedByAPI: unaccepted)
        case .expiring(let credential): actionForExpiry(of: credential)
        case .refused(let credential, let refusal) where refusal.asksForMoreScopes:
            actionForScopes(of: refusal, credential, within: limits)
        case .refused(let credential, _): actionForRefusal(of: credential, within: limits)
        }
    }

    /// Decides what the program's call of `signIn` does: it starts a sign-in unless the stored tokens have all scopes.
    ///
    /// A server may grant fewer scopes than were requested. Those that the program always names count if they were
    /// requested, since the server would not grant them the next time either. Those of this call have to be granted.
    ///
    /// - Parameters:
    ///   - added: The scopes of this call.
    ///   - unaccepted: The credential that the API has refused and that nothing could replace, if any.
    /// - Returns: The action.
    private func actionForSignIn(adding added: [String], unacceptedByAPI unaccepted: Credential?) -> Action {
        guard let tokens else { return .signIn }
        let wereProgramScopesRequested = Set(programScopes ?? []).isSubset(of: tokens.knownScopes)
        guard wereProgramScopesRequested else { return .signIn }
        let areAddedScopesGranted = Set(added).isSubset(of: tokens.grantedScopes)
        guard areAddedScopesGranted else { return .signIn }
        if tokens.credential == unaccepted { return .signIn }
        return isValid(tokens) ? .use(tokens) : refreshOrSignIn(tokens)
    }

    private func actionForExpiry(of credential: Credential) -> Action {
        guard let tokens else { return .signIn }
        guard isValid(tokens) else { return refreshOrSignIn(tokens) }
        if tokens.credential != credential { return .use(tokens) }
        let onlyUserCanReplace = tokens.refreshToken == nil && needsUser
        return onlyUserCanReplace ? .use(tokens) : refreshOrSignIn(tokens)
    }

    private func actionForRefusal(of credential: Credential, within limits: RenewalLimits) -> Action {
        guard let tokens else { return .signIn }
        guard isValid(tokens) else { return refreshOrSignIn(tokens) }
        if tokens.credential != credential { return .use(tokens) }
        let isFromRecentSignIn = limits.isFromRecentSignIn(credential, at: now)
        if tokens.refreshToken == nil, isFromRecentSignIn { return .fail(.refusesNewTokens) }
        if replacesRefusedTokens, !limits.refusals.allowsEvent(at: now) { return .fail(.refusesNewTokens) }
        return refreshOrSignIn(tokens)
    }

    /// The stored tokens, if the API has refused them although they have not expired; otherwise nil.
    var refusedTokens: OAuthTokens? {
        guard case .refused(let credential, let refusal) = reason, !refusal.asksForMoreScopes else { return nil }
        guard let tokens, isValid(tokens), tokens.credential == credential else { return nil }
        return tokens
    }

    /// Whether other tokens are to be obtained in place of valid ones, which the API could refuse, too. If only a
    /// sign-in could replace them, and may not start, nothing is obtained.
    var replacesRefusedTokens: Bool {
        guard let refusedTokens else { return false }
        return refusedTokens.refreshToken != nil || mayStartFlow
    }

    // A refresh token cannot add scopes (RFC 6749, section 6), so only a sign-in can.
    private func actionForScopes(
        of refusal: Refusal, _ credential: Credential, within limits: RenewalLimits
    ) -> Action {
        // Not every API says in its refusal which scopes it needs.
        let needed = refusal.scopes.isEmpty ? listedScopes : refusal.scopes
        if let tokens, tokens.credential != credential, Set(needed).isSubset(of: tokens.grantedScopes) {
            if isValid(tokens) { return .use(tokens) }
            if tokens.refreshToken != nil { return .refresh(tokens) }
        }
        let known = tokens?.knownScopes ?? Set(programScopes ?? [])
        let missing = needed.filter { !known.contains($0) }
        if missing.isEmpty { return .keepRefusal }
        // Without a user, nobody would see that the API gets more than the program has asked for.
        guard needsUser || programScopes == nil else { return .keepRefusal }
        // An API that is never satisfied would ask the user without end.
        guard limits.allowsScopeSignIn(for: refusal.operation, at: now) else { return .keepRefusal }
        return .signInAdding(missing)
    }

    private func refreshOrSignIn(_ tokens: OAuthTokens) -> Action {
        tokens.refreshToken == nil ? .signIn : .refresh(tokens)
    }

    private func isValid(_ tokens: OAuthTokens) -> Bool { !tokens.isExpired(at: now) }

    // MARK: - The start of a sign-in

    /// Whether a request may start the flow.
    private var mayStartFlow: Bool { !needsUser || signsInAutomatically }

    /// Whether the user is asked because of a request, and not because the program signs in.
    var isAutomaticSignIn: Bool { needsUser && !reason.isSignIn }

    /// Decides whether the flow may start.
    ///
    /// | The flow | is started by | Result |
    /// | --- | --- | --- |
    /// | without a user | anything | may start |
    /// | with a user | the program, which signs in | may start |
    /// | | a request that may not ask the user | nobody is signed in |
    /// | | a request, after five that have asked within a minute | has asked too often |
    /// | | another request | may start |
    ///
    /// - Parameters:
    ///   - limits: What was obtained lately.
    ///   - date: The date now, which may be later than the one of the decision: a refresh may have failed meanwhile.
    /// - Returns: The reason why it may not start; otherwise nil.
    func signInProblem(within limits: RenewalLimits, at date: Date) -> Problem? {
        guard isAutomaticSignIn else { return nil }
        if !mayStartFlow { return .nobodyIsSignedIn }
        return limits.automaticSignIns.allowsEvent(at: date) ? nil : .hasAskedTooOften
    }
}

extension OAuthError {
    /// Creates the error of a renewal that obtains nothing.
    init(_ problem: Renewal.Problem, for reason: OAuth.Reason) {
        switch problem {
        case .refusesNewTokens:
            let message =
                "the API refuses tokens that were just issued (\(reason.refusal?.summary ?? "")): it may expect "
                + "another issuer, other scopes or another resource"
            self.init(.refusedByAPI, message)
        case .nobodyIsSignedIn:
            self.init(.signInRequired, "nobody is signed in: call signIn() first")
        case .hasAskedTooOften:
            let message = "the user was asked to sign in five times within a minute: call signIn() to ask again"
            self.init(.signInRequired, message)
        }
    }
}
