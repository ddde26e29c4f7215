import APIKit
import Foundation
import SuiteSupport
import Testing

/// Models with a property that may be absent: the folder `type/property/optionality`.
@Suite struct OptionalityTests {
    struct Model<Property: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
        var property: Property?
    }

    enum StringLiteral: String, Codable { case hello }
    enum IntLiteral: Int, Codable { case one = 1 }
    enum FloatLiteral: Double, Codable { case value = 1.25 }
    enum UnionStringLiteral: String, Codable { case hello, world }
    enum UnionIntLiteral: Int, Codable { case one = 1, two }
    enum UnionFloatLiteral: Double, Codable { case smaller = 1.25, larger = 2.375 }

    struct RequiredAndOptional: Codable, Sendable, Equatable {
        var optionalProperty: String?
        var requiredProperty: Int32
    }

    /// Checks the four endpoints of a model with a property of one type.
    func expectModel<Property: Codable & Sendable & Equatable>(
        _ folder: String, _ property: Property, _ json: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let path = "type/property/optional/\(folder)"
        try await expectGetAndPut("\(path)/default", Model<Property>(), "{}", sourceLocation: sourceLocation)
        try await expectGetAndPut(
            "\(path)/all", Model(property: property), #"{"property":\#(json)}"#, sourceLocation: sourceLocation)
    }

    @Test(
        .scenario(
            "Type_Property_Optional_String_getDefault", "Type_Property_Optional_String_putDefault",
            "Type_Property_Optional_String_getAll", "Type_Property_Optional_String_putAll"))
    func string() async throws {
        try await expectModel("string", "hello", #""hello""#)
    }

    @Test(
        .scenario(
            "Type_Property_Optional_Bytes_getDefault", "Type_Property_Optional_Bytes_putDefault",
            "Type_Property_Optional_Bytes_getAll", "Type_Property_Optional_Bytes_putAll"))
    func bytes() async throws {
        try await expectModel("bytes", exampleBytes, #""aGVsbG8sIHdvcmxkIQ==""#)
    }

    @Test(
        .scenario(
            "Type_Property_Optional_Datetime_getDefault", "Type_Property_Optional_Datetime_putDefault",
            "Type_Property_Optional_Datetime_getAll", "Type_Property_Optional_Datetime_putAll"))
    func datetime() async throws {
        try await expectModel("datetime", exampleDate, #""2022-08-26T18:38:00Z""#)
    }

    @Test(
        .scenario(
            "Type_Property_Optional_Duration_getDefault", "Type_Property_Optional_Duration_putDefault",
            "Type_Property_Optional_Duration_getAll", "Type_Property_Optional_Duration_putAll"))
    func duration() async throws {
        try await expectModel("duration", "P123DT22H14M12.011S", #""P123DT22H14M12.011S""#)
    }

    @Test(
        .scenario(
            "Type_Property_Optional_PlainDate_getDefault", "Type_Property_Optional_PlainDate_putDefault",
            "Type_Property_Optional_PlainDate_getAll", "Type_Property_Optional_PlainDate_putAll"))
    func plainDate() async throws {
        try await expectModel("plainDate", try #require(DateOnly(year: 2022, month: 12, day: 12)), #""2022-12-12""#)
    }

    @Test(
        .scenario(
            "Type_Property_Optional_PlainTime_getDefault", "Type_Property_Optional_PlainTime_putDefault",
            "Type_Property_Optional_PlainTime_getAll", "Type_Property_Optional_PlainTime_putAll"))
    func plainTime() async throws {
        try await expectModel("plainTime", try #require(TimeOnly(hour: 13, minute: 6, second: 12)), #""13:06:12""#)
    }

    @Test(
        .scenario(
            "Type_Property_Optional_CollectionsByte_getDefault", "Type_Property_Optional_CollectionsByte_putDefault",
            "Type_Property_Optional_CollectionsByte_getAll", "Type_Property_Optional_CollectionsByte_putAll"))
    func collectionsByte() async throws {
        try await expectModel(
            "collections/bytes", [exampleBytes, exampleBytes],
            #"["aGVsbG8sIHdvcmxkIQ==","aGVsbG8sIHdvcmxkIQ=="]"#)
    }

    @Test(
        .scenario(
            "Type_Property_Optional_CollectionsModel_getDefault",
            "Type_Property_Optional_CollectionsModel_putDefault",
            "Type_Property_Optional_CollectionsModel_getAll", "Type_Property_Optional_CollectionsModel_putAll"))
    func collectionsModel() async throws {
        try await expectModel(
            "collections/model", [Model(property: "hello"), Model(property: "world")],
            #"[{"property":"hello"},{"property":"world"}]"#)
    }

    @Test(
        .scenario(
            "Type_Property_Optional_StringLiteral_getDefault", "Type_Property_Optional_StringLiteral_putDefault",
            "Type_Property_Optional_StringLiteral_getAll", "Type_Property_Optional_StringLiteral_putAll"))
    func stringLiteral() async throws {
        try await expectModel("string/literal", StringLiteral.hello, #""hello""#)
    }

    @Test(
        .scenario(
            "Type_Property_Optional_IntLiteral_getDefault", "Type_Property_Optional_IntLiteral_putDefault",
            "Type_Property_Optional_IntLiteral_getAll", "Type_Property_Optional_IntLiteral_putAll"))
    func intLiteral() async throws {
        try await expectModel("int/literal", IntLiteral.one, "1")
    }

    @Test(
        .scenario(
            "Type_Property_Optional_FloatLiteral_getDefault", "Type_Property_Optional_FloatLiteral_putDefault",
            "Type_Property_Optional_FloatLiteral_getAll", "Type_Property_Optional_FloatLiteral_putAll"))
    func floatLiteral() async throws {
        try await expectModel("float/literal", FloatLiteral.value, "1.25")
    }

    @Test(
        .scenario(
            "Type_Property_Optional_BooleanLiteral_getDefault", "Type_Property_Optional_BooleanLiteral_putDefault",
            "Type_Property_Optional_BooleanLiteral_getAll", "Type_Property_Optional_BooleanLiteral_putAll"))
    func booleanLiteral() async throws {
        try await expectModel("boolean/literal", true, "true")
    }

    @Test(
        .scenario(
            "Type_Property_Optional_UnionStringLiteral_getDefault",
            "Type_Property_Optional_UnionStringLiteral_putDefault",
            "Type_Property_Optional_UnionStringLiteral_getAll", "Type_Property_Optional_UnionStringLiteral_putAll"))
    func unionStringLiteral() async throws {
        try await expectModel("union/string/literal", UnionStringLiteral.world, #""world""#)
    }

    @Test(
        .scenario(
            "Type_Property_Optional_UnionIntLiteral_getDefault", "Type_Property_Optional_UnionIntLiteral_putDefault",
            "Type_Property_Optional_UnionIntLiteral_getAll", "Type_Property_Optional_UnionIntLiteral_putAll"))
    func unionIntLiteral() async throws {
        try await expectModel("union/int/literal", UnionIntLiteral.two, "2")
    }

    @Test(
        .scenario(
            "Type_Property_Optional_UnionFloatLiteral_getDefault",
            "Type_Property_Optional_UnionFloatLiteral_putDefault",
            "Type_Property_Optional_UnionFloatLiteral_getAll", "Type_Property_Optional_UnionFloatLiteral_putAll"))
    func unionFloatLiteral() async throws {
        try await expectModel("union/float/literal", UnionFloatLiteral.larger, "2.375")
    }

    @Test(
        .scenario(
            "Type_Property_Optional_RequiredAndOptional_getRequiredOnly",
            "Type_Property_Optional_RequiredAndOptional_putRequiredOnly",
            "Type_Property_Optional_RequiredAndOptional_getAll", "Type_Property_Optional_RequiredAndOptional_putAll"))
    func requiredAndOptional() async throws {
        let path = "type/property/optional/requiredAndOptional"
        try await expectGetAndPut(
            "\(path)/requiredOnly", RequiredAndOptional(requiredProperty: 42), #"{"requiredProperty":42}"#)
        try await expectGetAndPut(
            "\(path)/all", RequiredAndOptional(optionalProperty: "hello", requiredProperty: 42),
            #"{"optionalProperty":"hello","requiredProperty":42}"#)
    }
}
