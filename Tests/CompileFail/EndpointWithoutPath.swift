// expect: type 'UsersRequest' does not conform to protocol 'APIRequest'
import APIKit

struct UsersRequest: APIRequest {
    typealias Response = NoContent
    var base: APIBase { "https://api.example.com" }
    #if FAIL
    var path: String { "users" }
    #else
    var path: URLPath { "users" }
    #endif
}
