extension Plan {
    /// Sets ``failure``, the object that the API reports for rejected requests. If the error responses have several
    /// different objects, they become one that has the members of all.
    func findFailure() {
        var objects: [ModelID: Schema] = [:]
        for schema in api.endpoints.flatMap(errorSchemas) {
            guard case .model(let id) = schema.kind, object(schema) != nil else { continue }
            objects[id] = schema
        }
        let schemas = objects.sorted { $0.key < $1.key }.map(\.value)
        if schemas.count < 2 {
            failure = schemas.first
        } else {
            failure = addMergedFailure(of: schemas)
        }
    }

    /// Adds a model with the members of all error objects, called `GitHubError` in an API `GitHub`, and returns its
    /// schema. There has to be at least one error object.
    private func addMergedFailure(of schemas: [Schema]) -> Schema {
        let id = "\(options.name)Error"
        let merged = mergeObjects(schemas, id: id)
        let schema = addModel(.object(merged), id: id, at: schemas[0].place)
        api.models[id]?.name = id
        api.models[id]?.documentation = "What the API reports for a rejected request."
        return schema
    }

    // MARK: - Merging

    /// Creates one object with the members of several: `{"code", "field", "text"}` for `{"code", "text"}` and
    /// `{"code", "field"}`. A member is required only if it is required in all of them.
    ///
    /// If the values of a member have to be merged too, new models are added for them.
    ///
    /// - Parameters:
    ///   - schemas: The schemas of the objects.
    ///   - id: The identifier of the merged object. Those of the new models in it begin with this text.
    /// - Returns: The merged object.
    private func mergeObjects(_ schemas: [Schema], id: ModelID) -> Object {
        let objects = schemas.compactMap { object($0) }
        let names = Set(objects.flatMap(\.members.keys)).sorted()
        let members = names.map { name in
            let found = objects.compactMap { $0.members[name] }
            // What is not merged, such as the description, is that of the first object.
            var member = found[0]
            member.isRequired = found.count == objects.count && found.allSatisfy(\.isRequired)
            member.schema.kind = mergeKinds(of: found.map(\.schema), id: "\(id)/\(name)")
            member.schema.isNullable = found.contains { $0.schema.isNullable }
            return member
        }
        return Object(members)
    }

    /// Finds the simplest kind that covers the values of all schemas.
    ///
    /// All objects become one object, and all lists become one list. If there are values of other kinds too, as with a
    /// member that is a text in one error and an object in another, the result is a union. The merged object and the
    /// union are added as models.
    ///
    /// - Parameters:
    ///   - schemas: The schemas of the values.
    ///   - id: The identifier of the union. That of the merged object begins with this text.
    /// - Returns: The kind. If only one variant is left, it is that of the variant.
    private func mergeKinds(of schemas: [Schema], id: ModelID) -> Schema.Kind {
        var others: [Schema] = []
        var objects: [Schema] = []
        var elements: [Schema] = []
        for schema in schemas {
            if case .list(let element) = schema.kind {
                elements.append(element)
            } else if object(schema) == nil {
                others.append(schema)
            } else if !objects.contains(schema) {
                objects.append(schema)
            }
        }
        // The identifier grows with each level of nesting, so its length limits the depth.
        if objects.count > 1, id.count < Self.longestMergedID {
            let inner = "\(id)/{}"
            let merged = mergeObjects(objects, id: inner)
            objects = [addModel(.object(merged), id: inner, at: objects[0].place)]
        }
        var lists: [Schema] = []
        if let place = elements.first?.place {
            let element = Schema(mergeKinds(of: elements, id: "\(id)/[]"), place: place)
            lists = [Schema(.list(element), place: place)]
        }
        let variants = (others + lists + objects).map { Union.Variant(schema: $0) }
        return addUnion(of: variants, id: id)
    }

    /// Adds a union as a model, and returns its kind. If it would have a single variant, that variant's kind is
    /// returned instead.
    private func addUnion(of variants: [Union.Variant], id: ModelID) -> Schema.Kind {
        let simplified = Union(variants: variants).simplifiedVariants(in: api.models)
        guard let first = simplified.first?.schema else { return .any }
        if simplified.count == 1 { return first.kind }
        return addModel(.union(Union(variants: simplified)), id: id, at: first.place).kind
    }

    /// The maximum length of the identifier of a merged model, which grows with each level of nesting. Without a limit,
    /// merging objects that contain themselves would never end.
    private static let longestMergedID = 300

    /// Adds a model without a name, and returns its schema.
    private func addModel(_ kind: Model.Kind, id: ModelID, at place: Place) -> Schema {
        api.models[id] = Model(kind: kind, place: place)
        return Schema(.model(id), place: place)
    }

    // MARK: - Error responses

    /// The JSON schemas of an endpoint's error responses: those of the statuses 4xx and 5xx, and of the `default`
    /// response. Without a response for 2xx, the `default` response describes the success, and is left out.
    private func errorSchemas(of endpoint: Endpoint) -> [Schema] {
        let hasSuccess = endpoint.responses.contains { $0.isFor(200...299) }
        let errorResponses = endpoint.responses.filter { response in
            let isDefault = response.statuses == nil
            if isDefault { return hasSuccess }
            return response.isFor(400...599)
        }
        return errorResponses.compactMap(\.json?.schema)
    }

    /// Decides how an endpoint's error responses are read if none of them is an object. Nil if one is: all objects are
    /// merged into ``failure``, which is then read.
    ///
    /// An endpoint may report a list of texts, for example. Only the first schema is read, with a note if there are
    /// others.
    func ownFailure(of endpoint: Endpoint) -> EndpointShape.Reading? {
        let schemas = errorSchemas(of: endpoint)
        let hasObject = schemas.contains { object($0) != nil }
        guard let first = schemas.first, !hasObject else { return nil }
        if schemas.contains(where: { $0 != first }) {
            api.notes.append(Note(.simplified, "only the first of several failures is read", at: first.place))
        }
        return .json(first)
    }
}
