public import APIKitCore

extension AuthorizationPresentation {
    /// The host in the redirect URI of a loopback listener.
    public enum LoopbackHost: String, Sendable, Hashable {
        /// `127.0.0.1`, which RFC 8252 recommends (section 8.3).
        case address = "127.0.0.1"
        /// `localhost`, for servers that accept only this name. A browser may first try `::1`, where another user of
        /// the computer could listen; PKCE makes the code useless to them.
        case localhost
    }

    /// Receives the redirect at a port of this machine (RFC 8252, section 7.3), for programs that run where the user's
    /// browser runs.
    ///
    /// The redirect URI is `http://127.0.0.1:PORT/callback`. Servers that follow the RFC accept any port; for others,
    /// register a port and name it here. The port is open only during a sign-in, and takes only the redirect that
    /// belongs to it.
    ///
    /// Other users of the same computer can usually see the arguments of programs, and so the URL that a browser is
    /// started with. With it, one of them could send a redirect of their own, so that the program is signed in to
    /// another account than its user's. They cannot obtain the user's tokens. On a computer that several people use at
    /// the same time, use a device code.
    ///
    /// - Parameters:
    ///   - host: The host in the redirect URI. The port is opened at `127.0.0.1` in any case.
    ///   - port: The port; 0 for any free one, preferably the last one.
    ///   - path: The path of the redirect URI, with a slash at its beginning.
    ///   - timeout: How long the user has to sign in.
    ///   - open: Shows the authorization page, for example in a browser on the same machine, and returns. Its task is
    ///     cancelled when the redirect has arrived or the sign-in ends otherwise.
    /// - Returns: The presentation. It throws an ``OAuthError`` with the code `presentationFailed` if the port is in
    ///   use, and with the code `timedOut`.
    public static func loopback(
        host: LoopbackHost = .address, port: Int = 0, path: String = "/callback", timeout: Duration = .seconds(300),
        open: @escaping @Sendable (URL) async throws -> Void
    ) -> Self {
        AuthorizationPresentation { preferred in
            let redirect = try LoopbackRedirect(host: host, port: port, path: path, preferredURI: preferred)
            return Session(
                redirectURI: redirect.uri,
                present: { try await present($0, until: redirect, within: timeout, open: open) },
                end: { redirect.end() })
        }
    }

    /// Shows a page, and waits for the redirect at its end; ends early if the page cannot be shown.
    private static func present(
        _ url: URL, until redirect: LoopbackRedirect, within timeout: Duration,
        open: @escaping @Sendable (URL) async throws -> Void
    ) async throws -> URL {
        try await withThrowingTaskGroup(of: URL?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await redirect.redirect(to: url, within: timeout) }
            group.addTask {
                try await open(url)
                return nil
            }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }
}

#if os(macOS) || os(Linux)
extension AuthorizationPresentation {
    /// Opens the user's browser, and receives the redirect as ``loopback(host:port:path:timeout:open:)`` does. The user
    /// has five minutes.
    ///
    /// If no browser can be opened, the URL is printed to the standard error, so that the user can open it. Over `ssh`,
    /// where the browser is on another machine, use a device code.
    public static var browser: Self { browser() }

    /// Opens the user's browser as ``browser`` does, for servers that accept only one redirect URI.
    ///
    /// - Parameters:
    ///   - host: The host in the redirect URI.
    ///   - port: The port; 0 for any free one.
    ///   - path: The path of the redirect URI, with a slash at its beginning.
    /// - Returns: The presentation.
    public static func browser(host: LoopbackHost = .address, port: Int = 0, path: String = "/callback") -> Self {
        loopback(host: host, port: port, path: path) { try Browser.system.open($0) }
    }
}
#endif
