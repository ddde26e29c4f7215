import APIKitClients
import APIKitCore
import APIKitSupport
import APIKitTesting
import Testing

@testable import APIKitOAuth

@Suite struct DPoPTests {
    /// The public key of the examples in RFC 9449.
    private static let publicKey: JSONValue = [
        "kty": "EC", "crv": "P-256", "x": "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",
        "y": "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA",
    ]

    /// The access token of the examples, and its hash.
    private static let token = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"
    private static let tokenHash = "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo"

    /// A key whose signatures begin with the number of bytes that were signed.
    private let key = DPoPKey(algorithm: "ES256", publicKey: publicKey) { signature(of: $0) }

    private static func signature(of data: Data) -> Data {
        Data([UInt8(data.count % 256)]) + Data(repeating: 7, count: 63)
    }

    private let clock = ManualClock(startingAt: Date(timeIntervalSince1970: 1_562_262_618))

    /// A proof, as a server reads it.
    private struct Proof: Sendable {
        let header: JSONValue
        let claims: JSONValue

        init(_ text: String?) throws {
            let parts = try #require(text).split(separator: ".", omittingEmptySubsequences: false)
            try #require(parts.count == 3)
            let bytes = try parts.map { part in
                let base64 = part.replacing("-", with: "+").replacing("_", with: "/")
                return try #require(Data(base64Encoded: base64 + String(repeating: "=", count: -base64.count & 3)))
            }
            header = try JSONValue.process(data: bytes[0])
            claims = try JSONValue.process(data: bytes[1])
            let signedCount = parts[0].count + 1 + parts[1].count
            #expect(bytes[2] == DPoPTests.signature(of: Data(count: signedCount)))
        }
    }

    /// Sends a request with the token of the examples.
    private func send(
        _ url: String = "https://resource.example.org/protectedresource", method: HTTPMethod = .get,
        authorization: String? = "DPoP \(token)", over client: some APIClient
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(method: method, url: try #require(URL(string: url)))
        request.headers[.authorization] = authorization
        return try await client.perform(request)
    }

    private func proofs(_ stub: StubClient) throws -> [Proof] {
        try stub.requests.map { try Proof($0.headers["DPoP"]) }
    }

    // MARK: - Proofs

    /// The example of RFC 9449, section 7.1.
    @Test func proofOfTheStandard() async throws {
        let url = try #require(URL(string: "https://resource.example.org/protectedresource"))
        let proof = DPoPProof(of: .token(Self.token), method: .get, url: url, nonce: nil, id: "e1j3V_bKic8-LAEB")
        let read = try Proof(try await proof.signed(with: key, at: clock.date))
        #expect(read.header == ["typ": "dpop+jwt", "alg": "ES256", "jwk": Self.publicKey])
        #expect(
            read.claims == [
                "jti": "e1j3V_bKic8-LAEB", "htm": "GET", "htu": "https://resource.example.org/protectedresource",
                "iat": 1_562_262_618, "ath": .string(Self.tokenHash),
            ])
    }

    @Test func requestWithTokenHasProof() async throws {
        let stub = StubClient(.status(200), clock: clock)
        _ = try await send(method: .post, over: stub.provingPossession(of: key))
        let proof = try #require(try proofs(stub).first)
        #expect(proof.claims["htm"] == "POST")
        #expect(proof.claims["ath"] == .string(Self.tokenHash))
        #expect(proof.claims["iat"] == 1_562_262_618)
        #expect(proof.claims["nonce"] == nil)
        #expect(stub.requests[0].headers[.authorization] == "DPoP \(Self.token)")
    }

    @Test(
        arguments: [
            ("https://api.example.com/users?page=2", "https://api.example.com/users"),
            ("https://api.example.com:8443/a%2Fb?x#y", "https://api.example.com:8443/a%2Fb"),
            ("https://api.example.com", "https://api.example.com/"),
            ("https://api.example.com?x=1", "https://api.example.com/"),
            ("https://user:password@api.example.com/", "https://api.example.com/"),
            ("http://[::1]:8080/", "http://[::1]:8080/"),
        ] as [(String, String)])
    func targetHasNeitherQueryNorUser(url: String, target: String) async throws {
        let stub = StubClient(.status(200))
        _ = try await send(url, over: stub.provingPossession(of: key))
        #expect(try proofs(stub).first?.claims["htu"] == .string(target))
    }

