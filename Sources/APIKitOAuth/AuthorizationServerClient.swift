import APIKitCore
import APIKitSupport

/// Sends requests to an authorization server as one of its clients. Checks every response, and turns every error of
/// the server into an ``OAuthError`` without secrets.
struct AuthorizationServerClient: Sendable {
    let server: AuthorizationServer
    let identity: ClientIdentity
    /// The API that the tokens are for (RFC 8707); nil if the server knows only one.
    let resource: String?
    /// Further parameters of the requests.
    var parameters = OAuthParameters()
    /// The types of tokens that are sent as Bearer, besides `Bearer` itself.
    var bearerTokenTypes: [String] = []
    let client: any APIClient

    private var now: Date { client.clock.dates()() }

    // MARK: - Requests

    /// Obtains tokens.
    ///
    /// - Parameters:
    ///   - grant: The grant type, and what belongs to it.
    ///   - further: Further parameters; nil for those of a request for the first tokens.
    ///   - secrets: The values in it that must not be in any error.
    ///   - previous: The tokens that the new ones replace. What the server leaves out stays as it was (RFC 6749,
    ///     sections 5.1 and 6).
    ///   - scopes: The scopes that were requested. The server names those that it has granted if they differ.
    /// - Returns: The tokens.
    /// - Throws: ``OAuthError``; the errors of the connection.
    func tokens(
        for grant: Parameters, adding further: Parameters? = nil, hiding secrets: [String],
        replacing previous: OAuthTokens? = nil, scopes: [String]
    ) async throws -> OAuthTokens {
        try parameters.checkNames()
        let further = further ?? parameters.token
        let grant = try OAuthParameters.adding(
            further, to: grant + ["resource": resource], at: server.tokenEndpoint)
        let secrets = secrets + OAuthParameters.secrets(in: further)
        let authentication = try await identity.authentication(for: server, now: now)
        let request = TokenRequest(url: server.tokenEndpoint, grant: grant, authentication: authentication)
        let requested = now
        // A code or a refresh token is valid once, so the tokens must arrive.
        try Task.checkCancellation()
        let response = try await uncancelled { try await send(request, hiding: secrets + authentication.secrets) }
        return try checked(response, requested: requested, replacing: previous, scopes: scopes)
    }

    /// Obtains new tokens with a refresh token (RFC 6749, section 6).
    func refresh(_ tokens: OAuthTokens, with refreshToken: String) async throws -> OAuthTokens {
        try await self.tokens(
            for: ["grant_type": "refresh_token", "refresh_token": refreshToken], adding: parameters.refresh,
            hiding: [refreshToken, tokens.accessToken], replacing: tokens, scopes: tokens.scopes)
    }

    /// Obtains a code for the user of a device (RFC 8628, section 3.1).
    func deviceAuthorization(at url: ServerURL, scope: String?) async throws -> DeviceAuthorizationResponse {
        let further = parameters.deviceAuthorization
        let request = try OAuthParameters.adding(further, to: ["scope": scope, "resource": resource], at: url)
        let authentication = try await identity.authentication(for: server, now: now)
        return try await send(
            DeviceAuthorizationRequest(url: url, request: request, authentication: authentication),
            hiding: authentication.secrets + OAuthParameters.secrets(in: further))
    }

    /// Revokes a token (RFC 7009). A server that cannot do that for this type of token is not an error, nor is a token
    /// that is invalid already: some servers refuse it, although RFC 7009, section 2.2, says otherwise.
    func revoke(_ token: String, hint: String, at url: ServerURL) async throws {
        let authentication = try await identity.authentication(for: server, now: now)
        do {
            _ = try await send(
                RevocationRequest(url: url, token: token, hint: hint, authentication: authentication),
                hiding: [token] + authentication.secrets)
        } catch let error as OAuthError where ["unsupported_token_type", "invalid_token"].contains(error.serverCode) {
            return
        }
    }

    // MARK: - Errors

    /// Sends a request.
    ///
    /// - Throws: ``OAuthError`` if the server refuses or its response is not readable; the errors of the connection.
    private func send<R: OAuthRequest>(
        _ request: R, hiding secrets: [String]
    ) async throws -> R.Response.Model {
        do {
            return try await client.send(request)
        } catch {
            throw Self.error(for: error, of: request.url, hiding: secrets)
        }
    }

    /// The error for a request that failed: an ``OAuthError`` if the server has responded.
    static func error(
        for error: APIError<ServerRefusal>, of url: ServerURL, hiding secrets: [String]
    ) -> any Error {
        switch error {
        case .rejected(let refusal, let response):
            let status = response.head.status
            let code = Self.code(forStatus: status, hasErrorCode: refusal != nil)
            if let refusal {
                return Self.error(code, for: refusal, status: status, hiding: secrets)
            }
            return OAuthError(code, "\(ServerURL.quoted(url.text)) returned the status \(status) without an error code")
        case .unreadable:
            return OAuthError(.badResponse, "the response of \(ServerURL.quoted(url.text)) is not what OAuth requires")
        case .invalidRequest(let error): return error
        case .transport(let error): return error
        case .cancelled: return CancellationError()
        }
    }

    /// Decides what a response that is not a success means. The status decides before the body: an overloaded server
    /// may send an error code with its 503, which is no refusal.
    ///
    /// | Status | With an error code | Without one |
    /// | --- | --- | --- |
    /// | 429, 500 and above | the server failed | the server failed |
    /// | 400, 401, 403 | it refused | it refused, as some servers do without a body |
    /// | any other, also 200 | it refused | the response is not what OAuth requires |
    static func code(forStatus status: Int, hasErrorCode: Bool) -> OAuthError.Code {
        if isFailure(status) { return .serverFailed }
        if hasErrorCode { return .refused }
        return [400, 401, 403].contains(status) ? .refused : .badResponse
    }

