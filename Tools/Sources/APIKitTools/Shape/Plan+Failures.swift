extension Plan {
    /// Finds what the API reports for rejected requests. If it has several objects for that, they become one with the
    /// members of all.
    func shapeFailures() {
        var objects: [ModelID: Schema] = [:]
        for endpoint in api.endpoints {
            for schema in failures(of: endpoint) {
                guard case .model(let id) = schema.kind, object(schema) != nil else { continue }
                objects[id] = schema
            }
        }
        let schemas = objects.sorted { $0.key < $1.key }.map(\.value)
        guard schemas.count > 1 else {
            failure = schemas.first
            return
        }
        let id = "\(options.name)Error"
        let merged = merged(schemas.compactMap { object($0) }, id: id)
        api.models[id] = Model(
            name: id, kind: .object(merged), documentation: "What the API reports for a rejected request.",
            place: schemas[0].place)
        failure = Schema(.model(id), place: schemas[0].place)
    }

    /// One object with the members of several. What not all of them have is optional.
    private func merged(_ objects: [Object], id: ModelID) -> Object {
        let members = Set(objects.flatMap(\.members.keys)).sorted().map { name in
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
        var distinct: [Schema] = []
        var objects: [Schema] = []
        var elements: [Schema] = []
        for schema in schemas {
            if schema.isAny { return .any }
            if distinct.contains(schema) { continue }
            if schema.kind.isNumber, distinct.contains(where: { $0.kind.isNumber }) { continue }
            if object(schema) != nil, !objects.contains(schema) {
                objects.append(schema)
            } else if case .list(let element) = schema.kind {
                elements.append(element)
            } else if object(schema) == nil {
                distinct.append(schema)
            }
        }
        if distinct.count > 1, distinct.allSatisfy({ $0.isString || $0.kind.isText(in: api.models) }) {
            distinct = [Schema(.string, place: distinct[0].place)]
        }
        if objects.count > 1, id.count < 300 {
            let merged = merged(objects.compactMap { object($0) }, id: "\(id)/{}")
            api.models["\(id)/{}"] = Model(kind: .object(merged), place: objects[0].place)
            objects = [Schema(.model("\(id)/{}"), place: objects[0].place)]
        }
        if let first = elements.first {
            distinct.append(
                Schema(.list(Schema(merged(elements, id: "\(id)/[]"), place: first.place)), place: first.place))
        }
        distinct += objects
        guard distinct.count > 1 else { return distinct.first?.kind ?? .any }
        api.models[id] = Model(
            kind: .union(Union(variants: distinct.map { Union.Variant(schema: $0) })), place: distinct[0].place)
        return .model(id)
    }

    /// The values in JSON that an endpoint's rejected responses hold.
    private func failures(of endpoint: Endpoint) -> [Schema] {
        let successes = endpoint.responses.contains { $0.statuses.map { 200..<300 ~= $0.lowerBound } ?? false }
        return endpoint.responses.flatMap { response -> [Schema] in
            guard response.statuses.map({ $0.lowerBound >= 400 }) ?? successes else { return [] }
            return response.contents.filter { MediaType($0.mediaType) == .json }.prefix(1).map(\.schema)
        }
    }

    /// What a rejected response of an endpoint holds, if none of it is what the API usually reports.
    func failure(of endpoint: Endpoint) -> EndpointShape.Reading? {
        let schemas = failures(of: endpoint)
        guard let first = schemas.first, !schemas.contains(where: { object($0) != nil }) else { return nil }
        if schemas.contains(where: { $0 != first }) {
            api.notes.append(Note(.simplified, "only the first of several failures is read", at: first.place))
        }
        return .json(first)
    }
}
