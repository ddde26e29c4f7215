public import APIKit

/// All users, in the order of their IDs.
public struct ListUsersRequest: GitHubRequest, PagedRequest {
    /// The response.
    public typealias Response = [User]
    /// 30 by default, 100 at most.
    public var perPage: Int?
    /// Only users with a higher ID.
    public var since: Int?
    /// The link to a page, if it is not the first.
    public var pageLink: URL?

    /// Creates a value.
    public init(perPage: Int? = nil, since: Int? = nil, pageLink: URL? = nil) {
        self.perPage = perPage
        self.since = since
        self.pageLink = pageLink
    }

    /// The path.
    public var path: URLPath { "users" }
    /// The parameters.
    public var parameters: Parameters { ["per_page": perPage, "since": since] }
    /// The request for the next page.
    public func next(after reply: APIReply<[User]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
}
