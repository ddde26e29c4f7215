public import APIKit

/// Searches repositories.
public struct SearchRepositoriesRequest: GitHubRequest, PagedRequest {
    /// Words and qualifiers, such as `language:swift`.
    public var q: String
    /// What the results are sorted by.
    public var sort: Sort?
    /// The order.
    public var order: Order?
    /// The number of items on a page.
    public var perPage: Int?
    /// The link to a page, if it is not the first.
    public var pageLink: URL?

    /// An order.
    public enum Order: String, ParameterValue { case asc, desc }
    /// A sort.
    public enum Sort: String, ParameterValue { case stars, forks, helpWantedIssues = "help-wanted-issues", updated }

    /// Creates a value.
    public init(q: String, sort: Sort? = nil, order: Order? = nil, perPage: Int? = nil, pageLink: URL? = nil) {
        self.q = q
        self.sort = sort
        self.order = order
        self.perPage = perPage
        self.pageLink = pageLink
    }

    /// The path.
    public var path: URLPath { "search/repositories" }
    /// The parameters.
    public var parameters: Parameters { ["q": q, "sort": sort, "order": order, "per_page": perPage] }

    /// The request for the next page.
    public func next(after reply: APIReply<Response>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }

    /// The response.
    public struct Response: GitHubModel {
        /// The items.
        public let items: [Repository]
        /// Whether the search was cut short.
        public let incompleteResults: Bool
        /// The number of totals.
        public let totalCount: Int
    }
}
