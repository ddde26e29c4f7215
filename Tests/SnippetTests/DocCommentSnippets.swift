import APIKit
import APIKitTesting
import Testing

// The code of the doc comments, unchanged. Scripts/texts compares the two, except for code with omissions.

// MARK: - Declarations

struct Subscription: JSONResponse, JSONBody {
    var subscribed: Bool
}

struct SubscribeRequest: APIRequest {
    typealias Response = Subscription
    var repository: String
    var subscription: Subscription
    var base: APIBase { "https://api.github.com" }
    var method: HTTPMethod { .put }
    var path: URLPath { "repos/\(segments: repository)/subscription" }
    var body: RequestBody? { .json(subscription) }
}

struct Logged: WrappingClient {
    let base: any APIClient

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let response = try await base.perform(request, in: call)
        print(response)
        return response
    }
}

struct Numbered: WrappingClient {
    let base: any APIClient
    let log: @Sendable (String) -> Void

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        log("\(request.method) \(call.pathTemplate ?? ""), attempt \(call.attempts + 1)")
        return try await base.perform(request, in: call)
    }
}

func performByHand(_ request: HTTPRequest, _ client: any APIClient) async throws -> HTTPResponse {
    let response = try await client.perform(request, in: Call(clock: client.clock))
    return response
}

func performFoundationsRequest(_ urlRequest: URLRequest, _ client: any APIClient) async throws -> HTTPResponse {
    let response = try await client.perform(HTTPRequest(urlRequest))
    return response
}

func replaceParameters(_ parameters: inout Parameters) {
    parameters["per_page"] = 20
    parameters["since"] = nil
}

struct InvoiceFileRequest: ShopRequest, LinkedRequest {
    var requestLink: URL?
    typealias Response = DownloadedFile
    var path: URLPath { "" }
}

struct Render: JSONResponse {
    enum Status: String, Decodable { case queued, running, succeeded, failed }
    let id: String
    let status: Status
}

struct RenderRequest: ShopRequest, LongRunningRequest {
    let film: String
    typealias Response = Render
    var path: URLPath { "renders" }
    var method: HTTPMethod { .post }
    var parameters: Parameters { ["film": film] }
    func status(of reply: APIReply<Render>) -> OperationStatus<RenderStatusRequest> {
        .pending(RenderStatusRequest(id: reply.model.id))
    }
}

struct RenderStatusRequest: ShopRequest, LongRunningRequest {
    let id: String
    typealias Response = Render
    var path: URLPath { "renders/\(id)" }
    func status(of reply: APIReply<Render>) throws -> OperationStatus<Self> {
        switch reply.model.status {
        case .succeeded: return .done(reply.model)
        case .failed: throw ShopError(reason: "the film cannot be rendered")
        case .queued, .running: return .pending(self)
        }
    }
}

actor RenderStore {
    private(set) var ids: [String] = []
    func save(_ id: String) { ids.append(id) }
}

func renderFilm(_ client: any APIClient, store: RenderStore) async throws -> Render {
    let request = RenderRequest(film: "Up")
    let render = try await client.result(of: request, within: .seconds(600)) { poll in
        await store.save(poll.id)
    }
    return render
}

nonisolated struct ChatCompletion: JSONResponse {
    let text: String
}

nonisolated enum ChatEvent: EventModel {
    case delta(ChatChunk)
    case completion(ChatCompletion)

    static var rules: EventRules<ChatEvent> {
        EventRules(
            [
                "delta": .decoded { .delta($0) },
                "message": .decoded { .completion($0) },
            ],
            end: .type("stop"), failure: .member("error"))
    }
}

func performInCallOfItsOwn(_ url: URL, _ client: any APIClient) async throws -> HTTPResponse {
    let response = try await client.perform(HTTPRequest(url: url))
    return response
}

func timedClient(_ clock: any Clock<Duration>) -> any APIClient {
    let client = URLSession.api.timed(by: clock).retrying()
    return client
}

nonisolated protocol GitHubModel: JSONResponse {}
nonisolated extension GitHubModel {
    static var decoder: JSONReader { JSONReader(keys: .convertFromSnakeCase) }
}

func readUsers(_ data: Data) throws {
    let users = try JSONReader(keys: .convertFromSnakeCase).decode([User].self, from: data)
    _ = users
}

nonisolated struct Cat: Codable, Hashable, Sendable { let name: String }
nonisolated struct Dog: Codable, Hashable, Sendable { let name: String }

enum Pet: TaggedUnion, Hashable {
    case cat(Cat)
    case dog(Dog)
    case other(JSONValue)

