extension Renewal {
    /// The scopes of a sign-in: at least those of the sign-in before, since fewer would only lead to another one.
    ///
    /// - Parameter serverScopes: The scopes that the authorization server lists.
    /// - Returns: The scopes to request. A refusal adds to them only if the program leaves its scopes to the API.
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
}

extension OAuthTokens {
    /// The scopes that were granted. Some servers, such as GitHub's, separate them by commas.
    var grantedScopes: Set<String> {
        Set(scopes).union(scopes.flatMap { $0.split(separator: ",").map(String.init) })
    }

    /// The granted scopes as the server writes them, without lists of scopes that were requested one by one: it may not
    /// accept such a list as the name of a scope.
    fileprivate func grantedScopes(beside requested: [String]) -> [String] {
        let requestedNames = Set(requested.flatMap { $0.split(separator: ",") })
        return scopes.filter { !requestedNames.isSuperset(of: $0.split(separator: ",")) }
    }

    /// The scopes that were requested or granted. A file of an earlier version has only the latter.
    var knownScopes: Set<String> { grantedScopes.union(requestedScopes ?? []) }
}

extension [String] {
    /// These scopes, and those of another list that are not among them.
    func adding(_ others: [String]) -> [String] {
        let own = Set(self)
        return self + others.filter { !own.contains($0) }
    }
}
