/// An endpoint whose response is one page of a list, and which knows the request for the next page.
///
/// ```swift
/// struct CommitsRequest: GitHubRequest, PagedRequest {
///     var pageLink: URL?
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

/// The URL of a request for a link that the API gave out.
enum PageLinkURL {
    /// Resolves a link against the endpoint's own URL, and adds the query items of the base URL and of the API whose
    /// names the link does not have.
    ///
    /// - Throws: ``RequestError`` with the code `link` if the link leads to another origin or is not valid.
    static func make(
        _ link: URL, base: BaseURL, path: URLPath, query: Parameters, style: ParameterStyle
    ) throws(RequestError) -> URL {
        let reference = URIReference(link.absoluteString)
        // The path matters to relative links alone: who has kept an absolute one may not know the path's values.
        let path = reference.scheme == nil ? path : ""
        let endpoint = try RequestURL.make(base: base, path: path, query: query, style: style)
        let own = URIReference(endpoint.text)
        let target = own.resolving(reference.encodingStrayBytes)
        guard reference.authority?.contains(UInt8(ascii: "@")) != true else {
            throw fault("contains user information", target)
        }
        guard !reference.hasDubiousAuthority, let origin = target.origin, let url = URL(strict: target.text) else {
            throw fault("is not an http or https URL", target)
        }
        guard origin == own.origin else { throw fault("leads to another origin than the base URL", target) }
        let items = url.queryItems
        let names = Set(items.map(\.queryItemName))
        let missing = endpoint.url.queryItems.filter { !names.contains($0.queryItemName) }
        return missing.isEmpty ? url : url.withQueryItems(items + missing) ?? url
    }

    /// An error that names no more of the link than its origin, since its path and query may contain secrets.
    private static func fault(_ problem: String, _ target: URIReference) -> RequestError {
        let scheme = target.scheme.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let authority = target.authority.map { "//\(String(decoding: $0, as: UTF8.self))" } ?? ""
        return RequestError(.link, "the link to \("\(scheme):\(authority)".debugDescription) \(problem)")
    }
}
