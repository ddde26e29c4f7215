/// Selects the endpoints to write.
struct Filter {
    /// The texts that the user gave, each of which selects endpoints.
    private let terms: [String]

    /// Creates a filter from paths, tags and names of operations. Without any, all endpoints are written.
    init(_ terms: [String]) { self.terms = terms }

    /// Whether an endpoint is written: if one of the terms selects it, or if there are no terms.
    func matches(_ endpoint: Endpoint) -> Bool {
        terms.isEmpty || terms.contains { Self.term($0, selects: endpoint) }
    }

    /// Whether a webhook is written: if a term is its name or the word "webhooks", or if there are no terms.
    func matches(_ webhook: Webhook) -> Bool {
        terms.isEmpty || terms.contains { Self.term($0, selects: webhook) }
    }

    /// The terms that select none of some endpoints and webhooks, such as a misspelled tag.
    func termsWithoutMatch(_ endpoints: [Endpoint], _ webhooks: [Webhook]) -> [String] {
        terms.filter { term in
            let selectsEndpoint = endpoints.contains { Self.term(term, selects: $0) }
            return !selectsEndpoint && !webhooks.contains { Self.term(term, selects: $0) }
        }
    }

    private static func term(_ term: String, selects webhook: Webhook) -> Bool {
        term == webhook.name || term == "webhooks"
    }

    /// Whether a term selects an endpoint. A term has one of these forms:
    /// - a method and a path, such as `GET /users/{id}`,
    /// - a path: `/users` selects `/users` and all paths below it, such as `/users/{id}`, but not `/usersettings`,
    /// - a tag in any case, such as `products` for the tag "Products", or `"escalation policies"`,
    /// - the name of an operation, such as `users/list`.
    private static func term(_ term: String, selects endpoint: Endpoint) -> Bool {
        let words = term.split(separator: " ")
        let path = endpoint.describedPath ?? endpoint.path
        // A tag may have two words, too.
        if words.count == 2, words[0].uppercased() == endpoint.method, words[1] == path { return true }
        if term.hasPrefix("/") {
            return path == term || path.hasPrefix(term + "/")
        }
        let isTag = endpoint.tags.contains { $0.lowercased() == term.lowercased() }
        return isTag || endpoint.name == term
    }
}
