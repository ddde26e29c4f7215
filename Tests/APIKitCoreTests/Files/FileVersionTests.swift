import Foundation
import TestSupport
import Testing

@testable import APIKitCore

@Suite struct FileVersionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func textHasWholeVersion() throws {
        let file = try folder.write("abcde", to: "a")
        let version = try FileVersion.of(file)
        #expect(version.size == 5)
        #expect(version.text.hasPrefix("5"))
        #expect(!version.text.contains("\n"))
        #expect(FileVersion(text: version.text) == version)
        #expect(try FileVersion.of(file) == version)
        let coded = try JSONEncoder().encode([version])
        #expect(try JSONDecoder().decode([String].self, from: coded) == [version.text])
        #expect(try JSONDecoder().decode([FileVersion].self, from: coded) == [version])
    }

    @Test func sizeAloneIsVersionOfVolumeThatDoesNotCountVersions() throws {
        let version = try #require(FileVersion(text: "5"))
        #expect(version.size == 5)
        #expect(version.text == "5")
        #expect(version != FileVersion(text: "6"))
    }

    @Test(arguments: ["", " ", "a", "-1", "+1", "01", "1 ", "1\n", "1 a\nb", "1 ä", "99999999999999999999 1", " 1"])
    func rejectsInvalidText(text: String) throws {
        #expect(FileVersion(text: text) == nil)
        let json = try JSONEncoder().encode([text])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([FileVersion].self, from: json) }
    }

    @Test func onlyRegularFilesHaveVersions() throws {
        let pipe = folder.place("pipe")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        for url in [folder.url, folder.place("missing"), pipe, URL(fileURLWithPath: "/dev/null")] {
            let error = try #require(throws: TransportError.self) { try FileVersion.of(url) }
            #expect(error.code == .fileFailed)
        }
    }

    #if !canImport(Darwin)
    @Test func versionHasTimeOfChangeAndNumberOfFile() throws {
        let file = try folder.write("abcde", to: "a")
        let version = try FileVersion.of(file)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: file.path)
        let older = try FileVersion.of(file)
        #expect(older != version)
        #expect(older.text.hasPrefix("5 1000000000.0 "))
    }
    #endif
}
