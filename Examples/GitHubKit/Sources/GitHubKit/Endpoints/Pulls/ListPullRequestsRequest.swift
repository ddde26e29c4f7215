public import APIKit

/// The pull requests of a repository.
public struct ListPullRequestsRequest: GitHubRequest, PagedRequest {
    public typealias Response = [PullRequest]
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// Only into this branch.
    public var baseValue: String?
    /// `direction`
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
        baseValue: String? = nil,
        direction: Direction? = nil,
        head: String? = nil,
        perPage: Int? = nil,
        state: StateFilter? = nil,
        pageLink: URL? = nil
    ) {
        self.owner = owner
        self.repo = repo
        self.baseValue = baseValue
        self.direction = direction
        self.head = head
        self.perPage = perPage
        self.state = state
        self.pageLink = pageLink
    }

    public var path: URLPath { "repos/\(owner)/\(repo)/pulls" }
    public var parameters: Parameters {
        ["base": baseValue, "direction": direction, "head": head, "per_page": perPage, "state": state]
    }
    /// The request for the next page.
    public func next(after reply: APIReply<[PullRequest]>) -> Self? {
        next(setting: \.pageLink, to: reply.links[.next])
    }
}

/// PullRequest.
public struct PullRequest: JSONResponse {
    /// `id`
    public let id: Int64
    /// `base`
    public let base: Branch
    /// The text, in Markdown.
    public let body: String?
    /// `created_at`
    public let createdAt: Date
    /// `draft`
    public let draft: Bool?
    /// `head`
    public let head: Branch
    /// `html_url`
    public let htmlURL: String
    /// `merged_at`
    public let mergedAt: Date?
    /// The number in the repository.
    public let number: Int
    /// `state`
    public let state: State
    /// `title`
    public let title: String
    /// `user`
    public let user: User?

    /// Branch.
    public struct Branch: Decodable, Sendable {
        /// Owner and branch, such as `quietotter:fix`.
        public let label: String
        /// `ref`
        public let ref: String
        /// `sha`
        public let sha: String
    }

    private enum CodingKeys: String, CodingKey {
        case id, base, body, draft, head, number, state, title, user
        case createdAt = "created_at"
        case htmlURL = "html_url"
        case mergedAt = "merged_at"
    }
}
