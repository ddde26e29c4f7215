public import APIKit

/// The comments on an issue, the oldest first.
public struct CommentsRequest: GitHubRequest, PagedRequest {
    public typealias Response = [Comment]
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    public var issueNumber: Int
    /// Only comments that changed after this.
    public var since: Date?
    public var perPage: Int?
    /// The page to request, if it is not the first one.
    public var pageLink: URL?

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

    public var path: URLPath { "repos/\(owner)/\(repo)/issues/\(issueNumber)/comments" }
    public var parameters: Parameters { ["since": since, "per_page": perPage] }

    public func next(after reply: APIReply<[Comment]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
}
