import APIKitFoundation
import Testing

// The articles' code, as it stands there. Scripts/snippets compares the two.

// MARK: - Getting started

struct Quote: JSONAPIResponse {
    let text: String
    let author: String
}

struct QuoteRequest: APIRequest {
    typealias Response = Quote
    var baseURL: URL { URL(string: "https://quotes.example.com/v1")! }
    var path: URLPath { "quotes/today" }
}

@MainActor func getStarted() async throws {
    let quote = try await URLSession.api.send(QuoteRequest())
    var label = quote.author
    let task = URLSession.api.start(QuoteRequest()) { result in
        label = (try? result.get().text) ?? "none today"
    }
    await task.finished()
    print(label)
}

// MARK: - Defining requests

struct Item: JSONAPIResponse, Codable, Equatable {
    var id: Int
    var name: String
}

nonisolated protocol ShopRequest: APIRequest {
    associatedtype Failure = ShopError
}
nonisolated extension ShopRequest {
    var baseURL: URL { URL(string: "https://shop.example.com/v2")! }
    var standardQuery: Parameters { ["version": "20261101"] }
    var parameterStyle: ParameterStyle { ParameterStyle(lists: .brackets) }
}
struct ShopError: JSONAPIResponse, Error {
    let reason: String
}

struct ItemRequest: ShopRequest {
    typealias Response = Found<Item>
    var shelf: String
    var id: Int
    var path: URLPath { "shelves/\(shelf)/items/\(id)" }
}

struct SearchRequest: ShopRequest {
    enum Order: String, ParameterValue { case price, newest }

    typealias Response = [Item]
    var text: String
    var tags: [String] = []
    var order: Order?
    var path: URLPath { "search" }
    var parameters: Parameters { ["q": text, "tags": tags, "order": order] }
}

struct AddItemRequest: ShopRequest, JSONAPIRequest {
    typealias Response = Item
    var name: String
    var photo: URL?
    var method: HTTPMethod { .post }
    var path: URLPath { "items" }
    var parameters: Parameters { ["name": name, "links": .object(["photo": photo, "thumb": .null])] }
}

struct ReplaceItemRequest: ShopRequest {
    typealias Response = NoContent
    var item: Item
    var method: HTTPMethod { .put }
    var path: URLPath { "items/\(item.id)" }
    var body: RequestBody? { .json(item) }
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

// MARK: - Writing a client

struct Authorized: APIClient {
    let base: any APIClient
    let token: String

    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        if request.url.host == "shop.example.com" { request.headers[.authorization] = "Bearer \(token)" }
        return try await base.perform(request)
    }
}

let client: any APIClient = Authorized(base: URLSession.api, token: "…")

extension APIClient {
    func items(matching text: String) async throws(APIError<ShopError>) -> [Item] {
        try await send(SearchRequest(text: text))
    }
}

// MARK: - URLSession

func makeSession() -> URLSession {
    let configuration = URLSessionConfiguration.api
    configuration.httpAdditionalHeaders = ["User-Agent": "Shop/1.0"]
    let session = URLSession.api(configuration: configuration)
    return session
}

// MARK: - Testing without a network

@Suite struct ArticleSnippets {
    @Test func mapping() throws {
        let wire = try SearchRequest(text: "red & blue", tags: ["a", "b"]).httpRequest()
        #expect(wire.url.query == "version=20261101&q=red%20%26%20blue&tags%5B%5D=a&tags%5B%5D=b")

        let items = try SearchRequest.Response.process(data: Data(#"[{"id": 7, "name": "Lamp"}]"#.utf8))
        #expect(items == [Item(id: 7, name: "Lamp")])
    }

    @Test func stub() async throws {
        let stub = StubClient(.json(#"{"reason": "closed"}"#, status: 503))
            .answering(SearchRequest.self) { request in [Item(id: 1, name: request.text)] }

        let items = try await stub.send(SearchRequest(text: "Lamp"))
        #expect(items.map(\.name) == ["Lamp"])
        #expect(await stub.requests(of: SearchRequest.self).first?.text == "Lamp")

        await #expect(throws: APIError<ShopError>.self) { try await stub.send(AddItemRequest(name: "Chair")) }
    }

    @Test func anEnvelopeThatHoldsAFailureIsARejection() async throws {
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
