import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitCore

/// Ranges of files as bodies.
@Suite(.timeLimit(.minutes(10))) struct FileRangeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func bytes(_ body: RequestBody) async throws -> Data { try await body.bytes.data(upTo: 10_000_000) }

    /// Writes a file that was last changed long ago, so that the next change has another time.
    private func writeOldFile(_ data: Data, to name: String = "a.bin") throws -> URL {
        let file = try folder.write(data, to: name)
        let longAgo = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: longAgo], ofItemAtPath: file.path)
        return file
    }

    private func overwrite(_ file: URL, at offset: UInt64, with data: Data) throws {
        let handle = try FileHandle(forUpdating: file)
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: data)
        try handle.close()
    }

    @Test(
        arguments: [
            0..<0, 0..<1, 5..<10, 0..<600_000, 262_143..<262_145, 1..<524_289, 599_999..<600_000, 600_000..<600_000,
        ])
    func readsExactlyTheRange(range: Range<Int>) async throws {
        let data = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        let body = RequestBody.file(try folder.write(data, to: "a.bin"), range: range)
        #expect(body.length == range.count)
        #expect(body.data == nil)
        #expect(body.file == nil)
        for _ in 0..<2 { #expect(try await bytes(body) == data[range]) }
        let pieces = try await body.bytes.collected()
        #expect(pieces.allSatisfy { (1...262_144).contains($0.count) })
        #expect(try body.prepared() == body)
        #expect(try BodyProbe(body: body).httpRequest().body == body)
    }

    @Test func typeFollowsFromNameUnlessGiven() throws {
        let file = try folder.write("abc", to: "a.png")
        #expect(RequestBody.file(file, range: 0..<1).contentType == .png)
        #expect(RequestBody.file(file, range: 0..<1, contentType: .json).contentType == .json)
        let version = try FileVersion.of(file)
        #expect(RequestBody.file(file, range: 0..<1, version: version, contentType: nil).contentType == .png)
    }

    @Test func isPartOfForm() async throws {
        let file = try folder.write("0123456789", to: "a.txt")
        func form(_ part: FilePart) -> RequestBody {
            var form = MultipartForm(boundary: "b")
            form.append(part, for: "chunk")
            return .multipart(form)
        }
        let body = form(FilePart(.file(file, range: 2..<5), filename: "a.txt"))
        let expected = form(FilePart(Data("234".utf8), filename: "a.txt", contentType: .plainText))
        #expect(body.data == nil)
        #expect(body.length == expected.data?.count)
        #expect(try await bytes(body) == expected.data)
        #expect(body.description == "chunk: a.txt (text/plain, 3 bytes)")
        let tooShort = form(FilePart(.file(file, range: 2..<11), filename: "a.txt"))
        try BodyProbe(body: tooShort).expectFault(.body, "has 10 bytes, fewer than the 11")
    }

    // MARK: - Errors

    @Test func fileMustHaveAllBytes() async throws {
        let file = try folder.write("abc", to: "a")
        for range in [0..<4, 2..<Int.max, 5..<5, Int.max..<Int.max] {
            let body = RequestBody.file(file, range: range)
            let error = try #require(throws: RequestError.self) { try body.prepared() }
            #expect(error.code == .body)
            let text = "the file \(file.path) has 3 bytes, fewer than the \(range.upperBound) that the range needs"
            #expect(error.message == text)
            let reading = try await #require(throws: TransportError.self) { try await bytes(body) }
            #expect(reading.code == .requestBodyFailed)
            #expect(reading.message == text)
        }
    }

    @Test(arguments: [-1..<2, -1 ..< -1, Int.min..<Int.max]) func rejectsNegativeOffset(range: Range<Int>) throws {
        let body = RequestBody.file(try folder.write("abc", to: "a"), range: range)
        try BodyProbe(body: body).expectFault(.body, "begins at \(range.lowerBound), which is below 0")
        #expect(body.length == nil)
        #expect(body.data == nil)
        #expect(body.description.contains("\(range.lowerBound)"))
        #expect(!HTTPRequest(method: .post, url: WireProbe.root, body: body).curlCommand.isEmpty)
    }

    @Test func rejectsWhatIsNotRegularFile() throws {
        let pipe = folder.place("pipe")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        let urls = [
            folder.place("missing"), folder.url, pipe, URL(fileURLWithPath: "/dev/zero"),
            URL(string: "https://example.com/a")!,
        ]
        for url in urls {
            for range in [0..<0, 0..<1] {
                let body = RequestBody.file(url, range: range)
                let request = HTTPRequest(method: .put, url: WireProbe.root, body: body)
                let error = try #require(throws: RequestError.self) { try request.prepared(in: Call()) }
                #expect(error.code == .body)
                #expect(error.message.contains(url.path))
            }
        }
    }

    // The file was replaced after the request was prepared.
    @Test func readingDoesNotWaitForPipe() async throws {
        let pipe = folder.place("pipe")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        let error = try await #require(throws: TransportError.self) {
            try await bytes(.file(pipe, range: 0..<1))
        }
        #expect(error.code == .requestBodyFailed)
    }

    @Test func followsSymbolicLink() async throws {
        let file = try folder.write("0123456789", to: "a")
        let link = folder.place("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let version = try FileVersion.of(link)
        for body: RequestBody in [
            .file(link, range: 3..<5), .file(link, range: 3..<5, version: version, contentType: nil),
        ] {
            #expect(try body.prepared() == body)
            #expect(try await bytes(body) == Data("34".utf8))
        }
    }

    @Test func fileThatShrinksWhileReadIsErrorAndOneThatGrowsKeepsItsLength() async throws {
        for length in [300_000, 700_000] as [UInt64] {
            let file = try folder.write(Data(count: 600_000), to: "a")
            var iterator = RequestBody.file(file, range: 10_000..<590_000).bytes.makeAsyncIterator()
            var count = try await iterator.next()?.count ?? 0
            try FileHandle(forUpdating: file).truncate(atOffset: length)
            do {
                while let chunk = try await iterator.next() { count += chunk.count }
                #expect(length == 700_000)
                #expect(count == 580_000)
            } catch let error as TransportError {
                #expect(length == 300_000)
                #expect(error.code == .requestBodyFailed)
            }
        }
    }

    // 5 GiB are more than 32 bits can count.
    @Test func readsRangeAtEndOfLargeFile() async throws {
        let size = 5 << 30
        let file = try folder.write("", to: "large")
        try overwrite(file, at: UInt64(size - 3), with: Data("end".utf8))
        for version in [nil, try FileVersion.of(file)] {
            let body = RequestBody.file(file, range: (size - 5)..<size, version: version)
            #expect(try body.prepared().length == 5)
            #expect(try await bytes(body) == Data("\0\0end".utf8))
        }
        #expect(try FileVersion.of(file).size == size)
        #expect(throws: RequestError.self) { try RequestBody.file(file, range: size..<(size + 1)).prepared() }
    }

    // MARK: - Versions

    @Test func changedFileIsErrorBeforeAnyOfItsBytes() async throws {
        let file = try writeOldFile(Data(count: 600_000))
        let version = try FileVersion.of(file)
        let body = RequestBody.file(file, range: 0..<600_000, version: version, contentType: nil)
        #expect(try await bytes(body) == Data(count: 600_000))
        var iterator = body.bytes.makeAsyncIterator()
        #expect(try await iterator.next() == Data(count: 262_144))
        // The size stays the same, and the first changed byte is far behind the next piece.
        try overwrite(file, at: 599_999, with: Data([1]))
        let message = "the file \(file.path) has changed since its upload began"
        let error = try await #require(throws: TransportError.self) { try await iterator.next() }
        #expect(error.code == .requestBodyFailed)
        #expect(error.message == message)
        for range in [0..<1, 0..<0, 599_999..<600_000] {
            let body = RequestBody.file(file, range: range, version: version, contentType: nil)
            let error = try await #require(throws: TransportError.self) { try await bytes(body) }
            #expect(error.message == message)
        }
        // Without a version, any bytes are sent.
        #expect(try await bytes(.file(file, range: 599_999..<600_000)) == Data([1]))
    }

    enum Change: CaseIterable { case grows, shrinks, isReplaced }

    @Test(arguments: Change.allCases) func everyChangeIsError(change: Change) async throws {
        let file = try writeOldFile(Data(count: 100))
        let body = RequestBody.file(file, range: 0..<10, version: try FileVersion.of(file), contentType: nil)
        switch change {
        case .grows: try overwrite(file, at: 100, with: Data([1]))
        case .shrinks: try FileHandle(forUpdating: file).truncate(atOffset: 50)
        case .isReplaced:
            let other = try writeOldFile(Data(count: 100), to: "b.bin")
            try other.moveFile(to: file)
        }
        let error = try await #require(throws: TransportError.self) { try await bytes(body) }
        #expect(error.message?.contains("has changed") == true)
    }

    // MARK: - Texts

    @Test func equalityComparesFileRangeTypeAndVersion() throws {
        let file = try folder.write("abc", to: "a.png")
        let body = RequestBody.file(file, range: 0..<2)
        #expect(body == .file(file, range: 0..<2))
        #expect(body.withoutStreams == body)
        #expect(body != .file(file, range: 0..<1))
        #expect(body != .file(file, range: 1..<2))
        #expect(body != .file(folder.place("b.png"), range: 0..<2))
        #expect(body != .file(file, range: 0..<2, contentType: .json))
        #expect(body != .file(file))
        #expect(body != .file(file, range: 0..<2, version: try FileVersion.of(file), contentType: nil))
    }

    @Test func descriptionNamesRangeAndFileWithoutReadingIt() {
        let file = URL(fileURLWithPath: "/missing/a")
        #expect(RequestBody.file(file, range: 5..<10).description == "(bytes 5 to 9 of the file /missing/a)")
        #expect(RequestBody.file(file, range: 5..<6).description == "(bytes 5 to 5 of the file /missing/a)")
        #expect(RequestBody.file(file, range: 5..<5).description == "(no bytes of the file /missing/a)")
    }
}

extension RequestBody {
    fileprivate static func file(_ url: URL, range: Range<Int>, version: FileVersion?) -> RequestBody {
        guard let version else { return .file(url, range: range) }
        return .file(url, range: range, version: version, contentType: nil)
    }
}
