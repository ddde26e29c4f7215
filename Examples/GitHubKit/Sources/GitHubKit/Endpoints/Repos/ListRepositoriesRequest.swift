public import APIKit

/// A user's public repositories.
public struct ListRepositoriesRequest: GitHubRequest, PagedRequest {
    /// The response.
    public typealias Response = [Repository]
    /// The login.
    public var username: String
    /// The direction.
    public var direction: Direction?
    /// 30 by default, 100 at most.
    public var perPage: Int?
    /// The sort.
    public var sort: Sort?
    /// The type.
    public var type: Relation?
    /// The link to a page, if it is not the first.
    public var pageLink: URL?

    /// Creates a value.
    public init(
        username: String,
        direction: Direction? = nil,
        perPage: Int? = nil,
        sort: Sort? = nil,
        type: Relation? = nil,
        pageLink: URL? = nil
    ) {
        self.username = username
        self.direction = direction
        self.perPage = perPage
        self.sort = sort
        self.type = type
        self.pageLink = pageLink
    }

    /// The path.
    public var path: URLPath { "users/\(username)/repos" }
    /// The parameters.
    public var parameters: Parameters { ["direction": direction, "per_page": perPage, "sort": sort, "type": type] }
    /// The request for the next page.
    public func next(after reply: APIReply<[Repository]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }

    /// What the user is to a repository.
    public enum Relation: String, ParameterValue { case all, member, owner }

    /// A sort.
    public enum Sort: String, ParameterValue { case created, fullName = "full_name", pushed, updated }
}
