public import APIKit

/// The pull requests of a repository.
public struct PullRequestsRequest: GitHubRequest, PagedRequest {
    /// The response.
    public typealias Response = [PullRequest]
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// The state.
    public var state: StateFilter?
    /// Only into this branch.
    public var pullRequestBase: String?
    /// Only of this branch, such as `octocat:fix`.
    public var head: String?
    /// In which direction the results are sorted.
    public var direction: Direction?
    /// The number of items on a page.
    public var perPage: Int?
    /// The link to a page, if it is not the first.
    public var pageLink: URL?

    /// Creates a value.
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

    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/pulls" }
    /// The parameters.
    public var parameters: Parameters {
        ["state": state, "base": pullRequestBase, "head": head, "direction": direction, "per_page": perPage]
    }

    /// The request for the next page.
    public func next(after reply: APIReply<[PullRequest]>) -> Self? {
        next(setting: \.pageLink, to: reply.links[.next])
    }
}

/// The pull.
public struct PullRequest: GitHubModel {
    /// The ID.
    public let id: Int64
    /// The number in the repository.
    public let number: Int
    /// The title.
    public let title: String
    /// The state.
    public let state: State
    /// The text, in Markdown.
    public let body: String?
    /// The API.
    public let base: Branch
    /// The head.
    public let head: Branch
    /// The user.
    public let user: User?
    /// Whether it is a draft.
    public let draft: Bool?
    /// When it was created.
    public let createdAt: Date
    /// When it was merged.
    public let mergedAt: Date?
    /// The page on GitHub.
    public let htmlURL: String

    /// A branch.
    public struct Branch: Decodable, Sendable {
        /// The SHA.
        public let sha: String
        /// Owner and branch, such as `quietotter:fix`.
        public let label: String
        /// The ref.
        public let ref: String
    }
}
