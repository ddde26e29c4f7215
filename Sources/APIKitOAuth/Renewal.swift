import APIKitClients
import APIKitCore

/// What is known when tokens are needed, and what is done then. It asks no server and changes nothing.
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
    /// | | others | refresh; without a refresh token, sign in |
    /// | refused for their scopes | valid, others than the refused ones, and with the scopes | use |
    /// | | requested or granted with the scopes | keep the refusal |
    /// | | of a program without a user, which names its scopes | keep the refusal |
    /// | | others | sign in for the missing scopes |
    var action: Action {
        switch reason {
        case .signIn(let added, let unaccepted): actionForSignIn(adding: added, unaccepted)
        case .expiring(let credential): actionForExpiry(of: credential)
        case .refused(let credential, let refusal) where refusal.asksForMoreScopes:
            actionForScopes(of: refusal, credential)
        case .refused(let credential, _): actionForRefusal(of: credential)
        }
    }

    private func actionForSignIn(adding added: [String], _ unaccepted: Credential?) -> Action {
        guard let tokens else { return .signIn }
        let isRequestedWithAll = Set(programScopes ?? []).isSubset(of: tokens.knownScopes)
        guard isRequestedWithAll else { return .signIn }
        let hasAdded = Set(added).isSubset(of: tokens.grantedScopes)
        guard hasAdded else { return .signIn }
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

    private func actionForRefusal(of credential: Credential) -> Action {
        guard let tokens else { return .signIn }
        if isValid(tokens), tokens.credential != credential { return .use(tokens) }
        return refreshOrSignIn(tokens)
    }

    /// No refresh token can add scopes (RFC 6749, section 6).
    private func actionForScopes(of refusal: Refusal, _ credential: Credential) -> Action {
        // Not every API says in its refusal which scopes it needs.
        let needed = refusal.scopes.isEmpty ? listedScopes : refusal.scopes
        if let tokens, isValid(tokens), tokens.credential != credential {
            let suffices = Set(needed).isSubset(of: tokens.grantedScopes)
            if suffices { return .use(tokens) }
        }
        let known = tokens?.knownScopes ?? Set(programScopes ?? [])
        let missing = needed.filter { !known.contains($0) }
        if missing.isEmpty { return .keepRefusal }
        // Without a user, nobody would see that the API gets more than the program has asked for.
        guard needsUser || programScopes == nil else { return .keepRefusal }
        return .signInAdding(missing)
    }

    private func refreshOrSignIn(_ tokens: OAuthTokens) -> Action {
        tokens.refreshToken == nil ? .signIn : .refresh(tokens)
    }

    private func isValid(_ tokens: OAuthTokens) -> Bool { !tokens.isExpired(at: now) }

    // MARK: - Scopes

    /// The scopes of a sign-in: at least those of the sign-in before, since fewer would only lead to another one.
    ///
    /// - Parameter serverScopes: The scopes that the authorization server lists.
    /// - Returns: The scopes to request, without those that a refusal adds.
    func scopes(at serverScopes: [String]) -> [String] {
        let requested = (programScopes ?? []).adding(tokens?.requestedScopes ?? [])
        let before = requested.adding(tokens?.grantedScopes(beside: requested) ?? [])
        if !before.isEmpty || programScopes != nil {
            // What the API asks for counts if the program leaves the scopes to it.
            let challenged = programScopes == nil ? reason.refusal?.scopes ?? [] : []
            return before.adding(challenged).adding(reason.addedScopes)
        }
        var scopes = reason.refusal?.scopes ?? []
        if scopes.isEmpty { scopes = listedScopes }
        scopes = scopes.adding(reason.addedScopes)
        // Without it, some servers issue no refresh token (OpenID Connect Core 1.0, section 11).
        let offline = "offline_access"
        if serverScopes.contains(offline), needsUser { scopes = scopes.adding([offline]) }
        return scopes
    }

    // MARK: - A refresh that failed

    /// What follows a refresh that failed.
    enum FailedRefresh: Sendable, Equatable {
        /// The refresh token is dead: it is removed from the store, and the flow starts.
        case forgetRefreshToken
        /// The server has forgotten the client: its registration is removed from the store, and the flow starts.
        case forgetClient
        /// The flow starts. The refresh token is kept, since it may be valid.
        case signIn
        /// The refresh fails with this error.
        case fail
    }

    /// Decides what follows an error of the token endpoint.
    ///
    /// | The server | A request needs tokens | The program signs in |
    /// | --- | --- | --- |
    /// | refuses the refresh token | forget it | forget it |
    /// | does not know the client that has registered itself | forget the client | forget the client |
    /// | refuses without an error code | sign in | sign in |
    /// | refuses with any other code | fail | sign in |
    /// | returns a response that is not readable | fail | sign in |
    /// | cannot respond now | fail | fail |
    ///
    /// A request does not start the flow for each error, since one of the program or the server would open a page for
    /// each request. An explicit sign-in always can: the user could not get out of it otherwise.
    static func afterFailure(
        _ error: OAuthError, isSignIn: Bool, isRegisteredClient: Bool
    ) -> FailedRefresh {
        guard error.code == .refused else {
            return isSignIn && error.code == .badResponse ? .signIn : .fail
        }
        switch error.serverCode {
        // GitHub has a code of its own, and so has Slack.
        case "invalid_grant", "bad_refresh_token", "invalid_refresh_token": return .forgetRefreshToken
        case "invalid_client" where isRegisteredClient: return .forgetClient
        // Not every server says why, but the refusal may also come from a proxy that knows no tokens.
        case nil: return .signIn
        default: return isSignIn ? .signIn : .fail
        }
    }
}

extension OAuthTokens {
    /// Whether the access token has expired.
    func isExpired(at date: Date) -> Bool {
        guard let expires else { return false }
        return expires <= date
    }

    /// The scopes that were granted. Some servers, such as GitHub's, separate them by commas.
    fileprivate var grantedScopes: Set<String> {
        Set(scopes).union(scopes.flatMap { $0.split(separator: ",").map(String.init) })
    }

    /// The granted scopes as the server writes them, without lists of scopes that were requested one by one: it may not
    /// accept such a list as the name of a scope.
    fileprivate func grantedScopes(beside requested: [String]) -> [String] {
        let requestedNames = Set(requested.flatMap { $0.split(separator: ",") })
        return scopes.filter { !requestedNames.isSuperset(of: $0.split(separator: ",")) }
    }

    /// The scopes that were requested or granted. A file of an earlier version has only the latter.
    fileprivate var knownScopes: Set<String> { grantedScopes.union(requestedScopes ?? []) }
}

extension [String] {
    /// These scopes, and those of another list that are not among them.
    func adding(_ others: [String]) -> [String] {
        let own = Set(self)
        return self + others.filter { !own.contains($0) }
    }
}
