import APIKit
import SuiteSupport
import Testing

/// Members, models and operations that differ between the versions of an API, as one version sees them.
@Suite struct VersioningTests {
    /// The server of a version.
    private static func base(_ area: String, _ version: String = "v2") -> APIBase {
        APIBase("http://localhost:3000/versioning/\(area)/api-version:\(version)")
    }

    /// A `POST` that returns the model that it sends.
    struct Echo<Model: JSONResponse & JSONBody & Equatable>: APIRequest {
        typealias Response = Model
        var base: APIBase
        var path: URLPath
        var model: Model
        var query: Parameters = [:]
        var headers: HTTPHeaders = [:]
        var method: HTTPMethod { .post }
        var body: RequestBody? { .json(model) }
    }

    /// Checks that a model is sent and read.
    private func check<Model>(
        _ request: Echo<Model>, _ target: String, headers: [String: String?] = [:], _ json: String
    ) async throws {
        try await expect(request, sends: "POST", target, headers: headers, .json(json))
        try await expect(request, reads: json, as: request.model)
    }

    // MARK: - Members without alternatives

    struct Optional: JSONResponse, JSONBody, Equatable {
        var prop: String
        var changedProp: String?
    }

    @Test(.scenario("Versioning_MadeOptional_test"))
    func madeOptional() async throws {
        try await check(
            Echo(base: Self.base("made-optional"), path: "test", model: Optional(prop: "foo")),
            "/versioning/made-optional/api-version:v2/test", #"{"prop": "foo"}"#)
    }

    struct Changed: JSONResponse, JSONBody, Equatable {
        var prop: String
        var changedProp: String
    }

    @Test(.scenario("Versioning_TypeChangedFrom_test"))
    func typeChanged() async throws {
        try await check(
            Echo(
                base: Self.base("type-changed-from"), path: "test", model: Changed(prop: "foo", changedProp: "bar"),
                query: ["param": "baz"]),
            "/versioning/type-changed-from/api-version:v2/test?param=baz", #"{"prop": "foo", "changedProp": "bar"}"#)
    }

    struct ReturnTypeChanged: APIRequest {
        typealias Response = JSON<String>
        var text: String
        var base: APIBase { VersioningTests.base("return-type-changed-from") }
        var method: HTTPMethod { .post }
        var path: URLPath { "test" }
        var body: RequestBody? { .json(text, encoder: .api) }
    }

    @Test(.scenario("Versioning_ReturnTypeChangedFrom_test"))
    func returnTypeChanged() async throws {
        let request = ReturnTypeChanged(text: "test")
        try await expect(
            request, sends: "POST", "/versioning/return-type-changed-from/api-version:v2/test", .json(#""test""#))
        try await expect(request, reads: #""test""#, as: "test")
    }

    struct ModelV3: JSONResponse, JSONBody, Equatable {
        var id: String
        var enumProp: Enum?
        enum Enum: String, Codable { case enumMemberV1, enumMemberV2Preview }
    }

    @Test(
        .scenario(
            "Versioning_Removed_modelV3", "Versioning_Removed_modelV3_V2", "Versioning_Removed_modelV3_V2preview"))
    func removedMember() async throws {
        for version in ["v1", "v2"] {
            try await check(
                Echo(
                    base: Self.base("removed", version), path: "v3",
                    model: ModelV3(id: "123", enumProp: .enumMemberV1)),
                "/versioning/removed/api-version:\(version)/v3", #"{"id": "123", "enumProp": "enumMemberV1"}"#)
        }
        try await check(
            Echo(base: Self.base("removed", "v2preview"), path: "v3", model: ModelV3(id: "123")),
            "/versioning/removed/api-version:v2preview/v3", #"{"id": "123"}"#)
    }

    // MARK: - Members of several types

    /// A text or a number.
    enum Union: Codable, Equatable {
        case text(String)
        case number(Int)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .number(try container.decode(Int.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            }
        }
    }

    struct ModelV1: JSONResponse, JSONBody, Equatable {
        var prop: String
        var enumProp: Enum
        var unionProp: Union
        enum Enum: String, Codable { case enumMemberV1, enumMemberV2 }
    }

    struct ModelV2: JSONResponse, JSONBody, Equatable {
        var prop: String
        var enumProp: Enum
        var unionProp: Union
        enum Enum: String, Codable { case enumMember }
    }

    @Test(
        .scenario(
            "Versioning_Added_v1", "Versioning_Added_v2", "Versioning_Added_InterfaceV2",
            byHand: "init(from:) and encode(to:) of a union"))
    func added() async throws {
        let base = Self.base("added")
        try await check(
            Echo(
                base: base, path: "v1",
                model: ModelV1(prop: "foo", enumProp: .enumMemberV2, unionProp: .number(10)),
                headers: ["header-v2": "bar"]),
            "/versioning/added/api-version:v2/v1", headers: ["header-v2": "bar"],
            #"{"prop": "foo", "enumProp": "enumMemberV2", "unionProp": 10}"#)
        let model = ModelV2(prop: "foo", enumProp: .enumMember, unionProp: .text("bar"))
        let json = #"{"prop": "foo", "enumProp": "enumMember", "unionProp": "bar"}"#
        try await check(Echo(base: base, path: "v2", model: model), "/versioning/added/api-version:v2/v2", json)
        try await check(
            Echo(base: base, path: "interface-v2/v2", model: model),
            "/versioning/added/api-version:v2/interface-v2/v2", json)
    }

    struct RemovedModel: JSONResponse, JSONBody, Equatable {
        var prop: String
        var enumProp: Enum
        var unionProp: Union
        enum Enum: String, Codable { case enumMemberV2 }
    }

    @Test(.scenario("Versioning_Removed_v2", byHand: "init(from:) and encode(to:) of a union"))
    func removed() async throws {
        try await check(
            Echo(
                base: Self.base("removed"), path: "v2",
                model: RemovedModel(prop: "foo", enumProp: .enumMemberV2, unionProp: .text("bar"))),
            "/versioning/removed/api-version:v2/v2",
            #"{"prop": "foo", "enumProp": "enumMemberV2", "unionProp": "bar"}"#)
    }

    struct NewModel: JSONResponse, JSONBody, Equatable {
        var newProp: String
        var enumProp: Enum
        var unionProp: Union
        enum Enum: String, Codable { case newEnumMember }
    }

    @Test(
        .scenario(
            "Versioning_RenamedFrom_newOp", "Versioning_RenamedFrom_NewInterface",
            byHand: "init(from:) and encode(to:) of a union"))
    func renamed() async throws {
        let model = NewModel(newProp: "foo", enumProp: .newEnumMember, unionProp: .number(10))
        let json = #"{"newProp": "foo", "enumProp": "newEnumMember", "unionProp": 10}"#
        try await check(
            Echo(base: Self.base("renamed-from"), path: "test", model: model, query: ["newQuery": "bar"]),
            "/versioning/renamed-from/api-version:v2/test?newQuery=bar", json)
        try await check(
            Echo(base: Self.base("renamed-from"), path: "interface/test", model: model),
            "/versioning/renamed-from/api-version:v2/interface/test", json)
    }
}
