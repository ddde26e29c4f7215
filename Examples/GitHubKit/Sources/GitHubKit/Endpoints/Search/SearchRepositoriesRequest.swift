public import APIKit

public struct SearchRepositoriesRequest: GitHubRequest, PagedRequest {
    /// Words and qualifiers, such as `language:swift`.
    public var q: String
    public var sort: Sort?
    public var order: Order?
    public var perPage: Int?
    /// The page to request, if it is not the first one.
    public var pageLink: URL?

    public enum Order: String, ParameterValue { case asc, desc }
    public enum Sort: String, ParameterValue { case stars, forks, helpWantedIssues = "help-wanted-issues", updated }

    public init(q: String, sort: Sort? = nil, order: Order? = nil, perPage: Int? = nil, pageLink: URL? = nil) {
        self.q = q
        self.sort = sort
        self.order = order
        self.perPage = perPage
        self.pageLink = pageLink
    }

    public var path: URLPath { "search/repositories" }
    public var parameters: Parameters { ["q": q, "sort": sort, "order": order, "per_page": perPage] }

    public func next(after reply: APIReply<Response>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
    public func total(in reply: APIReply<Response>) -> Int? { reply.model.totalCount }

    public struct Response: GitHubModel {
        public let items: [Repository]
        /// Whether the search was cut short.
        public let incompleteResults: Bool
        public let totalCount: Int
    }
}
