// Prints GitHub's first users.
import APIKit

struct User: JSONResponse {
    let id: Int
    let login: String
}

struct UsersRequest: APIRequest {
    typealias Response = [User]
    var since: Int?
    var base: APIBase { "https://api.github.com" }
    var path: URLPath { "users" }
    var parameters: Parameters { ["since": since] }
}

let users = try await URLSession.api.send(UsersRequest(since: 46))
print(users)
