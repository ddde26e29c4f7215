/// An endpoint whose response is one page of a list, and which knows the request for the next page.
///
/// ```swift
/// struct CommitsRequest: GitHubRequest, PagedRequest {
///     var pageLink: URL?
///     typealias Response = [Commit]
///     var path: URLPath { "commits" }
///     func next(after reply: APIReply<[Commit]>) -> Self? {
///         next(setting: \.pageLink, to: reply.links[.next])
///     }
/// }
/// ```
///
/// ``APIClient/pages(of:options:limit:prefetching:)`` and ``APIClient/items(of:options:pageLimit:prefetching:)``
/// request one page after the other. <doc:Paging> shows how to follow links, cursors, page numbers and offsets.
public protocol PagedRequest: LinkedRequest {
    /// A URL that the API gave out for a page, which is requested instead of the base URL, the path and the query; by
    /// default nil. It is the ``LinkedRequest/requestLink``, whose rules apply.
    ///
    /// Declare `var pageLink: URL?` as a stored property of an endpoint whose links are followed.
    var pageLink: URL? { get }
    /// Whether a request for a page that was requested before is the end of the list; by default false, and such a
    /// request is an error.
    var endsAtRepeatedPage: Bool { get }
    /// Returns the request for the page after a reply; nil after the last page.
    func next(after reply: APIReply<Response.Model>) -> Self?
    /// Returns the number of items on all pages, nil if the API does not report it; by default nil.
    func total(in reply: APIReply<Response.Model>) -> Int?
}

// MARK: - Default implementations

extension PagedRequest {
    /// Nil: the endpoint's own URL is requested.
    public var pageLink: URL? { nil }
    /// The link of the page.
    public var requestLink: URL? { pageLink }
    /// False.
    public var endsAtRepeatedPage: Bool { false }

    /// Returns nil.
    public func total(in reply: APIReply<Response.Model>) -> Int? { nil }
}
