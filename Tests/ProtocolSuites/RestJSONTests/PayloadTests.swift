import APIKit
import Foundation
import SuiteSupport
import Testing

// Endpoints whose whole body is one value: text, bytes or a structure.
//
// Left out are the scenarios that need a checksum or a compression of the body, for which the library has no hook:
// RestJsonHttpChecksumRequired (Content-MD5), SDKAppliedContentEncoding_restJson1 and
// SDKAppendedGzipAfterProvidedEncoding_restJson1 (gzip).

@Suite struct PayloadTests {
    @Test(.scenario("RestJsonEnumPayloadRequest", "RestJsonEnumPayloadResponse"))
    func textOfAnEnum() async throws {
        let request = EnumPayloadRequest(payload: .value)
        try await expect(
            request, sends: "POST", "/EnumPayload", headers: ["Content-Type": "text/plain"], .text("enumvalue"))
        try await expect(request, reads: "enumvalue", headers: ["Content-Type": "text/plain"], as: .value)
    }

    @Test(.scenario("RestJsonStringPayloadRequest", "RestJsonStringPayloadResponse"))
    func text() async throws {
        let request = StringPayloadRequest(payload: "rawstring")
        try await expect(
            request, sends: "POST", "/StringPayload", headers: ["Content-Type": "text/plain"], .text("rawstring"))
        try expectContentLength(9, of: request)
        try await expect(request, reads: "rawstring", headers: ["Content-Type": "text/plain"], as: "rawstring")
    }

    @Test(.scenario("RestJsonHttpPayloadTraitsWithBlob", "RestJsonHttpPayloadTraitsWithNoBlobBody"))
    func sendsBytesAndAHeader() async throws {
        let request = PayloadTraitsRequest(foo: "Foo", blob: Data("blobby blob blob".utf8))
        try await expect(
            request, sends: "POST", "/HttpPayloadTraits",
            headers: ["Content-Type": "application/octet-stream", "X-Foo": "Foo"], .text("blobby blob blob"))
        try expectContentLength(16, of: request)
        try await expect(
            PayloadTraitsRequest(foo: "Foo"), sends: "POST", "/HttpPayloadTraits", headers: ["X-Foo": "Foo"])
    }

    @Test(.scenario("RestJsonHttpPayloadTraitsWithBlob", "RestJsonHttpPayloadTraitsWithNoBlobBody"))
    func readsBytesAndAHeader() async throws {
        try await expect(
            PayloadTraitsRequest(), reads: "blobby blob blob",
            headers: ["Content-Type": "application/octet-stream", "X-Foo": "Foo"],
            as: PayloadTraits(foo: "Foo", blob: Data("blobby blob blob".utf8)))
        try await expect(PayloadTraitsRequest(), reads: "", headers: ["X-Foo": "Foo"], as: PayloadTraits(foo: "Foo"))
    }

