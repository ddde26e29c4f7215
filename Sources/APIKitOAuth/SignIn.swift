import APIKitCore
import APIKitSupport

/// One sign-in: from nothing to tokens.
struct SignIn: Sendable {
    let serverClient: AuthorizationServerClient
    let scopes: [String]

    private var server: AuthorizationServer { serverClient.server }
    private var clock: any Clock<Duration> { serverClient.client.clock }
    private var now: Date { clock.dates()() }
    /// The scopes as they are sent; nil if there are none, so that the server chooses.
    private var scope: String? { scopes.isEmpty ? nil : scopes.joined(separator: " ") }

    // MARK: - Client credentials

    /// Obtains tokens for the program itself (RFC 6749, section 4.4).
    func withClientCredentials() async throws -> OAuthTokens {
        try await serverClient.tokens(
            for: ["grant_type": "client_credentials", "scope": scope], hiding: [], scopes: scopes)
    }

    // MARK: - Authorization code

    /// Has the user grant access on a page of the server, and redeems the code of its redirect.
    ///
    /// - Parameters:
    ///   - session: Shows the page, and returns the redirect.
    ///   - willPresent: Called just before the page is shown.
    /// - Returns: The tokens.
    /// - Throws: ``OAuthError``; the errors of the presentation and of the connection.
    func withAuthorizationCode(
        _ session: AuthorizationPresentation.Session, willPresent: () -> Void
    ) async throws -> OAuthTokens {
        guard let page = server.authorizationEndpoint else {
            throw OAuthError(.unsupported, "the authorization server has no authorization endpoint")
        }
        try serverClient.parameters.checkNames()
        try checkSupport()
        let verifier = RandomText.base64URL()
        let state = RandomText.base64URL()
        let own: Parameters = [
            "response_type": "code", "client_id": serverClient.identity.id, "redirect_uri": session.redirectURI,
            "scope": scope, "resource": serverClient.resource, "state": state,
            // The SHA-256 of the verifier (RFC 7636, section 4.2).
            "code_challenge": Data(verifier.utf8).sha256.base64URLEncodedString(), "code_challenge_method": "S256",
        ]
        let parameters = try OAuthParameters.adding(serverClient.parameters.authorization, to: own, at: page)
        let request = AuthorizationRequest(url: page, parameters: parameters)
        let url = try request.httpRequest().url
        willPresent()
        let redirect = try await session.present(url)
        let answer = AuthorizationRedirect(redirect)
        try answer.check(redirectURI: session.redirectURI, state: state, server: server)
        let code = try answer.code()
        return try await serverClient.tokens(
            for: [
                "grant_type": "authorization_code", "code": code, "redirect_uri": session.redirectURI,
                "code_verifier": verifier,
            ],
            hiding: [code, verifier], scopes: scopes)
    }

    /// Checks that the server can do what a sign-in by redirect needs.
    ///
    /// - Throws: ``OAuthError`` with the code `unsupported`.
    private func checkSupport() throws(OAuthError) {
        // Without it, a code that is intercepted could be redeemed by someone else.
        guard server.supportsS256 != false else {
            let message =
                "the metadata of the authorization server does not list PKCE with S256 (RFC 7636): if the server "
                + "supports it nevertheless, as Microsoft Entra does, name its URLs with OAuthEndpoints"
            throw OAuthError(.unsupported, message)
        }
        // The server would show an error page, and never redirect to the program.
        guard !server.requiresPushedRequests else {
            let message =
                "the authorization server accepts only pushed authorization requests (RFC 9126), which are not "
                + "supported: use a device code, or another registration of the client"
            throw OAuthError(.unsupported, message)
        }
    }

    // MARK: - Device code

    /// Shows a code to the user, and asks the server until the user has entered it (RFC 8628, section 3.4).
    ///
    /// - Throws: ``OAuthError``, with the code `timedOut` if the user does not enter the code in time; the errors of
    ///   `show` and of the connection; `CancellationError`.
    func withDeviceCode(show: @Sendable (DeviceAuthorization) async throws -> Void) async throws -> OAuthTokens {
        guard let url = server.deviceAuthorizationEndpoint else {
            throw OAuthError(.unsupported, "the authorization server has no device authorization endpoint")
        }
        try serverClient.parameters.checkNames()
        let response = try await serverClient.deviceAuthorization(at: url, scope: scope)
        let code = try deviceCode(response, from: url)
        try await show(code)
        let grant: Parameters = [
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": response.device_code,
        ]
        var interval = Self.interval(response.interval?.value)
        while true {
            try await clock.sleep(for: min(interval, .seconds(code.expires.timeIntervalSince(now))))
            guard now < code.expires else { break }
            do {
                return try await serverClient.tokens(for: grant, hiding: [response.device_code], scopes: scopes)
            } catch let error as OAuthError where error.code == .serverFailed {
                interval = min(interval * 2, .seconds(60))
            } catch let error as OAuthError {
                switch error.serverCode {
                case "authorization_pending": continue
                case "slow_down": interval += .seconds(5)
                case "expired_token": throw Self.codeExpired
                default: throw error
                }
            } catch let error as TransportError where TransportError.Code.transient.contains(error.code) {
                // The server may be overloaded: it is asked less often (RFC 8628, section 3.5).
                interval = min(interval * 2, .seconds(60))
            }
        }
        throw Self.codeExpired
    }

    private static let codeExpired = OAuthError(.timedOut, "the code has expired before the user entered it")

    /// Checks a code before it is shown.
    private func deviceCode(
        _ response: DeviceAuthorizationResponse, from endpoint: ServerURL
    ) throws -> DeviceAuthorization {
        guard let address = response.verification_uri ?? response.verification_url else {
            throw OAuthError(.badResponse, "the device authorization has no verification URI")
        }
        let page = try ServerURL(address, "the verification URI", namedBy: endpoint)
        let completePage = try response.verification_uri_complete.map { text in
            try ServerURL(text, "the verification URI", namedBy: endpoint)
        }
        let seconds = response.expires_in.value
        let isShowable = response.user_code.unicodeScalars.allSatisfy(\.isShowable)
        guard isShowable, (1...100).contains(response.user_code.utf8.count), seconds > 0 else {
            throw OAuthError(.badResponse, "the user code cannot be shown, or has expired already")
        }
        let day = 86_400.0
        return DeviceAuthorization(
            userCode: response.user_code, verificationURL: page.url, verificationURLComplete: completePage?.url,
            expires: now.addingTimeInterval(min(seconds, day)))
    }

    /// The polling interval: what the server asks for, or five seconds; from one second to one minute.
    private static func interval(_ seconds: Double?) -> Duration {
        guard let seconds, seconds > 0 else { return .seconds(5) }
        return .seconds(min(max(seconds, 1), 60))
    }
}
