import Foundation
import Testing

@testable import APIKitTools

/// References lead only to files of the description's folder, and nothing of other files is shown.
@Suite struct ReferenceTests {
    private let folder: TemporaryFolder
    private let source: URL

    /// A description in a folder of its own, beside a file that is none of its business.
    init() throws {
        folder = try TemporaryFolder()
        source = folder.url.appending(path: "api/api.json")
    }

    private func notes(reference: String, allowsOutside: Bool = false) throws -> [String] {
        let body = #"{"$ref": "\#(reference)"}"#
        let paths = #"{"/a": {"get": {"requestBody": \#(body)}}, "/b": {"get": {}}}"#
        _ = try folder.write(ErrorTests.head + #""paths": \#(paths)}"#, to: "api/api.json")
        let api = try APIReader.read(Documents(source, allowsOutside: allowsOutside))
        return api.notes.filter { $0.kind == .skipped }.map { "\($0.text), \($0.place)" }
    }

    @Test(arguments: [
        "../secret.yaml", "./../secret.yaml", "models/../../secret.yaml", "link.yaml", "inner/secret.yaml",
    ])
    func aFileOutsideOfTheFolderIsRefused(reference: String) throws {
        let secret = try folder.write("password: hunter2", to: "secret.yaml")
        _ = try folder.write("", to: "api/models/a.yaml")
        let manager = FileManager.default
        try manager.createSymbolicLink(at: folder.url.appending(path: "api/link.yaml"), withDestinationURL: secret)
        try manager.createSymbolicLink(at: folder.url.appending(path: "api/inner"), withDestinationURL: folder.url)
        let notes = try notes(reference: reference)
        #expect(notes.count == 1)
        let note = try #require(notes.first)
        #expect(note.contains("is outside of the description's folder: allow that with --allow-outside"))
        #expect(!note.contains("hunter2"))
    }

    @Test func aFileOutsideOfTheFolderIsReadIfThatIsAllowed() throws {
        _ = try folder.write("content: {image/png: {}}", to: "secret.yaml")
        let notes = try notes(reference: "../secret.yaml", allowsOutside: true)
        #expect(notes == ["body of GET /a, api.json, line 1, /paths/~1a/get"])
    }

    @Test func aFolderMayBeReachedByALink() throws {
        _ = try folder.write("content: {image/png: {}}", to: "api/models/a.yaml")
        _ = try notes(reference: "models/a.yaml")
        let link = folder.url.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url.appending(path: "api"))
        let api = try APIReader.read(Documents(link.appending(path: "api.json")))
        #expect(api.notes.map(\.text).contains("body of GET /a"))
    }

    @Test(arguments: [
        // What a YAML parser says of an environment, a key that stands there twice, and JSON without an end.
        "PATH=/bin\u{0}TOKEN=hunter2\u{0}", "hunter2: 1\nhunter2: 2", #"{"hunter2" 1}"#,
        #"{"hunter2": 1, "hunter2": 2}"#,
        "a: [hunter2", "content: {hunter2: {schema: {type: hunter2}}}", "content: {a: {schema: {$ref: hunter2.yaml}}}",
        "content: {a: {schema: {$ref: '../../hunter2.yaml'}}}", "content: {a: {schema: {$ref: 'https://hunter2'}}}",
        "content: {a: {schema: {$ref: '#/hunter2'}}}", "content: {a: {schema: {allOf: {hunter2: 1}}}}", "hunter2",
        "content: {a: {schema: {properties: {hunter2: {type: 7}}}}}",
    ])
    func noTextOfAnotherFileIsShown(text: String) throws {
        _ = try folder.write(text, to: "api/other.yaml")
        for note in try notes(reference: "other.yaml") { #expect(!note.contains("hunter2")) }
    }

    @Test func aMistakeInAnotherFileHasItsPlace() throws {
        _ = try folder.write("a: 1\nb: [", to: "api/other.yaml")
        #expect(try notes(reference: "other.yaml") == ["GET /a: this is neither JSON nor YAML, other.yaml, line 3"])
        _ = try folder.write("content:\n  a: {schema: {type: 7}}", to: "api/other.yaml")
        let found = "GET /a: expected a text, and found a number, other.yaml, line 2"
        #expect(try notes(reference: "other.yaml") == [found])
    }

    @Test func aDescriptionThatIsNoYAMLIsNotShown() throws {
        let file = try folder.write("openapi: 3.0.0\u{0}hunter2", to: "api.yaml")
        let error = #expect(throws: DescriptionError.self) { try APIReader.read(Documents(file)) }
        #expect(error?.description.contains("hunter2") == false)
    }
}
