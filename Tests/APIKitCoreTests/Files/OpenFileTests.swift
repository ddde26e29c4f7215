import Foundation
import TestSupport
import Testing

@testable import APIKitCore

@Suite struct OpenFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func readsInParts() throws {
        #expect(try OpenFile.reading(folder.write("x", to: "a b%20ü#?.txt")).size() == 1)
        let file = try OpenFile.reading(folder.write("abcde", to: "a"))
        #expect(try file.size() == 5)
        #expect(try file.read(upTo: 0) == Data())
        #expect(try file.read(upTo: 2) == Data("ab".utf8))
        #expect(try file.read(upTo: 100) == Data("cde".utf8))
        #expect(try file.read(upTo: 100) == Data())
    }

    @Test func creatingDoesNotReplaceFile() throws {
        let place = try folder.write("mine", to: "a")
        let error = try #require(throws: TransportError.self) { try OpenFile.creating(place) }
        #expect(error.errno == EEXIST)
        #expect(try folder.text("a") == "mine")
    }

    #if !canImport(Darwin)
    @Test func failedCloseIsLostWrite() throws {
        let file = try OpenFile.creating(folder.place("a"))
        try file.write(Data("ab".utf8))
        let closed = Recorder<Int32>()
        let error = try #require(throws: TransportError.self) {
            try file.flush { descriptor in
                closed.append(descriptor)
                _ = close(descriptor)
                errno = ENOSPC
                return -1
            }
        }
        #expect(error.message?.hasPrefix("cannot write the file ") == true)
        #expect(error.errno == ENOSPC)
        #expect(closed.values.count == 1)
    }
    #endif

    @Test func flushingKeepsFileOpen() throws {
        let file = try OpenFile.creating(folder.place("a"))
        try file.flush()
        try file.write(Data("ab".utf8))
        try file.flush()
        try file.flush()
        #expect(try folder.text("a") == "ab")
    }

    // The system's functions see a path up to its first NUL.
    @Test func rejectsNameWithNUL() throws {
        let place = try folder.write("mine", to: "a")
        let other = try #require(URL(string: "\(place.absoluteString)%00b"))
        #expect(throws: TransportError.self) { try OpenFile.reading(other) }
        try? OpenFile.creating(other).write(Data("x".utf8))
        try? folder.write("new", to: "c").moveFile(to: other)
        other.removeFile()
        #expect(try folder.text("a") == "mine")
    }

    @Test func onlyRegularFilesHaveSize() throws {
        #expect(try #require(throws: TransportError.self) { try OpenFile.reading(folder.url).size() }.errno == EISDIR)
        let device = URL(fileURLWithPath: "/dev/null")
        #expect(throws: TransportError.self) { try OpenFile.reading(device).size() }
    }

    @Test func rejectsOtherURLsAndRemovesFileIfItExists() throws {
        let place = try folder.write("x", to: "a")
        let url = try #require(URL(string: "https://example.com\(place.path)"))
        #expect(try #require(throws: TransportError.self) { try OpenFile.reading(url) }.errno == EINVAL)
        #expect(throws: TransportError.self) { try place.moveFile(to: url) }
        // A URL of a server must not remove the file of the same path here.
        url.removeFile()
        #expect(place.exists)
        place.removeFile()
        place.removeFile()
        #expect(try folder.names.isEmpty)
    }

    @Test func failedMoveKeepsFile() throws {
        let source = try folder.write("new", to: "a")
        let error = try #require(throws: TransportError.self) {
            try source.moveFile(to: folder.place("missing").appendingPathComponent("b"))
        }
        #expect(error.errno == ENOENT)
        #expect(error.message?.hasPrefix("cannot move the file to ") == true)
        try FileManager.default.createDirectory(at: folder.place("c"), withIntermediateDirectories: false)
        #expect(throws: TransportError.self) { try source.moveFile(to: folder.place("c")) }
        #expect(try folder.names == ["a", "c"])
        #expect(try folder.text("a") == "new")
    }

    private static let otherVolume = URL(fileURLWithPath: "/dev/shm/apikit-tests-\(UUID().uuidString)")
    private static let hasOtherVolume: Bool = {
        func volume(_ url: URL) -> NSNumber? {
            try? FileManager.default.attributesOfFileSystem(forPath: url.path)[.systemNumber] as? NSNumber
        }
        guard let shared = volume(URL(fileURLWithPath: "/dev/shm")) else { return false }
        return shared != volume(FileManager.default.temporaryDirectory)
    }()

    @Test(.enabled(if: hasOtherVolume, "there is one volume only")) func movesToAnotherVolume() throws {
        try FileManager.default.createDirectory(at: Self.otherVolume, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: Self.otherVolume) }
        let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        let source = try folder.write(data, to: "a")
        let place = Self.otherVolume.appendingPathComponent("b")
        try source.moveFile(to: place)
        #expect(try Data(contentsOf: place) == data)
        #expect(!source.exists)
        try place.moveFile(to: source)

        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        #expect(throws: TransportError.self) { try source.moveFile(to: place) }
        #expect(source.exists)
        #expect(try FileManager.default.contentsOfDirectory(atPath: Self.otherVolume.path) == ["b"])
    }
}
