import APIKit
import APIKitTesting
import SuiteSupport
import Testing

/// Credentials, which a client adds to the requests of an API.
@Suite struct AuthenticationTests {
    /// An endpoint that needs no more than a credential.
    struct Check: APIRequest {
        typealias Response = NoContent
        typealias Failure = Refusal
        var path: URLPath
        var base: APIBase { .service }
    }

    struct Refusal: JSONResponse, Equatable {
        let error: String
    }

    private let stub = StubClient(.status(204))
    private let scope = "https://security.microsoft.com/.default"

    @Test(.scenario("Authentication_ApiKey_valid", "Authentication_Union_validKey"))
    func keyInHeader() async throws {
        let client = stub.authorized(by: .header("x-ms-api-key", "valid-key"), for: .service)
        try await client.send(Check(path: "authentication/api-key/valid"))
        try await client.send(Check(path: "authentication/union/validkey"))
        let headers = ["x-ms-api-key": "valid-key"]
        try await expect(stub.requests[0], is: "GET", "/authentication/api-key/valid", headers: headers)
        try await expect(stub.requests[1], is: "GET", "/authentication/union/validkey", headers: headers)
    }

    @Test(.scenario("Authentication_Http_Custom_valid"))
    func schemeOfItsOwn() async throws {
        let client = stub.authorized(by: .header("Authorization", "SharedAccessKey valid-key"), for: .service)
        try await client.send(Check(path: "authentication/http/custom/valid"))
        try await expect(
            stub.requests[0], is: "GET", "/authentication/http/custom/valid",
            headers: ["Authorization": "SharedAccessKey valid-key"])
    }

    @Test(
        .scenario(
            "Authentication_OAuth2_valid", "Authentication_Union_validToken", "Authentication_Noauth_Union_validToken"))
    func bearerToken() async throws {
        let client = stub.authorized(by: .bearer(scope), for: .service)
        let paths: [URLPath] = [
            "authentication/oauth2/valid", "authentication/union/validtoken",
            "authentication/noauth/union/validtoken",
        ]
        for path in paths { try await client.send(Check(path: path)) }
        for (request, path) in zip(stub.requests, paths) {
            try await expect(request, is: "GET", "/\(path)", headers: ["Authorization": "Bearer \(scope)"])
        }
        #expect(stub.requests.count == 3)
    }

    @Test(.scenario("Authentication_Noauth_Union_validNoAuth"))
    func noCredential() async throws {
        try await expect(
            Check(path: "authentication/noauth/union/valid"), sends: "GET", "/authentication/noauth/union/valid",
            headers: ["Authorization": nil])
    }

    @Test(
        .scenario(
            "Authentication_ApiKey_invalid", "Authentication_Http_Custom_invalid", "Authentication_OAuth2_invalid"),
        arguments: [
            ("api-key", .header("x-ms-api-key", "invalid-key"), "x-ms-api-key", "invalid-key", "invalid-api-key"),
            (
                "http/custom", .header("Authorization", "SharedAccessKey invalid-key"), "Authorization",
                "SharedAccessKey invalid-key", "invalid-api-key"
            ),
            ("oauth2", .bearer("invalid"), "Authorization", "Bearer invalid", "invalid-grant"),
        ] as [(String, Credential, String, String, String)])
    func refusedCredential(
        name: String, credential: Credential, header: String, value: String, error: String
    ) async throws {
        let stub = StubClient(.json(#"{"error": "\#(error)"}"#, status: 403))
        let client = stub.authorized(by: credential, for: .service)
        do {
            try await client.send(Check(path: "authentication/\(segments: name)/invalid"))
            Issue.record("The credential is accepted.")
        } catch .rejected(let refusal, let response) {
            #expect(refusal == Refusal(error: error))
            #expect(response.head.status == 403)
        }
        try await expect(
            stub.requests[0], is: "GET", "/authentication/\(name)/invalid", headers: [header: value])
    }
}
