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
            name: id, .object(merged), documentation: "What the API reports for a rejected request.",
            place: schemas[0].place)
        failure = Schema(.model(id), place: schemas[0].place)
    }

    /// One object with the members of several. What not all of them have is optional.
    private func merged(_ objects: [Object], id: ModelID) -> Object {
        var members: [Object.Member] = []
        for name in Set(objects.flatMap(\.members.keys)).sorted() {
            let found = objects.compactMap { $0.members[name] }
            var member = found[0]
            member.isRequired = found.count == objects.count && found.allSatisfy(\.isRequired)
            member.schema.isNullable = found.contains { $0.schema.isNullable }
            var distinct: [Schema] = []
            for schema in found.map(\.schema) where !distinct.contains(where: { $0.kind.isSame(as: schema.kind) }) {
                if schema.kind.isNumber, distinct.contains(where: { $0.kind.isNumber }) { continue }
                distinct.append(schema)
            }
            if distinct.contains(where: { if case .any = $0.kind { true } else { false } }) {
                member.schema.kind = .any
            } else if distinct.allSatisfy({ isText($0.kind) }), distinct.count > 1 {
                member.schema.kind = .string
            } else if distinct.count > 1 {
                let inner = "\(id)/\(name)"
                api.models[inner] = Model(
                    .union(Union(distinct.map { Union.Variant($0) })), place: distinct[0].place)
                member.schema.kind = .model(inner)
            }
            members.append(member)
        }
        return Object(members)
    }

    private func isText(_ kind: Schema.Kind) -> Bool {
        switch kind {
        case .string, .constant, .date: true
        case .model(let id): if case .texts? = api.models[id]?.kind { true } else { false }
        default: false
        }
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
        if schemas.dropFirst().contains(where: { !$0.kind.isSame(as: first.kind) }) {
            api.notes.append(Note(.simplified, "only the first of several failures is read", at: first.place))
        }
        return .json(first)
    }
}
