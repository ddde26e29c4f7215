import APIKit

/// Needs `.access(username:password:)` and `.access(adminKey:)`, or the cookie sid, or `.access(bot:)`.
struct DeleteUserRequest: AccessRequest {
    typealias Response = NoContent
    var method: HTTPMethod { .delete }
    var path: URLPath { "users" }
}
