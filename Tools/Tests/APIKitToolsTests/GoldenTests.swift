import Foundation
import Testing

@testable import APIKitTools

@Suite struct GoldenTests {
    static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    static func files(of description: String, _ options: Plan.Options, only: [String] = []) throws -> [SourceFile] {
        let source = tests.appending(path: "Descriptions/\(description)")
        let plan = try Generation.plan(source, options: options)
        return try SourceWriter(plan: plan, filter: Filter(only)).files()
    }

    /// If a change of the generator is meant, write the files again:
    /// `swift run --package-path Tools apikit endpoints Tools/Tests/Descriptions/shop.yaml --into
    /// Tools/Tests/GeneratedTests/Shop`, and the same for `edges.yaml` and `Edges`, for `access.yaml` and
    /// `Access` with `--oauth`, for `kinds.yaml` and `Kinds`, for `unions.yaml` and `Unions`, and for `desk.yaml` and
    /// `Desk` with `--methods`.
    @Test(arguments: ["Shop", "Edges", "Access", "Kinds", "Unions", "Desk"])
    func generatesTheFilesThatAreCheckedIn(name: String) throws {
        let hasMethods = name == "Desk"
        let options = Plan.Options(
            name: name, isPublic: hasMethods, hasMethods: hasMethods, writesOAuthSource: name == "Access")
        for file in try Self.files(of: "\(name.lowercased()).yaml", options) {
            let url = Self.tests.appending(path: "GeneratedTests/\(name)/\(file.path)")
            let text = try String(contentsOf: url, encoding: .utf8)
            #expect(text == file.text, "\(file.path)")
        }
    }

    @Test func writesASubsetOfTheSameFiles() throws {
        let all = try Self.files(of: "shop.yaml", Plan.Options(name: "Shop"))
        let some = try Self.files(
            of: "shop.yaml", Plan.Options(name: "Shop"), only: ["/orders", "Products", "files/get"])
        #expect(some.allSatisfy(all.contains))
        let names = some.map(\.path)
        #expect(names.contains("Endpoints/Files/FileRequest.swift"))
        #expect(names.contains("Models/Order.swift"))
        #expect(!names.contains("Models/Event.swift"))
        #expect(!names.contains("Endpoints/Events/LogRequest.swift"))
    }

    @Test func orderOfMembersDoesNotMatter() throws {
        let first = TemporaryFolder.description(
            schema: ##"{"type": "object", "required": ["x"], "properties": {"x": {}, "y": {"type": "string"}}}"##)
        let second = TemporaryFolder.description(
            schema: ##"{"properties": {"y": {"type": "string"}, "x": {}}, "type": "object", "required": ["x"]}"##)
        let folder = try TemporaryFolder()
        #expect(try folder.files(first) == folder.files(second))
    }

    @Test func innerTypesDoNotRepeatTheNameOfTheirOwner() throws {
        let commit = ##"{"properties": {"commit": {"properties": {"message": {"type": "string"}}}}}"##
        let list = ##"{"type": "array", "items": {"$ref": "#/components/schemas/commit"}}"##
        let description = TemporaryFolder.description(schema: list, components: ##"{"commit": \##(commit)}"##)
        let text = try TemporaryFolder().files(description).map(\.text).joined()
        #expect(text.contains("let commit: Content?"))
        #expect(!text.contains("CommitCommit"))
    }

    /// The compiler warns of a public import that no declaration needs.
    @Test func valuesWithTheNamesOfTypesNeedNoImport() throws {
        let format = ##"{"type": "string", "enum": ["Date", "Parameters", "a\"b JSONBody"]}"##
        let reference = ##"{"type": "array", "items": {"$ref": "#/components/schemas/format"}}"##
        let object = ##"{"properties": {"first": \##(reference), "second": \##(reference)}}"##
        let other = ##"{"properties": {"other": \##(reference), "list": \##(object)}}"##
        let source = try TemporaryFolder()
        let file = try source.write(
            TemporaryFolder.description(schema: other, components: ##"{"format": \##(format)}"##), to: "api.json")
        let plan = try Generation.plan(file, options: Plan.Options(name: "Test", isPublic: true))
        let files = try SourceWriter(plan: plan, filter: Filter([])).files()
        let model = try #require(files.first { $0.path == "Models/Format.swift" })
        #expect(!model.text.contains("import APIKit"))
        #expect(model.text.contains(#"Self(rawValue: "Date")"#))
    }

    @Test func publicCodeHasOnlyCommentsFromTheDescription() throws {
        let isPublic = try Self.files(of: "shop.yaml", Plan.Options(name: "Shop", isPublic: true))
        let isInternal = try Self.files(of: "shop.yaml", Plan.Options(name: "Shop"))
        let request = try #require(isPublic.first { $0.path.hasSuffix("/ProductsRequest.swift") }?.text)
        #expect(!request.contains("/// The path."))
        #expect(request.contains("/// The page to request, if it is not the first one."))
        for (first, second) in zip(isPublic, isInternal) {
            func comments(_ file: SourceFile) -> Set<Substring> {
                Set(file.text.split(separator: "\n").filter { $0.contains("///") })
            }
            #expect(comments(first).isSuperset(of: comments(second)), "\(first.path)")
        }
    }
}

/// A folder for a test, removed with the value.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "apikit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// A description of one operation, whose response has a schema.
    static func description(schema: String, components: String = "{}") -> String {
        let content = ##"{"application/json": {"schema": \##(schema)}}"##
        let operation = ##"{"responses": {"200": {"content": \##(content)}}}"##
        return ##"""
            {"openapi": "3.0.0", "info": {"title": "A"}, "components": {"schemas": \##(components)},
            "paths": {"/a": {"get": \##(operation)}}}
            """##
    }

    func write(_ text: String, to name: String) throws -> URL {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file
    }

    func plan(_ description: String) throws -> Plan {
        try Generation.plan(write(description, to: "api.json"), options: Plan.Options(name: "Test"))
    }

    func files(_ description: String) throws -> [SourceFile] {
        try SourceWriter(plan: try plan(description), filter: Filter([])).files()
    }
}
