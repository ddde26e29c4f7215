import APIKit
import APIKitTesting
import Testing

// The code of the articles, unchanged. Scripts/texts compares the two, and Scripts/typecheck compiles
// these files as modules that are isolated to the main actor.

// MARK: - Getting started

struct Quote: JSONResponse {
    let text: String
    let author: String
}

struct QuoteRequest: APIRequest {
    var day = "today"
    typealias Response = Quote
    var base: APIBase { "https://quotes.example.com/v1" }
    var path: URLPath { "quotes/\(day)" }
}

struct NewQuote: JSONBody {
    let text: String
    let author: String
}

struct AddQuoteRequest: APIRequest {
    var quote: NewQuote
    typealias Response = Quote
    var base: APIBase { "https://quotes.example.com/v1" }
    var method: HTTPMethod { .post }
    var path: URLPath { "quotes" }
    var body: RequestBody? { .json(quote) }
}

struct ReplaceQuoteRequest: APIRequest {
    var id: Int
    var quote: NewQuote
    typealias Response = NoContent
    var base: APIBase { "https://quotes.example.com/v1" }
    var method: HTTPMethod { .put }
    var path: URLPath { "quotes/\(id)" }
    var body: RequestBody? { .json(quote) }
}

func addQuote() async throws {
    let new = NewQuote(text: "Less is more.", author: "Robert Browning")
    let added = try await URLSession.api.send(AddQuoteRequest(quote: new))
    print(added.text)
}

@MainActor func getStarted() async throws {
    let quote = try await URLSession.api.send(QuoteRequest())
    var label = quote.author
    let task = URLSession.api.start(QuoteRequest()) { result in
        label = (try? result.get().text) ?? "none today"
    }
    await task.value
    print(label)
}

nonisolated struct Shelf: Codable, Equatable {
    let number: Int
}

struct Lamp: JSONResponse, Equatable {
    let name: String
    let shelf: Shelf
    let size: Size

    struct Size: Codable, Equatable {
        let height: Int
    }
}

enum Wrapped<Content: Decodable & Sendable>: APIResponse {
    typealias Model = Content

    static func process(data: Data) throws -> Content {
        try JSON<Envelope>.process(data: data).response
    }

    private struct Envelope: Decodable, Sendable {
        let response: Content
    }
}

nonisolated struct Hours: Codable {
    let opens: Int
    let closes: Int
}

struct HoursRequest: APIRequest {
    typealias Response = Wrapped<[Hours]>
    var base: APIBase { "https://shop.example.com" }
    var path: URLPath { "hours" }
}

@MainActor final class CountingClient: WrappingClient {
    nonisolated let base: any APIClient
    private(set) var count = 0

    init(base: any APIClient) {
        self.base = base
    }

    @MainActor func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        count += 1
        return try await base.perform(request, in: call)
    }
}

// MARK: - Defining requests

struct LampsRequest: APIRequest {
    var color: String
    var limit: Int?

    typealias Response = [Item]
    var base: APIBase { "https://shop.example.com/v2" }
    var path: URLPath { "lamps" }
    var parameters: Parameters { ["color": color, "limit": limit] }
}

nonisolated extension APIBase {
    static let shop = APIBase(
        "https://shop.example.com/v2", query: ["version": "20261101"],
        parameterStyle: ParameterStyle(lists: .brackets))
}
nonisolated protocol ShopRequest: APIRequest {
    associatedtype Failure = ShopError
}
nonisolated extension ShopRequest {
    var base: APIBase { .shop }
}
struct ShopError: JSONResponse, Error {
    let reason: String
}

struct ItemRequest: ShopRequest {
    var shelf: String
    var id: Int

    typealias Response = NilIfNotFound<Item>
    var path: URLPath { "shelves/\(shelf)/items/\(id)" }
}

struct Item: JSONResponse, JSONBody, Equatable {
    var id: Int
    var name: String
}

struct NewItem: JSONBody {
    var name: String
    var price: Double?
}

struct CreateItemRequest: ShopRequest {
    var item: NewItem

    typealias Response = Item
    var method: HTTPMethod { .post }
    var path: URLPath { "items" }
    var body: RequestBody? { .json(item) }
}

struct ReplaceItemRequest: ShopRequest {
    var item: Item

    typealias Response = NoContent
    var method: HTTPMethod { .put }
    var path: URLPath { "items/\(item.id)" }
    var body: RequestBody? { .json(item) }
}

struct SearchRequest: ShopRequest {
    var text: String
    var tags: [String] = []
    var order: Order?

    enum Order: String, ParameterValue { case price, newest }

    typealias Response = [Item]
    var path: URLPath { "search" }
    var parameters: Parameters { ["q": text, "tags": tags, "order": order] }
}

struct AddItemRequest: ShopRequest, JSONRequest {
    var name: String
    var photo: URL?

