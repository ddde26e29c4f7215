import APIKitCore

/// An endpoint of an authorization server. All of them are requests of this library.
protocol OAuthRequest: APIRequest where Failure == ServerRefusal {
    /// The whole URL of the endpoint. A query in it is kept (RFC 6749, section 3.2).
    var url: ServerURL { get }
}

extension OAuthRequest {
    var base: APIBase { APIBase(url.text) }
    var path: URLPath { "" }

    /// No redirect is followed, since another server must not see a code or a token. Responses are small, and nobody
    /// waits long for them.
    var options: RequestOptions {
        RequestOptions(
            timeout: .seconds(30), deadline: .seconds(60), sizeLimit: 256 * 1024, redirects: .refuse,
            sendsBodyAcrossOrigins: false, secretNames: ["code", "device_code", "user_code"], addsCredentials: false)
    }
}

// MARK: - Endpoints

/// Reads the metadata of an authorization server (RFC 8414; OpenID Connect Discovery 1.0).
struct ServerMetadataRequest: OAuthRequest {
    typealias Response = ServerMetadata
    let url: ServerURL
}

/// Reads the metadata of an API that needs tokens (RFC 9728).
struct ResourceMetadataRequest: OAuthRequest {
    typealias Response = ResourceMetadata
    let url: ServerURL
}

/// Obtains tokens (RFC 6749, section 3.2).
struct TokenRequest: OAuthRequest {
    typealias Response = TokenResponse
    let url: ServerURL
    /// What the tokens are issued for: the grant type, and what belongs to it.
    let grant: Parameters
    /// How the client authenticates itself.
    let authentication: ClientAuthenticationFields

    var method: HTTPMethod { .post }
    var headers: HTTPHeaders { authentication.headers }
    var parameters: Parameters { grant + authentication.parameters }
}

/// Obtains a code that the user enters on another device (RFC 8628, section 3.1).
struct DeviceAuthorizationRequest: OAuthRequest {
    typealias Response = DeviceAuthorizationResponse
    let url: ServerURL
    /// What is requested, such as scopes.
    let request: Parameters
    /// How the client authenticates itself.
    let authentication: ClientAuthenticationFields

    var method: HTTPMethod { .post }
    var headers: HTTPHeaders { authentication.headers }
    var parameters: Parameters { request + authentication.parameters }
}

/// Revokes a token (RFC 7009).
struct RevocationRequest: OAuthRequest {
    typealias Response = Data
    let url: ServerURL
    let token: String
    /// `refresh_token` or `access_token`.
    let hint: String
    let authentication: ClientAuthenticationFields

    var method: HTTPMethod { .post }
    var headers: HTTPHeaders { authentication.headers }
    var parameters: Parameters { ["token": token, "token_type_hint": hint] + authentication.parameters }
}

/// Registers the client (RFC 7591, section 3.1).
struct RegistrationRequest: OAuthRequest, JSONRequest {
    typealias Response = RegistrationResponse
    let url: ServerURL
    let name: String
    let redirectURI: String?
    let grantTypes: [String]
    let authenticationMethod: String
    let scope: String?

    var method: HTTPMethod { .post }
    var parameters: Parameters {
        [
            "client_name": name, "redirect_uris": redirectURI.map { [$0] }, "grant_types": grantTypes,
            "response_types": redirectURI == nil ? nil : ["code"], "application_type": "native",
            "token_endpoint_auth_method": authenticationMethod, "scope": scope,
        ]
    }
}

/// The page on which the user grants access (RFC 6749, section 4.1.1). A browser requests it, and not this program.
struct AuthorizationRequest: OAuthRequest {
    typealias Response = Data
    let url: ServerURL
    let parameters: Parameters
}
