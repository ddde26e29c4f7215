import APIKit

struct UserRequest: RecordedRequest {
    typealias Response = User
    var id: Int

    var path: URLPath { "users/\(id)" }
}
