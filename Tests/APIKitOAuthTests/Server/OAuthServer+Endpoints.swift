import APIKitCore
import APIKitTestServer
import Foundation

extension OAuthServer.State {
    // MARK: - Metadata

    /// The metadata (RFC 8414, section 2).
    var metadata: JSONValue.Object {
        let known = behavior.clients + behavior.clientDocuments
        let methods = behavior.authenticationMethods ?? known.map(\.authentication.method) + ["none"]
        var metadata: JSONValue.Object = [
            "issuer": .string(issuer),
            "authorization_endpoint": .string(url(of: .authorize)),
            "token_endpoint": .string(url(of: .token)),
            "device_authorization_endpoint": .string(url(of: .device)),
            "revocation_endpoint": .string(url(of: .revoke)),
            "response_types_supported": ["code"],
            "grant_types_supported": [
                "authorization_code", "refresh_token", "client_credentials",
                "urn:ietf:params:oauth:grant-type:device_code",
            ],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": .array(methods.map(JSONValue.string)),
        ]
        if let scopes = behavior.scopesSupported {
            metadata["scopes_supported"] = .array(scopes.map(JSONValue.string))
        }
        if let advertises = behavior.advertisesIssuerParameter {
            metadata["authorization_response_iss_parameter_supported"] = .bool(advertises)
        }
        if !behavior.clientDocuments.isEmpty {
            metadata["client_id_metadata_document_supported"] = true
        }
        if behavior.registeredAuthentication != nil {
            metadata["registration_endpoint"] = .string(url(of: .register))
        }
        return metadata
    }

    // MARK: - Authorization

    /// Redirects the browser with a code or an error (RFC 6749, section 4.1.2), or shows an error if it must not be
    /// redirected.
    mutating func authorize(_ query: FormFields) -> ServerAnswer {
        guard !query.hasRepeatedNames, let client = client(query["client_id"] ?? "") else {
            return .text("unknown client", status: 400)
        }
        guard let redirectURI = query["redirect_uri"], client.allows(redirectURI: redirectURI) else {
            return .text("the redirect URI is not registered", status: 400)
        }
        var response = FormFields()
        do throws(Refusal) {
            response["code"] = try code(for: client, query, redirectURI)
        } catch {
            response["error"] = error.code
            response["error_description"] = error.description
        }
        response["state"] = query["state"]
        switch behavior.issuerParameter {
        case .issuer: response["iss"] = issuer
        case .text(let text): response["iss"] = text
        case .absent: break
        }
        behavior.editRedirect(&response)
        let separator = redirectURI.contains("?") ? "&" : "?"
        return .status(302, headers: [("Location", redirectURI + separator + response.encoded)])
    }

    /// Issues a code for an authorization request.
    private mutating func code(
        for client: ServerClient, _ query: FormFields, _ redirectURI: String
    ) throws(Refusal) -> String {
        guard query["response_type"] == "code" else { throw Refusal("unsupported_response_type", "only code") }
        let challenge = query["code_challenge"]
        if behavior.requiresPKCE {
            // 43 characters are the Base64 of a digest.
            guard let challenge, challenge.utf8.count == 43, query["code_challenge_method"] == "S256" else {
                throw Refusal("invalid_request", "a code challenge with S256 is required")
            }
        }
        guard behavior.userApproves else { throw Refusal("access_denied", "the user has refused") }
        let grant = try grant(for: client, query)
        return grants.issueCode(for: grant, redirectURI: redirectURI, challenge: challenge)
    }

    /// What a request asks for.
    private func grant(for client: ServerClient, _ fields: FormFields) throws(Refusal) -> Grants.Grant {
        if behavior.requiresResource, fields["resource"] == nil {
            throw Refusal("invalid_target", "the resource is missing")
        }
        let scopes = fields["scope"].map { $0.components(separatedBy: " ") } ?? []
        guard !scopes.contains("") else { throw Refusal("invalid_scope", "an empty scope") }
        if let supported = behavior.scopesSupported, !Set(scopes).isSubset(of: supported) {
            throw Refusal("invalid_scope", "unknown scope")
        }
        return Grants.Grant(clientID: client.id, scopes: scopes, resource: fields["resource"])
    }

    // MARK: - Tokens

    /// Issues tokens for any grant type.
    mutating func tokens(for client: ServerClient, _ form: FormFields) throws(Refusal) -> JSONValue.Object {
        switch form["grant_type"] {
        case "authorization_code": try redeemCode(for: client, form)
        case "refresh_token": try refresh(for: client, form)
        case "urn:ietf:params:oauth:grant-type:device_code": try redeemDeviceCode(for: client, form)
        case "client_credentials":
            if case .none = client.authentication {
                throw Refusal("unauthorized_client", "a public client has no credentials")
            } else {
                response(
                    to: form, grants.issue(try grant(for: client, form), expires: expiry, withRefreshToken: false))
            }
        default: throw Refusal("unsupported_grant_type", "unknown grant type")
        }
    }

    private var expiry: Date? {
        behavior.accessTokenLifetime.map { behavior.now().addingTimeInterval(TimeInterval($0)) }
    }

