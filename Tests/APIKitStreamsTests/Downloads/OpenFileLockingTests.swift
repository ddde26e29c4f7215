import APIKitCore
import Foundation
import TestSupport
import Testing

@testable import APIKitStreams

@Suite struct OpenFileLockingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func locksFileUntilReleased() throws {
        let place = folder.place("a")
        var first: OpenFile? = try OpenFile.locking(place)
        try first?.write(Data("ab".utf8))
        let error = try #require(throws: TransportError.self) { try OpenFile.locking(place) }
        #expect(error.code == .fileInUse)
        #expect(error.message == "another transfer uses the file \(place.path)")
        first = nil
        let second = try OpenFile.locking(place)
        try second.write(Data("cd".utf8))
        #expect(try folder.text("a") == "abcd")
        try second.truncate()
        try second.write(Data("e".utf8))
        #expect(try folder.text("a") == "e")
    }

    @Test func lockBelongsToFileNotToPath() throws {
        let place = folder.place("a")
        let first = try OpenFile.locking(place)
        place.removeFile()
        #expect(!first.isInPlace)
        let second = try OpenFile.locking(place)
        #expect(second.isInPlace)
        #expect(try #require(throws: TransportError.self) { try first.move(to: folder.place("b")) }.errno == ENOENT)
        try second.move(to: folder.place("b"))
        #expect(try folder.names == ["b"])
    }

    // Only root can give a file to another user.
    @Test(.enabled(if: geteuid() == 0)) func replacesFileOfAnotherUser() throws {
        let place = try folder.write("planted", to: "a")
        try #require(chown(place.path, 1, 1) == 0)
        #expect(try #require(throws: TransportError.self) { try OpenFile.readingPlainFile(place) }.errno == EINVAL)
        #expect(try OpenFile.locking(place).size() == 0)
        #expect(throws: Never.self) { try OpenFile.readingPlainFile(place) }
    }
}
