import APIKitCore

/// The metadata of an authorization server, as far as it is used here (RFC 8414, section 2).
struct ServerMetadata: JSONResponse {
    let issuer: String
    var authorization_endpoint: String?
    var token_endpoint: String?
    var device_authorization_endpoint: String?
    var revocation_endpoint: String?
    var registration_endpoint: String?
    var scopes_supported: [String]?
    var code_challenge_methods_supported: [String]?
    var token_endpoint_auth_methods_supported: [String]?
    /// RFC 9126, section 5.
    var require_pushed_authorization_requests: Bool?
    /// RFC 9207, section 3.
    var authorization_response_iss_parameter_supported: Bool?
    /// OAuth Client ID Metadata Document, section 5.
    var client_id_metadata_document_supported: Bool?
}

/// The metadata of an API that needs tokens, as far as it is used here (RFC 9728, section 2).
struct ResourceMetadata: JSONResponse {
    let resource: String
    var authorization_servers: [String]?
    var scopes_supported: [String]?
}

/// A response that may be a refusal: some servers, such as GitHub's, refuse with the status of a success.
protocol RefusableResponse: JSONResponse {}

extension RefusableResponse {
    static func process(data: Data) throws -> Self {
        if let refusal = try? ServerRefusal.process(data: data), !refusal.error.isEmpty { throw refusal }
        return try JSON<Self>.process(data: data)
    }
}

/// A response of the token endpoint (RFC 6749, section 5.1).
struct TokenResponse: RefusableResponse {
    let access_token: String
    var token_type: String?
    /// Some servers write the number as a string.
    var expires_in: Quoted<Double>?
    var refresh_token: String?
    var scope: ScopeList?
    var id_token: String?
    /// The members that OAuth does not define.
    var additionalParameters: JSONValue.Object = [:]

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case access_token, token_type, expires_in, refresh_token, scope, id_token
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        access_token = try container.decode(String.self, forKey: .access_token)
        token_type = try container.decodeIfPresent(String.self, forKey: .token_type)
        expires_in = try container.decodeIfPresent(Quoted<Double>.self, forKey: .expires_in)
        refresh_token = try container.decodeIfPresent(String.self, forKey: .refresh_token)
        scope = try container.decodeIfPresent(ScopeList.self, forKey: .scope)
        id_token = try container.decodeIfPresent(String.self, forKey: .id_token)
        // Tokens are of use without members that are nested too deep to be read.
        if let members = try? JSONValue(from: decoder).object {
            let known = Set(CodingKeys.allCases.map(\.rawValue))
            additionalParameters = JSONValue.Object(members.filter { !known.contains($0.name) })
        }
    }
}

/// The scopes in a response: a text with spaces between them (RFC 6749, section 3.3) or, from some servers, a list.
struct ScopeList: Decodable, Sendable {
    let scopes: [String]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            scopes = text.split(separator: " ").map(String.init)
        } else {
            scopes = try container.decode([String].self)
        }
    }
}

/// A response of the device authorization endpoint (RFC 8628, section 3.2).
struct DeviceAuthorizationResponse: RefusableResponse {
    let device_code: String
    let user_code: String
    var verification_uri: String?
    /// The name in a draft of the RFC, which Google still uses.
    var verification_url: String?
    var verification_uri_complete: String?
    let expires_in: Quoted<Double>
    var interval: Quoted<Double>?
}

/// A registered client (RFC 7591, section 3.2.1).
struct RegistrationResponse: JSONResponse {
    let client_id: String
    var client_secret: String?
    var client_secret_expires_at: Quoted<Double>?
    var token_endpoint_auth_method: String?
}

/// A refusal by an authorization server (RFC 6749, section 5.2).
struct ServerRefusal: JSONResponse, Error {
    let error: String
    let error_description: String?
}