    @Test func everyProofHasAnIDOfItsOwn() async throws {
        let stub = StubClient(.status(200))
        let client = stub.provingPossession(of: key)
        for _ in 0..<20 { _ = try await send(over: client) }
        let ids = try proofs(stub).map { try #require($0.claims["jti"]?.string) }
        #expect(Set(ids).count == 20)
    }

    @Test(arguments: [nil, "Bearer token", "Basic dTpw", "DPoP", "DPoPtoken"])
    func otherRequestsHaveNoProof(authorization: String?) async throws {
        let stub = StubClient(.status(200))
        _ = try await send(authorization: authorization, over: stub.provingPossession(of: key))
        #expect(stub.requests[0].headers["DPoP"] == nil)
    }

    @Test func schemeIgnoresCase() async throws {
        let stub = StubClient(.status(200))
        _ = try await send(authorization: "dpop \(Self.token)", over: stub.provingPossession(of: key))
        #expect(try proofs(stub).first?.claims["ath"] == .string(Self.tokenHash))
    }

    @Test func proofOfTheCallerIsKept() async throws {
        let stub = StubClient(.status(200))
        let url = try #require(URL(string: "https://api.example.com"))
        let headers: HTTPHeaders = [.authorization: "DPoP \(Self.token)", "DPoP": "own"]
        _ = try await stub.provingPossession(of: key).perform(HTTPRequest(url: url, headers: headers))
        #expect(stub.requests[0].headers.values(for: "DPoP") == ["own"])
    }

    @Test func descriptionsMaskTheProof() async throws {
        let stub = StubClient(.status(500))
        let response = try await send(over: stub.provingPossession(of: key))
        let proof = try #require(stub.requests[0].headers["DPoP"])
        for text in ["\(stub.requests[0])", "\(response)", "\(String(describing: response.request))"] {
            #expect(!text.contains(proof))
            #expect(!text.contains(Self.token))
        }
    }

    /// Every request of a redirect passes through the clients again.
    @Test func redirectedRequestHasProofForItsOwnURL() async throws {
        let stub = StubClient { request in
            request.url.path == "/old" ? .status(307, headers: [.location: "/new?x=1"]) : .status(204)
        }
        try await stub.provingPossession(of: key).send(Old())
        let targets = try proofs(stub).map { $0.claims["htu"] }
        #expect(targets == ["https://api.example.com/old", "https://api.example.com/new"])
        let ids = try proofs(stub).compactMap { $0.claims["jti"]?.string }
        #expect(Set(ids).count == 2)
    }

    @Test func otherOriginReceivesNoProof() async throws {
        let stub = StubClient { request in
            request.url.path == "/old"
                ? .status(307, headers: [.location: "https://other.example.com/new"]) : .status(204)
        }
        try await stub.provingPossession(of: key).send(Old())
        #expect(stub.requests.count == 2)
        #expect(stub.requests[1].headers["DPoP"] == nil)
    }

    private struct Old: APIRequest {
        typealias Response = NoContent
        var base: APIBase { "https://api.example.com" }
        var path: URLPath { "old" }
        var headers: HTTPHeaders { [.authorization: "DPoP \(DPoPTests.token)"] }
    }

    // MARK: - Nonces

    /// An API that accepts only proofs with a nonce, and changes it from time to time.
    private final class Nonces: Sendable {
        private let nonce = Locked("first")

        func change(to nonce: String) { self.nonce.withLock { $0 = nonce } }

        func response(to request: HTTPRequest) throws -> HTTPResponse {
            let nonce = nonce.withLock { $0 }
            let headers: HTTPHeaders = ["DPoP-Nonce": nonce]
            let proof = try Proof(request.headers["DPoP"])
            if proof.claims["nonce"] == .string(nonce) { return .status(200, headers: headers) }
            var refusal = headers
            refusal[.wwwAuthenticate] = #"DPoP error="use_dpop_nonce", algs="ES256""#
            return .status(401, headers: refusal)
        }
    }

    @Test func requestIsRepeatedWithNonceOfTheAPI() async throws {
        let api = Nonces()
        let stub = StubClient { try api.response(to: $0) }
        let client = stub.provingPossession(of: key)
        #expect(try await send(over: client).head.status == 200)
        // Now the nonce is known, until it changes.
        #expect(try await send(over: client).head.status == 200)
        #expect(try proofs(stub).map { $0.claims["nonce"] } == [nil, "first", "first"])
        api.change(to: "second")
        #expect(try await send(over: client).head.status == 200)
        #expect(try proofs(stub).map { $0.claims["nonce"] } == [nil, "first", "first", "first", "second"])
        let ids = try proofs(stub).compactMap { $0.claims["jti"]?.string }
        #expect(Set(ids).count == 5)
    }

    @Test func repeatedRequestHasTheSameBody() async throws {
        let api = Nonces()
        let stub = StubClient { try api.response(to: $0) }
        let url = try #require(URL(string: "https://api.example.com"))
        let request = HTTPRequest(
            method: .post, url: url, headers: [.authorization: "DPoP \(Self.token)"],
            body: .data(Data("body".utf8), contentType: .plainText))
        #expect(try await stub.provingPossession(of: key).perform(request).head.status == 200)
        #expect(stub.requests.map { $0.body?.data } == [Data("body".utf8), Data("body".utf8)])
    }

    @Test func nonceOfSuccessIsUsedNext() async throws {
        let stub = StubClient(.status(200, headers: ["DPoP-Nonce": "next"]))
        let client = stub.provingPossession(of: key)
        for _ in 0..<2 { _ = try await send(over: client) }
        #expect(try proofs(stub).map { $0.claims["nonce"] } == [nil, "next"])
    }

    @Test func noncesBelongToOrigins() async throws {
        let stub = StubClient { request in .status(200, headers: ["DPoP-Nonce": "of-\(request.url.host ?? "")"]) }
        let client = stub.provingPossession(of: key)
        let urls = ["https://a.example/1", "https://b.example/1", "https://A.example/2", "https://a.example:444/"]
        for url in urls { _ = try await send(url, over: client) }
        #expect(try proofs(stub).map { $0.claims["nonce"] } == [nil, nil, "of-a.example", nil])
    }

    /// A server that always wants another nonce must not cause a loop.
    @Test func requestIsRepeatedOnlyOnce() async throws {
        let count = Locked(0)
        let stub = StubClient { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let headers: HTTPHeaders = [
                "DPoP-Nonce": "nonce\(number)", .wwwAuthenticate: #"DPoP error="use_dpop_nonce""#,
            ]
            return .status(401, headers: headers)
        }
        #expect(try await send(over: stub.provingPossession(of: key)).head.status == 401)
        #expect(stub.requests.count == 2)
    }

    private static let refusalsWithoutNonce: [HTTPHeaders] = [
        ["DPoP-Nonce": "x", .wwwAuthenticate: #"DPoP error="invalid_token""#],
        ["DPoP-Nonce": "x", .wwwAuthenticate: #"DPoP error_description="not use_dpop_nonce""#],
        [.wwwAuthenticate: #"DPoP error="use_dpop_nonce""#],
        ["DPoP-Nonce": "", .wwwAuthenticate: #"DPoP error="use_dpop_nonce""#],
        ["DPoP-Nonce": #"a"b"#, .wwwAuthenticate: #"DPoP error="use_dpop_nonce""#],
        ["DPoP-Nonce": "a b", .wwwAuthenticate: #"DPoP error="use_dpop_nonce""#],
        ["DPoP-Nonce": String(repeating: "a", count: 2_001), .wwwAuthenticate: #"DPoP error="use_dpop_nonce""#],
    ]

    @Test(arguments: refusalsWithoutNonce)
    func refusalWithoutUsableNonceIsTheResponse(headers: HTTPHeaders) async throws {
        let stub = StubClient(.status(401, headers: headers))
        let response = try await send(over: stub.provingPossession(of: key))
        #expect(response.head.status == 401)
        #expect(stub.requests.count == 1)
    }

    // MARK: - Tokens

    private struct Users: APIRequest {
        typealias Response = NoContent
        var base: APIBase { "https://api.example.com" }
        var path: URLPath { "users" }
    }

    private func account(client: some APIClient) -> OAuth {
        OAuth(
            endpoints: OAuthEndpoints(token: "https://api.example.com/token?x=1"), clientID: "app",
            authentication: .post(secret: "secret"), flow: .clientCredentials, client: client)
    }

    /// The token endpoint and the API have the same origin here, and nonces of their own.
    @Test func tokensAreObtainedAndSentWithProofs() async throws {
        let stub = StubClient { request in
            let nonce = try Proof(request.headers["DPoP"]).claims["nonce"]?.string
            if request.url.path == "/token" {
                let headers: HTTPHeaders = ["DPoP-Nonce": "server"]
                guard nonce == "server" else {
                    return .json(#"{"error": "use_dpop_nonce"}"#, status: 400, headers: headers)
                }
                let token = #"{"access_token": "\#(Self.token)", "token_type": "dpop", "expires_in": 3600}"#
                return .json(token, headers: headers)
            }
            guard nonce == "api" else {
                let challenge = #"DPoP error="use_dpop_nonce", Bearer realm="x""#
                return .status(401, headers: ["DPoP-Nonce": "api", .wwwAuthenticate: challenge])
            }
            return .status(204)
        }
        let base = stub.provingPossession(of: key)
        let client = base.authorized(by: account(client: base), for: "https://api.example.com")
        try await client.send(Users())
        try await client.send(Users())

        #expect(stub.requests.map(\.url.path) == ["/token", "/token", "/users", "/users", "/users"])
        let claims = try proofs(stub).map(\.claims)
        #expect(claims.map { $0["nonce"]?.string } == [nil, "server", nil, "api", "api"])
        #expect(claims.map { $0["ath"]?.string } == [nil, nil, Self.tokenHash, Self.tokenHash, Self.tokenHash])
        #expect(claims[0]["htm"] == "POST")
        #expect(claims[0]["htu"] == "https://api.example.com/token")
        #expect(stub.requests[2].headers[.authorization] == "DPoP \(Self.token)")
    }

    /// Such a server ignores proofs.
    @Test func bearerTokensAreSentWithoutProofs() async throws {
        let stub = StubClient { request in
            request.url.path == "/token" ? .json(#"{"access_token": "t", "token_type": "Bearer"}"#) : .status(204)
        }
        let base = stub.provingPossession(of: key)
        try await base.authorized(by: account(client: base), for: "https://api.example.com").send(Users())
        #expect(stub.requests.map { $0.headers["DPoP"] != nil } == [true, false])
        #expect(stub.requests[1].headers[.authorization] == "Bearer t")
    }

    // MARK: - Keys

    private func failure(of key: DPoPKey) async throws -> RequestError {
        let stub = StubClient(.status(200))
        let error = await #expect(throws: RequestError.self) { try await send(over: stub.provingPossession(of: key)) }
        #expect(stub.requests.isEmpty)
        return try #require(error)
    }

    @Test(arguments: ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"])
    func privateKeysAreRefused(member: String) async throws {
        var members = try #require(Self.publicKey.object)
        members[member] = "hidden-value"
        let error = try await failure(
            of: DPoPKey(algorithm: "ES256", publicKey: .object(members)) { _ in Data(count: 64) })
        #expect(error.code == .header)
        #expect(error.message.contains("(\(member))"))
        #expect(!"\(error)".contains("hidden-value"))
    }

    @Test(arguments: ["", "none", "HS256"])
    func symmetricAlgorithmsAreRefused(algorithm: String) async throws {
        let key = DPoPKey(algorithm: algorithm, publicKey: Self.publicKey) { _ in Data(count: 64) }
        #expect(try await failure(of: key).message.contains("asymmetric"))
    }

    @Test(arguments: [[:], [], "key", ["kty": 1]] as [JSONValue])
    func otherJSONIsRefused(publicKey: JSONValue) async throws {
        let key = DPoPKey(algorithm: "ES256", publicKey: publicKey) { _ in Data(count: 64) }
        #expect(try await failure(of: key).message.contains("kty"))
    }

    /// A signature in DER has 70 to 72 bytes.
    @Test func signatureInAnotherFormIsRefused() async throws {
        let key = DPoPKey(algorithm: "ES256", publicKey: Self.publicKey) { _ in Data(count: 71) }
        #expect(try await failure(of: key).message.contains("rawRepresentation"))
    }

    @Test func rawKeyOnP256BecomesJSONWebKey() async throws {
        let raw = Data((0..<64).map { UInt8($0) })
        let key = DPoPKey(p256: raw) { _ in Data(count: 64) }
        #expect(key.publicKey["x"] == .string(raw.prefix(32).base64URLEncodedString()))
        #expect(key.publicKey["y"] == .string(raw.suffix(32).base64URLEncodedString()))
        #expect(key.publicKey["crv"] == "P-256")
        #expect(try await failure(of: DPoPKey(p256: raw + [4]) { _ in Data(count: 64) }).message.contains("65"))
    }

    private struct KeyIsLocked: Error {}

    @Test func errorOfSigningReachesTheCaller() async throws {
        let stub = StubClient(.status(200))
        let key = DPoPKey(algorithm: "ES256", publicKey: Self.publicKey) { _ in throw KeyIsLocked() }
        let error = await #expect(throws: APIError<Data>.self) {
            try await stub.provingPossession(of: key).send(Old())
        }
        #expect(error?.transportError?.underlying is KeyIsLocked)
        #expect(stub.requests.isEmpty)
    }
}
