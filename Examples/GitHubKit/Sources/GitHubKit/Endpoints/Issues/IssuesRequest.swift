public import APIKit

/// The issues of a repository; every pull request is an issue too.
public struct IssuesRequest: GitHubRequest, PagedRequest {
    /// The response.
    public typealias Response = [Issue]
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// The state.
    public var state: StateFilter?
    /// The assignee.
    public var assignee: String?
    /// Only issues with all of these labels.
    public var labels: [String] = []
    /// Only issues that changed after this.
    public var since: Date?
    /// What the results are sorted by.
    public var sort: Sort?
    /// In which direction the results are sorted.
    public var direction: Direction?
    /// The number of items on a page.
    public var perPage: Int?
    /// The link to a page, if it is not the first.
    public var pageLink: URL?

    /// A sort.
    public enum Sort: String, ParameterValue { case created, updated, comments }

    /// Creates a value.
    public init(
        owner: String,
        repo: String,
        state: StateFilter? = nil,
        assignee: String? = nil,
        labels: [String] = [],
        since: Date? = nil,
        sort: Sort? = nil,
        direction: Direction? = nil,
        perPage: Int? = nil,
        pageLink: URL? = nil
    ) {
        self.owner = owner
        self.repo = repo
        self.state = state
        self.assignee = assignee
        self.labels = labels
        self.since = since
        self.sort = sort
        self.direction = direction
        self.perPage = perPage
        self.pageLink = pageLink
    }

    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/issues" }
    /// The parameters.
    public var parameters: Parameters {
        [
            "state": state, "assignee": assignee, "labels": labels, "since": since, "sort": sort,
            "direction": direction, "per_page": perPage,
        ]
    }

    /// The request for the next page.
    public func next(after reply: APIReply<[Issue]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
}
