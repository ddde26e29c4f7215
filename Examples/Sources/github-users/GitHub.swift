import APIKitFoundation

// Written once for the API: where it is, what every request says, and how it reports failure. (`nonisolated` is for
// modules isolated to the main actor, as new app projects are; elsewhere it changes nothing.)

nonisolated protocol GitHubRequest: APIRequest {
    associatedtype Failure = GitHubError
}

nonisolated extension GitHubRequest {
    var baseURL: URL { URL(string: "https://api.github.com")! }  // a valid literal
    var defaultHeaders: HTTPHeaders {
        [
            .accept: "application/vnd.github+json",
            .userAgent: "APIKit-Examples",
            "X-GitHub-Api-Version": "2022-11-28",
            .authorization: ProcessInfo.processInfo.environment["GITHUB_TOKEN"].map { "Bearer \($0)" },
        ]
    }
}

struct GitHubError: JSONAPIResponse {
    let message: String
}

typealias GitHubFailure = APIError<GitHubError>

// Written once for each endpoint: what it takes, and what comes back.

/// https://docs.github.com/rest/users/users#list-users
struct UsersRequest: GitHubRequest {
    typealias Response = [User]
    var since: Int?
    var count = 10
    var path: URLPath { "users" }
    var parameters: Parameters { ["since": since, "per_page": count] }
}

/// https://docs.github.com/rest/users/users#get-a-user
struct UserRequest: GitHubRequest {
    typealias Response = User
    var login: String
    var path: URLPath { "users/\(login)" }
}

struct User: JSONAPIResponse {
    let id: Int
    let login: String
    let type: String
    let htmlURL: URL
    let name: String?
    let followers: Int?

    enum CodingKeys: String, CodingKey {
        case id
        case login
        case type
        case htmlURL = "html_url"
        case name
        case followers
    }
}

// A vocabulary of the API's own, for any client: a session, a stub, or clients around them.

extension APIClient {
    func users(since: Int? = nil) async throws(GitHubFailure) -> [User] {
        try await send(UsersRequest(since: since))
    }

    func user(_ login: String) async throws(GitHubFailure) -> User {
        try await send(UserRequest(login: login))
    }
}
