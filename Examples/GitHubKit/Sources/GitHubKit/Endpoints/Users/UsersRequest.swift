public import APIKit

/// The users.
public struct UsersRequest: GitHubRequest, PagedRequest {
    /// The response.
    public typealias Response = [User]
    /// Only users with a higher ID.
    public var since: Int?
    /// The number of items on a page.
    public var perPage: Int?
    /// The link to a page, if it is not the first.
    public var pageLink: URL?

    /// Creates a value.
    public init(since: Int? = nil, perPage: Int? = nil, pageLink: URL? = nil) {
        self.since = since
        self.perPage = perPage
        self.pageLink = pageLink
    }

    /// The path.
    public var path: URLPath { "users" }
    /// The parameters.
    public var parameters: Parameters { ["since": since, "per_page": perPage] }

    /// The request for the next page.
    public func next(after reply: APIReply<[User]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
}
