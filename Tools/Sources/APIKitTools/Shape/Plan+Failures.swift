extension Plan {
    /// Finds what the API reports for rejected requests. If it has several objects for that, they become one with the
    /// members of all.
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

    /// One object with the members of several. What not all of them have is optional.
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

    /// The simplest kind that has the values of all schemas.
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

    /// Objects that contain themselves could be merged for ever; their path would grow.
    private static let longestMergedID = 300

    private func added(_ kind: Model.Kind, id: ModelID, at place: Place) -> Schema {
        api.models[id] = Model(kind: kind, place: place)
        return Schema(.model(id), place: place)
    }

    /// The values in JSON that an endpoint's rejected responses hold.
    private func failures(of endpoint: Endpoint) -> [Schema] {
        let hasSuccess = endpoint.responses.contains { $0.isFor(200...299) }
        let failures = endpoint.responses.filter { response in
            // What is for all other statuses is a failure, unless nothing else is a success.
            let isForOthers = response.statuses == nil
            return response.isFor(400...599) || (isForOthers && hasSuccess)
        }
        return failures.compactMap(\.json?.schema)
    }

    /// What a rejected response of an endpoint holds, if none of it is what the API usually reports.
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
