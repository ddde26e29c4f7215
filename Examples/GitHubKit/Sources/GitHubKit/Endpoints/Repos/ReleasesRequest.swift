public import APIKit

/// The releases of a repository, the newest first.
public struct ReleasesRequest: GitHubRequest, PagedRequest {
    /// The response.
    public typealias Response = [Release]
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// The number of items on a page.
    public var perPage: Int?
    /// The link to a page, if it is not the first.
    public var pageLink: URL?

    /// Creates a value.
    public init(owner: String, repo: String, perPage: Int? = nil, pageLink: URL? = nil) {
        self.owner = owner
        self.repo = repo
        self.perPage = perPage
        self.pageLink = pageLink
    }

    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/releases" }
    /// The parameters.
    public var parameters: Parameters { ["per_page": perPage] }

    /// The request for the next page.
    public func next(after reply: APIReply<[Release]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
}
