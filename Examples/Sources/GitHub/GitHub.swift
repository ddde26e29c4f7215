import APIKitClients
public import APIKitCore

// A module of endpoints, which needs APIKitCore, APIKitClients for the links of pages, and no particular engine. Two
// programs use it unchanged, one over URLSession and one over async-http-client.

// MARK: - Once per API: its address, the headers of every request, and how it reports failure

// (`nonisolated` is for modules isolated to the main actor, as new app projects are; elsewhere it changes nothing.)

/// What all endpoints of GitHub have in common.
public nonisolated protocol GitHubRequest: APIRequest {
    associatedtype Failure = GitHubError
}

public nonisolated extension GitHubRequest {
    var base: APIBase { .gitHub }
}

nonisolated extension APIBase {
    static let gitHub = APIBase(
        "https://api.github.com",
        headers: [
            .accept: "application/vnd.github+json",
            .userAgent: "APIKit-Examples",
            "X-GitHub-Api-Version": "2022-11-28",
            .authorization: ProcessInfo.processInfo.environment["GITHUB_TOKEN"].map { "Bearer \($0)" },
        ])
}

/// The body of a response that reports a failure.
public struct GitHubError: JSONResponse {
    /// GitHub's explanation.
    public let message: String
}

/// The error that a request to GitHub throws.
public typealias GitHubFailure = APIError<GitHubError>

// MARK: - Once per endpoint: its parameters and its response

/// https://docs.github.com/rest/users/users#list-users
struct UsersRequest: GitHubRequest {
    var since: Int?
    var count = 10

    typealias Response = [User]
    var path: URLPath { "users" }
    var parameters: Parameters { ["since": since, "per_page": count] }
}

/// https://docs.github.com/rest/users/users#get-a-user
struct UserRequest: GitHubRequest {
    var login: String
    typealias Response = User
    var path: URLPath { "users/\(login)" }
}

/// The issues of a repository, a page at a time: for ``APIClient/items(of:options:pageLimit:prefetching:)``.
///
/// https://docs.github.com/rest/issues/issues#list-repository-issues
public struct IssuesRequest: GitHubRequest, PagedRequest {
    /// The owner and the name, such as `mojombo/grit`.
    public var repository: String
    /// `open`, `closed` or `all`.
    public var state: String
    /// A label that the issues have.
    public var label: String?
    /// The page; GitHub names the next one in a `Link` header.
    public var pageLink: URL?
    /// A page of issues, the newest first.
    public typealias Response = [Issue]

    /// Creates the request for the first page.
    public init(repository: String, state: String = "open", label: String? = nil) {
        self.repository = repository
        self.state = state
        self.label = label
    }

    /// The list of a repository's issues.
    public var path: URLPath { "repos/\(segments: repository)/issues" }
    /// The filters, and how many issues a page has.
    public var parameters: Parameters { ["state": state, "labels": label, "per_page": 30] }

    /// The page that the `Link` header names.
    public func next(after reply: APIReply<[Issue]>) -> IssuesRequest? {
        next(setting: \.pageLink, to: reply.links[.next])
    }
}

/// A user of GitHub.
public struct User: JSONResponse {
    /// The number that lists of users are ordered by.
    public let id: Int
    /// The name in URLs.
    public let login: String
    /// `User` or `Organization`.
    public let type: String
    /// The user's page.
    public let htmlURL: URL
    /// The name to show; not part of lists.
    public let name: String?
    /// The number of followers; not part of lists.
    public let followers: Int?

    enum CodingKeys: String, CodingKey {
        case id
        case login
        case type
        case htmlURL = "html_url"
        case name
        case followers
    }
}

/// An issue of a repository.
public struct Issue: JSONResponse {
    /// The number within the repository.
    public let number: Int
    /// What it is about.
    public let title: String
    /// `open` or `closed`.
    public let state: String
    /// The labels.
    public let labels: [Label]

    /// A label of an issue.
    public struct Label: Decodable, Sendable {
        /// The name.
        public let name: String
    }
}

// MARK: - The module's interface, for any client: a session, a stub, or clients around them

extension APIClient {
    /// Returns up to ten users, in the order of their ids, after the given one.
    public func users(since: Int? = nil) async throws(GitHubFailure) -> [User] {
        try await send(UsersRequest(since: since))
    }

    /// Returns the user with this login.
    public func user(_ login: String) async throws(GitHubFailure) -> User {
        try await send(UserRequest(login: login))
    }
}
