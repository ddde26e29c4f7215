public import APIKit

/// The releases of a repository, the newest first.
public struct ReleasesRequest: GitHubRequest, PagedRequest {
    public typealias Response = [Release]
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    public var perPage: Int?
    /// The page to request, if it is not the first one.
    public var pageLink: URL?

    public init(owner: String, repo: String, perPage: Int? = nil, pageLink: URL? = nil) {
        self.owner = owner
        self.repo = repo
        self.perPage = perPage
        self.pageLink = pageLink
    }

    public var path: URLPath { "repos/\(owner)/\(repo)/releases" }
    public var parameters: Parameters { ["per_page": perPage] }

    public func next(after reply: APIReply<[Release]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
}
