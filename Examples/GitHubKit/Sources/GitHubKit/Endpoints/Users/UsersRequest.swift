public import APIKit

public struct UsersRequest: GitHubRequest, PagedRequest {
    public typealias Response = [User]
    /// Only users with a higher ID.
    public var since: Int?
    public var perPage: Int?
    /// The page to request, if it is not the first one.
    public var pageLink: URL?

    public init(since: Int? = nil, perPage: Int? = nil, pageLink: URL? = nil) {
        self.since = since
        self.perPage = perPage
        self.pageLink = pageLink
    }

    public var path: URLPath { "users" }
    public var parameters: Parameters { ["since": since, "per_page": perPage] }

    public func next(after reply: APIReply<[User]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
}