    /// Whether a status means that the server cannot respond now.
    static func isFailure(_ status: Int) -> Bool { status == 429 || status >= 500 }

    /// The error for a response with an error code. Its texts come from the server, which may repeat what it was sent.
    ///
    /// - Parameters:
    ///   - code: What the response means.
    ///   - refusal: The error code and its description.
    ///   - status: The status of the response; nil for a redirect.
    ///   - secrets: The values that must not be in the error.
    /// - Returns: The error.
    static func error(
        _ code: OAuthError.Code = .refused, for refusal: ServerRefusal, status: Int? = nil, hiding secrets: [String]
    ) -> OAuthError {
        let serverCode = ServerCode.isRegistered(refusal.error) ? refusal.error : text(refusal.error, hiding: secrets)
        var message = "the authorization server refused: \(serverCode)"
        if code == .serverFailed, let status {
            message = "the authorization server failed with the status \(status): \(serverCode)"
        }
        if let description = refusal.error_description, !description.isEmpty {
            message += " (\(text(description, hiding: secrets)))"
        }
        return OAuthError(code, message, serverCode: serverCode)
    }

    /// A text of a server for an error: on one line, short, and without secrets. It has no characters that a terminal
    /// obeys, or that change the direction of what follows.
    private static func text(_ text: String, hiding secrets: [String]) -> String {
        let visible = String.UnicodeScalarView(Masking.oneLine(text).unicodeScalars.filter(\.isShowable))
        // A server may also repeat a secret as it was in the form, or as it would be in a query.
        let spellings = secrets.flatMap { secret in
            [secret, ClientIdentity.encoded(secret, .form), ClientIdentity.encoded(secret, .query)]
        }
        let hidden = spellings.filter { !$0.isEmpty }
        let withoutOwnSecrets = Masking.masked(String(visible), hiding: hidden)
        let masked = Masking.masked(withoutOwnSecrets)
        // Not characters, each of which may have any number of accents.
        return String(String.UnicodeScalarView(masked.unicodeScalars.prefix(200)))
    }

    // MARK: - Checks

    /// Creates tokens from a response.
    ///
    /// - Throws: ``OAuthError`` with the code `badResponse` if the access token cannot be sent, or if a token is too
    ///   long to be stored.
    private func checked(
        _ response: TokenResponse, requested: Date, replacing previous: OAuthTokens?, scopes: [String]
    ) throws(OAuthError) -> OAuthTokens {
        // RFC 6749, appendix A.12.
        guard response.access_token.isVisibleASCII else {
            throw OAuthError(.badResponse, "the access token is empty or contains characters that cannot be sent")
        }
        try StorageLimits.check(response.access_token, "the access token")
        try StorageLimits.check(response.refresh_token, "the refresh token")
        // Some servers leave the type out.
        let type = response.token_type ?? "Bearer"
        try checkType(type)
        var refreshToken = previous?.refreshToken
        if let new = response.refresh_token, !new.isEmpty { refreshToken = new }
        var granted = scopes
        // An empty list says nothing: a token without any scope would be of no use.
        if let list = response.scope, !list.scopes.isEmpty { granted = list.scopes }
        try StorageLimits.check(granted.joined(separator: " "), "the list of scopes")
        var idToken = response.id_token ?? previous?.idToken
        if let length = idToken?.utf8.count, length > StorageLimits.text { idToken = nil }
        // A refresh requests no scopes.
        let requestedScopes = previous == nil ? scopes : previous?.requestedScopes
        return OAuthTokens(
            accessToken: response.access_token, tokenType: type, refreshToken: refreshToken,
            expires: Self.expiry(of: response, requested: requested), scopes: granted,
            requestedScopes: requestedScopes, idToken: idToken,
            additionalParameters: Self.additionalParameters(of: response, besides: previous))
    }

    /// Checks the type of tokens, which says how they are sent.
    ///
    /// - Throws: ``OAuthError`` with the code `badResponse` for an unknown one (RFC 6749, section 7.1).
    private func checkType(_ type: String) throws(OAuthError) {
        let known = ["bearer", "dpop"] + bearerTokenTypes.map { $0.lowercased() }
        if known.contains(type.lowercased()) { return }
        throw OAuthError(
            .badResponse,
            "the tokens are of a type that is neither Bearer nor DPoP: if the API accepts them as Bearer tokens, name "
                + "the type in bearerTokenTypes")
    }

    /// The members of a response that OAuth does not define, and those of the responses before that it leaves out; only
    /// as many as may be stored.
    private static func additionalParameters(of response: TokenResponse, besides previous: OAuthTokens?) -> JSONValue {
        let members = Array(response.additionalParameters) + Array(previous?.additionalParameters.object ?? [:])
        var names: Set<String> = []
        var kept: [JSONValue.Object.Member] = []
        var size = 0
        for member in members where names.insert(member.name).inserted {
            let memberSize = JSONValue.object([member.name: member.value]).description.utf8.count
            if size + memberSize <= StorageLimits.text {
                kept.append(member)
                size += memberSize
            }
        }
        return .object(JSONValue.Object(kept))
    }

    /// When the access token expires; nil if the server does not say it in a number that makes sense. Some servers mean
    /// by 0 that it does not expire; if it does, the API refuses it.
    private static func expiry(of response: TokenResponse, requested: Date) -> Date? {
        guard let seconds = response.expires_in?.value, seconds > 0 else { return nil }
        let tenYears = 315_576_000.0
        return requested.addingTimeInterval(min(seconds, tenYears))
    }
}

extension String {
    /// Whether the text has at least one character, and only visible ones of ASCII.
    var isVisibleASCII: Bool { !isEmpty && utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}
