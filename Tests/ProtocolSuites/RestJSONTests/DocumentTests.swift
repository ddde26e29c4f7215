import APIKit
import Foundation
import SuiteSupport
import Testing

// Documents are any JSON: members, values of a map, and a whole body.

@Suite struct DocumentTests {
    static let array: JSONValue = [true, "hi", [1, 2], ["foo": ["baz": [3, 4]]]]

    @Test(
        .scenario(
            "DocumentTypeInputWithObject", "DocumentInputWithString", "DocumentInputWithNumber",
            "DocumentInputWithBoolean", "DocumentInputWithList"),
        arguments: [
            (["foo": "bar"], #"{"foo": "bar"}"#), ("hello", #""hello""#), (10, "10"), (true, "true"),
            (array, #"[true, "hi", [1, 2], {"foo": {"baz": [3, 4]}}]"#),
        ] as [(JSONValue, String)])
    func sendsADocument(_ value: JSONValue, _ json: String) async throws {
        let document = Document(stringValue: "string", documentValue: value)
        try await expect(
            DocumentTypeRequest(document: document), sends: "PUT", "/DocumentType",
            headers: ["Content-Type": "application/json"],
            .json(#"{"stringValue": "string", "documentValue": \#(json)}"#))
    }

    @Test(
        .scenario(
            "DocumentOutput", "DocumentOutputString", "DocumentOutputNumber", "DocumentOutputBoolean",
            "DocumentOutputArray"),
        arguments: [
            (["foo": "bar"], #"{"foo": "bar"}"#), ("hello", #""hello""#), (10, "10"), (false, "false"),
            ([true, false], "[true, false]"),
        ] as [(JSONValue, String)])
    func readsADocument(_ value: JSONValue, _ json: String) async throws {
        try await expect(
            DocumentTypeRequest(), reads: #"{"stringValue": "string", "documentValue": \#(json)}"#,
            as: Document(stringValue: "string", documentValue: value))
    }

    static let map = #"{"docValuedMap": {"foo": {"f": 1, "o": 2}, "bar": ["b", "a", "r"], "baz": "BAZ"}}"#
    static let mapModel = DocumentMap(
        docValuedMap: ["foo": ["f": 1, "o": 2], "bar": ["b", "a", "r"], "baz": "BAZ"])

    @Test(.scenario("DocumentTypeAsMapValueInput"))
    func sendsAMapOfDocuments() async throws {
        try await expect(
            DocumentTypeAsMapValueRequest(map: Self.mapModel), sends: "PUT", "/DocumentTypeAsMapValue",
            headers: ["Content-Type": "application/json"], .json(Self.map))
    }

    @Test(.scenario("DocumentTypeAsMapValueOutput"))
    func readsAMapOfDocuments() async throws {
        try await expect(DocumentTypeAsMapValueRequest(), reads: Self.map, as: Self.mapModel)
    }

    @Test(.scenario("DocumentTypeAsPayloadInput", "DocumentTypeAsPayloadInputString"))
    func sendsADocumentAsTheBody() async throws {
        try await expect(
            DocumentTypeAsPayloadRequest(documentValue: ["foo": "bar"]), sends: "PUT", "/DocumentTypeAsPayload",
            headers: ["Content-Type": "application/json"], .json(#"{"foo": "bar"}"#))
        try await expect(
            DocumentTypeAsPayloadRequest(documentValue: "hello"), sends: "PUT", "/DocumentTypeAsPayload",
            headers: ["Content-Type": "application/json"], .json(#""hello""#))
    }

    @Test(.scenario("DocumentTypeAsPayloadOutput", "DocumentTypeAsPayloadOutputString"))
    func readsADocumentAsTheBody() async throws {
        try await expect(DocumentTypeAsPayloadRequest(), reads: #"{"foo": "bar"}"#, as: ["foo": "bar"])
        try await expect(DocumentTypeAsPayloadRequest(), reads: #""hello""#, as: "hello")
    }
}

struct DocumentTypeRequest: RestJSONRequest {
    typealias Response = Document
    var document = Document()
    var path: URLPath { "DocumentType" }
    var method: HTTPMethod { .put }
    var body: RequestBody? { .json(document) }
}

struct Document: RestJSONModel, Equatable {
    var stringValue: String?
    var documentValue: JSONValue?
}

struct DocumentTypeAsMapValueRequest: RestJSONRequest {
    typealias Response = DocumentMap
    var map = DocumentMap()
    var path: URLPath { "DocumentTypeAsMapValue" }
    var method: HTTPMethod { .put }
    var body: RequestBody? { .json(map) }
}

struct DocumentMap: RestJSONModel, Equatable {
    var docValuedMap: [String: JSONValue]?
}

struct DocumentTypeAsPayloadRequest: RestJSONRequest {
    typealias Response = JSONValue
    var documentValue: JSONValue?
    var path: URLPath { "DocumentTypeAsPayload" }
    var method: HTTPMethod { .put }
    var body: RequestBody? { .json(documentValue) }
}
