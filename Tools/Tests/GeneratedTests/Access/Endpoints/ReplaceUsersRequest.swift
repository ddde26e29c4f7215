import APIKit

/// Needs `.access(username:password:)` and `.access(jwt:)`.
struct ReplaceUsersRequest: AccessRequest {
    typealias Response = NoContent
    var base: APIBase { .accessAdmin }
    var method: HTTPMethod { .put }
    var path: URLPath { "users" }
}
