// APIKit, with its engine for this system.
import APIKit
import PeerSupport

struct Item: JSONResponse, JSONBody {
    let id: Int
    let name: String
    let price: Double
    let tags: [String]
    let isNew: Bool
}

struct ItemsRequest: APIRequest {
    typealias Response = [Item]
    let base: APIBase
    let count: Int
    var path: URLPath { "items" }
    var parameters: Parameters { ["count": count] }
}

struct CreateRequest: APIRequest {
    typealias Response = [Item]
    let base: APIBase
    let items: [Item]
    var method: HTTPMethod { .post }
    var path: URLPath { "create" }
    var body: RequestBody? { .json(items) }
}

struct Ours: Peer {
    private let base: APIBase

    init(server: URL) {
        base = APIBase(server)
    }

    func items(count: Int) async throws -> [Item] {
        try await URLSession.api.send(ItemsRequest(base: base, count: count))
    }

    func create(_ items: [Item]) async throws -> [Item] {
        try await URLSession.api.send(CreateRequest(base: base, items: items))
    }
}

try await Ours.measure()
