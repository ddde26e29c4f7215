import APIKit
import Foundation
import SuiteSupport
import Testing

/// Single values as bodies and parameters: the folder `type/scalar`.
@Suite struct ScalarTests {
    struct SendDecimal: SuiteRequest {
        typealias Response = NoContent
        let path: URLPath
        let value: Decimal
        var parameters: Parameters { ["value": value] }
    }

    struct VerifyDecimal: SuiteRequest {
        typealias Response = NoContent
        let path: URLPath
        let value: Decimal
        var method: HTTPMethod { .post }
        var body: RequestBody? { .json(value, encoder: .api) }
    }

    @Test(.scenario("Type_Scalar_String_get", "Type_Scalar_String_put"))
    func string() async throws {
        try await expectGetAndPut("type/scalar/string", "test", #""test""#)
    }

    @Test(.scenario("Type_Scalar_Boolean_get", "Type_Scalar_Boolean_put"))
    func boolean() async throws {
        try await expectGetAndPut("type/scalar/boolean", true, "true")
    }

    @Test(.scenario("Type_Scalar_Unknown_get", "Type_Scalar_Unknown_put"))
    func unknown() async throws {
        try await expectGetAndPut("type/scalar/unknown", "test" as JSONValue, #""test""#)
    }

    @Test(
        .scenario("Type_Scalar_DecimalType_responseBody", "Type_Scalar_Decimal128Type_responseBody"),
        arguments: ["decimal", "decimal128"])
    func decimalInResponse(type: String) async throws {
        let path = "type/scalar/\(type)/response_body"
        let get = Get<Decimal>(path: "\(segments: path)")
        try await expect(get, sends: "GET", "/\(path)")
        try await expect(get, reads: "0.33333", as: try #require(Decimal(string: "0.33333")))
    }

    @Test(
        .scenario("Type_Scalar_DecimalType_requestBody", "Type_Scalar_Decimal128Type_requestBody"),
        arguments: ["decimal", "decimal128"])
    func decimalInBody(type: String) async throws {
        let path = "type/scalar/\(type)/resquest_body"
        let put = Put(path: "\(segments: path)", value: try #require(Decimal(string: "0.33333")))
        try await expect(
            put, sends: "PUT", "/\(path)", headers: ["Content-Type": "application/json"], .text("0.33333"))
    }

    @Test(
        .scenario("Type_Scalar_DecimalType_requestParameter", "Type_Scalar_Decimal128Type_requestParameter"),
        arguments: ["decimal", "decimal128"])
    func decimalInQuery(type: String) async throws {
        let path = "type/scalar/\(type)/request_parameter"
        let value = try #require(Decimal(string: "0.33333"))
        let request = SendDecimal(path: "\(segments: path)", value: value)
        try await expect(request, sends: "GET", "/\(path)?value=0.33333")
    }

    /// The sum of three decimals is exact, which the sum of three Doubles is not.
    @Test(
        .scenario(
            "Type_Scalar_DecimalVerify_prepareVerify", "Type_Scalar_DecimalVerify_verify",
            "Type_Scalar_Decimal128Verify_prepareVerify", "Type_Scalar_Decimal128Verify_verify"),
        arguments: ["decimal", "decimal128"])
    func decimalSum(type: String) async throws {
        let path = "type/scalar/\(type)"
        let get = Get<[Decimal]>(path: "\(segments: path)/prepare_verify")
        try await expect(get, sends: "GET", "/\(path)/prepare_verify")
        let values = try await reply(get, "[0.1,0.1,0.1]").model
        let verify = VerifyDecimal(path: "\(segments: path)/verify", value: values.reduce(0, +))
        try await expect(
            verify, sends: "POST", "/\(path)/verify", headers: ["Content-Type": "application/json"], .text("0.3"))
    }
}
