// expect: type 'UsersRequest' does not conform to protocol '_APIRequest'
import APIKit

struct UsersRequest: APIRequest {
    #if !FAIL
    typealias Response = NoContent
    #endif
    var base: APIBase { "https://api.example.com" }
    var path: URLPath { "users" }
}
