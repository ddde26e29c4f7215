public import APIKit

/// A user's public repositories.
public struct RepositoriesRequest: GitHubRequest, PagedRequest {
    public typealias Response = [Repository]
    /// The login.
    public var username: String
    public var type: Relation?
    public var sort: Sort?
    public var direction: Direction?
    public var perPage: Int?
    /// The page to request, if it is not the first one.
    public var pageLink: URL?

    public enum Sort: String, ParameterValue { case created, updated, pushed, fullName = "full_name" }

    /// What the user is to a repository.
    public enum Relation: String, ParameterValue { case all, owner, member }

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

    public var path: URLPath { "users/\(username)/repos" }
    public var parameters: Parameters { ["type": type, "sort": sort, "direction": direction, "per_page": perPage] }

    public func next(after reply: APIReply<[Repository]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
}
