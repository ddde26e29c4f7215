extension Renewal {
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