    private mutating func redeemCode(
        for client: ServerClient, _ form: FormFields
    ) throws(Refusal) -> JSONValue.Object {
        let text = form["code"] ?? ""
        guard let code = grants.unusedCode(text), code.grant.clientID == client.id else {
            throw Refusal("invalid_grant", "unknown code")
        }
        guard code.redirectURI == form["redirect_uri"] else {
            throw Refusal("invalid_grant", "another redirect URI than in the authorization request")
        }
        if let verifier = form["code_verifier"] { secrets.append(verifier) }
        guard code.challenge == form["code_verifier"]?.challenge else {
            throw Refusal("invalid_grant", "the code verifier does not match the challenge")
        }
        try checkResource(code.grant, form)
        let tokens = grants.redeem(
            text, for: code, expires: expiry, withRefreshToken: behavior.issuesRefreshTokens)
        return response(to: form, tokens)
    }

    private mutating func refresh(for client: ServerClient, _ form: FormFields) throws(Refusal) -> JSONValue.Object {
        let text = form["refresh_token"] ?? ""
        guard let grant = grants.grant(ofRefreshToken: text, rotation: behavior.rotation),
            grant.clientID == client.id
        else { throw Refusal("invalid_grant", "the refresh token is invalid") }
        try checkResource(grant, form)
        let scopes = form["scope"].map { $0.components(separatedBy: " ") } ?? grant.scopes
        guard Set(scopes).isSubset(of: grant.scopes) else {
            throw Refusal("invalid_scope", "more scopes than were granted")
        }
        let tokens = grants.refresh(text, scopes: scopes, expires: expiry, rotation: behavior.rotation)
        guard let tokens else { throw Refusal("invalid_grant", "the refresh token is unknown") }
        return response(to: form, tokens)
    }

    /// Checks that a token request names the same resource as the grant (RFC 8707, section 2.2).
    private func checkResource(_ grant: Grants.Grant, _ form: FormFields) throws(Refusal) {
        if behavior.requiresResource || form["resource"] != nil, form["resource"] != grant.resource {
            throw Refusal("invalid_target", "another resource than was granted")
        }
    }

    private mutating func redeemDeviceCode(
        for client: ServerClient, _ form: FormFields
    ) throws(Refusal) -> JSONValue.Object {
        let code = form["device_code"] ?? ""
        guard let device = grants.device(code), device.grant.clientID == client.id else {
            throw Refusal("invalid_grant", "unknown device code")
        }
        if !behavior.deviceErrors.isEmpty {
            throw Refusal(behavior.deviceErrors.removeFirst(), "later")
        }
        switch device.decision {
        case .pending: throw Refusal("authorization_pending", "the user has not decided")
        case .denied: throw Refusal("access_denied", "the user has refused")
        case .expired: throw Refusal("expired_token", "the device code has expired")
        case .approved: grants.removeDevice(code)
        }
        let tokens = grants.issue(device.grant, expires: expiry, withRefreshToken: behavior.issuesRefreshTokens)
        return response(to: form, tokens)
    }

    /// The successful response of the token endpoint (RFC 6749, section 5.1).
    private func response(to form: FormFields, _ tokens: Grants.Issued) -> JSONValue.Object {
        var response: JSONValue.Object = [
            "access_token": .string(tokens.accessToken), "token_type": "Bearer",
        ]
        if let lifetime = behavior.accessTokenLifetime {
            response["expires_in"] = .number(JSONValue.Number(lifetime))
        }
        if let refreshToken = tokens.refreshToken {
            response["refresh_token"] = .string(refreshToken)
        }
        if !tokens.grant.scopes.isEmpty {
            response["scope"] = .string(tokens.grant.scopes.joined(separator: " "))
        }
        return response
    }

    // MARK: - Devices

    /// Begins a device's authorization (RFC 8628, section 3.2).
    mutating func beginDevice(_ client: ServerClient, _ form: FormFields) throws(Refusal) -> JSONValue.Object {
        let userCode = "WDJB-\(1000 + requests.count)"
        let code = grants.beginDevice(try grant(for: client, form), userCode: userCode)
        return [
            "device_code": .string(code), "user_code": .string(userCode),
            "verification_uri": .string("\(issuer)/verify"),
            "verification_uri_complete": .string("\(issuer)/verify?code=\(userCode)"), "expires_in": 1800,
            "interval": 5,
        ]
    }

    // MARK: - Registration

    /// Registers a client (RFC 7591, section 3).
    mutating func register(_ request: ReceivedRequest) -> ServerAnswer {
        guard let newAuthentication = behavior.registeredAuthentication else { return .status(404) }
        guard request.values(of: "Content-Type").first == "application/json",
            let body = try? JSONReader().decode(JSONValue.self, from: request.body),
            let redirectURIs = body["redirect_uris"]?.array?.compactMap(\.string)
        else { return Refusal("invalid_client_metadata", "the metadata is malformed").answer }
        let authentication = newAuthentication()
        let client = ServerClient(
            id: "registered-\(registered.count + 1)-\(UInt16.random(in: .min ... .max))",
            authentication: authentication, redirectURIs: redirectURIs)
        registered.append(client)
        var response = body.object ?? [:]
        response["client_id"] = .string(client.id)
        response["token_endpoint_auth_method"] = .string(authentication.method)
        if let secret = authentication.secret {
            secrets.append(secret)
            response["client_secret"] = .string(secret)
            response["client_secret_expires_at"] = 0
        }
        return json(response, from: .register, status: 201)
    }
}

extension String {
    /// The challenge of S256 for this verifier (RFC 7636, section 4.2); nil for a text that is not a verifier.
    fileprivate var challenge: String? {
        guard (43...128).contains(utf8.count) else { return nil }
        return sha256(Data(utf8)).base64URLEncodedString()
    }
}
