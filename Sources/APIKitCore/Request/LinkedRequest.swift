import APIKitSupport

/// An endpoint that may be requested at a URL that the API gave out, such as that of a file or an operation in another
/// response.
///
/// ```swift
/// struct InvoiceFileRequest: ShopRequest, LinkedRequest {
///     var requestLink: URL?
///     typealias Response = DownloadedFile
///     var path: URLPath { "" }
/// }
/// ```
///
/// A ``PagedRequest`` is one, too: its link is that of a page.
public protocol LinkedRequest: APIRequest {
    /// The URL that is requested instead of the base URL, the path and the query; nil for the endpoint's own.
    ///
    /// The method, the headers, the body and the options stay the endpoint's own. Query items of the base URL and of
    /// the ``APIBase/query`` are added if the link has none of their name, and a fragment is removed. A relative link
    /// is resolved against the endpoint's own URL.
    ///
    /// A link must have the origin of the base URL, so that credentials never follow it elsewhere: otherwise
    /// ``APIRequest/httpRequest()`` throws a ``RequestError`` with the code `link`.
    var requestLink: URL? { get }
}

/// The URL of a request for a link that the API gave out.
enum LinkURL {
    /// Resolves a link against the endpoint's own URL, and adds the query items of the base URL and of the API whose
    /// names the link does not have.
    ///
    /// - Throws: ``RequestError`` with the code `link` if the link leads to another origin or is not valid.
    static func make(
        _ link: URL, base: BaseURL, path: URLPath, query: Parameters, style: ParameterStyle
    ) throws(RequestError) -> URL {
        if let origin = link.originOfInvalidLink { throw invalidLink(origin) }
        let reference = URIReference(link.absoluteString)
        // An absolute link needs no path. An endpoint that was created only to follow the link may have no valid values
        // for its path.
        let isAbsolute = reference.scheme != nil
        let endpoint = try RequestURL.make(base: base, path: isAbsolute ? "" : path, query: query, style: style)
        let own = URIReference(endpoint.text)
        let target = own.resolving(reference.encodingStrayBytes)
        let hasUserInformation = reference.authority?.contains(UInt8(ascii: "@")) == true
        guard !hasUserInformation else { throw fault("contains user information", target) }
        guard !reference.hasDubiousAuthority, let origin = target.origin, let url = URL(strict: target.text) else {
            throw fault("is not an http or https URL", target)
        }
        guard origin == own.origin else { throw fault("leads to another origin than the base URL", target) }
        return url.addingMissingItems(of: endpoint.url)
    }

    /// Returns an error that shows only the origin of the link, since its path and query may contain secrets.
    private static func fault(_ problem: String, _ target: URIReference) -> RequestError {
        RequestError(.link, "the link to \(target.originText.debugDescription) \(problem)")
    }

    private static func invalidLink(_ origin: String) -> RequestError {
        let target = origin.isEmpty ? "the link" : "the link to \(origin.debugDescription)"
        return RequestError(.link, "\(target) is not a valid URL, so nothing can be requested there")
    }
}

extension URL {
    /// Returns the URL, with the query items of another URL added whose names it does not have.
    fileprivate func addingMissingItems(of other: URL) -> URL {
        let items = queryItems
        let names = Set(items.map(\.queryItemName))
        let missing = other.queryItems.filter { !names.contains($0.queryItemName) }
        guard !missing.isEmpty else { return self }
        return withQueryItems(items + missing) ?? self
    }
}
