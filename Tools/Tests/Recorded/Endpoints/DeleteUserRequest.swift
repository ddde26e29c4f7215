import APIKit

struct DeleteUserRequest: RecordedRequest {
    typealias Response = NoContent
    var id: Int

    var method: HTTPMethod { .delete }
    var path: URLPath { "users/\(id)" }
}
