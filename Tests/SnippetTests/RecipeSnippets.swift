import APIKit
import APIKitTesting
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif
#if canImport(Combine)
import Combine
#endif

// The code of the second half of the article Recipes, and of the article on decoding JSON, unchanged.

nonisolated struct SigningClient: WrappingClient {
    let base: any APIClient
    let host: String
    let sign: @Sendable (Data) -> String

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        guard request.url.host() == host else {
            return try await base.perform(request, in: call)
        }
        let path = request.url.path(percentEncoded: true)
        let query = request.url.query(percentEncoded: true) ?? ""
        var text = Data("\(request.method.rawValue)\n\(path)\n\(query)\n".utf8)
        if let body = request.body {
            text += try await body.bytes.data(upTo: 64 << 20)
        }
        var signed = request
        signed.headers["X-Signature"] = sign(text)
        return try await base.perform(signed, in: call)
    }
}

nonisolated struct WebhookReader {
    struct InvalidSignature: Error {}

    let sign: @Sendable (Data) -> String

    func read<Event: JSONResponse>(
        _ type: Event.Type, from body: Data, signature: String
    ) throws -> Event {
        guard isEqual(sign(body), signature) else { throw InvalidSignature() }
        return try Event.process(data: body)
    }

    private func isEqual(_ first: String, _ second: String) -> Bool {
        guard first.utf8.count == second.utf8.count else { return false }
        return zip(first.utf8, second.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

struct OrderShippedEvent: JSONResponse {
    let order: Int
}

struct Export: JSONResponse, Equatable {
    let file: String
}

struct ExportRequest: ShopRequest, LongRunningRequest {
    let id: Int
    typealias Response = NilIfAccepted<Export>
    typealias Output = Export
    var path: URLPath { "exports/\(id)" }
    func status(of reply: APIReply<Export?>) -> OperationStatus<Self> {
        guard let export = reply.model else { return .pending(self) }
        return .done(export)
    }
}

struct StartRenderRequest: ShopRequest, LongRunningRequest {
    let film: String
    typealias Response = NoContent
    var path: URLPath { "renders" }
    var method: HTTPMethod { .post }
    var parameters: Parameters { ["film": film] }
    func status(
        of reply: APIReply<NoContent>
    ) throws -> OperationStatus<RenderStateRequest> {
        guard let link = reply.operationLink else {
            throw ShopError(reason: "the server did not say where the state is")
        }
        return .pending(RenderStateRequest(requestLink: link))
    }
}

struct RenderState: JSONResponse {
    let status: String
    let film: URL?
}

struct RenderStateRequest: ShopRequest, LinkedRequest, LongRunningRequest, Codable {
    var requestLink: URL?
    typealias Response = RenderState
    typealias Output = URL
    var path: URLPath { "renders" }
    func status(of reply: APIReply<RenderState>) throws -> OperationStatus<Self> {
        if reply.model.status == "Failed" { throw ShopError(reason: "failed") }
        guard let film = reply.model.film else { return .pending(self) }
        return .done(film)
    }
}

/// Values in JSON, as a program stores them.
private actor Settings {
    private var values: [String: Data] = [:]

    func save(_ value: some Encodable & Sendable, for name: String) throws {
        values[name] = try JSONEncoder().encode(value)
    }

    func load<Value: Decodable & Sendable>(_ type: Value.Type, for name: String) throws -> Value? {
        try values[name].map { try JSONDecoder().decode(type, from: $0) }
    }
}

nonisolated extension HTTPResponse.Head {
    var remainingCalls: Int? { headers.integer("X-RateLimit-Remaining") }
}

nonisolated struct PriceList: APIResponse {
    let rows: [[Substring]]
    static var acceptedTypes: [MIMEType] { ["text/csv"] }
    static func process(data: Data) throws -> PriceList {
        let text = String(decoding: data, as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline)
        let rows = lines.map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        return PriceList(rows: rows)
    }
}

nonisolated struct Feed: APIResponse {
    let titles: [String]
    static var acceptedTypes: [MIMEType] { ["application/rss+xml"] }
    static func process(data: Data) throws -> Feed {
        let (parser, reader) = (XMLParser(data: data), TitleReader())
        parser.delegate = reader
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
        return Feed(titles: reader.titles)
    }
}

nonisolated final class TitleReader: NSObject, XMLParserDelegate {
    private(set) var titles: [String] = []
    private var text = ""
    func parser(_: XMLParser, foundCharacters text: String) { self.text += text }
    func parser(
        _: XMLParser, didStartElement: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        text = ""
    }
    func parser(_: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        if name == "title" { titles.append(text) }
    }
}

// MARK: - Decoding JSON

nonisolated struct OrderState: RawRepresentable, Hashable, Codable, ParameterValue {
    let rawValue: String

    static let open = OrderState(rawValue: "open")
    static let shipped = OrderState(rawValue: "shipped")
}

struct Holiday: JSONResponse {
    let name: String
    let day: DateOnly
    let updated: UnixDate
    let created: Date
}

struct Plugin: JSONResponse {
    let name: String
    let settings: JSONValue
}

nonisolated extension Plugin {
    var firstLanguage: String? { settings["languages"]?[0]?.string }
    static let defaultSettings: JSONValue = [
        "languages": ["en", "de"], "strict": true, "limit": .null,
    ]
}

struct Usage: JSONResponse, JSONBody, Equatable {
    let name: String
}

struct UsageRequest: ShopRequest {
    typealias Response = Extended<Usage, Double>
    var path: URLPath { "usage" }
}

nonisolated struct Comment: Codable, Equatable, Sendable { let text: String }

enum Notice: TaggedUnion, Equatable {
    case comment(Comment)
    case mention(user: String)
    case unknown(JSONValue)

    static var tagName: String { "kind" }
    static var unknownCase: String? { "unknown" }
}

struct NoticesRequest: ShopRequest {
    typealias Response = [Tagged<Notice>]
    var path: URLPath { "notices" }
}

func texts(of notices: [Tagged<Notice>]) -> [String] {
    notices.compactMap { notice in
        switch notice.value {
        case .comment(let comment): comment.text
        case .mention(let user): "\(user) has mentioned you"
        case .unknown: nil
        }
    }
}

nonisolated struct PriceRange: Codable, Equatable, Sendable { let from, to: Double }

nonisolated enum Price: Codable, Equatable, Sendable {
    case amount(Double)
    case range(PriceRange)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let amount = try? container.decode(Double.self) {
            self = .amount(amount)
        } else {
            self = .range(try container.decode(PriceRange.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .amount(let amount): try container.encode(amount)
        case .range(let range): try container.encode(range)
        }
    }
}

// MARK: - Recipes

#if DEBUG
extension StubClient {
    static var sample: StubClient {
        StubClient()
            .answering(SearchRequest.self, with: .model([Item(id: 7, name: "Lamp")]))
            .answering(
                .get, "/v2/shelves/*/items/*",
                with: .json(#"{"id": 7, "name": "Lamp"}"#))
    }
}
#endif

nonisolated struct Document: APIResponse, Equatable {
    let text: String
    let changed: Date?
    let keywords: [String]

    static func process(response: HTTPResponse) async throws -> Document {
        let headers = response.head.headers
        return Document(
            text: try await String.process(response: response),
            changed: headers.date(.lastModified), keywords: headers.list("X-Keywords"))
    }
}

nonisolated enum OrderFailure: APIResponse, Error, Equatable {
    struct Shortage: JSONResponse, Equatable { let available: Int }

    case shortage(Shortage)
    case paymentRequired
    case other(status: Int)

    static func process(response: HTTPResponse) async throws -> OrderFailure {
        switch response.head.status {
        case 402: .paymentRequired
        case 409: .shortage(try await Shortage.process(response: response))
        case let status: .other(status: status)
        }
    }
}

#if canImport(Combine)
nonisolated extension APIClient {
    func publisher<Request: APIRequest>(
        for request: Request
    ) -> AnyPublisher<Request.Response.Model, APIError<Request.Failure.Model>> {
        Deferred {
            var task: Task<Void, Never>?
            let future = Future<
                Request.Response.Model, APIError<Request.Failure.Model>
            > { promise in
                nonisolated(unsafe) let promise = promise
                task = start(request) { promise($0) }
            }
            return future.handleEvents(receiveCancel: { [task] in task?.cancel() })
        }
        .eraseToAnyPublisher()
    }
}
#endif

func alertText(for error: any Error) -> String? {
    guard let failure = error as? any APIFailure else {
        return "Something went wrong."
    }
    if failure.isCancellation { return nil }
    switch failure.transportCode {
    case .cannotConnect, .nameNotResolved: return "You seem to be offline."
    case .timedOut, .connectionLost: return "The connection is slow. Try again."
    default: break
    }
    switch failure.status {
    case 401: return "Please sign in again."
    case 429, 503: return "The service is busy. Try again in a minute."
    default: return "Something went wrong."
    }
}

func isOffline(_ error: any Error) -> Bool {
    let code = (error as? any APIFailure)?.transportCode
    return code == .cannotConnect || code == .nameNotResolved
}

@Suite struct RecipeSnippets {
    @Test func requestIsSignedAsItIsSent() async throws {
        let stub = StubClient(.json("{}"))
        let client = SigningClient(base: stub, host: "h") { $0.base64EncodedString() }
        let body = RequestBody.data(Data("a=1".utf8), contentType: "text/plain")
        _ = try await client.perform(HTTPRequest(method: .post, url: URL(string: "https://h/a%20b?c=d")!, body: body))
        let signed = Data("POST\n/a%20b\nc=d\na=1".utf8)
        #expect(stub.requests.first?.headers["X-Signature"] == signed.base64EncodedString())
        _ = try await client.perform(HTTPRequest(url: URL(string: "https://other.example")!))
        #expect(stub.requests.last?.headers["X-Signature"] == nil)
    }

    @Test func webhookIsReadIfItsSignatureIsRight() throws {
        let reader = WebhookReader { $0.base64EncodedString() }
        let body = Data(#"{"order": 7}"#.utf8)
        let signature = body.base64EncodedString()
        let event = try reader.read(OrderShippedEvent.self, from: body, signature: signature)
        #expect(event.order == 7)
        for wrong in ["", signature + "=", signature.lowercased()] {
            #expect(throws: WebhookReader.InvalidSignature.self) {
                try reader.read(OrderShippedEvent.self, from: body, signature: wrong)
            }
        }
    }

    @Test func resultIsAwaited() async throws {
        let clock = ManualClock(skippingSleep: true)
        let client = StubClient(clock: clock).answering(
            ExportRequest.self, once: .status(202, headers: [.retryAfter: "3600"]), .status(202),
            .json(#"{"file": "a.zip"}"#))
        let export = try await client.result(of: ExportRequest(id: 7), within: .seconds(7200))
        #expect(export == Export(file: "a.zip"))
        #expect(clock.elapsed == .seconds(3601))
    }

    @Test func operationWithoutItsLinkFails() async throws {
        let client = StubClient(.status(202))
        let error = await #expect(throws: APIError<ShopError>.self) {
            try await client.result(of: StartRenderRequest(film: "Up"))
        }
        #expect(error?.status == 202)
        #expect(client.requests.count == 1)
    }

    @Test func operationIsContinuedLater() async throws {
        let link = "https://shop.example.com/v2/states/7"
        let settings = Settings()
        let client = StubClient(clock: ManualClock(skippingSleep: true))
            .answering(StartRenderRequest.self, with: .status(202, headers: ["Operation-Location": link]))
            .answering(
                RenderStateRequest.self, once: .status(503),
                .json(#"{"status": "Succeeded", "film": "https://shop.example.com/films/1"}"#))
        await #expect(throws: APIError<ShopError>.self) {
            let film = try await client.result(of: StartRenderRequest(film: "Up")) { poll in
                try? await settings.save(poll, for: "render")
            }
            Issue.record("\(film)")
        }
        var film: URL?
        if let poll = try await settings.load(RenderStateRequest.self, for: "render") {
            film = try await client.result(of: poll)
        }
        #expect(film?.absoluteString == "https://shop.example.com/films/1")
        #expect(client.requests.last?.url.path() == "/v2/states/7")
    }

    @Test func rateLimitIsRead() {
        #expect(HTTPResponse.json("[]", headers: ["X-RateLimit-Remaining": "7"]).head.remainingCalls == 7)
    }

    @Test func otherFormatsAreRead() throws {
        #expect(try PriceList.process(data: Data("a,1\r\nb,\r\n".utf8)).rows == [["a", "1"], ["b", ""]])
        let feed = "<rss><channel><title>A &amp; B</title><item><title>C</title></item></channel></rss>"
        #expect(try Feed.process(data: Data(feed.utf8)).titles == ["A & B", "C"])
        #expect(throws: (any Error).self) { try Feed.process(data: Data("<rss></channel>".utf8)) }
    }

    @Test func datesInSeveralFormatsAreRead() throws {
        let text = #"{"name": "May Day", "day": "2025-05-01", "updated": 7, "created": "2025-01-01T00:00:00Z"}"#
        let holiday = try Holiday.process(data: Data(text.utf8))
        #expect(holiday.day == DateOnly(year: 2025, month: 5, day: 1))
        #expect(holiday.updated == UnixDate(Date(timeIntervalSince1970: 7)))
        #expect(holiday.created == Date(timeIntervalSince1970: 1_735_689_600))
    }

    @Test func anyJSONIsRead() throws {
        let text = #"{"name": "spelling", "settings": {"languages": ["fr"]}}"#
        #expect(try Plugin.process(data: Data(text.utf8)).firstLanguage == "fr")
        #expect(Plugin.defaultSettings["limit"] == .null)
    }

    @Test func additionalPropertiesAreReadAndWritten() async throws {
        let stub = StubClient(.json(#"{"name": "cpu", "user": 0.5, "system": 0.25}"#))
        let usage = try await stub.send(UsageRequest())
        #expect(usage == Extended(Usage(name: "cpu"), additional: ["user": 0.5, "system": 0.25]))
        #expect(usage.name == "cpu")
        #expect(RequestBody.json(usage).data == Data(#"{"name":"cpu","system":0.25,"user":0.5}"#.utf8))
    }

    @Test func headersArePutIntoAModel() async throws {
        let headers: HTTPHeaders = [.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", "X-Keywords": "a, b"]
        let response = HTTPResponse.status(200, headers: headers, body: Data("text".utf8))
        let changed = Date(timeIntervalSince1970: 784_111_777)
        #expect(
            try await Document.process(response: response)
                == Document(text: "text", changed: changed, keywords: ["a", "b"]))
    }

    @Test func failureDependsOnStatus() async throws {
        struct OrderRequest: APIRequest {
            typealias Response = NoContent
            typealias Failure = OrderFailure
            var base: APIBase { "https://shop.example" }
            var path: URLPath { "orders" }
        }
        let shortage = StubClient(.json(#"{"available": 2}"#, status: 409))
        do throws(APIError<OrderFailure>) {
            try await shortage.send(OrderRequest())
            Issue.record("no error")
        } catch .rejected(.shortage(let shortage)?, _) {
            #expect(shortage.available == 2)
        } catch {
            Issue.record(error)
        }
    }

    @Test func unionsAreRead() async throws {
        let json = #"[{"kind": "comment", "text": "Hi"}, {"kind": "mention", "user": "ada"}, {"kind": "like"}]"#
        let notices = try await StubClient { _ in .json(json) }.send(NoticesRequest())
        #expect(
            notices.map(\.value) == [.comment(Comment(text: "Hi")), .mention(user: "ada"), .unknown(["kind": "like"])])
        #expect(texts(of: notices) == ["Hi", "ada has mentioned you"])
    }

    @Test func unknownStateIsKept() throws {
        let data = Data(#"["open","lost"]"#.utf8)
        let states = try JSONReader().decode([OrderState].self, from: data)
        #expect(states == [.open, OrderState(rawValue: "lost")])
        #expect(try JSONEncoder.api.encode(states) == data)
        #expect(RequestBody.form(["state": states[1]]).data == Data("state=lost".utf8))
    }

    @Test func unionWithoutATagIsReadAndWritten() throws {
        let prices: [Price] = [.amount(9.5), .range(PriceRange(from: 5, to: 9))]
        let data = Data(#"[9.5,{"from":5,"to":9}]"#.utf8)
        #expect(try JSONReader().decode([Price].self, from: data) == prices)
        #expect(try JSONEncoder.api.encode(prices) == data)
    }

    #if DEBUG
    @Test func sampleClientAnswers() async throws {
        #expect(try await StubClient.sample.send(SearchRequest(text: "any")).map(\.name) == ["Lamp"])
        #expect(try await StubClient.sample.send(ItemRequest(shelf: "a", id: 7))?.name == "Lamp")
    }
    #endif

    @Test(
        arguments: [
            (APIError<ShopError>.cancelled, nil),
            (.transport(TransportError(.timedOut)), "The connection is slow. Try again."),
            (.transport(TransportError(.nameNotResolved)), "You seem to be offline."),
            (.rejected(nil, .json("{}", status: 401)), "Please sign in again."),
            (.rejected(nil, .json("{}", status: 500)), "Something went wrong."),
        ] as [(APIError<ShopError>, String?)])
    func errorHasATextForUsers(error: APIError<ShopError>, text: String?) {
        #expect(alertText(for: error) == text)
        #expect(alertText(for: CocoaError(.fileNoSuchFile)) == "Something went wrong.")
    }

    @Test func envelopeIsUnwrapped() throws {
        #expect(try PayEnvelope<[Int]>.process(data: Data(#"{"result": {"items": [1]}}"#.utf8)) == [1])
    }

    @Test func offlineIsTwoCodes() async {
        let stub = StubClient().answering(ExportRequest.self, with: .failure(TransportError(.nameNotResolved)))
        let error = await #expect(throws: APIError<ShopError>.self) { try await stub.send(ExportRequest(id: 7)) }
        #expect(error.map(isOffline) == true)
        #expect(!isOffline(CancellationError()))
    }

    @Test func endpointSendsItsProperties() {
        #expect(ExportRequest(id: 7).likelyMistakes() == [])
        #expect(UsersRequest(since: 46).likelyMistakes() == [])
    }
}
