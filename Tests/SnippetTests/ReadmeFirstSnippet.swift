// The first code of the README, which needs only this import.

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
    var parameters: Parameters { ["since": since, "per_page": 100] }
}