    @Test(.scenario("RestJsonHttpPayloadWithStructure"))
    func sendsAStructure() async throws {
        let request = PayloadWithStructureRequest(nested: NestedPayload(greeting: "hello", name: "Phreddy"))
        try await expect(
            request, sends: "PUT", "/HttpPayloadWithStructure", headers: ["Content-Type": "application/json"],
            .json(#"{"greeting": "hello", "name": "Phreddy"}"#))
        try expectContentLength(37, of: request)
    }

    @Test(.scenario("RestJsonHttpPayloadWithStructure"))
    func readsAStructure() async throws {
        try await expect(
            PayloadWithStructureRequest(), reads: #"{"greeting": "hello", "name": "Phreddy"}"#,
            as: NestedPayload(greeting: "hello", name: "Phreddy"))
    }

    @Test(.scenario("RestJsonHttpPayloadWithUnion", "RestJsonHttpPayloadWithUnsetUnion"))
    func sendsAUnion() async throws {
        let request = PayloadWithUnionRequest(nested: UnionPayload(greeting: "hello"))
        try await expect(
            request, sends: "PUT", "/HttpPayloadWithUnion", headers: ["Content-Type": "application/json"],
            .json(#"{"greeting": "hello"}"#))
        try expectContentLength(20, of: request)
        try await expect(
            PayloadWithUnionRequest(), sends: "PUT", "/HttpPayloadWithUnion", headers: ["Content-Type": nil])
    }

    @Test(.scenario("RestJsonHttpPayloadWithUnion", "RestJsonHttpPayloadWithUnsetUnion"))
    func readsAUnion() async throws {
        try await expect(
            PayloadWithUnionRequest(), reads: #"{"greeting": "hello"}"#, as: UnionPayload(greeting: "hello"))
        try await expect(PayloadWithUnionRequest(), reads: "", headers: ["Content-Length": "0"], as: nil)
    }

    @Test(.scenario("RestJsonTestBodyStructure", "RestJsonHttpWithEmptyBody"))
    func structureWithOneMember() async throws {
        let request = TestBodyStructureRequest(testConfig: TestConfig(timeout: 10))
        try await expect(
            request, sends: "POST", "/body", headers: ["Content-Type": "application/json"],
            .json(#"{"testConfig": {"timeout": 10}}"#))
        try expectContentLength(29, of: request)

        let empty = TestBodyStructureRequest()
        try await expect(empty, sends: "POST", "/body", headers: ["Content-Type": "application/json"], .json("{}"))
        try expectContentLength(2, of: empty)
    }

    @Test(.scenario("RestJsonHttpWithEmptyBlobPayload", "RestJsonTestPayloadBlob"))
    func bytesOfAnyType() async throws {
        try await expect(TestPayloadBlobRequest(), sends: "POST", "/blob_payload")

        let request = TestPayloadBlobRequest(contentType: "image/jpg", data: Data("1234".utf8))
        try await expect(
            request, sends: "POST", "/blob_payload", headers: ["Content-Type": "image/jpg"], .text("1234"))
        try expectContentLength(4, of: request)
    }

    @Test(
        .scenario(
            "RestJsonHttpWithEmptyStructurePayload", "RestJsonTestPayloadStructure",
            "RestJsonHttpWithHeadersButNoPayload"))
    func structureThatIsNeverOmitted() async throws {
        let empty = TestPayloadStructureRequest()
        try await expect(empty, sends: "POST", "/payload", headers: ["Content-Type": "application/json"], .json("{}"))
        try expectContentLength(2, of: empty)

        let request = TestPayloadStructureRequest(payloadConfig: PayloadConfig(data: 25))
        try await expect(
            request, sends: "POST", "/payload", headers: ["Content-Type": "application/json"], .json(#"{"data": 25}"#))
        try expectContentLength(11, of: request)

        let header = TestPayloadStructureRequest(testID: "t-12345")
        try await expect(
            header, sends: "POST", "/payload",
            headers: ["Content-Type": "application/json", "X-Amz-Test-Id": "t-12345"], .json("{}"))
        try expectContentLength(2, of: header)
    }
}

struct EnumPayloadRequest: RestJSONRequest {
    typealias Response = EnumPayload
    var payload: EnumPayload?
    var path: URLPath { "EnumPayload" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { payload.map { .text($0.rawValue) } }
}

struct EnumPayload: RawRepresentable, Equatable, APIResponse {
    var rawValue: String
    static let value = EnumPayload(rawValue: "enumvalue")

    static func process(response: HTTPResponse) async throws -> EnumPayload {
        EnumPayload(rawValue: try await String.process(response: response))
    }
}

struct StringPayloadRequest: RestJSONRequest {
    typealias Response = String
    var payload: String?
    var path: URLPath { "StringPayload" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { payload.map { .text($0) } }
}

struct PayloadTraitsRequest: RestJSONRequest {
    typealias Response = PayloadTraits
    var foo: String?
    var blob: Data?
    var path: URLPath { "HttpPayloadTraits" }
    var method: HTTPMethod { .post }
    var headers: HTTPHeaders { ["X-Foo": foo] }
    var body: RequestBody? { blob.map { .data($0, contentType: "application/octet-stream") } }
}

struct PayloadTraits: APIResponse, Equatable {
    var foo: String?
    var blob: Data?

    static func process(response: HTTPResponse) async throws -> PayloadTraits {
        PayloadTraits(foo: response.head.headers["X-Foo"], blob: try await Data?.process(response: response))
    }
}

struct PayloadWithStructureRequest: RestJSONRequest {
    typealias Response = NestedPayload
    var nested: NestedPayload?
    var path: URLPath { "HttpPayloadWithStructure" }
    var method: HTTPMethod { .put }
    var body: RequestBody? { .json(nested) }
}

struct NestedPayload: RestJSONModel, Equatable {
    var greeting: String?
    var name: String?
}

struct PayloadWithUnionRequest: RestJSONRequest {
    typealias Response = UnionPayload?
    var nested: UnionPayload?
    var path: URLPath { "HttpPayloadWithUnion" }
    var method: HTTPMethod { .put }
    var body: RequestBody? { .json(nested) }
}

/// A union with a single member.
struct UnionPayload: RestJSONModel, Equatable {
    var greeting: String?
}

struct TestBodyStructureRequest: RestJSONRequest, JSONRequest {
    typealias Response = NoContent
    var testID: String?
    var testConfig: TestConfig?
    var path: URLPath { "body" }
    var method: HTTPMethod { .post }
    var headers: HTTPHeaders { ["X-Amz-Test-Id": testID] }
    var parameters: Parameters { ["testConfig": testConfig] }
}

struct TestConfig: ParameterValue {
    var timeout: Int?
    var parameterNode: Parameters.Node { .object(["timeout": timeout]) }
}

struct TestPayloadBlobRequest: RestJSONRequest {
    typealias Response = NoContent
    var contentType: String?
    var data: Data?
    var path: URLPath { "blob_payload" }
    var method: HTTPMethod { .post }
    var headers: HTTPHeaders { [.contentType: contentType] }
    var body: RequestBody? { data.map { .data($0, contentType: nil) } }
}

struct TestPayloadStructureRequest: RestJSONRequest {
    typealias Response = NoContent
    var testID: String?
    var payloadConfig = PayloadConfig()
    var path: URLPath { "payload" }
    var method: HTTPMethod { .post }
    var headers: HTTPHeaders { ["X-Amz-Test-Id": testID] }
    var body: RequestBody? { .json(payloadConfig) }
}

struct PayloadConfig: RestJSONModel {
    var data: Int?
}
