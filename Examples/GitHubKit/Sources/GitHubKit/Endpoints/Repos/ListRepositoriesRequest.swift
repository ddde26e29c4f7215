public import APIKit

/// A user's public repositories.
public struct ListRepositoriesRequest: GitHubRequest, PagedRequest {
    public typealias Response = [Repository]
    /// The login.
    public var username: String
    /// `direction`
    public var direction: Direction?
    /// 30 by default, 100 at most.
    public var perPage: Int?
    /// `sort`
    public var sort: Sort?
    /// `type`
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

    public var path: URLPath { "users/\(username)/repos" }
    public var parameters: Parameters { ["direction": direction, "per_page": perPage, "sort": sort, "type": type] }
    /// The request for the next page.
    public func next(after reply: APIReply<[Repository]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }

    /// What the user is to a repository.
    public enum Relation: String, ParameterValue {
        /// `all`
        case all
        /// `member`
        case member
        /// `owner`
        case owner
    }

    /// Sort.
    public enum Sort: String, ParameterValue {
        /// `created`
        case created
        /// `full_name`
        case fullName = "full_name"
        /// `pushed`
        case pushed
        /// `updated`
        case updated
    }
}
