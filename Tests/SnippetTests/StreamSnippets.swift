import APIKit
import APIKitTesting
import Testing

// The code of the articles about files and streams, unchanged. Scripts/texts compares the two.

// MARK: - Uploading and downloading

struct FilmRequest: ShopRequest {
    typealias Response = DownloadedFile
    var id: Int
    var path: URLPath { "films/\(id)" }
}

func fetchFilm(to destination: URL) async throws {
    let film = try await URLSession.api.send(FilmRequest(id: 7))
    try film.move(to: destination)
}

func saveFilm(in folder: URL) async throws -> URL {
    let film = try await URLSession.api.send(FilmRequest(id: 7))
    let name = film.suggestedFilename ?? "film.mp4"
    return try film.move(to: folder.appending(path: name)).url
}

struct MapRequest: ShopRequest, ResumableRequest {
    let download: ResumableDownload
    var path: URLPath { "map" }
}

func fetchMap(to destination: URL) async throws -> DownloadedFile {
    let request = MapRequest(download: ResumableDownload(to: destination))
    return try await URLSession.api.send(request)
}

struct PutFilmRequest: ShopRequest {
    typealias Response = NoContent
    var file: URL
    var method: HTTPMethod { .put }
    var path: URLPath { "films" }
    var body: RequestBody? { .file(file) }
}

struct AddPhotoRequest: ShopRequest {
    typealias Response = Item
    var photo: URL
    var method: HTTPMethod { .post }
    var path: URLPath { "photos" }
    var parameters: Parameters { ["caption": "Beach", "photo": FilePart(photo)] }
}

struct PutChunkRequest: ShopRequest {
    typealias Response = NoContent
    var file: URL
    var range: Range<Int>
    var method: HTTPMethod { .put }
    var path: URLPath { "films/\(range.lowerBound)" }
    var body: RequestBody? { .file(file, range: range) }
}

func putFilm(_ file: URL) async throws {
    try await URLSession.api.send(
        PutFilmRequest(file: file),
        progress: .anywhere { print($0.bytesSent, "of", $0.totalBytesToSend ?? 0) })
}

func putFilm(
    _ file: URL, with client: any APIClient, progress: TransferProgress.Handler? = nil
) async throws(APIError<ShopError>) {
    try await client.send(PutFilmRequest(file: file), progress: progress)
}

@MainActor func putFilm(
    _ file: URL, with client: any APIClient, show: @escaping @MainActor @Sendable (Double) -> Void
) async throws {
    try await client.send(
        PutFilmRequest(file: file), progress: .onMainActor { show($0.fractionSent ?? 0) })
}

@MainActor func startUpload(_ file: URL, show: @escaping @MainActor @Sendable (Double) -> Void) -> Task<Void, Never> {
    URLSession.api.start(
        PutFilmRequest(file: file), progress: .onMainActor { show($0.fractionSent ?? 0) }
    ) { result in print(result) }
}

// MARK: - Streaming

struct ChatRequest: ShopRequest, JSONRequest {
    typealias Response = JSONEvents<ChatChunk>
    var prompt: String
    var method: HTTPMethod { .post }
    var path: URLPath { "chat" }
    var parameters: Parameters { ["prompt": prompt, "stream": true] }
}

nonisolated struct ChatChunk: Codable, EventModel {
    let text: String
    static var rules: EventRules<ChatChunk> {
        EventRules(end: .data("[DONE]"), failure: .member("error"))
    }
}

func chat(_ prompt: String) async throws {
    for try await chunk in try await URLSession.api.send(ChatRequest(prompt: prompt)) {
        print(chunk.text, terminator: "")
    }
}

func answer(_ prompt: String, with client: any APIClient, show: (String) -> Void) async {
    do {
        for try await chunk in try await client.send(ChatRequest(prompt: prompt)) {
            show(chunk.text)
        }
    } catch APIError<ShopError>.rejected(let error?, _) {
        show(error.reason)
    } catch APIError<ShopError>.cancelled {
        // The user has stopped the answer.
    } catch {
        if let text = alertText(for: error) { show(text) }
    }
}

nonisolated enum MessageEvent: EventModel {
    case delta(ChatChunk)
    case usage([String: Int])

    static var rules: EventRules<MessageEvent> {
        EventRules(
            ["delta": .decoded { .delta($0) }, "usage": .decoded { .usage($0) }],
            end: .type("stop"), failure: .type("error"), longestGap: .seconds(60))
    }
}

nonisolated struct DraftSearch: Decodable { var text: String? }
nonisolated struct Search: Decodable { let text: String }

func search(_ pieces: AsyncStream<String>, show: (DraftSearch) -> Void) async throws -> Search {
    var arguments = PartialJSON()
    var nextFrame = ContinuousClock.now
    for try await piece in pieces {
        arguments.append(piece)
        guard .now >= nextFrame else { continue }
        nextFrame = .now + .milliseconds(50)
        if let draft = try? arguments.decodeSoFar(DraftSearch.self) { show(draft) }
    }
    let search = try arguments.decode(Search.self)
    return search
}

struct ArchiveRequest: ShopRequest {
    typealias Response = ByteStream
    var path: URLPath { "archive" }
}

enum ArchiveFailure: Error { case damaged }

struct Checksum {
    private(set) var text = ""
    mutating func update(_ bytes: Data) { text = "\(bytes.count)" }
}

func readArchive(with client: any APIClient) async throws {
    var hash = Checksum()
    let archive = try await client.send(ArchiveRequest())
    for try await chunk in archive { hash.update(chunk) }
    guard archive.trailers["X-Checksum"] == hash.text else { throw ArchiveFailure.damaged }
}

