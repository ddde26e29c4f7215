import APIKit
import Foundation
import SuiteSupport
import Testing

// Endpoints without a body, whose response has no body or a body that does not matter.

@Suite struct EmptyTests {
    @Test(.scenario("RestJsonEmptyInputAndEmptyOutput"))
    func emptyInput() async throws {
        try await expect(EmptyInputAndEmptyOutputRequest(), sends: "POST", "/EmptyInputAndEmptyOutput")
    }

    @Test(.scenario("RestJsonEmptyInputAndEmptyOutput", "RestJsonEmptyInputAndEmptyOutputJsonObjectOutput"))
    func emptyOutput() async throws {
        try await expect(EmptyInputAndEmptyOutputRequest(), reads: "{}", as: NoContent())
        try await expect(EmptyInputAndEmptyOutputRequest(), reads: "", as: NoContent())
    }

    @Test(.scenario("RestJsonNoInputAndNoOutput"))
    func noInput() async throws {
        try await expect(NoInputAndNoOutputRequest(), sends: "POST", "/NoInputAndNoOutput")
    }

    @Test(.scenario("RestJsonNoInputAndNoOutput"))
    func noOutput() async throws {
        try await expect(NoInputAndNoOutputRequest(), reads: "", as: NoContent())
    }

    @Test(
        .scenario(
            "RestJsonNoInputAndOutput", "RestJsonNoInputAndOutputWithJson", "RestJsonNoInputAndOutputNoPayload"))
    func noInputAndOutput() async throws {
        try await expect(NoInputAndOutputRequest(), sends: "POST", "/NoInputAndOutputOutput")
        try await expect(NoInputAndOutputRequest(), reads: "{}", as: NoContent())
        try await expect(NoInputAndOutputRequest(), reads: "", as: NoContent())
    }

    @Test(.scenario("RestJsonUnitInputAndOutput", "RestJsonUnitInputAndOutputNoOutput"))
    func unitInputAndOutput() async throws {
        try await expect(UnitInputAndOutputRequest(), sends: "POST", "/UnitInputAndOutput")
        try await expect(UnitInputAndOutputRequest(), reads: "", as: NoContent())
    }

    @Test(
        .scenario(
            "RestJsonHttpGetWithNoInput", "RestJsonHttpGetWithNoModeledBody",
            "RestJsonHttpGetWithHeaderMemberNoModeledBody"))
    func getHasNoBody() async throws {
        let absent: [String: String?] = ["Content-Type": nil, "Content-Length": nil]
        try await expect(NoInputNoPayloadRequest(method: .get), sends: "GET", "/no_input_no_payload", headers: absent)
        try await expect(NoPayloadRequest(method: .get), sends: "GET", "/no_payload", headers: absent)
        try await expect(
            NoPayloadRequest(method: .get, testID: "t-12345"), sends: "GET", "/no_payload",
            headers: ["X-Amz-Test-Id": "t-12345", "Content-Type": nil, "Content-Length": nil])
    }

    @Test(
        .scenario(
            "RestJsonHttpPostWithNoInput", "RestJsonHttpPostWithNoModeledBody",
            "RestJsonHttpWithPostHeaderMemberNoModeledBody"))
    func postWithoutParametersHasNoBody() async throws {
        try await expect(
            NoInputNoPayloadRequest(method: .post), sends: "POST", "/no_input_no_payload",
            headers: ["Content-Type": nil])
        try await expect(
            NoPayloadRequest(method: .post), sends: "POST", "/no_payload", headers: ["Content-Type": nil])
        try await expect(
            NoPayloadRequest(method: .post, testID: "t-12345"), sends: "POST", "/no_payload",
            headers: ["X-Amz-Test-Id": "t-12345", "Content-Type": nil])
    }

    @Test(.scenario("RestJsonHttpResponseCode", "RestJsonHttpResponseCodeWithNoPayload"))
    func readsTheStatus() async throws {
        try await expect(ResponseCodeRequest(), reads: "{}", status: 201, as: ResponseCode(status: 201))
        try await expect(ResponseCodeRequest(), reads: "", status: 201, as: ResponseCode(status: 201))
    }

    @Test(.scenario("RestJsonIgnoreQueryParamsInResponse", "RestJsonIgnoreQueryParamsInResponseNoPayload"))
    func readsAnObjectOrNothing() async throws {
        try await expect(IgnoreQueryParamsInResponseRequest(), reads: "{}", as: IgnoredParameters(baz: nil))
        try await expect(IgnoreQueryParamsInResponseRequest(), reads: "", as: nil)
    }
}

struct EmptyInputAndEmptyOutputRequest: RestJSONRequest {
    typealias Response = NoContent
    var path: URLPath { "EmptyInputAndEmptyOutput" }
    var method: HTTPMethod { .post }
}

struct NoInputAndNoOutputRequest: RestJSONRequest {
    typealias Response = NoContent
    var path: URLPath { "NoInputAndNoOutput" }
    var method: HTTPMethod { .post }
}

struct NoInputAndOutputRequest: RestJSONRequest {
    typealias Response = NoContent
    var path: URLPath { "NoInputAndOutputOutput" }
    var method: HTTPMethod { .post }
}

struct UnitInputAndOutputRequest: RestJSONRequest {
    typealias Response = NoContent
    var path: URLPath { "UnitInputAndOutput" }
    var method: HTTPMethod { .post }
}

struct NoInputNoPayloadRequest: RestJSONRequest {
    typealias Response = NoContent
    var method: HTTPMethod
    var path: URLPath { "no_input_no_payload" }
}

struct NoPayloadRequest: RestJSONRequest {
    typealias Response = NoContent
    var method: HTTPMethod
    var testID: String?
    var path: URLPath { "no_payload" }
    var headers: HTTPHeaders { ["X-Amz-Test-Id": testID] }
}

struct ResponseCodeRequest: RestJSONRequest {
    typealias Response = ResponseCode
    var path: URLPath { "HttpResponseCode" }
    var method: HTTPMethod { .put }
}

struct ResponseCode: APIResponse, Equatable {
    var status: Int

    static func process(response: HTTPResponse) async throws -> ResponseCode {
        ResponseCode(status: response.head.status)
    }
}

struct IgnoreQueryParamsInResponseRequest: RestJSONRequest {
    typealias Response = IgnoredParameters?
    var path: URLPath { "IgnoreQueryParamsInResponse" }
}

struct IgnoredParameters: RestJSONModel, Equatable {
    var baz: String?
}
