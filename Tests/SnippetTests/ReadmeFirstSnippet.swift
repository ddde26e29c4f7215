// The first code of the README, which needs only this import, and the first body that it sends.

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

struct Repository: JSONResponse, JSONBody {
    var name: String
    var description: String?
}

struct CreateRepositoryRequest: APIRequest {
    typealias Response = Repository
    var repository: Repository
    var base: APIBase { "https://api.github.com" }
    var method: HTTPMethod { .post }
    var path: URLPath { "user/repos" }
    var body: RequestBody? { .json(repository) }
}
