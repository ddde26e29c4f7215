import APIKitTools
import ArgumentParser
import Foundation
import Testing

@testable import apikit

@Suite struct CommandTests {
    @Test func testsNeedARecording() throws {
        let arguments = ["--into", "Sources/Shop", "--tests", "Tests"]
        #expect(try Endpoints.parse(["shop.har"] + arguments).tests == "Tests")
        let error = #expect(throws: (any Error).self) { try Endpoints.parse(["shop.yaml"] + arguments) }
        #expect(error.map { Endpoints.message(for: $0) }?.hasPrefix("Tests need a recording") == true)
    }

    @Test func failsIfNothingIsWritten() throws {
        let folder = try TemporaryFolder()
        let source = try folder.write(TemporaryFolder.description(schema: "{}"), to: "api.json").path
        let output = folder.url.appending(path: "Shop").path
        let failure = #expect(throws: ExitCode.self) {
            try Endpoints.parse([source, "--into", output, "--only", "/nowhere"]).run()
        }
        #expect(failure == .failure)
        try Endpoints.parse([source, "--into", output]).run()
        #expect(FileManager.default.fileExists(atPath: "\(output)/ShopAPI.swift"))
    }

    @Test func exitCodeSaysThatThereAreConflicts() throws {
        let folder = try TemporaryFolder()
        func run(_ type: String, _ options: String...) throws {
            let schema = #"{"type": "object", "properties": {"id": {"type": "\#(type)"}}}"#
            let source = try folder.write(TemporaryFolder.description(schema: schema), to: "api.json").path
            try Endpoints.parse([source, "--into", folder.url.appending(path: "Shop").path] + options).run()
        }
        try run("string")
        let file = try folder.write("// edited\n", to: "Shop/Endpoints/ARequest.swift")
        try run("string")
        for _ in 0..<2 {
            let code = #expect(throws: ExitCode.self) { try run("integer") }
            #expect(code == Endpoints.conflictCode)
        }
        try run("integer", "--keep")
        try run("integer")
        #expect(try String(contentsOf: file, encoding: .utf8) == "// edited\n")
        try run("integer", "--overwrite")
        #expect(try String(contentsOf: file, encoding: .utf8).contains("let id: Int"))
    }

    @Test(arguments: [["--keep", "--overwrite"], ["--public", "--methods"], ["--tests", "Sources/./Shop"]])
    func contradictionsAreErrors(options: [String]) {
        #expect(throws: (any Error).self) { try Endpoints.parse(["shop.har", "--into", "Sources/Shop"] + options) }
    }

    /// Each would remove the files of the other.
    @Test func testsAreNotWrittenIntoTheSameFolderByALink() throws {
        let folder = try TemporaryFolder()
        let link = folder.url.appending(path: "Tests")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
        let arguments = ["shop.har", "--into", folder.url.path, "--tests", link.path]
        #expect(throws: (any Error).self) { try Endpoints.parse(arguments) }
        #expect(throws: (any Error).self) {
            try Endpoints.parse(["shop.har", "--into", "\(link.path)/New", "--tests", "\(folder.url.path)/New"])
        }
    }

    @Test func readsOnlyTheFolderOfTheDescriptionUnlessToldOtherwise() throws {
        let arguments = ["shop.yaml", "--into", "Sources/Shop"]
        #expect(try !Endpoints.parse(arguments).allowsOutside)
        #expect(try Endpoints.parse(arguments + ["--allow-outside"]).allowsOutside)
    }

    @Test func writesASourceOfTokensIfItIsWanted() throws {
        let folder = try TemporaryFolder()
        let source = GoldenTests.tests.appending(path: "Descriptions/access.yaml").path
        for (options, isWritten) in [(["--oauth"], true), ([], false)] {
            let output = folder.url.appending(path: "Access").path
            try Endpoints.parse([source, "--into", output] + options).run()
            #expect(FileManager.default.fileExists(atPath: "\(output)/AccessOAuthSource.swift") == isWritten)
        }
    }

    /// The documentation shows this summary as a picture, which Scripts/pictures draws from Tests/Terminal.
    @Test func printsTheSummaryThatTheDocumentationShows() throws {
        let folder = try TemporaryFolder()
        let source = GoldenTests.tests.appending(path: "Descriptions/shop.yaml")
        let summary = try Generation(name: "Shop").run(source, into: folder.url.appending(path: "Shop"))
        let root = GoldenTests.tests.deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "Tests/Terminal/summary.txt")
        // The first line is the picture's title, the command.
        let shown = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
        let created = summary.files["created"] ?? 0
        let last = "\(summary.written) of \(summary.found) endpoints; files: \(created) created"
        #expect(summary.notes + [last] == shown.map(String.init))
    }
}
