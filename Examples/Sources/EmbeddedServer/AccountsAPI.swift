import FlyingFox
import Foundation

/// An authorization server (OAuth 2.1) with one user, whom it does not ask for a password, and an API for its tokens.
struct AccountsAPI: HTTPHandler {
    private let grants = AccountGrants()

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        let form = Form(of: try await request.bodyData)
        switch (request.method, request.path) {
        case (.GET, "/.well-known/oauth-authorization-server"): return metadata(of: issuer(for: request))
        case (.GET, "/authorize"): return page("sign in to this example", button: "Allow")
        case (.POST, "/authorize"): return await authorize(request)
        case (.POST, "/device_authorization"): return await startDevice(form, issuer: issuer(for: request))
        case (.GET, "/device"): return page("enter the code", field: "user_code", button: "Continue")
        case (.POST, "/device"): return await confirmDevice(form, request)
        case (.POST, "/token"): return await issueTokens(form)
        case (.POST, "/revoke"):
            await grants.revoke(form["token"] ?? "")
            return HTTPResponse(statusCode: .ok)
        case (.GET, "/api/account"): return await account(request)
        default: return HTTPResponse(statusCode: .notFound)
        }
    }

    private func issuer(for request: HTTPRequest) -> String { "http://\(request.headers[.host] ?? "")" }

    /// RFC 8414.
    private func metadata(of issuer: String) -> HTTPResponse {
        HTTPResponse(
            .ok,
            [
                "issuer": .string(issuer), "authorization_endpoint": .string("\(issuer)/authorize"),
                "device_authorization_endpoint": .string("\(issuer)/device_authorization"),
                "token_endpoint": .string("\(issuer)/token"), "revocation_endpoint": .string("\(issuer)/revoke"),
                "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"],
                "token_endpoint_auth_methods_supported": ["none"],
                "authorization_response_iss_parameter_supported": true,
            ])
    }

    // MARK: - Authorization code

    /// What happens when the user presses the button: the redirect with a code (RFC 6749, section 4.1.2).
    private func authorize(_ request: HTTPRequest) async -> HTTPResponse {
        guard let redirectURI = request.queryValue("redirect_uri"), redirectURI.hasPrefix("http://127.0.0.1:"),
            request.queryValue("client_id") == AccountGrants.clientID, request.queryValue("response_type") == "code",
            request.queryValue("code_challenge_method") == "S256",
            let challenge = request.queryValue("code_challenge")
        else { return HTTPResponse(statusCode: .badRequest) }
        var redirect = URLComponents(string: redirectURI)
        redirect?.queryItems = [
            URLQueryItem(name: "code", value: await grants.newCode(challenge: challenge, redirectURI: redirectURI)),
            URLQueryItem(name: "state", value: request.queryValue("state")),
            URLQueryItem(name: "iss", value: issuer(for: request)),
        ]
        let headers: HTTPHeaders = [.location: redirect?.string ?? ""]
        return HTTPResponse(statusCode: .seeOther, headers: headers)
    }

    // MARK: - Device code

    /// RFC 8628, section 3.1.
    private func startDevice(_ form: Form, issuer: String) async -> HTTPResponse {
        guard form["client_id"] == AccountGrants.clientID else { return refusal("invalid_client") }
        let codes = await grants.newDevice()
        return HTTPResponse(
            .ok,
            [
                "device_code": .string(codes.device), "user_code": .string(codes.user),
                "verification_uri": .string("\(issuer)/device"), "expires_in": 600, "interval": 1,
            ])
    }

    private func confirmDevice(_ form: Form, _ request: HTTPRequest) async -> HTTPResponse {
        let isKnown = await grants.confirm(form["user_code"] ?? "")
        return isKnown ? page("you can close this page") : HTTPResponse(statusCode: .badRequest)
    }

    // MARK: - Tokens

    private func issueTokens(_ form: Form) async -> HTTPResponse {
        guard form["client_id"] == AccountGrants.clientID else { return refusal("invalid_client") }
        let outcome: AccountGrants.Outcome
        switch form["grant_type"] {
        case "authorization_code":
            outcome = await grants.redeem(
                form["code"] ?? "", verifier: form["code_verifier"] ?? "", redirectURI: form["redirect_uri"] ?? "")
        case "urn:ietf:params:oauth:grant-type:device_code":
            outcome = await grants.redeemDevice(form["device_code"] ?? "")
        case "refresh_token":
            outcome = await grants.refresh(form["refresh_token"] ?? "")
        default:
            outcome = .refused("unsupported_grant_type")
        }
        switch outcome {
        case .refused(let error): return refusal(error)
        case .issued(let access, let refresh):
            return HTTPResponse(
                .ok,
                [
                    "access_token": .string(access), "refresh_token": .string(refresh), "token_type": "Bearer",
                    "expires_in": .integer(AccountGrants.lifetime),
                ],
                headers: [HTTPHeader("Cache-Control"): "no-store"])
        }
    }

    private func account(_ request: HTTPRequest) async -> HTTPResponse {
        let words = (request.headers[.authorization] ?? "").split(separator: " ")
        guard words.count == 2, words[0] == "Bearer", await grants.accepts(String(words[1])) else {
            let challenge = [HTTPHeader("WWW-Authenticate"): #"Bearer error="invalid_token""#]
            return HTTPResponse(.unauthorized, ["message": "no valid token"], headers: HTTPHeaders(challenge))
        }
        return HTTPResponse(.ok, ["name": "Ada"])
    }

    // MARK: - Responses

    private func refusal(_ error: String) -> HTTPResponse { HTTPResponse(.badRequest, ["error": .string(error)]) }

    /// A page with one button, which posts to the same URL.
    private func page(_ text: String, field: String? = nil, button: String? = nil) -> HTTPResponse {
        let input = field.map { "<input name=\"\($0)\"> " } ?? ""
        let form = button.map { "<form method=\"post\">\(input)<button>\($0)</button></form>" } ?? ""
        let body = "<!doctype html><title>Example</title><p>Please \(text).</p>\(form)"
        return HTTPResponse(
            statusCode: .ok, headers: [.contentType: "text/html; charset=utf-8"], body: Data(body.utf8))
    }

    /// The fields of a form.
    private struct Form {
        private let fields: [(name: String, value: String)]

        init(of body: Data) { fields = URLEncodedForm.parse(body) }

        subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
    }
}
