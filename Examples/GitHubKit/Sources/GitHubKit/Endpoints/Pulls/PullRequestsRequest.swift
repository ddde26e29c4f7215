public import APIKit

/// The pull requests of a repository.
public struct PullRequestsRequest: GitHubRequest, PagedRequest {
    public typealias Response = [PullRequest]
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    public var state: StateFilter?
    /// Only into this branch.
    public var pullRequestBase: String?
    /// Only of this branch, such as `octocat:fix`.
    public var head: String?
    public var direction: Direction?
    public var perPage: Int?
    /// The page to request, if it is not the first one.
    public var pageLink: URL?

    public init(
        owner: String,
        repo: String,
        state: StateFilter? = nil,
        pullRequestBase: String? = nil,
        head: String? = nil,
        direction: Direction? = nil,
        perPage: Int? = nil,
        pageLink: URL? = nil
    ) {
        self.owner = owner
        self.repo = repo
        self.state = state
        self.pullRequestBase = pullRequestBase
        self.head = head
        self.direction = direction
        self.perPage = perPage
        self.pageLink = pageLink
    }

    public var path: URLPath { "repos/\(owner)/\(repo)/pulls" }
    public var parameters: Parameters {
        ["state": state, "base": pullRequestBase, "head": head, "direction": direction, "per_page": perPage]
    }

    public func next(after reply: APIReply<[PullRequest]>) -> Self? {
        next(setting: \.pageLink, to: reply.links[.next])
    }
}

public struct PullRequest: GitHubModel {
    public let id: Int64
    /// The number in the repository.
    public let number: Int
    public let title: String
    public let state: State
    /// The text, in Markdown.
    public let body: String?
    public let base: Branch
    public let head: Branch
    public let user: User?
    /// Whether it is a draft.
    public let draft: Bool?
    public let createdAt: Date
    public let mergedAt: Date?
    /// The page on GitHub.
    public let htmlURL: String

    public struct Branch: Decodable, Sendable {
        public let sha: String
        /// Owner and branch, such as `quietotter:fix`.
        public let label: String
        public let ref: String
    }
}
