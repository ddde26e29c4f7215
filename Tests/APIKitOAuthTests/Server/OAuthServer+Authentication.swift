import APIKitCore
import APIKitTestServer
import Foundation

extension OAuthServer.State {
    /// The client that has sent a request, by the one method that it is registered for (RFC 6749, section 2.3).
    mutating func authenticate(_ request: OAuthServer.Request) throws(Refusal) -> ServerClient {
        let form = request.fields
        let header = request.received.values(of: "Authorization")
        let methodCount = [!header.isEmpty, form["client_secret"] != nil, form["client_assertion"] != nil].count { $0 }
        guard methodCount <= 1, header.count <= 1 else {
            throw Refusal("invalid_request", "more than one client authentication")
        }
        let sentClient: ServerClient
        if let header = header.first {
            sentClient = try clientWithBasic(header)
        } else if form["client_assertion"] != nil {
            sentClient = try clientWithAssertion(form)
        } else {
            sentClient = try clientWithForm(form)
        }
        guard form["client_id"] == nil || form["client_id"] == sentClient.id else {
            throw Refusal("invalid_client", "two client identifiers", status: 401)
        }
        return sentClient
    }

    /// Identifies a client by the `Authorization` header, in which both parts are form-encoded.
    private func clientWithBasic(_ header: String) throws(Refusal) -> ServerClient {
        let parts = header.components(separatedBy: " ")
        guard parts.count == 2, parts[0] == "Basic", let data = Data(base64Encoded: parts[1]) else {
            throw Refusal("invalid_client", "the header is malformed", status: 401)
        }
        let pair = String(decoding: data, as: UTF8.self).components(separatedBy: ":")
        guard pair.count == 2, let id = pair[0].formDecoded, let secret = pair[1].formDecoded else {
            throw Refusal("invalid_client", "the name or password is not form-encoded", status: 401)
        }
        guard let client = client(id), case .basic(let expected) = client.authentication, secret == expected else {
            throw Refusal("invalid_client", "unknown client or wrong secret", status: 401)
        }
        return client
    }

    /// Identifies a client by its identifier and perhaps its secret in the form.
    private func clientWithForm(_ form: FormFields) throws(Refusal) -> ServerClient {
        guard let client = client(form["client_id"] ?? "") else {
            throw Refusal("invalid_client", "unknown client", status: 401)
        }
        let isAuthentic =
            switch client.authentication {
            case .none: form["client_secret"] == nil
            case .post(let secret): form["client_secret"] == secret
            case .basic, .privateKeyJWT: false
            }
        guard isAuthentic else { throw Refusal("invalid_client", "wrong client authentication", status: 401) }
        return client
    }

    /// Identifies a client by a signed assertion (RFC 7523, section 3).
    private mutating func clientWithAssertion(_ form: FormFields) throws(Refusal) -> ServerClient {
        guard form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" else {
            throw Refusal("invalid_client", "unknown type of assertion", status: 401)
        }
        guard let assertion = SignedToken(form["client_assertion"] ?? "") else {
            throw Refusal("invalid_client", "the assertion is malformed", status: 401)
        }
        guard let subject = assertion.claims["sub"]?.string, assertion.claims["iss"]?.string == subject,
            let client = client(subject),
            case .privateKeyJWT(let algorithm, let verify) = client.authentication
        else { throw Refusal("invalid_client", "unknown client", status: 401) }
        guard assertion.header["alg"]?.string == algorithm, verify(assertion.signed, assertion.signature) else {
            throw Refusal("invalid_client", "wrong signature", status: 401)
        }
        let audience = assertion.claims["aud"]?.string ?? assertion.claims["aud"]?[0]?.string
        guard audience == issuer || audience == url(of: .token) else {
            throw Refusal("invalid_client", "the assertion is for another server", status: 401)
        }
        let now = behavior.now().timeIntervalSince1970
        guard let expires = assertion.claims["exp"]?.number?.double, now < expires, expires < now + 3600 else {
            throw Refusal("invalid_client", "the assertion has expired, or is valid for too long", status: 401)
        }
        guard let id = assertion.claims["jti"]?.string, assertionIDs.insert(id).inserted else {
            throw Refusal("invalid_client", "the assertion was used before", status: 401)
        }
        return client
    }
}

/// A signed token in the compact form (RFC 7515, section 7.1).
struct SignedToken {
    let header: JSONValue
    let claims: JSONValue
    /// The bytes that the signature is of.
    let signed: Data
    let signature: Data

    /// Reads a token; nil if it is malformed.
    init?(_ text: String) {
        let parts = text.components(separatedBy: ".")
        guard parts.count == 3, let header = Self.json(parts[0]), let claims = Self.json(parts[1]),
            let signature = Data(base64URLEncoded: parts[2])
        else { return nil }
        self.header = header
        self.claims = claims
        signed = Data("\(parts[0]).\(parts[1])".utf8)
        self.signature = signature
    }

    private static func json(_ text: String) -> JSONValue? {
        guard let data = Data(base64URLEncoded: text) else { return nil }
        // try?: anything that is not JSON is malformed.
        return try? JSONReader().decode(JSONValue.self, from: data)
    }
}
