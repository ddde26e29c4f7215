import APIKitCore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct DownloadedFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func response(_ body: ResponseBody) -> HTTPResponse {
        HTTPResponse(head: HTTPResponse.Head(status: 200, url: WireProbe.root), body: body)
    }

    private func download(_ body: ResponseBody) async throws -> DownloadedFile {
        try await ImmediateClient(response(body)).send(Endpoint<DownloadedFile, Data>())
    }

    private func bodies(_ text: String) throws -> [ResponseBody] {
        let file = try TemporaryFile()
        try file.write(Data(text.utf8))
        let chunks = Chunks(chunks: text.utf8.map { Data([$0]) })
        return [ResponseBody(Data(text.utf8)), ResponseBody(ByteStream(chunks)), ResponseBody(file.ownedFile)]
    }

    @Test(arguments: ["", "abc"], 0..<3)
    func isCompleteWithEveryDeliveryAndDeletedWithLastCopy(text: String, delivery: Int) async throws {
        var file: DownloadedFile? = try await download(bodies(text)[delivery])
        var copy = file
        let url = try #require(file?.url)
        #expect(try Data(contentsOf: url) == Data(text.utf8))
        #expect(file?.size == text.utf8.count)
        file = nil
        #expect(url.exists)
        _ = copy
        copy = nil
        #expect(!url.exists)
    }

    @Test func doesNotCopyFileOfBody() async throws {
        let file = try TemporaryFile()
        #expect(try await download(ResponseBody(file.ownedFile)).url == file.url)
    }

    @Test func keepsMovedFile() async throws {
        for body in try bodies("new") {
            try folder.write("old and longer", to: "a")
            var file: DownloadedFile? = try await download(body)
            let temporary = try #require(file?.url)
            let moved = try #require(try file?.move(to: folder.place("a")))
            file = nil
            #expect(moved.url == folder.place("a"))
            #expect(moved.size == 3)
            #expect(try folder.text("a") == "new")
            #expect(try folder.names == ["a"])
            #expect(!temporary.exists)
            // It is as any new file; before, nobody else may read it.
            try folder.write("", to: "new")
            #expect(try folder.permissions(of: "a") == folder.permissions(of: "new"))
            try FileManager.default.removeItem(at: folder.place("new"))
        }
    }

    @Test func hasSuggestedFilenameAlsoAfterMove() async throws {
        let headers: HTTPHeaders = ["Content-Disposition": "attachment; filename=../b.txt"]
        for body in try bodies("abc") {
            var response = response(body)
            response.head.headers = headers
            let file = try await ImmediateClient(response).send(Endpoint<DownloadedFile, Data>())
            let name = try #require(file.suggestedFilename)
            #expect(try file.move(to: folder.place(name)).suggestedFilename == "b.txt")
        }
        #expect(try folder.names == ["b.txt"])
        #expect(try await download(ResponseBody()).suggestedFilename == nil)
        #expect(try DownloadedFile.process(data: Data()).suggestedFilename == nil)
        #expect(DownloadedFile(at: folder.place("a"), size: 0, suggestedFilename: "b").suggestedFilename == "b")
    }

    @Test func dumpShowsNoURLOfResponse() async throws {
        var response = response(ResponseBody(Data("abc".utf8)))
        response.head.url = try #require(URL(string: "https://example.com/film.mp4?signature=s3cret"))
        let file = try await ImmediateClient(response).send(Endpoint<DownloadedFile, Data>())
        #expect(file.suggestedFilename == "film.mp4")
        var text = "\(file)"
        dump(file, to: &text)
        #expect(!text.contains("s3cret"))
    }

    @Test func canBeMovedAgain() async throws {
        let file = try await download(ResponseBody(Data("abc".utf8)))
        #expect(try file.move(to: folder.place("a")).move(to: folder.place("b")).size == 3)
        #expect(try folder.names == ["b"])
    }

    @Test func failedMoveKeepsFile() async throws {
        let file = try await download(ResponseBody(Data("abc".utf8)))
        let error = try #require(throws: TransportError.self) {
            try file.move(to: folder.place("missing").appendingPathComponent("a"))
        }
        #expect(error.errno == ENOENT)
        #expect(try Data(contentsOf: file.url) == Data("abc".utf8))
        try file.move(to: folder.place("a"))
        #expect(try folder.text("a") == "abc")
    }

    @Test func brokenStreamLeavesNoFile() async throws {
        let files = Recorder<[URL]>()
        let marker = Data(UUID().uuidString.utf8)
        let chunks = Chunks(chunks: [marker], failure: TransportError(.connectionLost)) {
            // The file exists while the stream is open.
            files.append(temporaryFiles(holding: marker))
        }
        let client = ImmediateClient(response(ResponseBody(ByteStream(chunks))))
        let error = try await client.failure(of: Endpoint<DownloadedFile, Data>())
        #expect(error.transport?.code == .connectionLost)
        #expect(files.values.map(\.count) == [1])
        #expect(temporaryFiles(holding: marker).isEmpty)
    }
}
