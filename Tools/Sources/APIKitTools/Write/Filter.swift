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

    // MARK: - What the selected endpoints need

    /// The models that the selected endpoints and webhooks need, directly or through other models.
    func modelsNeeded(in plan: Plan) -> Set<ModelID> {
        // The types that belong to the API, such as that of its failures, are always written. So is what they need.
        var remaining = plan.nested(in: .api)
        for endpoint in plan.endpoints where matches(endpoint.endpoint) {
            remaining += endpoint.form.schemas.compactMap(\.core.modelID)
        }
        let chosenWebhooks = plan.webhooks.map(\.webhook).filter(matches)
        remaining += chosenWebhooks.compactMap(\.schema.core.modelID)
        var needed: Set<ModelID> = []
        while let id = remaining.popLast() {
            let isNew = needed.insert(id).inserted
            guard isNew, let model = plan.api.models[id] else { continue }
            remaining += model.schemas.compactMap(\.schema.core.modelID)
        }
        return needed
    }

    /// The notes on the selected endpoints and webhooks, on what they need, and on the API as a whole.
    func notes(of plan: Plan) -> [Note] {
        // A recording has no parts that several endpoints use.
        guard !terms.isEmpty, let documents = plan.api.documents else { return plan.api.notes }
        let selected = plan.endpoints.map(\.endpoint).filter(matches)
        var operations = (selected + plan.api.skippedOperations.filter(matches)).map(\.place)
        operations += plan.webhooks.map(\.webhook).filter(matches).map(\.place)
        let models = modelsNeeded(in: plan).compactMap { plan.api.models[$0]?.place }
        let used = UsedPlaces(documents, operations: operations, models: models)
        // One note on credentials is about several endpoints, so these notes are made again.
        var api = plan.api
        let notesOnAllCredentials = Set(SecurityNotes(api: api, security: plan.security).all)
        let others = api.notes.filter { !notesOnAllCredentials.contains($0) && used.contains($0.place) }
        api.endpoints = selected
        return others + SecurityNotes(api: api, security: plan.security).all
    }

    // MARK: - Terms

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
