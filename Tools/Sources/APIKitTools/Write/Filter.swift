/// Selects the endpoints to write.
struct Filter {
    private let terms: [String]

    /// Creates a filter from paths, tags and names of operations. Without any, all endpoints are written.
    init(_ terms: [String]) { self.terms = terms }

    var isEmpty: Bool { terms.isEmpty }

    /// Whether an endpoint is written.
    func matches(_ endpoint: Endpoint) -> Bool {
        isEmpty || terms.contains { Self.matches(endpoint, $0) }
    }

    /// Whether a term is the endpoint's method and path, its name, one of its tags, or the beginning of its path by
    /// segments.
    private static func matches(_ endpoint: Endpoint, _ term: String) -> Bool {
        let parts = term.split(separator: " ")
        if parts.count == 2 {
            return parts[0].uppercased() == endpoint.method && parts[1] == endpoint.path
        }
        if term.hasPrefix("/") {
            return endpoint.path == term || endpoint.path.hasPrefix(term + "/")
        }
        let hasTag = endpoint.tags.contains { $0.lowercased() == term.lowercased() }
        return hasTag || endpoint.name == term
    }
}
