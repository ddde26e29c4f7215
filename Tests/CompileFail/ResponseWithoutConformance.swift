// expect: type 'ItemRequest.Response' (aka 'Item') does not conform to protocol 'APIResponse'
import APIKit

#if FAIL
struct Item: Codable { let id: Int }
#else
struct Item: JSONResponse, Codable { let id: Int }
#endif

struct ItemRequest: APIRequest {
    typealias Response = Item
    var base: APIBase { "https://api.example.com" }
    var path: URLPath { "item" }
}
