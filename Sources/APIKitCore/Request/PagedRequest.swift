/// An endpoint whose response is one page of a list, and which knows the request for the next page.
///
/// ```swift
/// struct CommitsRequest { var pageLink: URL? }
///
/// nonisolated extension CommitsRequest: GitHubRequest, PagedRequest {
///     typealias Response = [Commit]
///     var path: URLPath { "commits" }
///     func next(after reply: APIReply<[Commit]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
/// }
/// ```
///
/// ``APIClient/pages(of:limit:prefetching:)`` and ``APIClient/items(of:pageLimit:prefetching:)`` request one page after
/// the other. <doc:Paging> shows how to follow links, cursors, page numbers and offsets.
public protocol PagedRequest: APIRequest {
    /// A URL that the API gave out for a page, which is requested instead of the base URL, the path and the query; by
    /// default nil.
    ///
    /// Declare `var pageLink: URL?` as a stored property of an endpoint whose links are followed. The method, the
    /// headers, the body and the options stay the endpoint's own. Query items of the base URL and of the
    /// ``APIBase/query`` are added if the link has none of their name, and a fragment is removed. A relative
    /// link is resolved against the endpoint's own URL.
    ///
    /// A link must have the origin of the base URL, so that credentials never follow it elsewhere: otherwise
    /// ``APIRequest/httpRequest()`` throws a ``RequestError`` with the code `link`.
    var pageLink: URL? { get }
    /// Whether a request for a page that was requested before is the end of the list; by default false, and such a
    /// request is an error.
    var endsAtRepeatedPage: Bool { get }
    /// The request for the page after a reply; nil after the last page.
    func next(after reply: APIReply<Response.Model>) -> Self?
    /// The number of items on all pages, nil if the API does not report it; by default nil.
    func total(in reply: APIReply<Response.Model>) -> Int?
}

// MARK: - Default implementations

extension PagedRequest {
    /// Nil: the endpoint's own URL is requested.
    public var pageLink: URL? { nil }
    /// False.
    public var endsAtRepeatedPage: Bool { false }

    /// Returns nil.
    public func total(in reply: APIReply<Response.Model>) -> Int? { nil }
}

// MARK: - Next requests

extension PagedRequest {
    /// This request with another position, such as the ``pageLink`` or the cursor that a reply names; nil if it
    /// names none, or an empty text, as some APIs do after the last page.
    ///
    /// - Parameters:
    ///   - position: The property that says where a page starts.
    ///   - value: The position of the next page.
    /// - Returns: The request for the next page.
    public func next<Value>(setting position: WritableKeyPath<Self, Value?>, to value: Value?) -> Self? {
        guard let value, (value as? String)?.isEmpty != true else { return nil }
        var next = self
        next[keyPath: position] = value
        return next
    }

    /// This request with another position, if the property that holds it is not an optional.
    ///
    /// - Parameters:
    ///   - position: The property that says where a page starts.
    ///   - value: The position of the next page; nil, or an empty text, after the last one.
    /// - Returns: The request for the next page.
    public func next<Value>(setting position: WritableKeyPath<Self, Value>, to value: Value?) -> Self? {
        guard let value, (value as? String)?.isEmpty != true else { return nil }
        var next = self
        next[keyPath: position] = value
        return next
    }

    /// This request with a larger number, such as that of the page or the offset of its first item; nil if it is not
    /// advanced, or if the sum is too large for the number's type.
    ///
    /// ```swift
    /// func next(after reply: APIReply<[Item]>) -> Self? { next(advancing: \.offset, by: reply.model.count) }
    /// ```
    ///
    /// - Parameters:
    ///   - position: The property that says where a page starts.
    ///   - count: What is added: 1 to the number of a page, the number of its items to an offset; zero or less after
    ///     the last page.
    /// - Returns: The request for the next page.
    public func next<Number: FixedWidthInteger>(
        advancing position: WritableKeyPath<Self, Number>, by count: Number
    ) -> Self? {
        let (sum, overflows) = self[keyPath: position].addingReportingOverflow(count)
        guard count > 0, !overflows else { return nil }
        var next = self
        next[keyPath: position] = sum
        return next
    }
}
