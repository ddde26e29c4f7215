import APIKit
import Foundation
import SuiteSupport
import Testing

/// Models with a property that may be null, which a merge patch changes: the folder `type/property/nullable`.
@Suite struct NullableTests {
    struct Model<Property: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
        var requiredProperty: String
        var nullableProperty: Property?
    }

    struct InnerModel: Codable, Sendable, Equatable {
        var property: String
    }

    /// A change to a model: each property is kept, set or cleared.
    struct Change<Property: Encodable & Sendable>: Encodable, Sendable {
        var requiredProperty: Patch<String> = .keep
        var nullableProperty: Patch<Property> = .keep
    }

    struct PatchModel<Property: Encodable & Sendable>: SuiteRequest {
        typealias Response = NoContent
        let path: URLPath
        let change: Change<Property>
        var method: HTTPMethod { .patch }
        var headers: HTTPHeaders { [.contentType: "application/merge-patch+json"] }
        var body: RequestBody? { .json(change, encoder: .api) }
    }

    /// Checks the four endpoints of a model with a property of one type.
    func expectModel<Property: Codable & Sendable & Equatable>(
        _ folder: String, _ property: Property, _ json: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let path = "type/property/nullable/\(folder)"
        try await expectModel("\(path)/non-null", property, json, patch: .set(property), sourceLocation)
        try await expectModel("\(path)/null", nil as Property?, "null", patch: .clear, sourceLocation)
    }

    private func expectModel<Property: Codable & Sendable & Equatable>(
        _ path: String, _ property: Property?, _ json: String, patch: Patch<Property>, _ sourceLocation: SourceLocation
    ) async throws {
        let body = #"{"nullableProperty":\#(json),"requiredProperty":"foo"}"#

        let get = Get<Model<Property>>(path: "\(segments: path)")
        try await expect(get, sends: "GET", "/\(path)", sourceLocation: sourceLocation)
        let model = Model(requiredProperty: "foo", nullableProperty: property)
        try await expect(get, reads: body, as: model, sourceLocation: sourceLocation)

        let change = Change(requiredProperty: .set("foo"), nullableProperty: patch)
        let request = PatchModel(path: "\(segments: path)", change: change)
        try await expect(
            request, sends: "PATCH", "/\(path)", headers: ["Content-Type": "application/merge-patch+json"],
            .text(body), sourceLocation: sourceLocation)
        try await expect(request, reads: "", status: 204, as: NoContent(), sourceLocation: sourceLocation)
    }

    @Test(
        .scenario(
            "Type_Property_Nullable_String_getNonNull", "Type_Property_Nullable_String_getNull",
            "Type_Property_Nullable_String_patchNonNull", "Type_Property_Nullable_String_patchNull"))
    func string() async throws {
        try await expectModel("string", "hello", #""hello""#)
    }

    @Test(
        .scenario(
            "Type_Property_Nullable_Bytes_getNonNull", "Type_Property_Nullable_Bytes_getNull",
            "Type_Property_Nullable_Bytes_patchNonNull", "Type_Property_Nullable_Bytes_patchNull"))
    func bytes() async throws {
        try await expectModel("bytes", exampleBytes, #""aGVsbG8sIHdvcmxkIQ==""#)
    }

    @Test(
        .scenario(
            "Type_Property_Nullable_Datetime_getNonNull", "Type_Property_Nullable_Datetime_getNull",
            "Type_Property_Nullable_Datetime_patchNonNull", "Type_Property_Nullable_Datetime_patchNull"))
    func datetime() async throws {
        try await expectModel("datetime", exampleDate, #""2022-08-26T18:38:00Z""#)
    }

    @Test(
        .scenario(
            "Type_Property_Nullable_Duration_getNonNull", "Type_Property_Nullable_Duration_getNull",
            "Type_Property_Nullable_Duration_patchNonNull", "Type_Property_Nullable_Duration_patchNull"))
    func duration() async throws {
        try await expectModel("duration", "P123DT22H14M12.011S", #""P123DT22H14M12.011S""#)
    }

    @Test(
        .scenario(
            "Type_Property_Nullable_CollectionsByte_getNonNull", "Type_Property_Nullable_CollectionsByte_getNull",
            "Type_Property_Nullable_CollectionsByte_patchNonNull",
            "Type_Property_Nullable_CollectionsByte_patchNull"))
    func collectionsByte() async throws {
        try await expectModel(
            "collections/bytes", [exampleBytes, exampleBytes],
            #"["aGVsbG8sIHdvcmxkIQ==","aGVsbG8sIHdvcmxkIQ=="]"#)
    }

    @Test(
        .scenario(
            "Type_Property_Nullable_CollectionsModel_getNonNull", "Type_Property_Nullable_CollectionsModel_getNull",
            "Type_Property_Nullable_CollectionsModel_patchNonNull",
            "Type_Property_Nullable_CollectionsModel_patchNull"))
    func collectionsModel() async throws {
        try await expectModel(
            "collections/model", [InnerModel(property: "hello"), InnerModel(property: "world")],
            #"[{"property":"hello"},{"property":"world"}]"#)
    }

    @Test(
        .scenario(
            "Type_Property_Nullable_CollectionsString_getNonNull", "Type_Property_Nullable_CollectionsString_getNull",
            "Type_Property_Nullable_CollectionsString_patchNonNull",
            "Type_Property_Nullable_CollectionsString_patchNull"))
    func collectionsString() async throws {
        try await expectModel("collections/string", ["hello", "world"], #"["hello","world"]"#)
    }
}
