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
        let own = URIReference(endpoint.absoluteString)
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
        let missing = endpoint.queryItems.filter { !names.contains($0.queryItemName) }
        return missing.isEmpty ? url : url.withQueryItems(items + missing) ?? url
    }

    /// An error that names no more of the link than its origin, since its path and query may contain secrets.
    private static func fault(_ problem: String, _ target: URIReference) -> RequestError {
        let scheme = target.scheme.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let authority = target.authority.map { "//\(String(decoding: $0, as: UTF8.self))" } ?? ""
        return RequestError(.link, "the link to \("\(scheme):\(authority)".debugDescription) \(problem)")
    }
}
