public import APIKit

/// A user's public repositories.
public struct RepositoriesRequest: GitHubRequest, PagedRequest {
    /// The response.
    public typealias Response = [Repository]
    /// The login.
    public var username: String
    /// The type.
    public var type: Relation?
    /// What the results are sorted by.
    public var sort: Sort?
    /// In which direction the results are sorted.
    public var direction: Direction?
    /// The number of items on a page.
    public var perPage: Int?
    /// The link to a page, if it is not the first.
    public var pageLink: URL?

    /// A sort.
    public enum Sort: String, ParameterValue { case created, updated, pushed, fullName = "full_name" }

    /// What the user is to a repository.
    public enum Relation: String, ParameterValue { case all, owner, member }

    /// Creates a value.
    public init(
        username: String,
        type: Relation? = nil,
        sort: Sort? = nil,
        direction: Direction? = nil,
        perPage: Int? = nil,
        pageLink: URL? = nil
    ) {
        self.username = username
        self.type = type
        self.sort = sort
        self.direction = direction
        self.perPage = perPage
        self.pageLink = pageLink
    }

    /// The path.
    public var path: URLPath { "users/\(username)/repos" }
    /// The parameters.
    public var parameters: Parameters { ["type": type, "sort": sort, "direction": direction, "per_page": perPage] }

    /// The request for the next page.
    public func next(after reply: APIReply<[Repository]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
}
