public import APIKit

/// The pull requests of a repository.
public struct ListPullRequestsRequest: GitHubRequest, PagedRequest {
    /// The response.
    public typealias Response = [PullRequest]
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// Only into this branch.
    public var pullRequestBase: String?
    /// The direction.
    public var direction: Direction?
    /// Only of this branch, such as `octocat:fix`.
    public var head: String?
    /// 30 by default, 100 at most.
    public var perPage: Int?
    /// By default, open ones.
    public var state: StateFilter?
    /// The link to a page, if it is not the first.
    public var pageLink: URL?

    /// Creates a value.
    public init(
        owner: String,
        repo: String,
        pullRequestBase: String? = nil,
        direction: Direction? = nil,
        head: String? = nil,
        perPage: Int? = nil,
        state: StateFilter? = nil,
        pageLink: URL? = nil
    ) {
        self.owner = owner
        self.repo = repo
        self.pullRequestBase = pullRequestBase
        self.direction = direction
        self.head = head
        self.perPage = perPage
        self.state = state
        self.pageLink = pageLink
    }

    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/pulls" }

    /// The parameters.
    public var parameters: Parameters {
        ["base": pullRequestBase, "direction": direction, "head": head, "per_page": perPage, "state": state]
    }

    /// The request for the next page.
    public func next(after reply: APIReply<[PullRequest]>) -> Self? {
        next(setting: \.pageLink, to: reply.links[.next])
    }
}

/// Pulls.
public struct PullRequest: JSONResponse {
    /// The ID.
    public let id: Int64
    /// The API.
    public let base: Branch
    /// The text, in Markdown.
    public let body: String?
    /// When it was created.
    public let createdAt: Date
    /// Whether it is a draft.
    public let draft: Bool?
    /// The head.
    public let head: Branch
    /// The page on GitHub.
    public let htmlURL: String
    /// When it was merged.
    public let mergedAt: Date?
    /// The number in the repository.
    public let number: Int
    /// The state.
    public let state: State
    /// The title.
    public let title: String
    /// The user.
    public let user: User?

    /// A branch.
    public struct Branch: Decodable, Sendable {
        /// Owner and branch, such as `quietotter:fix`.
        public let label: String
        /// The ref.
        public let ref: String
        /// The SHA.
        public let sha: String
    }

    private enum CodingKeys: String, CodingKey {
        case id, base, body, draft, head, number, state, title, user
        case createdAt = "created_at"
        case htmlURL = "html_url"
        case mergedAt = "merged_at"
    }
}