    static var tagName: String { "kind" }
    static var unknownCase: String? { "other" }
}

struct Owner: JSONResponse {
    let pets: [Tagged<Pet>]
}

enum Shape: TaggedUnion {
    case circle(radius: Double)
    case square(side: Double)

    enum CodingKeys: String, CodingKey {
        case circle = "shape.circle"
        case square = "shape.square"
    }
    static var tagName: String { "type" }
}

nonisolated struct PayEnvelope<Content: Decodable & Sendable>: JSONEnvelope {
    struct Result: Decodable, Sendable { let items: Content }
    let result: Result
    var content: Content { result.items }
}

nonisolated struct Coordinate {
    var latitude: Double
    var longitude: Double
}

nonisolated extension Coordinate: ParameterValue {
    var parameterNode: Parameters.Node { "\(latitude),\(longitude)".parameterNode }
}

struct IssueRequest: APIRequest {
    typealias Response = NoContent
    var owner: String
    var name: String
    var number: Int
    var lastSync: Date?
    var ids: [Int] = []
    var base: APIBase { "https://api.github.com" }
    var path: URLPath { "repos/\(owner)/\(name)/issues/\(number)" }
    var headers: HTTPHeaders {
        [.accept: "text/csv", "X-Version": 3, .ifModifiedSince: lastSync, "X-Ids": ids]
    }
    var options: RequestOptions {
        RequestOptions(timeout: .seconds(10), deadline: .seconds(30))
    }
}

nonisolated struct NewIssue: JSONBody { let title: String }

struct NewIssueRequest: APIRequest {
    typealias Response = NoContent
    var title: String
    var base: APIBase { "https://api.github.com" }
    var method: HTTPMethod { .post }
    var path: URLPath { "issues" }
    var body: RequestBody? { .json(NewIssue(title: title)) }
}

extension ContentError.Code {
    static let invalidXML = Self(rawValue: "invalidXML")
}

struct SortedRequest: APIRequest {
    enum Sort: String, ParameterValue { case created }

    typealias Response = NoContent
    var since: Int?
    var base: APIBase { "https://api.github.com" }
    var path: URLPath { "sorted" }
    var parameters: Parameters {
        ["since": since, "per_page": 100, "sort": Sort.created, "tags": ["a", "b"]]
    }
}

struct FilteredRequest: APIRequest {
    nonisolated struct Filter: Encodable { var color: String }

    typealias Response = NoContent
    var filter: Filter
    var base: APIBase { "https://api.example.com" }
    var path: URLPath { "filtered" }
    var parameters: Parameters { Parameters(encoding: filter) }
}

struct CaptionedPhotoRequest: APIRequest {
    typealias Response = NoContent
    var caption: String
    var jpeg: Data
    var base: APIBase { "https://api.example.com" }
    var method: HTTPMethod { .post }
    var path: URLPath { "photos" }
    var parameters: Parameters {
        ["caption": caption, "photo": FilePart(jpeg, filename: "beach.jpg")]
    }
    var body: RequestBody? { .multipart(MultipartForm(parameters, style: base.parameterStyle)) }
}

struct FormRequest: APIRequest {
    typealias Response = NoContent
    var jpeg: Data
    var base: APIBase { "https://api.example.com" }
    var method: HTTPMethod { .post }
    var path: URLPath { "photos" }
    var body: RequestBody? {
        var form = MultipartForm()
        form.append("Beach", for: "title")
        form.append(FilePart(jpeg, filename: "beach.jpg"), for: "photo")
        return .multipart(form)
    }
}

func snakeCaseEncoder() -> JSONEncoder {
    let encoder = JSONEncoder.api
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return encoder
}

func snakeCaseDecoder() -> JSONDecoder {
    let decoder = JSONDecoder.api
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
}

struct RowsRequest: APIRequest {
    nonisolated struct Rows: AsyncSequence, AsyncIteratorProtocol, Sendable {
        func makeAsyncIterator() -> Rows { self }
        @concurrent mutating func next() async throws -> Int? { nil }
    }

    typealias Response = NoContent
    var rows = Rows()
    var base: APIBase { "https://api.example.com" }
    var method: HTTPMethod { .post }
    var path: URLPath { "rows" }
    var body: RequestBody? {
        .stream(length: nil, contentType: "text/csv") { rows.map { Data("\($0)\n".utf8) } }
    }
}

