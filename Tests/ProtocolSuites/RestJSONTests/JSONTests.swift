import APIKit
import Foundation
import SuiteSupport
import Testing

// Members of models: scalars, bytes, enums, lists, maps, dates, and models within themselves.

@Suite struct JSONTests {
    static let json: [String: String?] = ["Content-Type": "application/json"]

    // MARK: - Scalars

    static let scalars = """
        {"stringValue": "string", "trueBooleanValue": true, "falseBooleanValue": false, "byteValue": 1,
        "shortValue": 2, "integerValue": 3, "longValue": 4, "floatValue": 5.5, "DoubleDribble": 6.5}
        """
    static let scalarModel = Scalars(
        stringValue: "string", trueBooleanValue: true, falseBooleanValue: false, byteValue: 1, shortValue: 2,
        integerValue: 3, longValue: 4, floatValue: 5.5, doubleValue: 6.5)

    @Test(.scenario("RestJsonSimpleScalarProperties", "RestJsonDoesntSerializeNullStructureValues"))
    func sendsScalars() async throws {
        try await expect(
            SimpleScalarPropertiesRequest(foo: "Foo", scalars: Self.scalarModel), sends: "PUT",
            "/SimpleScalarProperties", headers: ["Content-Type": "application/json", "X-Foo": "Foo"],
            .json(Self.scalars))
        try await expect(
            SimpleScalarPropertiesRequest(scalars: Scalars(stringValue: nil)), sends: "PUT", "/SimpleScalarProperties",
            headers: Self.json, .json("{}"))
    }

    @Test(.scenario("RestJsonSimpleScalarProperties", "RestJsonDoesntDeserializeNullStructureValues"))
    func readsScalars() async throws {
        try await expect(
            SimpleScalarPropertiesRequest(), reads: Self.scalars,
            headers: ["Content-Type": "application/json", "X-Foo": "Foo"],
            as: SimpleScalarProperties(foo: "Foo", scalars: Self.scalarModel))
        try await expect(
            SimpleScalarPropertiesRequest(), reads: #"{"stringValue": null}"#,
            as: SimpleScalarProperties(foo: nil, scalars: Scalars()))
    }

