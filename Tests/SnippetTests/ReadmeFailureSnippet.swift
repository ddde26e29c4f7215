// The code of the README about an API's failures.

import APIKit

struct GitHubError: JSONResponse { let message: String }

struct UserRequest: APIRequest {
    typealias Response = User
    typealias Failure = GitHubError
    var login: String
    var base: APIBase { "https://api.github.com" }
    var path: URLPath { "users/\(login)" }
}
