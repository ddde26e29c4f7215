import Foundation
import Testing

@testable import APIKitTools

/// What the summary says of extensions that have no effect on the code.
@Suite struct ExtensionTests {
    private func notes(_ paths: String, root: String = "", each: Bool = false) throws -> [String] {
        let plan = try TemporaryFolder().plan(ErrorTests.head + #"\#(root)"paths": {\#(paths)}}"#)
        let lines = SummaryLines(plan.api.notes)
        return (each ? lines.ofEachNote : lines.ofEachKind).filter { $0.hasPrefix("not used") }
    }

    @Test func allAreInOneLineTheMostFrequentFirst() throws {
        let paths = #""/a": {"x-b": 1, "get": {"x-c": {"x-d": 1}, "x-a": 1}, "put": {"x-c": null}}"#
        #expect(try notes(paths) == ["not used: x-c, 2 places; x-a, 1 place; x-b, 1 place"])
        #expect(
            try notes(paths, each: true) == [
                "not used: x-a, api.json, line 1, /paths/~1a/get/x-a",
                "not used: x-b, api.json, line 1, /paths/~1a/x-b",
                "not used: x-c, api.json, line 1, /paths/~1a/get/x-c",
                "not used: x-c, api.json, line 1, /paths/~1a/put/x-c",
            ])
    }

    @Test(arguments: [
        // Names that the description chooses.
        #"{"responses": {"200": {"headers": {"x-a": {}}}}}"#, #"{"parameters": [{"in": "header", "name": "x-a"}]}"#,
        #"{"security": [{"x-a": []}]}"#,
        #"{"requestBody": {"content": {"x-a/x": {"schema": {"properties": {"x-a": {}}}}}}}"#,
        // Values.
        #"{"responses": {"200": {"content": {"a/b": {"example": {"x-a": 1}, "examples": {"x": {"x-a": 1}}}}}}}"#,
        #"{"requestBody": {"content": {"a/b": {"schema": {"default": {"x-a": 1}, "enum": [{"x-a": 1}]}}}}}"#,
        // Extensions that are used.
        #"{"requestBody": {"content": {"a/b": {"schema": {"enum": ["a"], "x-enum-varnames": ["b"]}}}}}"#,
    ])
    func otherNamesAreNoExtensions(operation: String) throws {
        #expect(try notes(#""/a": {"put": \#(operation)}"#) == [])
    }

    @Test(arguments: [
        #""info": {"title": "A", "x-a": 1}, "#, #""x-a": 1, "#, #""components": {"x-a": 1}, "#,
        #""components": {"schemas": {"x-b": {"properties": {"enum": {"x-a": 1}}}}}, "#,
        #""components": {"headers": {"x-b": {"schema": {"items": {"allOf": [{"x-a": 1}]}}}}}, "#,
        #""components": {"securitySchemes": {"x": {"flows": {"x-a": {}}}}}, "#,
    ])
    func extensionsAreFoundInAllObjects(root: String) throws {
        let head = root.contains("info") ? #"{"openapi": "3.0.0", "# : ErrorTests.head
        let plan = try TemporaryFolder().plan(head + #"\#(root)"paths": {"/a": {"get": {}}}}"#)
        let lines = SummaryLines(plan.api.notes).ofEachKind
        #expect(lines.contains("not used: x-a, 1 place"))
    }

    /// The path consists of texts from the file, which messages do not quote.
    @Test func extensionsOfOtherFilesHaveNoPath() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("get:\n  x-a: 1\n  x-retry: {max: 2}", to: "other.yaml")
        let plan = try folder.plan(ErrorTests.head + #""paths": {"/a": {"$ref": "other.yaml"}}}"#)
        let lines = SummaryLines(plan.api.notes).ofEachNote
        #expect(lines.filter { $0.hasPrefix("not used") } == ["not used: x-a, other.yaml, line 2"])
    }
}
