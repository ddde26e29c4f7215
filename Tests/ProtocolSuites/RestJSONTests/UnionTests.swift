import APIKit
import Foundation
import SuiteSupport
import Testing

// Unions are objects of which exactly one member is present: models whose members are all optional.

@Suite struct UnionTests {
    /// Unions and their JSON, for the scenarios whose names the comments give without `RestJsonSerialize` or
    /// `RestJsonDeserialize`.
    static let unions: [(union: MyUnion, json: String)] = [
        // StringUnionValue
        (MyUnion(stringValue: "foo"), #"{"stringValue": "foo"}"#),
        // BooleanUnionValue
        (MyUnion(booleanValue: true), #"{"booleanValue": true}"#),
        // NumberUnionValue
        (MyUnion(numberValue: 1), #"{"numberValue": 1}"#),
        // BlobUnionValue
        (MyUnion(blobValue: Data("foo".utf8)), #"{"blobValue": "Zm9v"}"#),
        // TimestampUnionValue
        (MyUnion(timestampValue: Date(timeIntervalSince1970: 1_398_796_238)), #"{"timestampValue": 1398796238}"#),
        // EnumUnionValue
        (MyUnion(enumValue: .foo), #"{"enumValue": "Foo"}"#),
        // ListUnionValue
        (MyUnion(listValue: ["foo", "bar"]), #"{"listValue": ["foo", "bar"]}"#),
        // MapUnionValue
        (MyUnion(mapValue: ["foo": "bar", "spam": "eggs"]), #"{"mapValue": {"foo": "bar", "spam": "eggs"}}"#),
        // StructureUnionValue
        (MyUnion(structureValue: GreetingStruct(hi: "hello")), #"{"structureValue": {"hi": "hello"}}"#),
    ]

    @Test(
        .scenario(
            "RestJsonSerializeStringUnionValue", "RestJsonSerializeBooleanUnionValue",
            "RestJsonSerializeNumberUnionValue", "RestJsonSerializeBlobUnionValue",
            "RestJsonSerializeTimestampUnionValue", "RestJsonSerializeEnumUnionValue",
            "RestJsonSerializeListUnionValue", "RestJsonSerializeMapUnionValue",
            "RestJsonSerializeStructureUnionValue"), arguments: unions)
    func sendsUnions(_ union: MyUnion, _ json: String) async throws {
        try await expect(
            JSONUnionsRequest(contents: UnionInputOutput(contents: union)), sends: "PUT", "/JsonUnions",
            headers: ["Content-Type": "application/json"], .json(#"{"contents": \#(json)}"#))
    }

    @Test(.scenario("RestJsonSerializeRenamedStructureUnionValue"))
    func sendsAUnionWithAnotherStructure() async throws {
        let union = MyUnion(renamedStructureValue: RenamedGreeting(salutation: "hello!"))
        try await expect(
            JSONUnionsRequest(contents: UnionInputOutput(contents: union)), sends: "PUT", "/JsonUnions",
            headers: ["Content-Type": "application/json"],
            .json(#"{"contents": {"renamedStructureValue": {"salutation": "hello!"}}}"#))
    }

    @Test(
        .scenario(
            "RestJsonDeserializeStringUnionValue", "RestJsonDeserializeBooleanUnionValue",
            "RestJsonDeserializeNumberUnionValue", "RestJsonDeserializeBlobUnionValue",
            "RestJsonDeserializeTimestampUnionValue", "RestJsonDeserializeEnumUnionValue",
            "RestJsonDeserializeListUnionValue", "RestJsonDeserializeMapUnionValue",
            "RestJsonDeserializeStructureUnionValue"), arguments: unions)
    func readsUnions(_ union: MyUnion, _ json: String) async throws {
        try await expect(
            JSONUnionsRequest(), reads: #"{"contents": \#(json)}"#, as: UnionInputOutput(contents: union))
    }

    @Test(.scenario("RestJsonDeserializeIgnoreType"))
    func ignoresTheNameOfTheType() async throws {
        try await expect(
            JSONUnionsRequest(),
            reads: #"{"contents": {"__type": "aws.protocoltests.json10#MyUnion", "structureValue": {"hi": "hello"}}}"#,
            as: UnionInputOutput(contents: MyUnion(structureValue: GreetingStruct(hi: "hello"))))
    }

    static let renamedUnions: [(union: UnionWithJSONName, json: String)] = [
        (UnionWithJSONName(foo: "hi"), #"{"value": {"FOO": "hi"}}"#),
        (UnionWithJSONName(baz: "hi"), #"{"value": {"_baz": "hi"}}"#),
        (UnionWithJSONName(bar: "hi"), #"{"value": {"bar": "hi"}}"#),
    ]

    @Test(
        .scenario("PostUnionWithJsonNameRequest1", "PostUnionWithJsonNameRequest2", "PostUnionWithJsonNameRequest3"),
        arguments: renamedUnions)
    func sendsMembersWithOtherNames(_ union: UnionWithJSONName, _ json: String) async throws {
        try await expect(
            PostUnionWithJSONNameRequest(value: union), sends: "POST", "/PostUnionWithJsonName",
            headers: ["Content-Type": "application/json"], .json(json))
    }

    @Test(
        .scenario(
            "PostUnionWithJsonNameResponse1", "PostUnionWithJsonNameResponse2", "PostUnionWithJsonNameResponse3"),
        arguments: renamedUnions)
    func readsMembersWithOtherNames(_ union: UnionWithJSONName, _ json: String) async throws {
        try await expect(
            PostUnionWithJSONNameRequest(value: union), reads: json, as: PostUnionWithJSONName(value: union))
    }
}

struct JSONUnionsRequest: RestJSONRequest {
    typealias Response = UnionInputOutput
    var contents = UnionInputOutput()
    var path: URLPath { "JsonUnions" }
    var method: HTTPMethod { .put }
    var body: RequestBody? { .json(contents) }
}

struct UnionInputOutput: RestJSONModel, Equatable {
    var contents: MyUnion?
}

struct MyUnion: Codable, Sendable, Equatable {
    var stringValue: String?
    var booleanValue: Bool?
    var numberValue: Int?
    var blobValue: Data?
    var timestampValue: Date?
    var enumValue: FooEnum?
    var listValue: [String]?
    var mapValue: [String: String]?
    var structureValue: GreetingStruct?
    var renamedStructureValue: RenamedGreeting?
}

struct RenamedGreeting: Codable, Sendable, Equatable {
    var salutation: String?
}

struct PostUnionWithJSONNameRequest: RestJSONRequest {
    typealias Response = PostUnionWithJSONName
    var value: UnionWithJSONName
    var path: URLPath { "PostUnionWithJsonName" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { .json(PostUnionWithJSONName(value: value)) }
}

struct PostUnionWithJSONName: RestJSONModel, Equatable {
    var value: UnionWithJSONName
}

struct UnionWithJSONName: Codable, Sendable, Equatable {
    var foo: String?
    var bar: String?
    var baz: String?

    enum CodingKeys: String, CodingKey {
        case foo = "FOO"
        case bar
        case baz = "_baz"
    }
}
