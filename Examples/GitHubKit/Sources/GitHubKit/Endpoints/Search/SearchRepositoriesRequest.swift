public import APIKit

/// Repositories that match a query, at most 1,000.
public struct SearchRepositoriesRequest: GitHubRequest, PagedRequest {
    /// Words and qualifiers, such as `language:swift`.
    public var q: String
    /// The order.
    public var order: Order?
    /// 30 by default, 100 at most.
    public var perPage: Int?
    /// The sort.
    public var sort: Sort?
    /// The link to a page, if it is not the first.
    public var pageLink: URL?

    /// Creates a value.
    public init(q: String, order: Order? = nil, perPage: Int? = nil, sort: Sort? = nil, pageLink: URL? = nil) {
        self.q = q
        self.order = order
        self.perPage = perPage
        self.sort = sort
        self.pageLink = pageLink
    }

    /// The path.
    public var path: URLPath { "search/repositories" }
    /// The parameters.
    public var parameters: Parameters { ["q": q, "order": order, "per_page": perPage, "sort": sort] }
    /// The request for the next page.
    public func next(after reply: APIReply<Response>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }

    /// An order.
    public enum Order: String, ParameterValue { case asc, desc }

    /// The response.
    public struct Response: JSONResponse {
        /// Whether the search was cut short.
        public let incompleteResults: Bool
        /// The items.
        public let items: [Repository]
        /// The number of totals.
        public let totalCount: Int

        private enum CodingKeys: String, CodingKey {
            case items
            case incompleteResults = "incomplete_results"
            case totalCount = "total_count"
        }
    }

    /// A sort.
    public enum Sort: String, ParameterValue { case forks, helpWantedIssues = "help-wanted-issues", stars, updated }
}
