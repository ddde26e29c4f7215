import APIKit
import SuiteSupport
import Testing

/// Bodies, lists, paths and queries, and what is spread over several of them.
@Suite struct ParametersTests {
    struct Model: JSONBody {
        var name: String
    }

    /// An endpoint whose body is a model.
    struct SendModel: ServiceRequest {
        var method: HTTPMethod
        var path: URLPath
        var model: Model?
        var headers: HTTPHeaders = [:]
        var body: RequestBody? { .json(model) }
    }

    /// An endpoint whose parameters are the members of the body.
    struct SendMembers: ServiceRequest, JSONRequest {
        var method: HTTPMethod
        var path: URLPath
        var parameters: Parameters
        var headers: HTTPHeaders = [:]
    }

    private let foo = Model(name: "foo")

    // MARK: - Bodies

    @Test(.scenario("Parameters_Basic_ExplicitBody_simple", "Parameters_Basic_ImplicitBody_simple"))
    func basic() async throws {
        try await expect(
            SendModel(method: .put, path: "parameters/basic/explicit-body/simple", model: foo), sends: "PUT",
            "/parameters/basic/explicit-body/simple", .json(#"{"name": "foo"}"#))
        try await expect(
            SendMembers(method: .put, path: "parameters/basic/implicit-body/simple", parameters: ["name": "foo"]),
            sends: "PUT", "/parameters/basic/implicit-body/simple", .json(#"{"name": "foo"}"#))
    }

    @Test(
        .scenario(
            "Parameters_BodyOptionality_requiredExplicit", "Parameters_BodyOptionality_OptionalExplicit",
            "Parameters_BodyOptionality_requiredImplicit"))
    func bodyOptionality() async throws {
        try await expect(
            SendModel(method: .post, path: "parameters/body-optionality/required-explicit", model: foo), sends: "POST",
            "/parameters/body-optionality/required-explicit", .json(#"{"name": "foo"}"#))
        try await expect(
            SendModel(method: .post, path: "parameters/body-optionality/optional-explicit/set", model: foo),
            sends: "POST", "/parameters/body-optionality/optional-explicit/set",
            headers: ["Content-Type": "application/json"], .json(#"{"name": "foo"}"#))
        try await expect(
            SendModel(method: .post, path: "parameters/body-optionality/optional-explicit/omit"), sends: "POST",
            "/parameters/body-optionality/optional-explicit/omit", headers: ["Content-Type": nil], .none)
        try await expect(
            SendMembers(
                method: .post, path: "parameters/body-optionality/required-implicit", parameters: ["name": "foo"]),
            sends: "POST", "/parameters/body-optionality/required-implicit", .json(#"{"name": "foo"}"#))
    }

    @Test(.scenario("Parameters_BodyRoot_nested"))
    func bodyRoot() async throws {
        try await expect(
            SendMembers(
                method: .post, path: "parameters/body-root/nested",
                parameters: ["category": "widget", "linkType": "hard", "wasSuccessful": true]),
            sends: "POST", "/parameters/body-root/nested",
            .json(#"{"category": "widget", "linkType": "hard", "wasSuccessful": true}"#))
    }

    // MARK: - Lists

    private let colors = ["blue", "red", "green"]

    @Test(
        .scenario(
            "Parameters_CollectionFormat_Query_multi", "Parameters_CollectionFormat_Query_csv",
            "Parameters_CollectionFormat_Query_ssv", "Parameters_CollectionFormat_Query_pipes"))
    func listInQuery() async throws {
        try await expect(
            Get("parameters/collection-format/query/multi", ["colors": colors]), sends: "GET",
            "/parameters/collection-format/query/multi?colors=blue&colors=red&colors=green")
        try await expect(
            Get("parameters/collection-format/query/csv", ["colors": .list(colors, as: .commas)]), sends: "GET",
            "/parameters/collection-format/query/csv?colors=blue,red,green")
        try await expect(
            Get("parameters/collection-format/query/ssv", ["colors": .list(colors, as: .spaces)]), sends: "GET",
            "/parameters/collection-format/query/ssv?colors=blue%20red%20green")
        try await expect(
            Get("parameters/collection-format/query/pipes", ["colors": .list(colors, as: .pipes)]), sends: "GET",
            "/parameters/collection-format/query/pipes?colors=blue%7Cred%7Cgreen")
    }

    @Test(.scenario("Parameters_CollectionFormat_Header_csv"))
    func listInHeader() async throws {
        try await expect(
            Get("parameters/collection-format/header/csv", headers: ["colors": .list(colors, as: .commas)]),
            sends: "GET", "/parameters/collection-format/header/csv", headers: ["colors": "blue,red,green"])
    }

    // MARK: - Paths and queries

    /// An endpoint whose last segment is optional.
    struct OptionalSegment: ServiceRequest {
        var name: String?
        var path: URLPath { "parameters/path/optional/\(segments: name ?? "")" }
    }

    struct ConstantQuery: ServiceRequest {
        var method: HTTPMethod { .post }
        var path: URLPath { "parameters/query/constant" }
        var query: Parameters { ["queryParam": "constantValue"] }
    }

    @Test(.scenario("Parameters_Path_normal", "Parameters_Path_optional"))
    func path() async throws {
        try await expect(Get("parameters/path/normal/\("foo")"), sends: "GET", "/parameters/path/normal/foo")
        try await expect(OptionalSegment(), sends: "GET", "/parameters/path/optional")
        try await expect(OptionalSegment(name: "foo"), sends: "GET", "/parameters/path/optional/foo")
    }

    @Test(.scenario("Parameters_Query_Constant_post", "Parameters_Query_SpecialChar_dollarSign"))
    func query() async throws {
        try await expect(
            ConstantQuery(), sends: "POST", "/parameters/query/constant?queryParam=constantValue", .none)
        try await expect(
            Get("parameters/query/special-char/dollar-sign", ["$filter": "status eq 'active'"]), sends: "GET",
            "/parameters/query/special-char/dollar-sign?%24filter=status%20eq%20%27active%27")
    }

    // MARK: - Spread

    @Test(
        .scenario(
            "Parameters_Spread_Model_spreadAsRequestBody",
            "Parameters_Spread_Model_spreadCompositeRequestOnlyWithBody",
            "Parameters_Spread_Model_spreadCompositeRequestWithoutBody",
            "Parameters_Spread_Model_spreadCompositeRequest", "Parameters_Spread_Model_spreadCompositeRequestMix"))
    func spreadModel() async throws {
        let path = "/parameters/spread/model"
        try await expect(
            SendModel(method: .put, path: "parameters/spread/model/request-body", model: foo), sends: "PUT",
            "\(path)/request-body", .json(#"{"name": "foo"}"#))
        try await expect(
            SendModel(method: .put, path: "parameters/spread/model/composite-request-only-with-body", model: foo),
            sends: "PUT", "\(path)/composite-request-only-with-body", .json(#"{"name": "foo"}"#))
        try await expect(
            SendModel(
                method: .put, path: "parameters/spread/model/composite-request-without-body/\("foo")",
                headers: ["test-header": "bar"]),
            sends: "PUT", "\(path)/composite-request-without-body/foo", headers: ["test-header": "bar"])
        try await expect(
            SendModel(
                method: .put, path: "parameters/spread/model/composite-request/\("foo")", model: foo,
                headers: ["test-header": "bar"]),
            sends: "PUT", "\(path)/composite-request/foo", headers: ["test-header": "bar"], .json(#"{"name": "foo"}"#))
        try await expect(
            SendMembers(
                method: .put, path: "parameters/spread/model/composite-request-mix/\("foo")",
                parameters: ["prop": "foo"], headers: ["test-header": "bar"]),
            sends: "PUT", "\(path)/composite-request-mix/foo", headers: ["test-header": "bar"],
            .json(#"{"prop": "foo"}"#))
    }

    @Test(
        .scenario(
            "Parameters_Spread_Alias_spreadAsRequestBody", "Parameters_Spread_Alias_spreadAsRequestParameter",
            "Parameters_Spread_Alias_spreadWithMultipleParameters",
            "Parameters_Spread_Alias_spreadParameterWithInnerModel",
            "Parameters_Spread_Alias_spreadParameterWithInnerAlias"))
    func spreadAlias() async throws {
        let path = "/parameters/spread/alias"
        let header = ["x-ms-test-header": "bar"]
        try await expect(
            SendMembers(method: .put, path: "parameters/spread/alias/request-body", parameters: ["name": "foo"]),
            sends: "PUT", "\(path)/request-body", .json(#"{"name": "foo"}"#))
        try await expect(
            SendMembers(
                method: .put, path: "parameters/spread/alias/request-parameter/\(1)", parameters: ["name": "foo"],
                headers: ["x-ms-test-header": "bar"]),
            sends: "PUT", "\(path)/request-parameter/1", headers: header, .json(#"{"name": "foo"}"#))
        try await expect(
            SendMembers(
                method: .put, path: "parameters/spread/alias/multiple-parameters/\(1)",
                parameters: [
                    "requiredString": "foo", "optionalInt": 1, "requiredIntList": [1, 2],
                    "optionalStringList": ["foo", "bar"],
                ], headers: ["x-ms-test-header": "bar"]),
            sends: "PUT", "\(path)/multiple-parameters/1", headers: header,
            .json(
                """
                {"requiredString": "foo", "optionalInt": 1, "requiredIntList": [1, 2],
                "optionalStringList": ["foo", "bar"]}
                """))
        try await expect(
            SendModel(
                method: .post, path: "parameters/spread/alias/inner-model-parameter/\(1)", model: foo,
                headers: ["x-ms-test-header": "bar"]),
            sends: "POST", "\(path)/inner-model-parameter/1", headers: header, .json(#"{"name": "foo"}"#))
        try await expect(
            SendMembers(
                method: .post, path: "parameters/spread/alias/inner-alias-parameter/\(1)",
                parameters: ["name": "foo", "age": 1], headers: ["x-ms-test-header": "bar"]),
            sends: "POST", "\(path)/inner-alias-parameter/1", headers: header, .json(#"{"name": "foo", "age": 1}"#))
    }
}
