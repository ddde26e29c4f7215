import Foundation
import OpenAPIRules
import Testing

@testable import APIKitTools

@Suite struct ErrorTests {
    static let head = #"{"openapi": "3.0.0", "info": {"title": "A"}, "#

    @Test(
        arguments: [
            ("{", "api.json, line 1: expected the name of a member in quotes"),
            ("{\n\"a\": 1,\n\"a\": 2}", "api.json, line 3: the member \"a\" appears twice"),
            ("{}", "api.json, line 1: this is not OpenAPI 3.0 or 3.1"),
            (#"{"swagger": "2.0"}"#, "api.json, line 1: Swagger 2.0 is not supported: convert it to OpenAPI 3"),
            (#"{"openapi": "3.0.0"}"#, "api.json, line 1: the description has no paths and no webhooks"),
            (head + #""paths": []}"#, "api.json, line 1, /paths: expected an object, and found a list"),
            (
                String(repeating: "[", count: 100_000),
                "api.json, line 1: lists and objects are nested more than 200 deep"
            ),
        ] as [(String, String)])
    func brokenDescriptionIsAnError(text: String, message: String) throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: DescriptionError.self) { try folder.plan(text) }
        #expect(error?.description == message)
    }

    /// A program that cuts texts may cut a character of two UTF-16 units.
    @Test(
        arguments: [
            (#""\ud83d\ude00\/\t""#, "😀/\t"), (#""a \ud83d\\ud83d\n""#, "a \u{FFFD}\\ud83d\n"),
            (##""\"́""##, "\"\u{301}"),
        ] as [(String, String)])
    func escapesAreRead(json: String, text: String) throws {
        #expect(try JSONParser.parse(Array(json.utf8), file: "a.json").content == .text(text))
    }

    @Test func unknownEscapeIsAnErrorWithItsLine() {
        let error = #expect(throws: DescriptionError.self) {
            try JSONParser.parse(Array("[\n\"\\x\"]".utf8), file: "a.json")
        }
        #expect(error?.description == "a.json, line 2: a text contains an unknown or incomplete escape")
    }

    @Test func brokenOperationIsSkippedWithItsPlace() throws {
        let first = ##"{"get":\##n{"responses": {"200": {"$ref": "#/nowhere"}}}}"##
        let plan = try TemporaryFolder().plan(Self.head + ##""paths": {"/a": \##(first), "/b": {"get": {}}}}"##)
        #expect(plan.endpoints.map(\.endpoint.path) == ["/b"])
        let note = plan.api.notes.first { $0.kind == .skipped }
        #expect(note?.text == "GET /a: the reference #/nowhere leads nowhere")
        #expect(note?.place.description == "api.json, line 2, /paths/~1a/get/responses/200")
    }

    @Test func missingFileIsAnError() throws {
        let folder = try TemporaryFolder()
        let plan = try folder.plan(Self.head + #""paths": {"/a": {"$ref": "a.yaml"}}}"#)
        #expect(plan.api.notes.contains { $0.text == "/a: the file a.yaml cannot be read" })
    }

    @Test func filesAreReadByReference() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("get: {responses: {'200': {$ref: '../responses.yaml#/user'}}}", to: "paths/users.yaml")
        let response = "user: {content: {application/json: {schema: {$ref: 'models/user.yaml'}}}}"
        _ = try folder.write(response, to: "responses.yaml")
        _ = try folder.write("type: object\nproperties: {id: {type: integer}}\n", to: "models/user.yaml")
        let files = try folder.files(Self.head + #""paths": {"/users/{id}": {"$ref": "paths/users.yaml"}}}"#)
        #expect(files.map(\.path) == ["Endpoints/UserRequest.swift", "TestAPI.swift"])
        #expect(files[0].text.contains("struct User: JSONResponse"))
    }

    @Test func recursionEnds() throws {
        let schemas = ##"""
            {"a": {"allOf": [
            {"$ref": "#/components/schemas/a"}, {"properties": {"x": {"$ref": "#/components/schemas/b"}}}]},
            "b": {"type": "array", "items": {"$ref": "#/components/schemas/b"}},
            "c": {"$ref": "#/components/schemas/c"}}
            """##
        for name in ["a", "b", "c"] {
            let description = TemporaryFolder.description(
                schema: ##"{"$ref": "#/components/schemas/\##(name)"}"##, components: schemas)
            let plan = try TemporaryFolder().plan(description)
            #expect(plan.endpoints.count + plan.api.notes.count { $0.kind == .skipped } == 1)
        }
    }
}
