public import APIKit

/// The comments on an issue, the oldest first.
public struct CommentsRequest: GitHubRequest, PagedRequest {
    /// The response.
    public typealias Response = [Comment]
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// The issue number.
    public var issueNumber: Int
    /// Only comments that changed after this.
    public var since: Date?
    /// The number of items on a page.
    public var perPage: Int?
    /// The link to a page, if it is not the first.
    public var pageLink: URL?

    /// Creates a value.
    public init(
        owner: String,
        repo: String,
        issueNumber: Int,
        since: Date? = nil,
        perPage: Int? = nil,
        pageLink: URL? = nil
    ) {
        self.owner = owner
        self.repo = repo
        self.issueNumber = issueNumber
        self.since = since
        self.perPage = perPage
        self.pageLink = pageLink
    }

    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/issues/\(issueNumber)/comments" }
    /// The parameters.
    public var parameters: Parameters { ["since": since, "per_page": perPage] }

    /// The request for the next page.
    public func next(after reply: APIReply<[Comment]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
}
