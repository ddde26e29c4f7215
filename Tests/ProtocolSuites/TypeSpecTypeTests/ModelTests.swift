import APIKit
import SuiteSupport
import Testing

/// A model without properties: the folder `type/model/empty`.
@Suite struct EmptyModelTests {
    struct Empty: Codable, Sendable, Equatable {}

    struct RoundTrip: SuiteRequest {
        typealias Response = JSON<Empty>
        var method: HTTPMethod { .post }
        var path: URLPath { "type/model/empty/round-trip" }
        var body: RequestBody? { .json(Empty(), encoder: .api) }
    }

    @Test(.scenario("Type_Model_Empty_getEmpty", "Type_Model_Empty_putEmpty"))
    func alone() async throws {
        try await expectGetAndPut("type/model/empty/alone", Empty(), "{}")
    }

    @Test(.scenario("Type_Model_Empty_postRoundTripEmpty"))
    func roundTrip() async throws {
        try await expect(
            RoundTrip(), sends: "POST", "/type/model/empty/round-trip",
            headers: ["Content-Type": "application/json"], .text("{}"))
        try await expect(RoundTrip(), reads: "{}", as: Empty())
    }
}

/// A model that is sent, received, or both: the folder `type/model/usage`.
@Suite struct ModelUsageTests {
    struct InputRequest: SuiteRequest, JSONRequest {
        typealias Response = NoContent
        var requiredProp: String
        var method: HTTPMethod { .post }
        var path: URLPath { "type/model/usage/input" }
        var parameters: Parameters { ["requiredProp": requiredProp] }
    }

    struct Record: JSONResponse, JSONBody, Equatable {
        var requiredProp: String
    }

    struct OutputRequest: SuiteRequest {
        typealias Response = Record
        var path: URLPath { "type/model/usage/output" }
    }

    struct InputAndOutputRequest: SuiteRequest {
        typealias Response = Record
        var record: Record
        var method: HTTPMethod { .post }
        var path: URLPath { "type/model/usage/input-output" }
        var body: RequestBody? { .json(record) }
    }

    let json = #"{"requiredProp":"example-value"}"#

    @Test(.scenario("Type_Model_Usage_input"))
    func input() async throws {
        let request = InputRequest(requiredProp: "example-value")
        try await expect(request, sends: "POST", "/type/model/usage/input", .text(json))
        try await expect(request, reads: "", status: 204, as: NoContent())
    }

    @Test(.scenario("Type_Model_Usage_output"))
    func output() async throws {
        try await expect(OutputRequest(), sends: "GET", "/type/model/usage/output")
        try await expect(OutputRequest(), reads: json, as: Record(requiredProp: "example-value"))
    }

    @Test(.scenario("Type_Model_Usage_inputAndOutput"))
    func inputAndOutput() async throws {
        let request = InputAndOutputRequest(record: Record(requiredProp: "example-value"))
        try await expect(request, sends: "POST", "/type/model/usage/input-output", .text(json))
        try await expect(request, reads: json, as: Record(requiredProp: "example-value"))
    }
}

/// A model of which each operation sends or returns other properties: the folder `type/model/visibility`.
@Suite struct VisibilityTests {
    struct GetModel: SuiteRequest {
        struct Response: JSONResponse, Equatable {
            var readProp: String
        }
        var queryProp: Int
        var path: URLPath { "type/model/visibility" }
        var parameters: Parameters { ["queryProp": queryProp] }
    }

    struct HeadModel: SuiteRequest {
        typealias Response = NoContent
        var queryProp: Int
        var method: HTTPMethod { .head }
        var path: URLPath { "type/model/visibility" }
        var parameters: Parameters { ["queryProp": queryProp] }
    }

    struct PutModel: SuiteRequest, JSONRequest {
        typealias Response = NoContent
        var createProp: [String]
        var updateProp: [Int]
        var method: HTTPMethod { .put }
        var path: URLPath { "type/model/visibility" }
        var parameters: Parameters { ["createProp": createProp, "updateProp": updateProp] }
    }

