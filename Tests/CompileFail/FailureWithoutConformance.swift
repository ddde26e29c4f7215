// expect: type 'ItemRequest.Failure' (aka 'Problem') does not conform to protocol 'APIResponse'
import APIKit

#if FAIL
struct Problem: Codable { let message: String }
#else
struct Problem: JSONResponse, Codable { let message: String }
#endif

struct ItemRequest: APIRequest {
    typealias Response = String
    typealias Failure = Problem
    var base: APIBase { "https://api.example.com" }
    var path: URLPath { "item" }
}
