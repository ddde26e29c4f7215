import APIKit

/// Needs `.access(username:password:)` and `.access(adminKey:)`, or the cookie sid, or `.access(bot:)`.
struct UsersRequest: AccessRequest {
    typealias Response = NoContent
    var path: URLPath { "users" }
}
