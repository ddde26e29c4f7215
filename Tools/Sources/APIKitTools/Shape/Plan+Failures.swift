extension Plan {
    /// Finds the object that the API reports for rejected requests. If there are several such objects, they become one
    /// that has the members of all.
    func shapeFailures() {
        var objects: [ModelID: Schema] = [:]
        for schema in api.endpoints.flatMap(failures) {
            guard case .model(let id) = schema.kind, object(schema) != nil else { continue }
            objects[id] = schema
        }
        let schemas = objects.sorted { $0.key < $1.key }.map(\.value)
        guard schemas.count > 1 else {
            failure = schemas.first
            return
        }
        let id = "\(options.name)Error"
        let merged = merged(schemas.compactMap { object($0) }, id: id)
        failure = added(.object(merged), id: id, at: schemas[0].place)
        api.models[id]?.name = id
        api.models[id]?.documentation = "What the API reports for a rejected request."
    }

    /// One object with the members of several. A member is required only if it is required in all of them.
    private func merged(_ objects: [Object], id: ModelID) -> Object {
        let names = Set(objects.flatMap(\.members.keys)).sorted()
        let members = names.map { name in
            let found = objects.compactMap { $0.members[name] }
            var member = found[0]
            member.isRequired = found.count == objects.count && found.allSatisfy(\.isRequired)
            member.schema.kind = merged(found.map(\.schema), id: "\(id)/\(name)")
            member.schema.isNullable = found.contains { $0.schema.isNullable }
            return member
        }
        return Object(members)
    }

    /// The simplest kind that covers the values of all schemas.
    private func merged(_ schemas: [Schema], id: ModelID) -> Schema.Kind {
        var plain: [Schema] = []
        var objects: [Schema] = []
        var elements: [Schema] = []
        for schema in schemas {
            if case .list(let element) = schema.kind {
                elements.append(element)
            } else if object(schema) == nil {
                plain.append(schema)
            } else if !objects.contains(schema) {
                objects.append(schema)
            }
        }
        if objects.count > 1, id.count < Self.longestMergedID {
            let inner = "\(id)/{}"
            let merged = merged(objects.compactMap { object($0) }, id: inner)
            objects = [added(.object(merged), id: inner, at: objects[0].place)]
        }
        if let place = elements.first?.place {
            let element = Schema(merged(elements, id: "\(id)/[]"), place: place)
            plain.append(Schema(.list(element), place: place))
        }
        let union = Union(variants: (plain + objects).map { Union.Variant(schema: $0) })
        let variants = union.simplifiedVariants(in: api.models)
        guard variants.count > 1 else { return variants.first?.schema.kind ?? .any }
        return added(.union(Union(variants: variants)), id: id, at: variants[0].schema.place).kind
    }

    /// The maximum length of the identifier of a merged model, which grows with each level of nesting. Without a limit,
    /// merging objects that contain themselves would never end.
    private static let longestMergedID = 300

    private func added(_ kind: Model.Kind, id: ModelID, at place: Place) -> Schema {
        api.models[id] = Model(kind: kind, place: place)
        return Schema(.model(id), place: place)
    }

    /// The JSON schemas of an endpoint's error responses.
    private func failures(of endpoint: Endpoint) -> [Schema] {
        let hasSuccess = endpoint.responses.contains { $0.isFor(200...299) }
        let failures = endpoint.responses.filter { response in
            // If the endpoint describes a success, its `default` response is for errors. Otherwise, the `default`
            // response is the success.
            let isDefault = response.statuses == nil
            if isDefault { return hasSuccess }
            return response.isFor(400...599)
        }
        return failures.compactMap(\.json?.schema)
    }

    /// How an endpoint's error responses are read, if none of them has an object like the API's usual failure. Only the
    /// first schema is read; a note reports others.
    func failure(of endpoint: Endpoint) -> EndpointShape.Reading? {
        let schemas = failures(of: endpoint)
        guard let first = schemas.first, !schemas.contains(where: { object($0) != nil }) else {
            return nil
        }
        if schemas.contains(where: { $0 != first }) {
            api.notes.append(Note(.simplified, "only the first of several failures is read", at: first.place))
        }
        return .json(first)
    }
}