    @Test(
        .scenario(
            "RestJsonSupportsNaNFloatInputs", "RestJsonSupportsInfinityFloatInputs",
            "RestJsonSupportsNegativeInfinityFloatInputs"),
        arguments: [(Double.nan, "NaN"), (.infinity, "Infinity"), (-.infinity, "-Infinity")])
    func sendsNumbersThatAreNotFinite(number: Double, word: String) async throws {
        try await expect(
            SimpleScalarPropertiesRequest(scalars: Scalars(floatValue: Float(number), doubleValue: number)),
            sends: "PUT", "/SimpleScalarProperties", headers: Self.json,
            .json(#"{"floatValue": "\#(word)", "DoubleDribble": "\#(word)"}"#))
    }

    @Test(
        .scenario(
            "RestJsonSupportsNaNFloatInputs", "RestJsonSupportsInfinityFloatInputs",
            "RestJsonSupportsNegativeInfinityFloatInputs"),
        arguments: [(Double.nan, "NaN"), (.infinity, "Infinity"), (-.infinity, "-Infinity")])
    func readsNumbersThatAreNotFinite(number: Double, word: String) async throws {
        let body = #"{"floatValue": "\#(word)", "DoubleDribble": "\#(word)"}"#
        let scalars = try await reply(SimpleScalarPropertiesRequest(), body).model.scalars
        // NaN is not equal to itself, but its description is.
        #expect(scalars.floatValue?.description == number.description)
        #expect(scalars.doubleValue?.description == number.description)
    }

    // MARK: - Bytes and enums

    @Test(.scenario("RestJsonJsonBlobs"))
    func sendsBytes() async throws {
        try await expect(
            JSONBlobsRequest(blobs: Blobs(data: Data("value".utf8))), sends: "POST", "/JsonBlobs", headers: Self.json,
            .json(#"{"data": "dmFsdWU="}"#))
    }

    @Test(.scenario("RestJsonJsonBlobs"))
    func readsBytes() async throws {
        try await expect(
            JSONBlobsRequest(), reads: #"{"data": "dmFsdWU="}"#, as: Blobs(data: Data("value".utf8)))
    }

    static let enums = """
        {"fooEnum1": "Foo", "fooEnum2": "0", "fooEnum3": "1", "fooEnumList": ["Foo", "0"], "fooEnumSet": ["Foo", "0"],
        "fooEnumMap": {"hi": "Foo", "zero": "0"}}
        """
    static let enumModel = Enums(
        fooEnum1: .foo, fooEnum2: .zero, fooEnum3: .one, fooEnumList: [.foo, .zero], fooEnumSet: [.foo, .zero],
        fooEnumMap: ["hi": .foo, "zero": .zero])

    @Test(.scenario("RestJsonJsonEnums"))
    func sendsEnums() async throws {
        try await expect(
            JSONEnumsRequest(enums: Self.enumModel), sends: "PUT", "/JsonEnums", headers: Self.json,
            .json(Self.enums))
    }

    @Test(.scenario("RestJsonJsonEnums"))
    func readsEnums() async throws {
        try await expect(JSONEnumsRequest(), reads: Self.enums, as: Self.enumModel)
    }

    static let integerEnums = """
        {"integerEnum1": 1, "integerEnum2": 2, "integerEnum3": 3, "integerEnumList": [1, 2, 3],
        "integerEnumSet": [1, 2], "integerEnumMap": {"abc": 1, "def": 2}}
        """
    static let integerEnumModel = IntegerEnums(
        integerEnum1: .a, integerEnum2: .b, integerEnum3: .c, integerEnumList: [.a, .b, .c], integerEnumSet: [.a, .b],
        integerEnumMap: ["abc": .a, "def": .b])

    @Test(.scenario("RestJsonJsonIntEnums"))
    func sendsIntegerEnums() async throws {
        try await expect(
            JSONIntEnumsRequest(enums: Self.integerEnumModel), sends: "PUT", "/JsonIntEnums", headers: Self.json,
            .json(Self.integerEnums))
    }

    @Test(.scenario("RestJsonJsonIntEnums"))
    func readsIntegerEnums() async throws {
        try await expect(JSONIntEnumsRequest(), reads: Self.integerEnums, as: Self.integerEnumModel)
    }

    // MARK: - Lists and maps

    static let lists = """
        {"stringList": ["foo", "bar"], "stringSet": ["foo", "bar"], "integerList": [1, 2],
        "booleanList": [true, false], "timestampList": [1398796238, 1398796238], "enumList": ["Foo", "0"],
        "intEnumList": [1, 2], "nestedStringList": [["foo", "bar"], ["baz", "qux"]],
        "myStructureList": [{"value": "1", "other": "2"}, {"value": "3", "other": "4"}]}
        """
    static let listModel = Lists(
        stringList: ["foo", "bar"], stringSet: ["foo", "bar"], integerList: [1, 2], booleanList: [true, false],
        timestampList: [Timestamps.example, Timestamps.example], enumList: [.foo, .zero], intEnumList: [.a, .b],
        nestedStringList: [["foo", "bar"], ["baz", "qux"]],
        structureList: [Lists.Structure(a: "1", b: "2"), Lists.Structure(a: "3", b: "4")])

    @Test(.scenario("RestJsonLists", "RestJsonListsEmpty"))
    func sendsLists() async throws {
        try await expect(
            JSONListsRequest(lists: Self.listModel), sends: "PUT", "/JsonLists", headers: Self.json, .json(Self.lists))
        try await expect(
            JSONListsRequest(lists: Lists(stringList: [])), sends: "PUT", "/JsonLists", headers: Self.json,
            .json(#"{"stringList": []}"#))
    }

    @Test(.scenario("RestJsonLists", "RestJsonListsEmpty"))
    func readsLists() async throws {
        try await expect(JSONListsRequest(), reads: Self.lists, as: Self.listModel)
        try await expect(JSONListsRequest(), reads: #"{"stringList": []}"#, as: Lists(stringList: []))
    }

    static let structures = #"{"denseStructMap": {"foo": {"hi": "there"}, "baz": {"hi": "bye"}}}"#
    static let structureModel = Maps(
        denseStructMap: ["foo": GreetingStruct(hi: "there"), "baz": GreetingStruct(hi: "bye")])
    static let zeros = #"{"denseNumberMap": {"x": 0}, "denseBooleanMap": {"x": false}}"#
    static let zeroModel = Maps(denseNumberMap: ["x": 0], denseBooleanMap: ["x": false])
    static let sets = #"{"denseSetMap": {"x": [], "y": ["a", "b"]}}"#
    static let setModel = Maps(denseSetMap: ["x": [], "y": ["a", "b"]])

    @Test(
        .scenario("RestJsonJsonMaps", "RestJsonSerializesZeroValuesInMaps", "RestJsonSerializesDenseSetMap"),
        arguments: [(structureModel, structures), (zeroModel, zeros), (setModel, sets)])
    func sendsMaps(_ maps: Maps, _ json: String) async throws {
        try await expect(JSONMapsRequest(maps: maps), sends: "POST", "/JsonMaps", headers: Self.json, .json(json))
    }

    @Test(
        .scenario("RestJsonJsonMaps", "RestJsonDeserializesZeroValuesInMaps", "RestJsonDeserializesDenseSetMap"),
        arguments: [(structureModel, structures), (zeroModel, zeros), (setModel, sets)])
    func readsMaps(_ maps: Maps, _ json: String) async throws {
        try await expect(JSONMapsRequest(), reads: json, as: maps)
    }

    @Test(.scenario("RestJsonDeserializesDenseSetMapAndSkipsNull", byHand: "leaving out the members that are null"))
    func readsMapsWithoutNulls() async throws {
        let json = #"{"denseSetMap": {"x": [], "y": ["a", "b"], "z": null}}"#
        let maps = try await reply(JSONMapsRequest(), json).model
        #expect(maps.denseSetMap?.compactMapValues { $0 } == ["x": [], "y": ["a", "b"]])
    }

    // MARK: - Dates

    /// Models with a single date, and their JSON, for the scenarios whose names the comments give without
    /// `RestJsonJsonTimestamps`.
    static let timestamps: [(model: Timestamps, json: String)] = [
        // the first one has no more
        (Timestamps(normal: Timestamps.example), #"{"normal": 1398796238}"#),
        // WithDateTimeFormat
        (Timestamps(dateTime: ISO8601Date(Timestamps.example)), #"{"dateTime": "2014-04-29T18:30:38Z"}"#),
        // WithDateTimeOnTargetFormat
        (
            Timestamps(dateTimeOnTarget: ISO8601Date(Timestamps.example)),
            #"{"dateTimeOnTarget": "2014-04-29T18:30:38Z"}"#
        ),
        // WithEpochSecondsFormat
        (Timestamps(epochSeconds: UnixDate(Timestamps.example)), #"{"epochSeconds": 1398796238}"#),
        // WithEpochSecondsOnTargetFormat
        (Timestamps(epochSecondsOnTarget: UnixDate(Timestamps.example)), #"{"epochSecondsOnTarget": 1398796238}"#),
        // WithHttpDateFormat
        (Timestamps(httpDate: HTTPDate(Timestamps.example)), #"{"httpDate": "Tue, 29 Apr 2014 18:30:38 GMT"}"#),
        // WithHttpDateOnTargetFormat
        (
            Timestamps(httpDateOnTarget: HTTPDate(Timestamps.example)),
            #"{"httpDateOnTarget": "Tue, 29 Apr 2014 18:30:38 GMT"}"#
        ),
    ]

    @Test(
        .scenario(
            "RestJsonJsonTimestamps", "RestJsonJsonTimestampsWithDateTimeFormat",
            "RestJsonJsonTimestampsWithDateTimeOnTargetFormat", "RestJsonJsonTimestampsWithEpochSecondsFormat",
            "RestJsonJsonTimestampsWithEpochSecondsOnTargetFormat", "RestJsonJsonTimestampsWithHttpDateFormat",
            "RestJsonJsonTimestampsWithHttpDateOnTargetFormat"), arguments: timestamps)
    func sendsDates(_ model: Timestamps, _ json: String) async throws {
        try await expect(
            JSONTimestampsRequest(timestamps: model), sends: "POST", "/JsonTimestamps", headers: Self.json,
            .json(json))
    }

    @Test(
        .scenario(
            "RestJsonJsonTimestamps", "RestJsonJsonTimestampsWithDateTimeFormat",
            "RestJsonJsonTimestampsWithDateTimeOnTargetFormat", "RestJsonJsonTimestampsWithEpochSecondsFormat",
            "RestJsonJsonTimestampsWithEpochSecondsOnTargetFormat", "RestJsonJsonTimestampsWithHttpDateFormat",
            "RestJsonJsonTimestampsWithHttpDateOnTargetFormat"), arguments: timestamps)
    func readsDates(_ model: Timestamps, _ json: String) async throws {
        try await expect(JSONTimestampsRequest(), reads: json, as: model)
    }

    @Test(.scenario("RestJsonDateTimeWithNegativeOffset", "RestJsonDateTimeWithPositiveOffset"))
    func readsDatesWithOffsets() async throws {
        let model = Datetime(datetime: ISO8601Date(Date(timeIntervalSince1970: 1_576_540_098)))
        try await expect(DatetimeOffsetsRequest(), reads: #"{"datetime": "2019-12-16T22:48:18-01:00"}"#, as: model)
        try await expect(DatetimeOffsetsRequest(), reads: #"{"datetime": "2019-12-17T00:48:18+01:00"}"#, as: model)
    }

    @Test(.scenario("RestJsonDateTimeWithFractionalSeconds"))
    func readsFractionsOfSeconds() async throws {
        let model = try await reply(FractionalSecondsRequest(), #"{"datetime": "2000-01-02T20:34:56.123Z"}"#).model
        // As a number, since a `Date` that is created from this number is rounded: it counts from 2001.
        #expect(model.datetime?.date.timeIntervalSince1970 == 946_845_296.123)
    }

    // MARK: - Models within themselves

    static let recursive = """
        {"nested": {"foo": "Foo1", "nested": {"bar": "Bar1", "recursiveMember":
        {"foo": "Foo2", "nested": {"bar": "Bar2"}}}}}
        """

    @Test(.scenario("RestJsonRecursiveShapes"))
    func sendsAModelWithinItself() async throws {
        let inner = Recursive.Inner(bar: "Bar1", recursiveMember: Recursive.Outer("Foo2", .init(bar: "Bar2")))
        try await expect(
            RecursiveShapesRequest(recursive: Recursive(nested: Recursive.Outer("Foo1", inner))), sends: "PUT",
            "/RecursiveShapes", headers: Self.json, .json(Self.recursive))
    }

    @Test(.scenario("RestJsonRecursiveShapes"))
    func readsAModelWithinItself() async throws {
        let outer = try #require(try await reply(RecursiveShapesRequest(), Self.recursive).model.nested)
        #expect(outer.foo == "Foo1")
        #expect(outer.nested?.bar == "Bar1")
        #expect(outer.nested?.recursiveMember?.foo == "Foo2")
        #expect(outer.nested?.recursiveMember?.nested?.bar == "Bar2")
        #expect(outer.nested?.recursiveMember?.nested?.recursiveMember == nil)
    }
}

// MARK: - Endpoints and models

struct SimpleScalarPropertiesRequest: RestJSONRequest {
    typealias Response = SimpleScalarProperties
    var foo: String?
    var scalars = Scalars()
    var path: URLPath { "SimpleScalarProperties" }
    var method: HTTPMethod { .put }
    var headers: HTTPHeaders { ["X-Foo": foo] }
    var body: RequestBody? { .json(scalars) }
}

/// A header and the members of the body.
struct SimpleScalarProperties: APIResponse, Equatable {
    var foo: String?
    var scalars: Scalars

    static func process(response: HTTPResponse) async throws -> SimpleScalarProperties {
        SimpleScalarProperties(
            foo: response.head.headers["X-Foo"], scalars: try await Scalars.process(response: response))
    }
}

struct Scalars: RestJSONModel, Equatable {
    var stringValue: String?
    var trueBooleanValue: Bool?
    var falseBooleanValue: Bool?
    var byteValue: Int8?
    var shortValue: Int16?
    var integerValue: Int32?
    var longValue: Int64?
    var floatValue: Float?
    var doubleValue: Double?

    enum CodingKeys: String, CodingKey {
        case stringValue, trueBooleanValue, falseBooleanValue, byteValue, shortValue, integerValue, longValue
        case floatValue
        case doubleValue = "DoubleDribble"
    }
}

struct JSONBlobsRequest: RestJSONRequest {
    typealias Response = Blobs
    var blobs = Blobs()
    var path: URLPath { "JsonBlobs" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { .json(blobs) }
}

struct Blobs: RestJSONModel, Equatable {
    var data: Data?
}

struct JSONEnumsRequest: RestJSONRequest {
    typealias Response = Enums
    var enums = Enums()
    var path: URLPath { "JsonEnums" }
    var method: HTTPMethod { .put }
    var body: RequestBody? { .json(enums) }
}

struct Enums: RestJSONModel, Equatable {
    var fooEnum1: FooEnum?
    var fooEnum2: FooEnum?
    var fooEnum3: FooEnum?
    var fooEnumList: [FooEnum]?
    var fooEnumSet: [FooEnum]?
    var fooEnumMap: [String: FooEnum]?
}

struct JSONIntEnumsRequest: RestJSONRequest {
    typealias Response = IntegerEnums
    var enums = IntegerEnums()
    var path: URLPath { "JsonIntEnums" }
    var method: HTTPMethod { .put }
    var body: RequestBody? { .json(enums) }
}

struct IntegerEnums: RestJSONModel, Equatable {
    var integerEnum1: IntegerEnum?
    var integerEnum2: IntegerEnum?
    var integerEnum3: IntegerEnum?
    var integerEnumList: [IntegerEnum]?
    var integerEnumSet: [IntegerEnum]?
    var integerEnumMap: [String: IntegerEnum]?
}

struct JSONListsRequest: RestJSONRequest {
    typealias Response = Lists
    var lists = Lists()
    var path: URLPath { "JsonLists" }
    var method: HTTPMethod { .put }
    var body: RequestBody? { .json(lists) }
}

struct Lists: RestJSONModel, Equatable {
    struct Structure: Codable, Sendable, Equatable {
        var a: String?
        var b: String?

        enum CodingKeys: String, CodingKey {
            case a = "value"
            case b = "other"
        }
    }

    var stringList: [String]?
    var stringSet: [String]?
    var integerList: [Int]?
    var booleanList: [Bool]?
    var timestampList: [Date]?
    var enumList: [FooEnum]?
    var intEnumList: [IntegerEnum]?
    var nestedStringList: [[String]]?
    var structureList: [Structure]?

    enum CodingKeys: String, CodingKey {
        case stringList, stringSet, integerList, booleanList, timestampList, enumList, intEnumList, nestedStringList
        case structureList = "myStructureList"
    }
}

struct JSONMapsRequest: RestJSONRequest {
    typealias Response = Maps
    var maps = Maps()
    var path: URLPath { "JsonMaps" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { .json(maps) }
}

struct Maps: RestJSONModel, Equatable {
    var denseStructMap: [String: GreetingStruct]?
    var denseNumberMap: [String: Int]?
    var denseBooleanMap: [String: Bool]?
    var denseStringMap: [String: String]?
    /// A server may send null instead of a set, which counts as no member.
    var denseSetMap: [String: [String]?]?
}

struct JSONTimestampsRequest: RestJSONRequest {
    typealias Response = Timestamps
    var timestamps = Timestamps()
    var path: URLPath { "JsonTimestamps" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { .json(timestamps) }
}

struct Timestamps: RestJSONModel, Equatable {
    var normal: Date?
    var dateTime: ISO8601Date?
    var dateTimeOnTarget: ISO8601Date?
    var epochSeconds: UnixDate?
    var epochSecondsOnTarget: UnixDate?
    var httpDate: HTTPDate?
    var httpDateOnTarget: HTTPDate?

    static let example = Date(timeIntervalSince1970: 1_398_796_238)
}

struct DatetimeOffsetsRequest: RestJSONRequest {
    typealias Response = Datetime
    var path: URLPath { "DatetimeOffsets" }
    var method: HTTPMethod { .post }
}

struct FractionalSecondsRequest: RestJSONRequest {
    typealias Response = Datetime
    var path: URLPath { "FractionalSeconds" }
    var method: HTTPMethod { .post }
}

struct Datetime: RestJSONModel, Equatable {
    var datetime: ISO8601Date?
}

struct RecursiveShapesRequest: RestJSONRequest {
    typealias Response = Recursive
    var recursive = Recursive()
    var path: URLPath { "RecursiveShapes" }
    var method: HTTPMethod { .put }
    var body: RequestBody? { .json(recursive) }
}

struct Recursive: RestJSONModel {
    var nested: Outer?

    /// A class, since a struct cannot contain a value of its own type.
    final class Outer: Codable, Sendable {
        let foo: String?
        let nested: Inner?

        init(_ foo: String?, _ nested: Inner?) {
            self.foo = foo
            self.nested = nested
        }
    }

    struct Inner: Codable, Sendable {
        var bar: String?
        var recursiveMember: Outer?
    }
}
