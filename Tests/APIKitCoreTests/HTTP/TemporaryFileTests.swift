import Foundation
import Testing

@testable import APIKitCore

@Suite struct TemporaryFileTests {
    @Test func holdsWhatIsWrittenAndGoesWithTheLastReference() throws {
        var file: TemporaryFile? = try TemporaryFile()
        let url = try #require(file?.url)
        #expect(url.exists)
        #expect(try file?.size() == 0)
        try file?.write(Data("ab".utf8))
        try file?.write(Data())
        try file?.write(Data("xcdx".utf8)[1..<3])
        #expect(try Data(contentsOf: url) == Data("abcd".utf8))
        #expect(try file?.size() == 4)
        file = nil
        #expect(!url.exists)
    }

    @Test func nobodyElseMayReadIt() throws {
        let file = try TemporaryFile()
        let attributes = try FileManager.default.attributesOfItem(atPath: file.url.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test func eachIsAnother() throws {
        let files = try (0..<20).map { _ in try TemporaryFile() }
        #expect(Set(files.map(\.url)).count == 20)
    }

    @Test func mayBeMovedAway() throws {
        let folder = try TemporaryFolder()
        var file: TemporaryFile? = try TemporaryFile()
        try file?.write(Data("ab".utf8))
        try file?.url.moveFile(to: folder.place("a"))
        try file?.write(Data("cd".utf8))
        file = nil
        #expect(try folder.text("a") == "abcd")
    }
}
