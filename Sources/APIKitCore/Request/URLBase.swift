/// A base URL that other URLs are compared with: a URL is below it if it has the same origin, and a path that begins
/// with all segments of the base's path.
struct URLBase: Sendable {
    private var reference: URIReference
    private let origin: URIReference.Origin?

    /// Creates a base.
    ///
    /// - Throws: ``RequestError`` with the code `baseURL` if an endpoint could not have it as its base URL.
    init(_ url: URL, ignoringQuery: Bool = false) throws(RequestError) {
        if let problem = BaseURL(url).problem ?? url.portProblem {
            throw RequestError(.baseURL, "the base URL \(Masking.url(url).debugDescription) \(problem)")
        }
        reference = URIReference(url.absoluteString)
        origin = reference.origin
        while reference.path.last == UInt8(ascii: "/") { reference.path.removeLast() }
        if ignoringQuery { reference.query = nil }
    }

    /// Creates a base from text.
    ///
    /// - Throws: ``RequestError`` with the code `baseURL` if an endpoint could not have it as its base URL.
    init(_ text: String) throws(RequestError) {
        guard let url = URL(string: text) else {
            throw RequestError(.baseURL, "the base URL \(Masking.text(text).debugDescription) is not valid")
        }
        try self.init(url)
    }

    /// Whether a URL is below this base. One with user information is not, and below a base with a path neither is one
    /// with a segment `.` or `..`, encoded or not.
    func contains(_ url: URL) -> Bool {
        rest(of: URIReference(url.absoluteString)) != nil
    }

    /// The path below this base, which is empty or begins with a slash; nil if the URL is not below it.
    private func rest(of other: URIReference) -> ArraySlice<UInt8>? {
        guard let origin, other.origin == origin else { return nil }
        guard other.path.starts(with: reference.path) else { return nil }
        let rest = other.path.dropFirst(reference.path.count)
        guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { return nil }
        return reference.path.isEmpty || !rest.holdsDotSegment ? rest : nil
    }

    /// The URL with this base replaced by another one, whose query comes first; nil if it is not below this base.
    func moving(_ url: URL, to other: URLBase) -> URL? {
        let reference = URIReference(url.absoluteString)
        guard let rest = rest(of: reference), other.reference.path.isEmpty || !rest.holdsDotSegment else { return nil }
        var result = other.reference
        // A base with a slash at its end keeps it only before a path.
        result.path += rest
        var queries = [other.reference.query]
        if let query = reference.query {
            let own = self.reference.query.map { Array($0) } ?? []
            let next = query.dropFirst(own.count).first
            let beginsWithOwn = !own.isEmpty && query.starts(with: own) && (next == nil || next == UInt8(ascii: "&"))
            queries.append(beginsWithOwn ? query.dropFirst(own.count + 1) : query)
        }
        let query = Array(queries.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: [UInt8(ascii: "&")]))
        result.query = query.isEmpty ? nil : query[...]
        return URL(strict: result.text)
    }
}

extension ArraySlice<UInt8> {
    fileprivate var holdsDotSegment: Bool {
        URLPath.holdsDotSegment(String(decoding: self, as: UTF8.self))
    }
}
