import APIKit

struct GetUserRequest: RecordedRequest {
    typealias Response = User
    var id: Int
    var path: URLPath { "users/\(id)" }
}
