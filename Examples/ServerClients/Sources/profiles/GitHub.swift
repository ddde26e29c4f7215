// The endpoint that the server calls. In a file of its own, since Hummingbird has an `HTTPRequest`, `HTTPResponse` and
// `Parameters` too.

import APIKit

extension APIBase {
    /// A call ends before the server's shutdown is over.
    static let gitHub = APIBase(
        "https://api.github.com", headers: [.userAgent: "APIKit-Examples"],
        options: RequestOptions(timeout: .seconds(5), deadline: .seconds(10)))
}

/// https://docs.github.com/rest/users/users#get-a-user
struct UserRequest: APIRequest {
    var login: String
    typealias Response = NilIfNotFound<User>
    var base: APIBase { .gitHub }
    var path: URLPath { "users/\(login, name: "login")" }
}

struct User: JSONResponse {
    let login: String
    let name: String?
    let followers: Int
}

/// The token that the program was started with. Without one, requests are sent without a credential.
struct EnvironmentToken: CredentialSource {
    func credential() -> Credential? {
        ProcessInfo.processInfo.environment["GITHUB_TOKEN"].map { Credential.bearer($0) }
    }
}