    typealias Response = Item
    var method: HTTPMethod { .post }
    var path: URLPath { "items" }
    var parameters: Parameters {
        ["name": name, "links": .object(["photo": photo, "thumb": .null])]
    }
}

struct Line: ParameterValue {
    var item: Int
    var count = 1
    var parameterNode: Parameters.Node { .object(["item": item, "count": count]) }
}

struct OrderRequest: ShopRequest, JSONRequest {
    var lines: [Line]
    var coupon = ""

    typealias Response = NoContent
    var method: HTTPMethod { .post }
    var path: URLPath { "orders" }
    var parameters: Parameters {
        var parameters: Parameters = ["lines": lines]
        if !coupon.isEmpty { parameters.append(coupon, for: "coupon") }
        return parameters
    }
}

nonisolated protocol PayModel: JSONResponse, JSONBody {}
nonisolated extension PayModel {
    static var decoder: JSONReader { JSONReader(dates: .secondsSince1970) }
    static var encoder: JSONEncoder { payEncoder }
}
nonisolated let payEncoder = {
    let encoder = JSONEncoder.api
    encoder.dateEncodingStrategy = .secondsSince1970
    return encoder
}()

struct Payment: PayModel {
    var paidAt: Date
}

nonisolated protocol ShopModel: JSONResponse {}
nonisolated extension ShopModel {
    static var decoder: JSONReader {
        JSONReader(keys: .convertFromSnakeCase, dates: .secondsSince1970)
    }
}

nonisolated protocol LegacyModel: JSONResponse {}
nonisolated extension LegacyModel {
    static var decoder: JSONDecoder { .api }
}

struct LegacyPayment: LegacyModel {
    var paidAt: Date
}

struct Receipt: ShopModel, Equatable {
    var userId: Int
    var paidAt: Date
}

nonisolated protocol LedgerRequest: ShopRequest where Response: JSONResponse {
    var decoder: any DataDecoder { get set }
}
nonisolated extension LedgerRequest {
    func process(_ response: HTTPResponse) async throws -> Response {
        let data = try await Data.process(response: response)
        return try decoder.decode(Response.self, from: data)
    }
}

struct ReceiptRequest: LedgerRequest {
    typealias Response = Receipt
    let id: Int
    var decoder: any DataDecoder = JSONReader()
    var path: URLPath { "receipts/\(id)" }
}

nonisolated struct Ledger: Sendable {
    let client: any APIClient
    let decoder: any DataDecoder

    func send<R: LedgerRequest>(
        _ request: R
    ) async throws(APIError<R.Failure.Model>) -> R.Response {
        var request = request
        request.decoder = decoder
        return try await client.send(request)
    }
}

// MARK: - Handling errors

func handle(with client: any APIClient, show: (Item?) -> Void) async {
    do {
        let item = try await client.send(ItemRequest(shelf: "a", id: 7))
        show(item)
    } catch APIError<ShopError>.rejected(let error?, let response) {
        print(error.reason, response.head.status)
    } catch {
        print(error.localizedDescription)
    }
}

nonisolated enum Enveloped<Content: Decodable & Sendable>: APIResponse {
    typealias Model = Content

    static func process(data: Data) throws -> Content {
        if let failure = try? ShopError.process(data: data) { throw failure }
        return try JSON<Content>.process(data: data)
    }
}

func isWorthRetrying(_ error: any Error) -> Bool {
    guard let failure = error as? any APIFailure else { return false }
    return failure.status == 503 || failure.transportCode == .connectionLost
}

func mustLogIn(_ error: any Error) -> Bool {
    let failure = error as? any APIFailure
    let refresh = failure?.transportError?.underlying as? any APIFailure
    return failure?.status == 401 || refresh?.status == 401
}

func itemIfPresent(from client: any APIClient) async throws -> Item? {
    do {
        return try await client.send(ItemRequest(shelf: "a", id: 7))
    } catch APIError<ShopError>.rejected(_, let response)
        where response.head.status == 410
    {
        return nil
    } catch {
        throw error
    }
}

func itemOrNil(from client: any APIClient) async throws -> Item? {
    do {
        return try await client.send(ItemRequest(shelf: "a", id: 7))
    } catch {
        guard error.status == 410 else { throw error }
        return nil
    }
}

// MARK: - Writing a client

struct Authorized: WrappingClient {
    let base: any APIClient
    let token: String

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        var request = request
        request.headers[.authorization] = "Bearer \(token)"
        return try await base.perform(request, in: call)
    }
}

let client: any APIClient = Authorized(base: URLSession.api, token: "…")

struct OfflineClient: APIClient {
    var clock: any Clock<Duration> { ContinuousClock() }

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        throw TransportError(.cannotConnect, "the app is in offline mode")
    }
}

func searchInHurry(_ client: any APIClient) async throws -> [Item] {
    let items = try await client.send(
        SearchRequest(text: "Lamp"), options: RequestOptions(timeout: .seconds(5)))
    return items
}

