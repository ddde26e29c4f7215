import APIKit

struct CreateUserRequest: RecordedRequest, JSONRequest {
    typealias Response = User
    var age: Int
    var name: String
    var method: HTTPMethod { .post }
    var path: URLPath { "users" }
    var parameters: Parameters { ["age": age, "name": name] }
}
