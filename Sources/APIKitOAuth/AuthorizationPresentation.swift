public import APIKitCore

/// How the user sees the authorization page, and how the redirect at its end comes back to the program.
public struct AuthorizationPresentation: Sendable {
    /// One presentation in progress. ``end`` is called once, after ``present`` or instead of it.
    struct Session: Sendable {
        /// The redirect URI of the authorization request.
        let redirectURI: String
        /// Shows an authorization page, and returns the complete URL of the redirect at its end.
        let present: @Sendable (URL) async throws -> URL
        /// Stops receiving the redirect.
        let end: @Sendable () -> Void
    }

    /// Prepares to receive the redirect. `preferred` is the redirect URI that was registered before, whose port is used
    /// again if it is free.
    let begin: @Sendable (_ preferred: String?) async throws -> Session

    /// A presentation of your own, for example in a web view or with an app's URL scheme.
    ///
    /// - Parameters:
    ///   - redirectURI: The redirect URI, as it is registered with the authorization server.
    ///   - present: Shows an authorization page, and returns the complete URL that the server then redirects to. It
    ///     should end if its task is cancelled.
    /// - Returns: The presentation.
    public static func custom(
        redirectURI: String, present: @escaping @Sendable (URL) async throws -> URL
    ) -> Self {
        AuthorizationPresentation { _ in
            Session(redirectURI: redirectURI, present: present, end: {})
        }
    }
}
