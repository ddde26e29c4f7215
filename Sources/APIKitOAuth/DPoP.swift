import APIKitClients
public import APIKitCore
import APIKitSupport

extension APIClient {
    /// Returns a client that proves for each token it sends that it owns the token's key (DPoP, RFC 9449).
    ///
    /// ```swift
    /// let base = URLSession.api.provingPossession(of: key)
    /// let account = OAuth(
    ///     issuer: "https://auth.example.com", clientID: "my-app",
    ///     flow: .deviceCode(show: show), client: base)
    /// let client = base.authorized(by: account, for: .shop).retrying()
    /// ```
    ///
    /// A proof is a header `DPoP` with a signed statement of the request's method, its URL, the time and the token. A
    /// request has one if its `Authorization` has the scheme `DPoP`, or if ``OAuth`` obtains tokens with it; then the
    /// server issues tokens of the type `DPoP`, which ``OAuth`` sends with that scheme. All other requests, and those
    /// that have a `DPoP` header of their own, are passed on unchanged.
    ///
    /// If a server asks for a nonce in the proof (RFC 9449, sections 8 and 9), the request is repeated once with the
    /// nonce. The last nonce of each server is used in later proofs.
    ///
    /// ### The order of clients
    ///
    /// - The clients that add tokens wrap this one: requests pass through them first.
    /// - So do `retrying()` and clients that change a request's URL or method. Within this client, a retry would repeat
    ///   a proof, which servers may accept only once.
    /// - An engine may send an idempotent request again, with the same proof, if a kept connection turns out to be
    ///   closed. A server that refuses this answers with 401, after which `authorized` replaces the token and the
    ///   request succeeds with a new proof.
    /// - Redirects need nothing: each request of a redirect passes through all clients, and gets a proof of its own.
    ///
    /// Requests throw the error of the ``DPoPKey`` if it cannot be used.
    ///
    /// - Parameter key: The key pair that the tokens are bound to.
    /// - Returns: The client.
    public func provingPossession(of key: DPoPKey) -> some APIClient {
        ProvingClient(base: self, key: key)
    }
}

private struct ProvingClient: WrappingClient {
    let base: any APIClient
    let key: DPoPKey
    let nonces = DPoPNonces()

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        guard let purpose = DPoPProof.Purpose(of: request, in: call) else {
            return try await base.perform(request, in: call)
        }
        let server = DPoPNonces.Server(of: request, isTokenEndpoint: purpose == .tokenRequest)
        let nonce = nonces[server]
        // While the request may be repeated, only the beginning of a refusal's body is received.
        let repeatableCall = call.replacing { $0.nonceOfRefusal(of: nonce) != nil }
        let response = try await send(request, for: purpose, nonce: nonce, to: server, in: repeatableCall)
        guard let next = response.head.nonceOfRefusal(of: nonce), response.asksForNonce else { return response }
        return try await send(request, for: purpose, nonce: next, to: server, in: call)
    }

    /// Sends a request once, with a proof, and keeps the nonce that the server returns.
    private func send(
        _ request: HTTPRequest, for purpose: DPoPProof.Purpose, nonce: String?, to server: DPoPNonces.Server,
        in call: Call
    ) async throws -> HTTPResponse {
        var request = request
        let proof = DPoPProof(of: purpose, method: request.method, url: request.url, nonce: nonce)
        let header = try await proof.signed(with: key, at: clock.dates()())
        request.headers.append(header, for: .dpop)
        let response = try await base.perform(request, in: call)
        if let next = response.head.dpopNonce { nonces[server] = next }
        return response
    }
}

extension HTTPHeaders.Name {
    /// The proof of a request, which descriptions mask.
    fileprivate static let dpop = Self(rawValue: "DPoP")
}

// MARK: - Proofs

/// A statement about one request that the owner of a key signs (RFC 9449, section 4.2).
struct DPoPProof: Sendable {
    /// What a request needs a proof for.
    enum Purpose: Sendable, Equatable {
        /// To obtain tokens that are bound to the key.
        case tokenRequest
        /// To send this token.
        case token(String)

        /// Returns what a request needs a proof for; nil if it needs none, or has one.
        init?(of request: HTTPRequest, in call: Call) {
            guard request.headers[.dpop] == nil else { return nil }
            if call.endpoint is TokenRequest {
                self = .tokenRequest
                return
            }
            let parts = request.headers[.authorization]?.split(separator: " ", maxSplits: 1) ?? []
            guard parts.count == 2, parts[0].lowercased() == "dpop" else { return nil }
            self = .token(String(parts[1]))
        }
    }

