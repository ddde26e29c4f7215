/// Unwraps responses such as `{"issue": {…}}`: the endpoint returns the issue, and the object around it, its envelope,
/// becomes a type inside the endpoint.
struct OwnEnvelopes {
    /// The forms of the endpoints, which return the contents of their envelopes.
    let endpoints: [EndpointForm]
    /// The models, with one for each endpoint's own envelope.
    let models: Models

    /// Finds the envelopes of some endpoints, and has the endpoints return their contents.
    ///
    /// The object must not be used in other places, where it would still need a type. If several endpoints return it,
    /// each of them gets an envelope.
    init(of described: [EndpointForm], webhooks: [Webhook], _ describedModels: Models, isCodable: Bool) {
        let paging = PagingRules(models: describedModels)
        let usesOfModels = Self.countSchemasOfModels(described, webhooks, describedModels)
        var endpoints = described
        var models = describedModels
        for (id, indices) in Self.endpointsByResponse(described) {
            // Each of these endpoints has the object once, as its response. If it is counted more often, it is also
            // used in other places.
            let isOnlyResponse = usesOfModels[id] == indices.count
            guard isOnlyResponse, let envelope = models[id] else { continue }
            guard let content = Self.onlyContent(of: envelope, models, isCodable: isCodable) else { continue }
            // The envelope is called `Response`, so its content can have the envelope's name.
            if let inner = content.modelID, models[inner]?.name == nil { models[inner]?.name = envelope.name }
            // Each endpoint gets a copy, which has no name since it is declared inside the endpoint.
            var copy = envelope
            copy.name = nil
            for index in indices {
                // The index makes the identifier different from those of the copies for other endpoints.
                let ownID = "\(id) \(index)"
                models[ownID] = copy
                endpoints[index].reply = .one(.envelope(content, of: ownID))
                // Paging depends on what is returned.
                endpoints[index].paging = paging.paging(of: endpoints[index].endpoint, endpoints[index].reply)
            }
        }
        self.endpoints = endpoints
        self.models = models
    }

    /// The indices of the endpoints that return each model, sorted by the models.
    private static func endpointsByResponse(_ endpoints: [EndpointForm]) -> [(model: ModelID, indices: [Int])] {
        var indicesByModel: [ModelID: [Int]] = [:]
        for (index, form) in endpoints.enumerated() {
            if let id = form.responseModel { indicesByModel[id, default: []].append(index) }
        }
        return indicesByModel.sorted { $0.key < $1.key }.map { (model: $0.key, indices: $0.value) }
    }

    /// Counts how often each model is the type of a value that endpoints send or return, of the payload of a webhook,
    /// or of a member or variant of a model. A list or a dictionary counts for the model of its elements.
    private static func countSchemasOfModels(
        _ endpoints: [EndpointForm], _ webhooks: [Webhook], _ models: Models
    ) -> [ModelID: Int] {
        let ofEndpoints = endpoints.flatMap(\.schemas)
        let ofModels = models.values.flatMap(\.schemas).map(\.schema)
        var counts: [ModelID: Int] = [:]
        for schema in ofEndpoints + ofModels + webhooks.map(\.schema) {
            // `core` is the schema of the innermost elements.
            if let id = schema.core.modelID { counts[id, default: 0] += 1 }
        }
        return counts
    }

    /// Returns the schema of what an object is wrapped around: the schema of the issue for `{"issue": {…}}`.
    ///
    /// The object must have only this member. The member has to hold objects: `{"issues": [{…}]}` also has a content,
    /// but `{"count": 7}` does not. If the member may be absent, the schema of the content allows null.
    ///
    /// - Returns: The schema; nil if the object is not wrapped around another one.
    private static func onlyContent(of envelope: Model, _ models: Models, isCodable: Bool) -> Schema? {
        // An object with further members of any name, `others`, may have more than the described one.
        guard let object = envelope.object, object.others == nil else { return nil }
        let members = object.members(for: .decoded, isCodable: isCodable)
        guard members.count == 1, let member = members.first else { return nil }
        guard holdsObjectsOrUnions(member.schema, models) else { return nil }
        var content = member.schema
        if !member.isRequired { content.isNullable = true }
        return content
    }

    /// Whether values are objects or unions, or lists or dictionaries of these.
    private static func holdsObjectsOrUnions(_ schema: Schema, _ models: Models) -> Bool {
        let innermostElements = schema.core
        switch models.model(innermostElements)?.kind {
        case .object, .union: return true
        // An enum.
        case .texts, .numbers: return false
        // A value without a model, such as a number.
        case nil: return false
        }
    }
}
