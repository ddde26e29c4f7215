// expect: type 'Item' does not conform to protocol 'JSONResponse'
import APIKit

#if FAIL
struct Item: Codable { let id: Int }
#else
struct Item: JSONResponse, Codable { let id: Int }
#endif

struct ItemsRequest: APIRequest {
    typealias Response = [Item]
    var base: APIBase { "https://api.example.com" }
    var path: URLPath { "items" }
}
