public import APIKitCore
import APIKitSupport

/// Further parameters of the requests to an authorization server, which a server defines besides those of OAuth.
///
/// ```swift
/// let parameters = OAuthParameters(
///     authorization: ["access_type": "offline", "prompt": "consent"])
/// ```
///
/// They are added to each request of their kind. A parameter that ``OAuth`` sets itself, such as `state`,
/// `code_challenge`, `client_id` or `scope`, cannot be changed: the request is not sent, and the error has the code
/// `invalidConfiguration`.
///
/// With `OAuth(resource:clients:)`, any server that the API names gets them, so they must not be secret.
///
/// All sign-ins of an ``OAuth`` have the same parameters. If each needs its own, such as a `nonce` that a program
/// compares with the ID token, create an ``OAuth`` for each sign-in, with the same store.
public struct OAuthParameters: Sendable, Equatable {
    /// The parameters of the page on which the user signs in (RFC 6749, section 4.1.1), such as `prompt`, `login_hint`,
    /// `audience` or `nonce`. They are in its URL, so they must not be secret.
    public var authorization: Parameters
    /// The parameters of the request for a device code (RFC 8628, section 3.1).
    public var deviceAuthorization: Parameters
    /// The parameters of the request that obtains the first tokens, for each flow (RFC 6749, sections 4.1.3 and 4.4.2;
    /// RFC 8628, section 3.4), such as `audience`.
    public var token: Parameters
    /// The parameters of the request that renews tokens with a refresh token (RFC 6749, section 6).
    public var refresh: Parameters

    /// Creates further parameters; each kind of request has none by default.
    public init(
        authorization: Parameters = [:], deviceAuthorization: Parameters = [:], token: Parameters = [:],
        refresh: Parameters = [:]
    ) {
        self.authorization = authorization
        self.deviceAuthorization = deviceAuthorization
        self.token = token
        self.refresh = refresh
    }
}

extension OAuthParameters: CustomStringConvertible, CustomReflectable {
    /// The parameters, with secrets masked.
    public var description: String {
        MaskedDescription("OAuthParameters")
            .value("authorization", authorization.isEmpty ? nil : authorization)
            .value("deviceAuthorization", deviceAuthorization.isEmpty ? nil : deviceAuthorization)
            .value("token", token.isEmpty ? nil : token)
            .value("refresh", refresh.isEmpty ? nil : refresh)
            .text
    }

    /// A mirror without children, so that `dump` does not show the secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension OAuthParameters {
    /// The parameters that are set by ``OAuth``, or that would change what a request means.
    ///
    /// | Names | Why they are not accepted |
    /// | --- | --- |
    /// | `client_id`, `client_secret`, `client_assertion…` | ``ClientAuthentication`` sets them |
    /// | `grant_type`, `code`, `device_code`, `refresh_token`, `code_verifier` | the flow sets them |
    /// | `response_type`, `redirect_uri`, `state`, `code_challenge…` | they protect the sign-in |
    /// | `scope`, `resource` | they decide which tokens are stored, and have arguments of their own |
    /// | `request`, `request_uri` | they would replace the whole request (RFC 9101) |
    /// | `response_mode` | the redirect is read from its query |
    static let ownNames: Set<String> = [
        "client_id", "client_secret", "client_assertion", "client_assertion_type", "grant_type", "code", "device_code",
        "refresh_token", "code_verifier", "response_type", "redirect_uri", "state", "code_challenge",
        "code_challenge_method", "scope", "resource", "request", "request_uri", "response_mode",
    ]

    /// Checks the names of all further parameters, before the user is asked for anything.
    ///
    /// - Throws: ``OAuthError`` with the code `invalidConfiguration` if one has the name of a parameter that ``OAuth``
    ///   sets.
    func checkNames() throws(OAuthError) {
        for parameters in [authorization, deviceAuthorization, token, refresh] {
            // Some servers compare names without case.
            let ownName = parameters.map(\.name).first { Self.ownNames.contains($0.lowercased()) }
            guard let name = ownName else { continue }
            throw OAuthError(
                .invalidConfiguration,
                "\(name) cannot be one of the further parameters: the sign-in sets it, or depends on it")
        }
    }

    /// Adds further parameters to those of a request.
    ///
    /// - Parameters:
    ///   - parameters: The further parameters.
    ///   - own: The parameters of the request.
    ///   - url: The URL of the request, whose query may have parameters too.
    /// - Returns: All parameters for the body or for the query, to which that of the URL does not belong.
    /// - Throws: ``OAuthError`` with the code `invalidConfiguration` if two have the same name. No parameter may occur
    ///   twice (RFC 6749, section 3.1), and servers differ in which of them they take.
    static func adding(
        _ parameters: Parameters, to own: Parameters, at url: ServerURL
    ) throws(OAuthError) -> Parameters {
        let all = own + parameters
        let namesInURL = url.url.queryItems.map { item in
            String(decoding: item.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self).fullyDecoded
        }
        var names = Set(namesInURL)
        for name in all.map(\.name) {
            guard names.insert(name).inserted else {
                let quoted = ServerURL.quoted(name)
                let message = "the request to \(ServerURL.quoted(url.text)) would have the parameter \(quoted) twice"
                throw OAuthError(.invalidConfiguration, message)
            }
        }
        return all
    }

    /// The values that are secret by their names, and must not be in any error.
    static func secrets(in parameters: Parameters) -> [String] {
        parameters.filter { SecretNames.contains($0.name) }.compactMap(\.value.text)
    }
}
