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

    @Test(
        arguments: [
            (1, "skipped: cookie parameter session"), (2, "skipped: cookie parameter session (2 times)"),
            (3, "skipped: cookie parameter session (3 times)"),
        ] as [(Int, String)])
    func equalNotesAreOneLineWithTheFirstPlace(count: Int, text: String) throws {
        let cookie = #"{"parameters": [{"name": "session", "in": "cookie", "schema": {"type": "string"}}]}"#
        let operations = ["get", "post", "put"].prefix(count).map { #""\#($0)": \#(cookie)"# }
        let summary = try summary(#""/a": {\#(operations.joined(separator: ", "))}"#)
        let line = "\(text), api.json, line 1, /paths/~1a/get/parameters/0"
        #expect(summary.notes.filter { $0.contains("cookie") } == [line])
    }

    @Test(
        arguments: [
            ("", [], 0), (#""/a": {"get": \#(broken)}"#, [], 1), (#""/a": {"get": {}}, "/b": {"get": {}}"#, ["/c"], 2),
        ] as [(String, [String], Int)])
    func nothingIsWrittenOrRemovedIfThereIsNoEndpoint(paths: String, only: [String], found: Int) throws {
        _ = try summary(#""/a": {"get": {}}"#)
        let before = try FileManager.default.subpathsOfDirectory(atPath: output.path).sorted()
        let summary = try summary(paths, only: only)
        #expect(summary.written == 0)
        #expect(summary.found == found)
        #expect(summary.files.isEmpty)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: output.path).sorted() == before)
    }

    @Test(
        arguments: [
            (["Escalation Policies"], []), (["escalation policies", "/b"], []), (["GET /a"], []), (["/b", "gets"], []),
            (["/a", "Policies"], ["Policies"]), (["Escalation", "POST /a", "/b"], ["Escalation", "POST /a"]),
        ] as [([String], [String])])
    func termsThatSelectNothingAreNamed(only: [String], unused: [String]) throws {
        let paths = #""/a": {"get": {"tags": ["Escalation Policies"]}}, "/b": {"get": {"operationId": "gets"}}"#
        let summary = try summary(paths, only: only)
        let lines = unused.map { #"not found: --only "\#($0)" selects nothing"# }
        #expect(summary.notes.filter { $0.hasPrefix("not found") } == lines)
        #expect(summary.written > 0)
    }

    @Test(
        arguments: [
            ("Accept", "application/vnd.shop+json;version=2", true), ("accept", "application/vnd.shop+json", true),
            ("Accept", "application/json", false), ("Content-Type", "application/vnd.shop+json", false),
        ])
    func acceptedVersionIsNamed(header: String, value: String, isNamed: Bool) throws {
        let parameter =
            #"{"name": "\#(header)", "in": "header", "schema": {"type": "string", "default": "\#(value)"}}"#
        let notes = try summary(#""/a": {"get": {"parameters": [\#(parameter)]}}"#).notes
        let line = "skipped: header parameter Accept: add \(value) to the headers of the base to send it"
        #expect(notes.contains { $0.hasPrefix(line) } == isNamed, "\(notes)")
        #expect(notes.contains { $0.contains("header parameter") } == isNamed, "\(notes)")
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

    @Test func twoNotesOfOneKindAreOneAndASimilarOne() throws {
        let cookies = #"[{"name": "a", "in": "cookie"}, {"name": "b", "in": "cookie"}]"#
        let lines = try summary(#""/x": {"put": {"parameters": \#(cookies)}}"#).notes
        #expect(lines.contains { $0.hasPrefix("skipped: cookie parameter a (and a similar one), api.json") })
    }

    @Test func notesOfOneKindAreOneLine() throws {
        let cookies = ["a", "b", "c"].map { #"{"name": "\#($0)", "in": "cookie"}"# }.joined(separator: ", ")
        let contents = #"{"application/json": {}, "application/xml": {}}"#
        let operation = #"{"parameters": [\#(cookies)], "requestBody": {"content": \#(contents)}}"#
        let paths = #""/x": {"put": \#(operation), "post": \#(Self.broken)}, "/y": {"put": \#(operation)}"#
        let lines = try summary(paths).notes.map { $0.split(separator: ",")[0] }
        #expect(
            lines == [
                "simplified: no absolute server URL: set it in the base",
                "simplified: the body is sent as application/json",
                "skipped: POST /x: the reference #/nowhere leads nowhere",
                "skipped: cookie parameter a (and 5 similar ones)",
            ])
        let body = try summary(paths).notes[1]
        let line = "simplified: the body is sent as application/json, not as application/xml (2 times), api.json"
        #expect(body.hasPrefix(line))
        var generation = try Generation(name: "Test")
        generation.listsEachNote = true
        let all = try generation.run(folder.url.appending(path: "api.json"), into: output).notes
        #expect(all.count { $0.hasPrefix("skipped: cookie parameter") } == 6)
    }

    @Test(
        arguments: [
            (30, "", "Endpoints/A3/"), (5, "", "Endpoints/"), (30, #""tags": ["all"]"#, "Endpoints/A3/"),
            (5, #""tags": ["all"]"#, "Endpoints/All/"),
        ] as [(Int, String, String)])
    func endpointsWithoutTagsAreGroupedByTheirPaths(count: Int, tags: String, expected: String) throws {
        let paths = (0..<count).map { #""/v1/a\#($0)": {"get": {\#(tags)}}"# }.joined(separator: ", ")
        let other = #""/v1/{id}/b": {"get": {\#(tags)}}"#
        let files = try folder.files(ErrorTests.head + #""paths": {\#(paths), \#(other)}}"#).map(\.path)
        #expect(files.contains("\(expected)A3Request.swift"))
    }

    /// One more endpoint would otherwise move the files of all others.
    @Test func endpointsStayInTheirFolders() throws {
        func paths(_ count: Int) -> String {
            (0..<count).map { #""/v1/a\#($0)": {"get": {}}"# }.joined(separator: ", ")
        }
        _ = try summary(paths(20))
        let summary = try summary(paths(21))
        #expect(summary.files == ["created": 1, "unchanged": 21])
        let folder = output.appending(path: "Endpoints").path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count == 21)
        #expect(names.allSatisfy { $0.hasSuffix("Request.swift") })
    }

    /// The file was edited, so it must not stay in the old folder while its type is written to the new one.
    @Test func editedEndpointStaysInItsFolderIfItsTagChanges() throws {
        func paths(_ tag: String) -> String {
            #""/a": {"get": {"tags": ["\#(tag)"]}}, "/b": {"get": {"tags": ["c"]}}"#
        }
        _ = try summary(paths("first"))
        let file = output.appending(path: "Endpoints/First/ARequest.swift")
        try (String(contentsOf: file, encoding: .utf8) + "// edited\n")
            .write(to: file, atomically: true, encoding: .utf8)
        let summary = try summary(paths("second"))
        #expect(summary.files == ["unchanged": 3])
        #expect(summary.conflicts == 0)
    }

    private static let cookie = #"{"name": "session", "in": "cookie", "schema": {"type": "string"}}"#

    /// The notes on the operations that a term selects, without their places.
    private func notes(_ paths: String, components: String = "{}", only: [String]) throws -> [String] {
        var generation = try Generation(name: "Test")
        generation.only = only
        let head = ErrorTests.head + #""servers": [{"url": "https://a.example"}], "components": \#(components), "#
        let file = try folder.write(head + #""paths": {\#(paths)}}"#, to: "api.json")
        return try generation.run(file, into: output).notes.map { String($0.prefix { $0 != "," }) }
    }

    @Test func notesAreOnSelectedOperations() throws {
        let get = #"{"get": {"parameters": [\#(Self.cookie)]}}"#
        let other = #"{"get": {"parameters": [\#(Self.cookie.replacing("session", with: "other"))]}}"#
        let paths = #""/a": \#(get), "/b": \#(other), "/a/c": {"parameters": [\#(Self.cookie)], "get": {}}"#
        #expect(try notes(paths, only: ["/b"]) == ["skipped: cookie parameter other"])
        #expect(try notes(paths, only: ["/a"]) == ["skipped: cookie parameter session (2 times)"])
        #expect(try notes(paths, only: ["/a/c"]) == ["skipped: cookie parameter session"])
        #expect(try notes(paths, only: []).count == 1)
    }

    @Test func notesAreOnWhatSelectedOperationsReferTo() throws {
        let parameter = ##"{"parameters": [{"$ref": "#/components/parameters/session"}]}"##
        let response = ##"{"responses": {"200": {"$ref": "#/components/responses/lamp"}}}"##
        let schema = ##"{"not": {}, "type": "object", "properties": {"id": {"type": "string"}}}"##
        let components = ##"""
            {"parameters": {"session": \##(Self.cookie)}, "schemas": {"lamp": \##(schema)}, "responses": {"lamp":
            {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/lamp"}}}}}}
            """##
        let paths = ##""/a": {"get": \##(parameter)}, "/b": {"get": \##(response)}, "/c": {"get": {}}"##
        #expect(try notes(paths, components: components, only: ["/a"]) == ["skipped: cookie parameter session"])
        let ofSchema = ["simplified: the keyword not of a schema is ignored"]
        #expect(try notes(paths, components: components, only: ["/b"]) == ofSchema)
        #expect(try notes(paths, components: components, only: ["/c"]).isEmpty)
    }

    @Test func notesNameSelectedOperationsWithOtherCredentialsAndServers() throws {
        let key = #"{"type": "apiKey", "in": "header", "name": "X-Key"}"#
        let components = #"{"securitySchemes": {"main": {"type": "http", "scheme": "bearer"}, "key": \#(key)}}"#
        let main = #""security": [{"main": []}]"#
        let other = #""security": [{"key": []}], "servers": [{"url": "https://b.example"}]"#
        let paths = #"""
            "/a": {"get": {\#(main)}, "put": {\#(main)}, "post": {\#(main)}}, "/b": {"get": {\#(other)}},
            "/c": {"get": {\#(other)}}
            """#
        #expect(
            try notes(paths, components: components, only: ["/c"]) == [
                "separate: 1 endpoint needs .test(apiKey:): GET /c",
                "separate: GET /c has the server https://b.example: see .testB",
            ])
        #expect(try notes(paths, components: components, only: ["/a"]).isEmpty)
    }

    /// The line says why nothing is generated.
    @Test(arguments: [["/a"], ["GET /a"], ["broken"], ["lamps"]])
    func skippedOperationsCanBeSelected(only: [String]) throws {
        let operation = Self.broken.replacing(
            #"{"responses""#, with: #"{"operationId": "broken", "tags": ["Lamps"], "responses""#)
        let paths = #""/a": {"get": \#(operation)}, "/b": {"get": \#(Self.broken)}"#
        #expect(try notes(paths, only: only) == ["skipped: GET /a: the reference #/nowhere leads nowhere"])
    }

    @Test func conflictsAreNamed() throws {
        _ = try folder.write("// mine\n", to: "Test/Endpoints/ARequest.swift")
        _ = try folder.write("nonsense\n", to: "Test/.apikit")
        let summary = try summary(#""/a": {"get": {}}"#)
        #expect(summary.conflicts == 1)
        let manifest = output.appending(path: ".apikit").path
        #expect(summary.conflictLines[0] == "ignored: \(manifest), line 1, does not name a file that apikit writes")
        #expect(
            summary.conflictLines[1] == "conflict: Endpoints/ARequest.swift is not from apikit, and would change:")
        #expect(summary.conflictLines[2] == "    - 1: // mine")
    }
}
