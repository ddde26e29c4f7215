import Foundation
import TestSupport
import Testing

@testable import APIKitCore

@Suite(.timeLimit(.minutes(10))) struct TemporaryFileTests {
    private struct Trouble: Error {}

    @Test func holdsWhatIsWrittenAndGoesWithTheLastReference() throws {
        var file: TemporaryFile? = try TemporaryFile()
        let url = try #require(file?.url)
        #expect(url.exists)
        #expect(try OpenFile.size(of: url) == 0)
        // Nobody else may read it, and each is another.
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let files = try (0..<20).map { _ in try TemporaryFile() }
        #expect(Set(files.map(\.url)).count == 20)
        try file?.write(Data("ab".utf8))
        try file?.write(Data())
        try file?.write(Data("xcdx".utf8)[1..<3])
        #expect(try Data(contentsOf: url) == Data("abcd".utf8))
        #expect(try OpenFile.size(of: url) == 4)
        file = nil
        #expect(!url.exists)
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

    @Test(arguments: [[], [""], ["ab", "", "c"]]) func holdsAStream(chunks: [String]) async throws {
        let file = try await TemporaryFile(of: ByteStream(Chunks(chunks: chunks.map { Data($0.utf8) })))
        #expect(try Data(contentsOf: file.url) == Data(chunks.joined().utf8))
        try file.write(Data("d".utf8))
        #expect(try Data(contentsOf: file.url) == Data((chunks.joined() + "d").utf8))
    }

    @Test func aCancelledReaderMakesNoFile() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await TemporaryFile(of: ByteStream("abc"))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aReaderOfTheFileKeepsItAndNothingOpen() throws {
        var file: TemporaryFile? = try TemporaryFile()
        try file?.write(Data("ab".utf8))
        var removal = file?.ownedFile
        file = nil
        let url = try #require(removal?.url)
        #expect(try Data(contentsOf: url) == Data("ab".utf8))
        removal = nil
        #expect(!url.exists)
    }

    @Test func fileErrorsAreFileFailed() async throws {
        let refused = TransportError(.write, URL(fileURLWithPath: "/tmp/a"), errno: ENOSPC)
        let stream = ByteStream(Chunks("a", failure: refused))
        let error = try await #require(throws: TransportError.self) { _ = try await TemporaryFile(of: stream) }
        #expect(error.code == .fileFailed)
        #expect(error.errno == ENOSPC)
    }
}
