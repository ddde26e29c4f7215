import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitStreams

@Suite(.timeLimit(.minutes(10))) struct ResumableDownloadTests {
    /// The documentation's endpoint.
    struct FilmRequest: APIRequest {
        typealias Response = ResumableDownload.Response
        let download: ResumableDownload
        var path: URLPath = "film.mp4"
        var base: APIBase { "https://films.example.com" }
        var headers: HTTPHeaders { download.headers }
        func process(_ response: HTTPResponse) async throws -> DownloadedFile { try await download.finish(response) }
    }

    static let film = "0123456789"
    let folder: TemporaryFolder
    let download: ResumableDownload

    init() throws {
        folder = try TemporaryFolder()
        download = ResumableDownload(to: folder.place("film.mp4"))
    }

    // MARK: - A server

    func answer(_ status: Int, _ headers: HTTPHeaders, _ text: String, isBroken: Bool = false) -> HTTPResponse {
        let failure = isBroken ? TransportError(.connectionLost) : nil
        return answer(status, headers, Chunks(chunks: text.utf8.map { Data([$0]) }, failure: failure))
    }

    func answer(_ status: Int, _ headers: HTTPHeaders, _ chunks: Chunks) -> HTTPResponse {
        let head = HTTPResponse.Head(status: status, headers: headers, url: WireProbe.root)
        return HTTPResponse(head: head, body: ResponseBody(ByteStream(chunks)))
    }

    func partial(_ range: String, _ text: String, tag: String? = "\"1\"", isBroken: Bool = false) -> HTTPResponse {
        answer(206, [.contentRange: "bytes \(range)", .eTag: tag], text, isBroken: isBroken)
    }

    /// Sends the request once, and returns the headers of the request and the error, if there is one.
    @discardableResult
    func attempt(
        _ responses: HTTPResponse..., path: URLPath = "film.mp4"
    ) async throws -> (headers: HTTPHeaders, error: TransportError?, file: DownloadedFile?) {
        let client = ScriptedClient(responses)
        let request = FilmRequest(download: download, path: path)
        do throws(APIError<Data>) {
            let file = try await client.send(request)
            return (client.requests[0].headers, nil, file)
        } catch {
            let transport: TransportError = try #require(error.transport, "\(error)")
            return (client.requests[0].headers, transport, nil)
        }
    }

    /// Makes a first attempt that breaks after half of the film.
    func breakOff(_ headers: HTTPHeaders = [.eTag: "\"1\""]) async throws {
        let (sent, error, _) = try await attempt(answer(200, headers, "01234", isBroken: true))
        #expect(sent[.range] == nil)
        #expect(sent[.ifRange] == nil)
        #expect(sent[.acceptEncoding] == "identity")
        #expect(error?.code == .connectionLost)
        #expect(!download.destination.exists)
    }

    func expectWhole(_ file: DownloadedFile?) throws {
        #expect(file?.url == download.destination)
        #expect(file?.size == Self.film.utf8.count)
        #expect(try folder.names.filter { $0 != "film.mp4.download.tag" } == ["film.mp4"])
        #expect(try folder.text("film.mp4") == Self.film)
    }

    /// Expects that a response fails and leaves no file, so that the next attempt starts over.
    func expectStartOver(after response: HTTPResponse) async throws {
        let (_, error, _) = try await attempt(response)
        #expect(error?.code == .badResponse)
        #expect(error?.url?.absoluteString == "https://films.example.com/film.mp4")
        #expect(try folder.names.isEmpty)
        let (sent, _, file) = try await attempt(answer(200, [:], Self.film))
        #expect(sent[.range] == nil)
        try expectWhole(file)
    }

    // MARK: - Complete in one attempt

    @Test(arguments: ["", film]) func movesCompleteFileToDestination(text: String) async throws {
        #expect(try await attempt(answer(200, [:], text)).file?.size == text.utf8.count)
        #expect(try folder.names == ["film.mp4"])
        #expect(try folder.text("film.mp4") == text)
    }

    @Test func replacesFileOnceComplete() async throws {
        try folder.write("an older and longer film", to: "film.mp4")
        try await attempt(answer(200, [.eTag: "\"1\""], "01234", isBroken: true))
        #expect(try folder.text("film.mp4") == "an older and longer film")
        try expectWhole(try await attempt(partial("5-9/10", "56789")).file)
    }

    @Test func acceptsBodyInMemoryOrFile() async throws {
        try expectWhole(try await attempt(.text(Self.film)).file)
        let file = try TemporaryFile()
        try file.write(Data(Self.film.utf8))
        let head = HTTPResponse.Head(status: 200, url: WireProbe.root)
        try expectWhole(try await attempt(HTTPResponse(head: head, body: ResponseBody(file.ownedFile))).file)
    }

    @Test func missingFolderIsFileFailure() async throws {
        let place = folder.place("missing").appendingPathComponent("film.mp4")
        let request = FilmRequest(download: ResumableDownload(to: place))
        let error = try await ImmediateClient(answer(200, [:], "x")).failure(of: request)
        #expect(error.transportError?.errno == ENOENT)
    }

    // MARK: - Resuming

    @Test func resumesAfterBreak() async throws {
        try await breakOff()
        let (sent, _, file) = try await attempt(partial("5-9/10", "56789"))
        #expect(sent[.range] == "bytes=5-")
        #expect(sent[.ifRange] == "\"1\"")
        #expect(sent[.acceptEncoding] == "identity")
        try expectWhole(file)
        #expect(download.headers[.range] == nil)
    }

    @Test func resumesAfterSeveralBreaks() async throws {
        try await breakOff()
        try await attempt(partial("5-9/10", "56", isBroken: true))
        let (sent, error, _) = try await attempt(partial("7-9/10", "", isBroken: true))
        #expect(sent[.range] == "bytes=7-")
        #expect(error?.code == .connectionLost)
        try expectWhole(try await attempt(partial("7-9/10", "789")).file)
    }

    // RFC 9110, section 14.2: a server may send less than was requested.
    @Test func resumesIfServerSendsLess() async throws {
        try await breakOff()
        #expect(try await attempt(partial("5-7/10", "567")).error?.code == .connectionLost)
        #expect(!download.destination.exists)
        let (sent, _, file) = try await attempt(partial("8-9/10", "89"))
        #expect(sent[.range] == "bytes=8-")
        try expectWhole(file)
    }

    @Test func rangeOfUnknownTotalIsCompleteAfter416() async throws {
        try await breakOff()
        #expect(try await attempt(partial("5-9/*", "56789")).error?.code == .connectionLost)
        #expect(!download.destination.exists)
        #expect(download.resumeOffset == 10)
        try expectWhole(try await attempt(answer(416, [.contentRange: "bytes */10", .eTag: "\"1\""], "")).file)
    }

    @Test(arguments: ["film", ".film", "film.", "a b%20\u{FC}#?.mp4", "film.part"])
    func resumesWithAnyDestinationName(name: String) async throws {
        let request = FilmRequest(download: ResumableDownload(to: folder.place(name)))
        let first = ScriptedClient(answer(200, [.eTag: "\"1\""], "01234", isBroken: true))
        #expect(try await first.failure(of: request).transport?.code == .connectionLost)
        #expect(try folder.names == ["\(name).part", "\(name).part.tag"])
        let file = try await ScriptedClient(partial("5-9/10", "56789")).send(request)
        #expect(file.url == folder.place(name))
        #expect(try folder.text(name) == Self.film)
        #expect(try folder.names == [name, "\(name).download.tag"])
    }

    // MARK: - Breaks

    @Test func breakBeforeFirstByteStartsOver() async throws {
        try await attempt(answer(200, [.eTag: "\"1\""], "", isBroken: true))
        #expect(download.headers == [.acceptEncoding: "identity"])
        try expectWhole(try await attempt(answer(200, [.eTag: "\"2\""], Self.film)).file)
    }

    @Test func cancellingKeepsPart() async throws {
        let chunks = Chunks(chunks: [Data("01234".utf8)], failure: CancellationError()) {
            withUnsafeCurrentTask { $0?.cancel() }
        }
        let client = ScriptedClient(answer(200, [.eTag: "\"1\""], chunks))
        let error = try await Task { try await client.failure(of: FilmRequest(download: download)) }.value
        #expect(error.isCancellation)
        try expectWhole(try await attempt(partial("5-9/10", "56789")).file)
    }

    @Test func failedMoveKeepsFileForNextAttempt() async throws {
        try FileManager.default.createDirectory(at: download.destination, withIntermediateDirectories: false)
        let client = ScriptedClient(answer(200, [.eTag: "\"1\""], Self.film))
        let error = try await client.failure(of: FilmRequest(download: download))
        #expect(error.transportCode == .fileFailed)
        try FileManager.default.removeItem(at: download.destination)
        let (sent, _, file) = try await attempt(answer(416, [.contentRange: "bytes */10"], ""))
        #expect(sent[.range] == "bytes=10-")
        try expectWhole(file)
    }

    // MARK: - Starting over

    @Test func completeResponseStartsOver() async throws {
        try await breakOff()
        try expectWhole(try await attempt(answer(200, [.eTag: "\"2\""], Self.film)).file)
    }

    @Test func resumesAfterStartOverBreaks() async throws {
        try await breakOff()
        try await attempt(answer(200, [.eTag: "\"2\""], "012", isBroken: true))
        #expect(download.headers[.range] == "bytes=3-")
        #expect(download.headers[.ifRange] == "\"2\"")
        try await attempt(answer(200, [.eTag: "W/\"3\""], "01", isBroken: true))
        #expect(try folder.names.isEmpty)
    }

    @Test(
        arguments: [
            ("bytes 4-9/10", "456789", [:]), ("bytes 4-9/10", "56789", [:]), ("bytes 6-9/10", "6789", [:]),
            ("bytes 5-9/10", "56789", [.eTag: "\"2\""]), ("bytes 5-9/10", "56789", [.eTag: "W/\"1\""]),
            ("bytes 5-9/10", "5678", [:]), ("bytes 5-9/10", "567890", [:]), ("bytes 5-9/10", "", [:]),
            ("bytes 5-9/10", "56789", [.contentEncoding: "gzip"]), ("bytes 9-5/10", "56789", [:]),
            ("bytes 5-9", "56789", [:]), ("bytes x", "56789", [:]), ("bytes */10", "56789", [:]),
            ("bytes 5-9/10/11", "56789", [:]), ("bytes 5-9223372036854775807/*", "56789", [:]),
            ("bytes 5-99999999999999999999/*", "56789", [:]), ("bytes 5-/10", "56789", [:]),
            ("bytes -9/10", "56789", [:]), ("bytes -5-9/10", "56789", [:]), ("bytes +5-+9/10", "56789", [:]),
            ("bytes 5-9/7", "56789", [:]), ("bytes 5-9/x", "56789", [:]), ("bytes 5-9/", "56789", [:]),
            (nil, "56789", [:]), ("items 5-9/10", "56789", [:]), ("bytes=5-9/10", "56789", [:]),
        ] as [(String?, String, HTTPHeaders)])
    func rejectsRangeThatDoesNotFit(range: String?, text: String, headers: HTTPHeaders) async throws {
        try await breakOff()
        var headers = headers
        headers.addMissing(from: [.contentRange: range, .eTag: "\"1\""])
        try await expectStartOver(after: answer(206, headers, text))
    }

    @Test(arguments: [(206, "bytes 0-9/10", film), (416, "bytes */0", "")])
    func rejectsUnrequestedRange(status: Int, range: String, text: String) async throws {
        try await expectStartOver(after: answer(status, [.contentRange: range, .eTag: "\"1\""], text))
    }

    // MARK: - 416

    @Test func partOfCompleteLengthIsComplete() async throws {
        try await attempt(answer(200, [.eTag: "\"1\"", .contentLength: "10"], Self.film, isBroken: true))
        let (sent, _, file) = try await attempt(answer(416, [.contentRange: "bytes */10"], "no such range"))
        #expect(sent[.range] == "bytes=10-")
        try expectWhole(file)
    }

    // Without the validator and a total, any file may have the length of the part.
    @Test(
        arguments: [
            ("bytes */4", "\"1\""), ("bytes */6", "\"1\""), ("bytes */*", "\"1\""), ("bytes 0-4/5", "\"1\""),
            ("*/5", "\"1\""), (nil, "\"1\""), ("bytes */5", "\"2\""), ("bytes */5", nil),
        ] as [(String?, String?)])
    func status416ThatDoesNotFitStartsOver(range: String?, tag: String?) async throws {
        try await breakOff()
        try await expectStartOver(after: answer(416, [.contentRange: range, .eTag: tag], ""))
    }

    // MARK: - Other statuses

    @Test(arguments: [204, 304, 404, 412, 500]) func refusedStatusKeepsPart(status: Int) async throws {
        try await breakOff()
        let error = try await ImmediateClient(.status(status)).failure(of: FilmRequest(download: download))
        #expect(error.status == status)
        #expect(download.headers[.range] == "bytes=5-")
        try expectWhole(try await attempt(partial("5-9/10", "56789")).file)
    }
}
