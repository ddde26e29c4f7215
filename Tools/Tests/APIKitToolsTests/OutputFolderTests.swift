import Foundation
import Testing

@testable import APIKitTools

@Suite struct OutputFolderTests {
    private let folder: TemporaryFolder
    private let first = SourceFile(path: "A/One.swift", text: "struct One {\n    let a: Int\n}\n")
    private let second = SourceFile(path: "Two.swift", text: "struct Two {}\n")

    init() throws { folder = try TemporaryFolder() }

    private func write(_ files: [SourceFile], all: Bool = true, overwrites: Bool = false) throws -> [OutputFolder
        .Outcome]
    {
        var output = OutputFolder(folder.url)
        return try output.write(files, removesOthers: all, overwritesEdited: overwrites).map(\.outcome)
    }

    @Test func updatesAndRemovesWhatWasNotEdited() throws {
        #expect(try write([first, second]) == [.created, .created])
        #expect(try write([first, second]) == [.unchanged, .unchanged])
        let changed = SourceFile(path: first.path, text: "struct One {}\n")
        #expect(try write([changed]) == [.updated, .removed])
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "Two.swift").path))
    }

    @Test func keepsWhatWasEditedAndShowsWhatWouldChange() throws {
        _ = try write([first])
        _ = try folder.write("struct One {\n    let a: Int?\n}\n", to: first.path)
        // The description has not changed, so there is nothing to say.
        #expect(try write([first]) == [.unchanged])
        let changed = SourceFile(path: first.path, text: "struct One {\n    let a: Int\n    let b: Int\n}\n")
        let lines = ["- 2:     let a: Int?", "+ 2:     let a: Int", "+ 3:     let b: Int"]
        #expect(try write([changed]) == [.kept(lines.sorted { $0.dropFirst(2).prefix(1) < $1.dropFirst(2).prefix(1) })])
        #expect(try String(contentsOf: folder.url.appending(path: first.path), encoding: .utf8).contains("Int?"))
        #expect(try write([changed], overwrites: true) == [.updated])
    }

    @Test func keepsAFileThatWasThereBefore() throws {
        _ = try folder.write("// mine\n", to: "Two.swift")
        #expect(try write([second]) == [.kept(["- 1: // mine", "+ 1: struct Two {}"])])
    }

    @Test func subsetRemovesNothing() throws {
        _ = try write([first, second])
        #expect(try write([first], all: false) == [.unchanged])
        #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: "Two.swift").path))
    }
}