extension APIClient {
    func items(matching text: String) async throws(APIError<ShopError>) -> [Item] {
        try await send(SearchRequest(text: text))
    }
}

// MARK: - URLSession

func makeClient() -> any APIClient {
    let configuration = URLSessionConfiguration.api
    configuration.httpAdditionalHeaders = ["User-Agent": "Shop/1.0"]
    let client = URLSession.api(configuration: configuration)
    return client
}

// MARK: - Compatibility

func text(for error: APIError<ShopError>) -> String {
    switch error {
    case .invalidRequest, .unreadable: "The app needs an update."
    case .transport: "The shop cannot be reached."
    case .rejected(let failure, _): failure?.reason ?? "The shop refused the request."
    case .cancelled: ""
    }
}

/// The other two enums that the article promises never to extend: a new case would not compile here.
func text(for patch: Patch<Int>) -> String {
    switch patch {
    case .keep: "keep"
    case .set(let value): "set \(value)"
    case .clear: "clear"
    }
}

func text(for delivery: ResponseBody.Delivery) -> String {
    switch delivery {
    case .data: "data"
    case .stream: "stream"
    case .file: "file"
    }
}

// MARK: - What runs

@Suite struct ArticleSnippets {
    @Test func codersOfAPI() throws {
        let body = try #require(RequestBody.json([Payment(paidAt: Date(timeIntervalSince1970: 60))]).data)
        #expect(String(decoding: body, as: UTF8.self) == #"[{"paidAt":60}]"#)
        #expect(try [Payment].process(data: body).first?.paidAt == Date(timeIntervalSince1970: 60))
    }

    @Test func decoderBelongsToAnInstance() async throws {
        let stub = StubClient(.json(#"{"userId": 7, "paidAt": "1970-01-01T00:01:00Z"}"#))
        let receipt = try await Ledger(client: stub, decoder: JSONReader()).send(ReceiptRequest(id: 1))
        #expect(receipt == Receipt(userId: 7, paidAt: Date(timeIntervalSince1970: 60)))
    }

    @Test func decodersOfModels() throws {
        let receipt = try Receipt.process(data: Data(#"{"user_id": 7, "paid_at": 60}"#.utf8))
        #expect(receipt == Receipt(userId: 7, paidAt: Date(timeIntervalSince1970: 60)))
    }

    @Test func valuesOfOnesOwn() throws {
        func body(_ order: OrderRequest) throws -> String? {
            try order.httpRequest().body?.data.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(try body(OrderRequest(lines: [Line(item: 7)])) == #"{"lines":[{"item":7,"count":1}]}"#)
        #expect(try body(OrderRequest(lines: [], coupon: "MAY")) == #"{"lines":[],"coupon":"MAY"}"#)
    }

    @Test @MainActor func mainActorClients() async throws {
        let body = #"{"response": [{"opens": 9, "closes": 17}]}"#
        let client = CountingClient(base: StubClient(.json(body)))
        #expect(try await client.send(HoursRequest()).first?.closes == 17)
        #expect(client.count == 1)
        let lamp = try Lamp.process(data: Data(#"{"name": "L", "shelf": {"number": 1}, "size": {"height": 2}}"#.utf8))
        #expect(lamp == Lamp(name: "L", shelf: Shelf(number: 1), size: Lamp.Size(height: 2)))
    }

    @Test func rejectedRefreshRequiresLogIn() async throws {
        let refused = APIError<ProblemDetails>.rejected(nil, .status(401))
        let error = await #expect(throws: APIError<ShopError>.self) {
            try await StubClient { _ in throw refused }.send(SearchRequest(text: "Lamp"))
        }
        #expect(error?.status == nil)
        #expect(mustLogIn(try #require(error)))
        let gone = StubClient(.json(#"{"reason": "sold"}"#, status: 410))
        #expect(try await itemIfPresent(from: gone) == nil)
        #expect(try await itemOrNil(from: gone) == nil)
        let full = StubClient(.json(#"{"reason": "full"}"#, status: 507))
        await #expect(throws: APIError<ShopError>.self) { try await itemIfPresent(from: full) }
        await #expect(throws: APIError<ShopError>.self) { try await itemOrNil(from: full) }
    }

    @Test func failureInEnvelopeIsRejection() async throws {
        let stub = StubClient(.json(#"{"reason": "closed"}"#))
        struct OpeningHours: ShopRequest {
            typealias Response = Enveloped<[Int]>
            var path: URLPath { "hours" }
        }
        let error = await #expect(throws: APIError<ShopError>.self) { try await stub.send(OpeningHours()) }
        guard case .rejected(let failure, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure?.reason == "closed")
        #expect(!isWorthRetrying(URLError(.badURL)))
    }
}

// MARK: - Writing an SDK

struct SDKOfASession {
    let client: any APIClient

    init(session: URLSession) {
        // Once for each session, since such a session lives until the process ends.
        client = URLSession.api(configuration: session.configuration)
    }
}