struct ChunkRequest: APIRequest {
    typealias Response = NoContent
    var film: URL
    var base: APIBase { "https://api.example.com" }
    var method: HTTPMethod { .put }
    var path: URLPath { "film" }
    var body: RequestBody? {
        .file(film, range: 0..<8_388_608, contentType: .octetStream)
    }
}

struct PlacedFilmRequest: APIRequest {
    typealias Response = DownloadedFile
    var destination: URL
    var base: APIBase { "https://films.example.com" }
    var path: URLPath { "film.mp4" }
    func process(_ response: HTTPResponse) async throws -> DownloadedFile {
        try await DownloadedFile.process(response: response).move(to: destination)
    }
}

// MARK: - Calls

struct LogRequest: ShopRequest {
    typealias Response = TextLines
    var path: URLPath { "log" }
}

struct FirmwareRequest: ShopRequest {
    typealias Response = ByteStream
    var path: URLPath { "firmware" }
}

struct ChangesRequest: ShopRequest {
    typealias Response = JSONLines<Item>
    var path: URLPath { "changes" }
}

struct ByteCount {
    var count = 0
    mutating func update(_ data: Data) { count += data.count }
}

@Suite struct DocCommentSnippets {
    @Test func requests() async throws {
        let wire = try UsersRequest(since: 46).httpRequest()
        let url = wire.url.absoluteString
        #expect(url == "https://api.github.com/users?since=46&per_page=100")
        #expect(Coordinate(latitude: 1, longitude: 2).parameterNode == "1.0,2.0".parameterNode)
    }

    /// Compiled, not run.
    func models(client: any APIClient, fixture: Data) async throws {
        do {
            let users = try await client.send(UsersRequest(since: 46))
            print(users)
        }
        do {
            let users = try UsersRequest.Response.process(data: fixture)
            print(users)
        }
        do {
            let users = try await URLSession.api.send(UsersRequest())
            print(users)
        }
    }

    /// Compiled, not run.
    func timed(by clock: ManualClock) {
        let client = URLSession.api.timed(by: clock).retrying()
        print(client)
    }

    /// Compiled, not run.
    func streams(client: any APIClient, prompt: String, show: (String) -> Void, apply: (Item) -> Void) async throws {
        var hash = ByteCount()
        for try await event in client.events(for: TickerRequest()) { show(event.data) }
        for try await event in try await client.send(TickerRequest()) { print(event.data) }
        for try await chunk in try await client.send(ChatRequest(prompt: prompt)) {
            show(chunk.text)
        }
        let events = client.events(for: TickerRequest())
        for try await chunk in events.decoded(as: ChatChunk.self) {
            show(chunk.text)
        }
        for try await line in try await client.send(LogRequest()) { print(line) }
        for try await chunk in try await client.send(FirmwareRequest()) { hash.update(chunk) }
        for try await change in try await client.send(ChangesRequest()) { apply(change) }
    }

    /// Compiled, not run.
    func files(client: any APIClient, destination: URL, folder: URL) async throws {
        do {
            struct FilmRequest: ShopRequest {
                typealias Response = DownloadedFile
                var path: URLPath { "film" }
            }
            let film = try await client.send(FilmRequest())
            try film.move(to: folder.appending(path: film.suggestedFilename ?? "film.mp4"))
        }
        do {
            struct ReportRequest: ShopRequest {
                typealias Response = Data
                var path: URLPath { "report" }
            }
            let reply = try await client.reply(to: ReportRequest())
            let name = reply.head.suggestedFilename ?? "report.pdf"
            try reply.model.write(to: folder.appending(path: name))
        }
        do {
            struct FilmRequest: ResumableRequest {
                let download: ResumableDownload
                var base: APIBase { "https://films.example.com" }
                var path: URLPath { "film.mp4" }
            }
            let request = FilmRequest(download: ResumableDownload(to: destination))
            let film = try await client.send(request)
            print(film)
        }
    }
}

enum FormOfTwoKinds {
    struct Photo: JSONResponse {
        let id: Int
    }

    struct AddPhotoRequest: MultipartRequest {
        typealias Response = Photo
        var title: String
        var photo: FilePart?
        var base: APIBase { "https://api.example.com" }
        var path: URLPath { "photos" }
        var method: HTTPMethod { .post }
        var parameters: Parameters { ["title": title, "photo": photo] }
    }
}

enum DatesOfTwoFormats {
    struct Item: JSONResponse {
        let created: Date  // 2026-11-20T18:30:00Z, as the decoder reads dates
        let expires: UnixDate  // 1795199400
    }
}

struct Video: JSONResponse { let viewCount: Quoted<Int64> }
