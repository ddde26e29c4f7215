// expect: type 'ItemRequest.Failure' (aka 'Problem') does not conform to protocol 'APIResponse'
import APIKit

#if FAIL
struct Problem: Codable { let message: String }
#else
struct Problem: JSONAPIResponse, Codable { let message: String }
#endif

struct ItemRequest: APIRequest {
    typealias Response = String
    typealias Failure = Problem
    var baseURL: URL { URL(string: "https://api.example.com")! }
    var path: URLPath { "item" }
}
