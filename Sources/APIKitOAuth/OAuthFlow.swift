public import APIKitCore

/// How tokens are obtained if there are none.
public struct OAuthFlow: Sendable {
    enum Kind: Sendable {
        case authorizationCode(AuthorizationPresentation)
        case deviceCode(show: @Sendable (DeviceAuthorization) async throws -> Void)
        case clientCredentials
    }

    let kind: Kind

    /// Whether a person takes part.
    var needsUser: Bool {
        switch kind {
        case .authorizationCode, .deviceCode: true
        case .clientCredentials: false
        }
    }

    /// The grant type that a client registers for.
    var grantType: String {
        switch kind {
        case .authorizationCode: "authorization_code"
        case .deviceCode: "urn:ietf:params:oauth:grant-type:device_code"
        case .clientCredentials: "client_credentials"
        }
    }

    /// The user signs in on a page of the server, which redirects to the program (RFC 6749, section 4.1, with PKCE, RFC
    /// 7636). For apps, and for command lines on a computer with a browser.
    ///
    /// - Parameter present: How the page is shown and the redirect is received.
    /// - Returns: The flow.
    public static func authorizationCode(present: AuthorizationPresentation) -> OAuthFlow {
        OAuthFlow(kind: .authorizationCode(present))
    }

    /// The user enters a code on a page of the server, on any device (RFC 8628). For command lines over a remote
    /// connection, and for devices without a browser or a keyboard.
    ///
    /// ```swift
    /// let flow = OAuthFlow.deviceCode { code in
    ///     print("Open \(code.verificationURL) and enter \(code.userCode)")
    /// }
    /// ```
    ///
    /// - Parameter show: Shows the code, and returns at once. Meanwhile, and until the code expires, the server is
    ///   asked whether the user has entered it.
    /// - Returns: The flow.
    public static func deviceCode(show: @escaping @Sendable (DeviceAuthorization) async throws -> Void) -> OAuthFlow {
        OAuthFlow(kind: .deviceCode(show: show))
    }

    /// The program signs in as itself, without a user (RFC 6749, section 4.4). For servers; the client needs a
    /// ``ClientAuthentication``.
    public static let clientCredentials = OAuthFlow(kind: .clientCredentials)
}

/// The response to a device authorization request: a code, and the page on which the user enters it (RFC 8628, section
/// 3.2).
public struct DeviceAuthorization: Sendable, Hashable {
    /// The code, as it is to be shown.
    public let userCode: String
    /// The page on which the user enters the code; short enough to be typed.
    public let verificationURL: URL
    /// The page with the code already in it, for a link or a QR code; nil if the server has none.
    public let verificationURLComplete: URL?
    /// When the code expires.
    public let expires: Date
}