struct TickerRequest: ShopRequest {
    typealias Response = ServerSentEvents
    var path: URLPath { "ticker" }
}

func prices(from client: any APIClient) -> JSONEvents<PriceChange> {
    client.events(for: TickerRequest()).decoded(as: PriceChange.self)
}

struct PriceChange: JSONResponse {
    let item: Int
    let price: Double
}

func watch() async throws {
    for try await event in URLSession.api.events(for: TickerRequest()) {
        print(event.id, event.data)
    }
}

nonisolated struct Readings: StreamedResponse {
    typealias Element = Double
    let bytes: ByteStream
    func element(from line: ByteStream.Line) -> Double? { Double(line.text) }
}

struct ReadingsRequest: ShopRequest {
    typealias Response = Readings
    var path: URLPath { "readings" }
}

@Suite struct StreamSnippets {
    /// The order of its protocols does not matter.
    @Test func resumableRequestKeepsFailure() {
        struct Reversed: ResumableRequest, ShopRequest {
            let download: ResumableDownload
            var path: URLPath { "map" }
        }
        #expect(MapRequest.Failure.self == ShopError.self)
        #expect(Reversed.Failure.self == ShopError.self)
        #expect(Reversed.Response.self == ResumableDownload.Response.self)
    }

    @Test func streamOfBytesInMemory() async throws {
        let stub = try StubClient().answering(
            ChatRequest.self,
            with: .events([.init(json: ChatChunk(text: "Hello")), .init(data: "[DONE]")]))
        let values = StubClient()
            .answering(ChatRequest.self, with: .model(JSONEvents([ChatChunk(text: "Hello")])))
        let text = "data: one\n\ndata: two\n\n"
        let events = try ServerSentEvents.process(data: Data(text.utf8))

        var texts: [String] = []
        for client in [stub, values] {
            for try await chunk in try await client.send(ChatRequest(prompt: "?")) { texts.append(chunk.text) }
        }
        for try await event in events { texts.append(event.data) }
        #expect(texts == ["Hello", "Hello", "one", "two"])
    }

    @Test func streamIsResumed() async throws {
        let stub = StubClient(clock: ManualClock(skippingSleep: true)).answering(
            TickerRequest.self,
            once: .events(
                [.init(data: #"{"item": 7, "price": 9.5}"#, id: "e1")],
                failingWith: TransportError(.connectionLost)),
            .events([.init(data: #"{"item": 7, "price": 9}"#, id: "e2")]),
            .status(204))
        var changes: [Double] = []
        for try await change in prices(from: stub) { changes.append(change.price) }
        #expect(changes == [9.5, 9])
        #expect(stub.requests.map { $0.headers[.lastEventID] } == [nil, "e1", "e2"])
    }

    @Test func failureOfAResumedStreamIsThatOfItsEndpoint() async throws {
        let stub = StubClient(.json(#"{"reason": "closed"}"#, status: 503))
        await #expect(throws: APIError<ShopError>.self) {
            for try await change in prices(from: stub) { Issue.record("\(change)") }
        }
    }

    @Test func downloadIsResumed() async throws {
        let destination = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).map")
        defer { _ = try? FileManager.default.removeItem(at: destination) }
        let stub = StubClient().answering(
            MapRequest.self,
            once: .stream(
                "Hello, ", failingWith: TransportError(.connectionLost),
                headers: [.eTag: #""1""#, "Content-Length": "12"]),
            .status(
                206, headers: [.eTag: #""1""#, "Content-Range": "bytes 7-11/12"],
                body: Data("world".utf8)))
        let request = MapRequest(download: ResumableDownload(to: destination))
        await #expect(throws: APIError<ShopError>.self) { try await stub.send(request) }
        _ = try await stub.send(request)
        #expect(try Data(contentsOf: destination) == Data("Hello, world".utf8))
        #expect(stub.requests.map { $0.headers[.range] } == [nil, "bytes=7-"])
    }

    @Test func progressIsPassedOn() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mov")
        try Data("film".utf8).write(to: file)
        defer { _ = try? FileManager.default.removeItem(at: file) }
        let (reports, continuation) = AsyncStream.makeStream(of: Int64.self)
        let progress = TransferProgress.Handler.anywhere { continuation.yield(Int64($0.bytesSent)) }
        try await putFilm(file, with: StubClient(.status(204)), progress: progress)
        continuation.finish()
        #expect(await reports.reduce(0, max) == 4)
    }

    @Test func customStreamFormat() async throws {
        let stub = StubClient(.status(200, body: Data("1.5\n\n2".utf8)))
        var readings: [Double] = []
        for try await reading in try await stub.send(ReadingsRequest()) { readings.append(reading) }
        #expect(readings == [1.5, 2])
    }

    @Test func fileAmongParametersCreatesForm() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jpg")
        try Data("jpeg".utf8).write(to: file)
        defer { _ = try? FileManager.default.removeItem(at: file) }
        let wire = try AddPhotoRequest(photo: file).httpRequest()
        #expect(wire.headers[.contentType]?.hasPrefix("multipart/form-data") == true)
        #expect(wire.body?.data == nil)
        #expect(try PutFilmRequest(file: file).httpRequest().body?.length == 4)
        let chunk = try PutChunkRequest(file: file, range: 1..<3).httpRequest().body
        #expect(try await chunk?.bytes.data(upTo: 10) == Data("pe".utf8))
    }
}