    private let claims: JSONValue.Object

    /// Creates a proof.
    ///
    /// - Parameters:
    ///   - purpose: What it is needed for.
    ///   - method: The method of the request.
    ///   - url: The URL of the request.
    ///   - nonce: What the server wants in the proof; nil if it has not said so.
    ///   - id: A text that no other proof has.
    init(of purpose: Purpose, method: HTTPMethod, url: URL, nonce: String?, id: String = RandomText.base64URL()) {
        var claims: JSONValue.Object = [
            "jti": .string(id), "htm": .string(method.rawValue), "htu": .string(Self.target(of: url)),
        ]
        if case .token(let token) = purpose {
            claims["ath"] = .string(Data(token.utf8).sha256.base64URLEncodedString())
        }
        if let nonce { claims["nonce"] = .string(nonce) }
        self.claims = claims
    }

    /// Returns the value of the header.
    ///
    /// - Throws: What ``DPoPKey/sign(_:)`` throws.
    func signed(with key: DPoPKey, at date: Date) async throws -> String {
        var claims = claims
        claims["iat"] = .number(JSONValue.Number(JSONWebToken.seconds(date)))
        let header: JSONValue = ["typ": "dpop+jwt", "alg": .string(key.algorithm), "jwk": key.publicKey]
        return try await JSONWebToken.signed(header: header, claims: .object(claims), sign: key.sign)
    }

    /// The URL without its query, fragment and user information, and with at least `/` as its path.
    private static func target(of url: URL) -> String {
        var reference = URIReference(url.absoluteString)
        reference.query = nil
        reference.dropUserInformation()
        if reference.path.isEmpty { reference.path = Array("/".utf8)[...] }
        return reference.text
    }
}

// MARK: - Nonces

/// The last nonce of each server.
final class DPoPNonces: Sendable {
    /// What issues nonces: an origin, in one of two roles. An authorization server does not know the nonces of an API,
    /// even if both have the same origin.
    struct Server: Hashable {
        private let origin: String
        private let isTokenEndpoint: Bool

        init(of request: HTTPRequest, isTokenEndpoint: Bool) {
            var reference = URIReference(request.url.absoluteString)
            reference.query = nil
            reference.path = []
            reference.dropUserInformation()
            origin = reference.text.lowercased()
            self.isTokenEndpoint = isTokenEndpoint
        }
    }

    /// More servers than a program uses, in case that it is led to very many.
    private static let limit = 1_000

    private let nonces = Locked<[Server: String]>([:])

    subscript(server: Server) -> String? {
        get { nonces.withLock { $0[server] } }
        set {
            nonces.withLock { nonces in
                if nonces.count >= Self.limit { nonces = [:] }
                nonces[server] = newValue
            }
        }
    }
}

extension HTTPResponse.Head {
    /// Another nonce than the one that was sent, if this may be a refusal for want of it.
    fileprivate func nonceOfRefusal(of sent: String?) -> String? {
        guard status == 400 || status == 401, let dpopNonce, dpopNonce != sent else { return nil }
        return dpopNonce
    }

    /// The nonce that the server wants in the next proof; nil if there is none, or one that is invalid (RFC 9449,
    /// section 8.1) or too long to be sent back in a header.
    fileprivate var dpopNonce: String? {
        guard let nonce = headers["DPoP-Nonce"], (1...2_000).contains(nonce.utf8.count) else { return nil }
        let isValid = nonce.utf8.allSatisfy { byte in
            let isVisible = (0x21...0x7E).contains(byte)
            let needsEscape = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            return isVisible && !needsEscape
        }
        return isValid ? nonce : nil
    }
}

extension HTTPResponse {
    /// Whether the server has refused the request for want of a nonce: an authorization server says so in the body
    /// (RFC 9449, section 8), an API in its challenge (section 9).
    fileprivate var asksForNonce: Bool {
        let code = "use_dpop_nonce"
        if head.headers.challenges.contains(where: { $0["error"] == code }) { return true }
        guard let data = body.data, let refusal = try? ServerRefusal.process(data: data) else { return false }
        return refusal.error == code
    }
}
