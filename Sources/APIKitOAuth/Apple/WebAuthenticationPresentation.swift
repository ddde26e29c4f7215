#if os(iOS) || os(macOS) || os(visionOS)
import APIKitCore
import APIKitSupport
public import AuthenticationServices

extension AuthorizationPresentation {
    /// Shows the authorization page in the system's sheet (`ASWebAuthenticationSession`), which can use the user's
    /// existing login in the browser.
    ///
    /// An app needs no URL type in its `Info.plist` for this. On watchOS and tvOS, use a device code.
    ///
    /// - Parameters:
    ///   - redirectURI: The redirect URI, as it is registered with the authorization server: with a scheme of your own,
    ///     such as `com.example.app:/callback` (RFC 8252, section 7.1), or with `https` and a domain that is associated
    ///     with the app for `webcredentials`, and a path. The latter requires iOS 17.4, macOS 14.4 or visionOS 1.1.
    ///   - isEphemeral: Whether the page starts without cookies, so that the user logs in each time.
    ///   - anchor: Returns the window to show the sheet in.
    /// - Returns: The presentation. It throws an ``OAuthError`` with the code `cancelledByUser` if the user closes the
    ///   sheet, with the code `presentationFailed` if it cannot be shown, and with the code `invalidConfiguration` if
    ///   the sheet cannot receive the redirect URI.
    public static func webAuthenticationSession(
        redirectURI: String, isEphemeral: Bool = false,
        anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
    ) -> Self {
        .custom(redirectURI: redirectURI) { url in
            let sheet = await WebAuthenticationSheet(anchor: anchor)
            return try await sheet.redirect(to: url, redirectURI: redirectURI, isEphemeral: isEphemeral)
        }
    }
}

@MainActor
private final class WebAuthenticationSheet: NSObject, ASWebAuthenticationPresentationContextProviding {
    private let anchor: @MainActor @Sendable () -> ASPresentationAnchor

    init(anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor) {
        self.anchor = anchor
    }

    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { anchor() }

    /// Shows a page, and returns the URL that it redirects to at its end.
    func redirect(to url: URL, redirectURI: String, isEphemeral: Bool) async throws -> URL {
        let waiter = Waiter<URL>()
        let session = try Self.session(url, redirectURI: redirectURI, waiter)
        session.presentationContextProvider = self
        session.prefersEphemeralWebBrowserSession = isEphemeral
        // The session has only a weak reference to its provider, and nothing of the system has one to either.
        defer { withExtendedLifetime((self, session)) {} }
        if !session.start() {
            // Ignored if the completion handler has been called with the cause, such as a missing window.
            waiter.resume(with: .failure(Self.failure(nil)))
        }
        do {
            return try await waiter.value()
        } catch {
            // This closes the sheet if the task was cancelled.
            session.cancel()
            throw error
        }
    }

    /// Creates a session that resumes a waiter at its end.
    private static func session(
        _ url: URL, redirectURI: String, _ waiter: Waiter<URL>
    ) throws -> ASWebAuthenticationSession {
        let redirect = try RedirectCallback(redirectURI: redirectURI)
        // `@Sendable`, since the system may call it on any thread.
        let completion: @Sendable (URL?, (any Error)?) -> Void = { url, error in
            if let url {
                waiter.resume(with: .success(url))
            } else {
                waiter.resume(with: .failure(Self.failure(error)))
            }
        }
        switch redirect {
        case .scheme(let scheme):
            return ASWebAuthenticationSession(url: url, callbackURLScheme: scheme, completionHandler: completion)
        case .https(let host, let path):
            guard #available(iOS 17.4, macOS 14.4, visionOS 1.1, *) else {
                throw OAuthError(.presentationFailed, "an https redirect needs iOS 17.4, macOS 14.4 or visionOS 1.1")
            }
            return ASWebAuthenticationSession(
                url: url, callback: .https(host: host, path: path), completionHandler: completion)
        }
    }

    private nonisolated static func failure(_ error: (any Error)?) -> OAuthError {
        if let error = error as? ASWebAuthenticationSessionError, error.code == .canceledLogin {
            return OAuthError(.cancelledByUser, "the user closed the authorization page")
        }
        return OAuthError(.presentationFailed, "the system could not show the authorization page", underlying: error)
    }
}
#endif