    struct PatchModel: SuiteRequest, JSONRequest {
        typealias Response = NoContent
        var updateProp: [Int]
        var method: HTTPMethod { .patch }
        var path: URLPath { "type/model/visibility" }
        var parameters: Parameters { ["updateProp": updateProp] }
    }

    struct PostModel: SuiteRequest, JSONRequest {
        typealias Response = NoContent
        var createProp: [String]
        var method: HTTPMethod { .post }
        var path: URLPath { "type/model/visibility" }
        var parameters: Parameters { ["createProp": createProp] }
    }

    struct DeleteModel: SuiteRequest {
        typealias Response = NoContent
        var deleteProp: Bool
        var method: HTTPMethod { .delete }
        var path: URLPath { "type/model/visibility" }
        var body: RequestBody? { .json(["deleteProp": deleteProp]) }
    }

    struct ReadOnlyModel: JSONResponse, JSONBody, Equatable {
        var optionalNullableIntList: [Int]?
        var optionalStringRecord: [String: String]?
    }

    struct PutReadOnlyModel: SuiteRequest {
        typealias Response = ReadOnlyModel
        var model = ReadOnlyModel()
        var method: HTTPMethod { .put }
        var path: URLPath { "type/model/visibility/readonlyroundtrip" }
        var body: RequestBody? { .json(model) }
    }

    @Test(.scenario("Type_Model_Visibility_getModel"))
    func get() async throws {
        try await expect(GetModel(queryProp: 123), sends: "GET", "/type/model/visibility?queryProp=123")
        try await expect(
            GetModel(queryProp: 123), reads: #"{"readProp":"abc"}"#, as: GetModel.Response(readProp: "abc"))
    }

    @Test(.scenario("Type_Model_Visibility_headModel"))
    func head() async throws {
        try await expect(HeadModel(queryProp: 123), sends: "HEAD", "/type/model/visibility?queryProp=123")
        try await expect(HeadModel(queryProp: 123), reads: "", as: NoContent())
    }

    @Test(.scenario("Type_Model_Visibility_putModel"))
    func put() async throws {
        let request = PutModel(createProp: ["foo", "bar"], updateProp: [1, 2])
        try await expect(
            request, sends: "PUT", "/type/model/visibility",
            .text(#"{"createProp":["foo","bar"],"updateProp":[1,2]}"#))
        try await expect(request, reads: "", status: 204, as: NoContent())
    }

    @Test(.scenario("Type_Model_Visibility_patchModel"))
    func patch() async throws {
        let request = PatchModel(updateProp: [1, 2])
        try await expect(request, sends: "PATCH", "/type/model/visibility", .text(#"{"updateProp":[1,2]}"#))
        try await expect(request, reads: "", status: 204, as: NoContent())
    }

    @Test(.scenario("Type_Model_Visibility_postModel"))
    func post() async throws {
        let request = PostModel(createProp: ["foo", "bar"])
        try await expect(request, sends: "POST", "/type/model/visibility", .text(#"{"createProp":["foo","bar"]}"#))
        try await expect(request, reads: "", status: 204, as: NoContent())
    }

    @Test(.scenario("Type_Model_Visibility_deleteModel"))
    func delete() async throws {
        let request = DeleteModel(deleteProp: true)
        try await expect(request, sends: "DELETE", "/type/model/visibility", .text(#"{"deleteProp":true}"#))
        try await expect(request, reads: "", status: 204, as: NoContent())
    }

    @Test(.scenario("Type_Model_Visibility_putReadOnlyModel"))
    func readOnly() async throws {
        let request = PutReadOnlyModel()
        try await expect(request, sends: "PUT", "/type/model/visibility/readonlyroundtrip", .text("{}"))
        try await expect(
            request,
            reads: #"{"optionalNullableIntList":[1,2,3],"optionalStringRecord":{"k1":"value1","k2":"value2"}}"#,
            as: ReadOnlyModel(
                optionalNullableIntList: [1, 2, 3], optionalStringRecord: ["k1": "value1", "k2": "value2"]))
    }
}
