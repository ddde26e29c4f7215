import Foundation
import Testing

@testable import APIKitTools

/// What the last line of the summary counts.
@Suite struct SummaryTests {
    private let folder: TemporaryFolder
    private let output: URL

    init() throws {
        folder = try TemporaryFolder()
        output = folder.url.appending(path: "Test")
    }

    private func summary(_ paths: String, only: [String] = []) throws -> Generation.Summary {
        var generation = try Generation(name: "Test")
        generation.only = only
        let file = try folder.write(ErrorTests.head + #""paths": {\#(paths)}}"#, to: "api.json")
        return try generation.run(file, into: output)
    }

    private static let broken = ##"{"responses": {"200": {"$ref": "#/nowhere"}}}"##

    @Test func operationsThatAreSkippedAreCounted() throws {
        let paths = ##""/a": {"get": {}, "post": \##(Self.broken), "put": \##(Self.broken)}, "/b": {"$ref": "b.yaml"}"##
        let summary = try summary(paths)
        #expect(summary.written == 1)
        #expect(summary.found == 4)
        #expect(summary.notes.count { $0.hasPrefix("skipped: ") } == 3)
    }

    @Test(arguments: [
        (1, "api.json, line 1, /paths/~1a/get/parameters/0"),
        (2, "api.json, line 1, /paths/~1a/get/parameters/0, and 1 other place"),
        (3, "api.json, line 1, /paths/~1a/get/parameters/0, and 2 other places"),
    ])
    func equalNotesAreOneLineWithTheFirstPlace(count: Int, places: String) throws {
        let cookie = #"{"parameters": [{"name": "session", "in": "cookie", "schema": {"type": "string"}}]}"#
        let operations = ["get", "post", "put"].prefix(count).map { #""\#($0)": \#(cookie)"# }
        let summary = try summary(#""/a": {\#(operations.joined(separator: ", "))}"#)
        #expect(summary.notes.filter { $0.contains("cookie") } == ["skipped: cookie parameter session, \(places)"])
    }

    @Test(arguments: [
        ("", [], 0), (#""/a": {"get": \#(broken)}"#, [], 1), (#""/a": {"get": {}}, "/b": {"get": {}}"#, ["/c"], 2),
    ])
    func nothingIsWrittenOrRemovedIfThereIsNoEndpoint(paths: String, only: [String], found: Int) throws {
        _ = try summary(#""/a": {"get": {}}"#)
        let before = try FileManager.default.subpathsOfDirectory(atPath: output.path).sorted()
        let summary = try summary(paths, only: only)
        #expect(summary.written == 0)
        #expect(summary.found == found)
        #expect(summary.files.isEmpty)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: output.path).sorted() == before)
    }

    @Test func aMappingThatLeadsNowhereCostsItsTag() throws {
        let schemas = ##"""
            {"cat": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}},
            "dog": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}},
            "pet": {"oneOf": [{"$ref": "#/components/schemas/cat"}, {"$ref": "#/components/schemas/dog"}],
            "discriminator": {"propertyName": "kind", "mapping": {"meow": "#/components/schemas/cat",
            "bark": "#/paths/~1b/get/nowhere"}}}}
            """##
        let plan = try folder.plan(
            TemporaryFolder.description(schema: ##"{"$ref": "#/components/schemas/pet"}"##, components: schemas))
        let notes = plan.api.notes.filter { $0.text.hasPrefix("the tag") }
        let expected = "the tag bark of a union is unknown: the reference #/paths/~1b/get/nowhere leads nowhere"
        #expect(notes.map(\.text) == [expected])
        #expect(notes.first?.kind == .simplified)
        let code = try SourceWriter(plan: plan, filter: Filter([])).files().map(\.text).joined()
        #expect(code.contains(#"case "meow": self = .cat("#))
        #expect(code.contains(#"case "dog": self = .dog("#))
    }
}
