// expect: type 'Item' does not conform to protocol 'JSONAPIResponse'
import APIKit

#if FAIL
struct Item: Codable { let id: Int }
#else
struct Item: JSONAPIResponse, Codable { let id: Int }
#endif

struct ItemsRequest: APIRequest {
    typealias Response = [Item]
    var baseURL: URL { URL(string: "https://api.example.com")! }
    var path: URLPath { "items" }
}
