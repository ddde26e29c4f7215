// expect: the model is no sequence: name its list, as in `items(of: …, in: \.list)`
import APIKit

struct Items: JSONResponse { let list: [Int] }

struct ItemsRequest: PagedRequest {
    typealias Response = Items
    var cursor: String?
    var base: APIBase { "https://api.example.com" }
    var path: URLPath { "items" }
    func next(after reply: APIReply<Items>) -> Self? { nil }
}

func read(_ client: any APIClient) async throws {
    #if FAIL
    for try await item in client.items(of: ItemsRequest()) { print(item) }
    #else
    for try await item in client.items(of: ItemsRequest(), in: \.list) { print(item) }
    #endif
}
