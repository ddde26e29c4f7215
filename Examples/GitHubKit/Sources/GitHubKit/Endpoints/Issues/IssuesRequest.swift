public import APIKit

/// The issues of a repository; every pull request is an issue too.
public struct IssuesRequest: GitHubRequest, PagedRequest {
    public typealias Response = [Issue]
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    public var state: StateFilter?
    public var assignee: String?
    /// Only issues with all of these labels.
    public var labels: [String] = []
    /// Only issues that changed after this.
    public var since: Date?
    public var sort: Sort?
    public var direction: Direction?
    public var perPage: Int?
    /// The page to request, if it is not the first one.
    public var pageLink: URL?

    public enum Sort: String, ParameterValue { case created, updated, comments }

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

    public var path: URLPath { "repos/\(owner)/\(repo)/issues" }
    public var parameters: Parameters {
        [
            "state": state, "assignee": assignee, "labels": labels, "since": since, "sort": sort,
            "direction": direction, "per_page": perPage,
        ]
    }

    public func next(after reply: APIReply<[Issue]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
}
