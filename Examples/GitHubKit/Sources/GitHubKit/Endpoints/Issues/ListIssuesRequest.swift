public import APIKit

/// The issues of a repository; every pull request is an issue too.
public struct ListIssuesRequest: GitHubRequest, PagedRequest {
    /// The response.
    public typealias Response = [Issue]
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// A login, `none` or `*`.
    public var assignee: String?
    /// The direction.
    public var direction: Direction?
    /// Only issues with all of these labels.
    public var labels: [String]?
    /// 30 by default, 100 at most.
    public var perPage: Int?
    /// Only issues that changed after this.
    public var since: Date?
    /// The sort.
    public var sort: Sort?
    /// By default, open ones.
    public var state: StateFilter?
    /// The link to a page, if it is not the first.
    public var pageLink: URL?

    /// Creates a value.
    public init(
        owner: String,
        repo: String,
        assignee: String? = nil,
        direction: Direction? = nil,
        labels: [String]? = nil,
        perPage: Int? = nil,
        since: Date? = nil,
        sort: Sort? = nil,
        state: StateFilter? = nil,
        pageLink: URL? = nil
    ) {
        self.owner = owner
        self.repo = repo
        self.assignee = assignee
        self.direction = direction
        self.labels = labels
        self.perPage = perPage
        self.since = since
        self.sort = sort
        self.state = state
        self.pageLink = pageLink
    }

    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/issues" }

    /// The parameters.
    public var parameters: Parameters {
        [
            "assignee": assignee,
            "direction": direction,
            "labels": labels?.joined(separator: ","),
            "per_page": perPage,
            "since": since,
            "sort": sort,
            "state": state,
        ]
    }

    /// The request for the next page.
    public func next(after reply: APIReply<[Issue]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }

    /// A sort.
    public enum Sort: String, ParameterValue { case comments, created, updated }
}
