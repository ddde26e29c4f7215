import APIKit
import Foundation
import SuiteSupport
import Testing

/// Models with a property of each type: the folder `type/property/value-types`.
@Suite struct ValueTypesTests {
    struct Model<Property: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
        var property: Property
    }

    struct InnerModel: Codable, Sendable, Equatable {
        var property: String
    }

    enum FixedInnerEnum: String, Codable {
        case valueOne = "ValueOne"
        case valueTwo = "ValueTwo"
    }

    struct InnerEnum: RawRepresentable, Codable, Sendable, Hashable {
        var rawValue: String
        static let valueOne = InnerEnum(rawValue: "ValueOne")
        static let valueTwo = InnerEnum(rawValue: "ValueTwo")
    }

    struct ExtendedEnum: RawRepresentable, Codable, Sendable, Hashable {
        var rawValue: String
        static let enumValue2 = ExtendedEnum(rawValue: "value2")
    }

    enum StringLiteral: String, Codable { case hello }
    enum IntLiteral: Int, Codable { case fortyTwo = 42 }
    enum FloatLiteral: Double, Codable { case value = 43.125 }
    enum UnionStringLiteral: String, Codable { case hello, world }
    enum UnionIntLiteral: Int, Codable { case fortyTwo = 42, fortyThree }
    enum UnionFloatLiteral: Double, Codable { case smaller = 43.125, larger = 46.875 }

    /// A model whose only property is of a type without values, so it has no property.
    struct NeverModel: Codable, Sendable, Equatable {}

    /// Checks the endpoints of a model with one property.
    func expectModel<Property: Codable & Sendable & Equatable>(
        _ path: String, _ property: Property, _ json: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await expectGetAndPut(
            "type/property/value-types/\(path)", Model(property: property), #"{"property":\#(json)}"#,
            sourceLocation: sourceLocation)
    }

    @Test(.scenario("Type_Property_ValueTypes_Boolean_get", "Type_Property_ValueTypes_Boolean_put"))
    func boolean() async throws {
        try await expectModel("boolean", true, "true")
    }

    @Test(.scenario("Type_Property_ValueTypes_String_get", "Type_Property_ValueTypes_String_put"))
    func string() async throws {
        try await expectModel("string", "hello", #""hello""#)
    }

    @Test(.scenario("Type_Property_ValueTypes_Bytes_get", "Type_Property_ValueTypes_Bytes_put"))
    func bytes() async throws {
        try await expectModel("bytes", exampleBytes, #""aGVsbG8sIHdvcmxkIQ==""#)
    }

    @Test(.scenario("Type_Property_ValueTypes_Int_get", "Type_Property_ValueTypes_Int_put"))
    func int() async throws {
        try await expectModel("int", Int32(42), "42")
    }

    @Test(.scenario("Type_Property_ValueTypes_Float_get", "Type_Property_ValueTypes_Float_put"))
    func float() async throws {
        try await expectModel("float", Float(43.125), "43.125")
    }

    @Test(.scenario("Type_Property_ValueTypes_Decimal_get", "Type_Property_ValueTypes_Decimal_put"))
    func decimal() async throws {
        try await expectModel("decimal", try #require(Decimal(string: "0.33333")), "0.33333")
    }

    @Test(.scenario("Type_Property_ValueTypes_Decimal128_get", "Type_Property_ValueTypes_Decimal128_put"))
    func decimal128() async throws {
        try await expectModel("decimal128", try #require(Decimal(string: "0.33333")), "0.33333")
    }

    @Test(.scenario("Type_Property_ValueTypes_Datetime_get", "Type_Property_ValueTypes_Datetime_put"))
    func datetime() async throws {
        try await expectModel("datetime", exampleDate, #""2022-08-26T18:38:00Z""#)
    }

    @Test(.scenario("Type_Property_ValueTypes_Duration_get", "Type_Property_ValueTypes_Duration_put"))
    func duration() async throws {
        try await expectModel("duration", "P123DT22H14M12.011S", #""P123DT22H14M12.011S""#)
    }

    @Test(.scenario("Type_Property_ValueTypes_Enum_get", "Type_Property_ValueTypes_Enum_put"))
    func fixedEnum() async throws {
        try await expectModel("enum", FixedInnerEnum.valueOne, #""ValueOne""#)
    }

    @Test(.scenario("Type_Property_ValueTypes_ExtensibleEnum_get", "Type_Property_ValueTypes_ExtensibleEnum_put"))
    func extensibleEnum() async throws {
        try await expectModel("extensible-enum", InnerEnum(rawValue: "UnknownValue"), #""UnknownValue""#)
    }

    @Test(.scenario("Type_Property_ValueTypes_Model_get", "Type_Property_ValueTypes_Model_put"))
    func model() async throws {
        try await expectModel("model", InnerModel(property: "hello"), #"{"property":"hello"}"#)
    }

    @Test(.scenario("Type_Property_ValueTypes_CollectionsString_get", "Type_Property_ValueTypes_CollectionsString_put"))
    func collectionsString() async throws {
        try await expectModel("collections/string", ["hello", "world"], #"["hello","world"]"#)
    }

    @Test(.scenario("Type_Property_ValueTypes_CollectionsInt_get", "Type_Property_ValueTypes_CollectionsInt_put"))
    func collectionsInt() async throws {
        try await expectModel("collections/int", [Int32(1), 2], "[1,2]")
    }

    @Test(.scenario("Type_Property_ValueTypes_CollectionsModel_get", "Type_Property_ValueTypes_CollectionsModel_put"))
    func collectionsModel() async throws {
        try await expectModel(
            "collections/model", [InnerModel(property: "hello"), InnerModel(property: "world")],
            #"[{"property":"hello"},{"property":"world"}]"#)
    }

    @Test(.scenario("Type_Property_ValueTypes_DictionaryString_get", "Type_Property_ValueTypes_DictionaryString_put"))
    func dictionaryString() async throws {
        try await expectModel("dictionary/string", ["k1": "hello", "k2": "world"], #"{"k1":"hello","k2":"world"}"#)
    }

    @Test(.scenario("Type_Property_ValueTypes_Never_get", "Type_Property_ValueTypes_Never_put"))
    func never() async throws {
        try await expectGetAndPut("type/property/value-types/never", NeverModel(), "{}")
    }

    @Test(.scenario("Type_Property_ValueTypes_UnknownString_get", "Type_Property_ValueTypes_UnknownString_put"))
    func unknownString() async throws {
        try await expectModel("unknown/string", "hello" as JSONValue, #""hello""#)
    }

    @Test(.scenario("Type_Property_ValueTypes_UnknownInt_get", "Type_Property_ValueTypes_UnknownInt_put"))
    func unknownInt() async throws {
        try await expectModel("unknown/int", 42 as JSONValue, "42")
    }

    @Test(.scenario("Type_Property_ValueTypes_UnknownDict_get", "Type_Property_ValueTypes_UnknownDict_put"))
    func unknownDict() async throws {
        try await expectModel("unknown/dict", ["k1": "hello", "k2": 42] as JSONValue, #"{"k1":"hello","k2":42}"#)
    }

    @Test(.scenario("Type_Property_ValueTypes_UnknownArray_get", "Type_Property_ValueTypes_UnknownArray_put"))
    func unknownArray() async throws {
        try await expectModel("unknown/array", ["hello", "world"] as JSONValue, #"["hello","world"]"#)
    }

    @Test(.scenario("Type_Property_ValueTypes_StringLiteral_get", "Type_Property_ValueTypes_StringLiteral_put"))
    func stringLiteral() async throws {
        try await expectModel("string/literal", StringLiteral.hello, #""hello""#)
    }

    @Test(.scenario("Type_Property_ValueTypes_IntLiteral_get", "Type_Property_ValueTypes_IntLiteral_put"))
    func intLiteral() async throws {
        try await expectModel("int/literal", IntLiteral.fortyTwo, "42")
    }

    @Test(.scenario("Type_Property_ValueTypes_FloatLiteral_get", "Type_Property_ValueTypes_FloatLiteral_put"))
    func floatLiteral() async throws {
        try await expectModel("float/literal", FloatLiteral.value, "43.125")
    }

    @Test(.scenario("Type_Property_ValueTypes_BooleanLiteral_get", "Type_Property_ValueTypes_BooleanLiteral_put"))
    func booleanLiteral() async throws {
        try await expectModel("boolean/literal", true, "true")
    }

    @Test(
        .scenario(
            "Type_Property_ValueTypes_UnionStringLiteral_get",
            "Type_Property_ValueTypes_UnionStringLiteral_put"))
    func unionStringLiteral() async throws {
        try await expectModel("union/string/literal", UnionStringLiteral.world, #""world""#)
    }

    @Test(.scenario("Type_Property_ValueTypes_UnionIntLiteral_get", "Type_Property_ValueTypes_UnionIntLiteral_put"))
    func unionIntLiteral() async throws {
        try await expectModel("union/int/literal", UnionIntLiteral.fortyTwo, "42")
    }

    @Test(.scenario("Type_Property_ValueTypes_UnionFloatLiteral_get", "Type_Property_ValueTypes_UnionFloatLiteral_put"))
    func unionFloatLiteral() async throws {
        try await expectModel("union/float/literal", UnionFloatLiteral.larger, "46.875")
    }

    @Test(.scenario("Type_Property_ValueTypes_UnionEnumValue_get", "Type_Property_ValueTypes_UnionEnumValue_put"))
    func unionEnum() async throws {
        try await expectModel("union-enum-value", ExtendedEnum.enumValue2, #""value2""#)
    }
}
