import APIKit
import SuiteSupport
import Testing

/// Objects with arbitrary keys as bodies: the folder `type/dictionary`.
@Suite struct DictionaryTests {
    struct InnerModel: Codable, Sendable, Equatable {
        var property: String
        var children: [String: InnerModel]?
    }

    @Test(.scenario("Type_Dictionary_Int32Value_get", "Type_Dictionary_Int32Value_put"))
    func int32() async throws {
        try await expectGetAndPut("type/dictionary/int32", ["k1": Int32(1), "k2": 2], #"{"k1":1,"k2":2}"#)
    }

    @Test(.scenario("Type_Dictionary_Int64Value_get", "Type_Dictionary_Int64Value_put"))
    func int64() async throws {
        try await expectGetAndPut(
            "type/dictionary/int64", ["k1": 9_007_199_254_740_991, "k2": -9_007_199_254_740_991] as [String: Int64],
            #"{"k1":9007199254740991,"k2":-9007199254740991}"#)
    }

    @Test(.scenario("Type_Dictionary_BooleanValue_get", "Type_Dictionary_BooleanValue_put"))
    func boolean() async throws {
        try await expectGetAndPut("type/dictionary/boolean", ["k1": true, "k2": false], #"{"k1":true,"k2":false}"#)
    }

    @Test(.scenario("Type_Dictionary_StringValue_get", "Type_Dictionary_StringValue_put"))
    func string() async throws {
        try await expectGetAndPut("type/dictionary/string", ["k1": "hello", "k2": ""], #"{"k1":"hello","k2":""}"#)
    }

    @Test(.scenario("Type_Dictionary_Float32Value_get", "Type_Dictionary_Float32Value_put"))
    func float32() async throws {
        try await expectGetAndPut("type/dictionary/float32", ["k1": Float(43.125)], #"{"k1":43.125}"#)
    }

    @Test(.scenario("Type_Dictionary_DatetimeValue_get", "Type_Dictionary_DatetimeValue_put"))
    func datetime() async throws {
        try await expectGetAndPut("type/dictionary/datetime", ["k1": exampleDate], #"{"k1":"2022-08-26T18:38:00Z"}"#)
    }

    @Test(.scenario("Type_Dictionary_DurationValue_get", "Type_Dictionary_DurationValue_put"))
    func duration() async throws {
        try await expectGetAndPut(
            "type/dictionary/duration", ["k1": "P123DT22H14M12.011S"],
            #"{"k1":"P123DT22H14M12.011S"}"#)
    }

    @Test(.scenario("Type_Dictionary_UnknownValue_get", "Type_Dictionary_UnknownValue_put"))
    func unknown() async throws {
        try await expectGetAndPut(
            "type/dictionary/unknown", ["k1": 1, "k2": "hello", "k3": .null] as [String: JSONValue],
            #"{"k1":1,"k2":"hello","k3":null}"#)
    }

    @Test(.scenario("Type_Dictionary_ModelValue_get", "Type_Dictionary_ModelValue_put"))
    func model() async throws {
        try await expectGetAndPut(
            "type/dictionary/model", ["k1": InnerModel(property: "hello"), "k2": InnerModel(property: "world")],
            #"{"k1":{"property":"hello"},"k2":{"property":"world"}}"#)
    }

    @Test(.scenario("Type_Dictionary_RecursiveModelValue_get", "Type_Dictionary_RecursiveModelValue_put"))
    func recursiveModel() async throws {
        let models = [
            "k1": InnerModel(property: "hello", children: [:]),
            "k2": InnerModel(property: "world", children: ["k2.1": InnerModel(property: "inner world")]),
        ]
        let k1 = #"{"children":{},"property":"hello"}"#
        let k2 = #"{"children":{"k2.1":{"property":"inner world"}},"property":"world"}"#
        try await expectGetAndPut("type/dictionary/model/recursive", models, #"{"k1":\#(k1),"k2":\#(k2)}"#)
    }

    @Test(.scenario("Type_Dictionary_NullableFloatValue_get", "Type_Dictionary_NullableFloatValue_put"))
    func nullableFloat() async throws {
        try await expectGetAndPut(
            "type/dictionary/nullable-float", ["k1": 1.25, "k2": 0.5, "k3": nil] as [String: Float?],
            #"{"k1":1.25,"k2":0.5,"k3":null}"#)
    }
}
