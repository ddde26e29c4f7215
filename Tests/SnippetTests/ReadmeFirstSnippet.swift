// The first code of the README, which needs only this import.

import APIKit

struct User: JSONAPIResponse {
    let id: Int
    let login: String
}

struct UsersRequest { var since: Int? }

nonisolated extension UsersRequest: APIRequest {
    typealias Response = [User]
    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: URLPath { "users" }
    var parameters: Parameters { ["since": since, "per_page": 100] }
}
