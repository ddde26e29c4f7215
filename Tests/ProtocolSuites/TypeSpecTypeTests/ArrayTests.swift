import APIKit
import SuiteSupport
import Testing

/// Lists as bodies: the folder `type/array`.
@Suite struct ArrayTests {
    struct InnerModel: Codable, Sendable, Equatable {
        var property: String
        var children: [InnerModel]?
    }

    @Test(.scenario("Type_Array_Int32Value_get", "Type_Array_Int32Value_put"))
    func int32() async throws {
        try await expectGetAndPut("type/array/int32", [Int32(1), 2], "[1,2]")
    }

    @Test(.scenario("Type_Array_Int64Value_get", "Type_Array_Int64Value_put"))
    func int64() async throws {
        try await expectGetAndPut(
            "type/array/int64", [9_007_199_254_740_991, -9_007_199_254_740_991] as [Int64],
            "[9007199254740991,-9007199254740991]")
    }

    @Test(.scenario("Type_Array_BooleanValue_get", "Type_Array_BooleanValue_put"))
    func boolean() async throws {
        try await expectGetAndPut("type/array/boolean", [true, false], "[true,false]")
    }

    @Test(.scenario("Type_Array_StringValue_get", "Type_Array_StringValue_put"))
    func string() async throws {
        try await expectGetAndPut("type/array/string", ["hello", ""], #"["hello",""]"#)
    }

    @Test(.scenario("Type_Array_Float32Value_get", "Type_Array_Float32Value_put"))
    func float32() async throws {
        try await expectGetAndPut("type/array/float32", [Float(43.125)], "[43.125]")
    }

    @Test(.scenario("Type_Array_DatetimeValue_get", "Type_Array_DatetimeValue_put"))
    func datetime() async throws {
        try await expectGetAndPut("type/array/datetime", [exampleDate], #"["2022-08-26T18:38:00Z"]"#)
    }

    @Test(.scenario("Type_Array_DurationValue_get", "Type_Array_DurationValue_put"))
    func duration() async throws {
        try await expectGetAndPut("type/array/duration", ["P123DT22H14M12.011S"], #"["P123DT22H14M12.011S"]"#)
    }

    @Test(.scenario("Type_Array_UnknownValue_get", "Type_Array_UnknownValue_put"))
    func unknown() async throws {
        try await expectGetAndPut("type/array/unknown", [1, "hello", .null] as [JSONValue], #"[1,"hello",null]"#)
    }

    @Test(.scenario("Type_Array_ModelValue_get", "Type_Array_ModelValue_put"))
    func model() async throws {
        try await expectGetAndPut(
            "type/array/model", [InnerModel(property: "hello"), InnerModel(property: "world")],
            #"[{"property":"hello"},{"property":"world"}]"#)
    }

    @Test(.scenario("Type_Array_NullableFloatValue_get", "Type_Array_NullableFloatValue_put"))
    func nullableFloat() async throws {
        try await expectGetAndPut("type/array/nullable-float", [1.25, nil, 3] as [Float?], "[1.25,null,3]")
    }

    @Test(.scenario("Type_Array_NullableInt32Value_get", "Type_Array_NullableInt32Value_put"))
    func nullableInt32() async throws {
        try await expectGetAndPut("type/array/nullable-int32", [1, nil, 3] as [Int32?], "[1,null,3]")
    }

    @Test(.scenario("Type_Array_NullableBooleanValue_get", "Type_Array_NullableBooleanValue_put"))
    func nullableBoolean() async throws {
        try await expectGetAndPut("type/array/nullable-boolean", [true, nil, false], "[true,null,false]")
    }

    @Test(.scenario("Type_Array_NullableStringValue_get", "Type_Array_NullableStringValue_put"))
    func nullableString() async throws {
        try await expectGetAndPut("type/array/nullable-string", ["hello", nil, "world"], #"["hello",null,"world"]"#)
    }

    @Test(.scenario("Type_Array_NullableModelValue_get", "Type_Array_NullableModelValue_put"))
    func nullableModel() async throws {
        try await expectGetAndPut(
            "type/array/nullable-model", [InnerModel(property: "hello"), nil, InnerModel(property: "world")],
            #"[{"property":"hello"},null,{"property":"world"}]"#)
    }
}
