import APIKit

struct CreateUserRequest: RecordedRequest, JSONRequest {
    typealias Response = User
    var name: String
    var age: Int

    var method: HTTPMethod { .post }
    var path: URLPath { "users" }
    var parameters: Parameters { ["name": name, "age": age] }
}
