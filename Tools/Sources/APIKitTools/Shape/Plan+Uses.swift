extension Plan {
    func countReferences() -> [ModelID: Int] {
        var counts: [ModelID: Int] = [:]
        func count(_ schema: Schema) {
            if case .model(let id) = schema.core.kind { counts[id, default: 0] += 1 }
        }
        for endpoint in api.endpoints {
            endpoint.parameters.forEach { count($0.schema) }
            if let body = endpoint.body, !endpoint.isStream { count(body.schema) }
            endpoint.responses.forEach { $0.contents.forEach { count($0.schema) } }
        }
        for model in api.models.values { model.schemas.forEach { count($0.schema) } }
        return counts
    }

    /// Follows every schema from the endpoints, and notes what its models are used for.
    func findUses() {
        if let failure { follow(failure, [.decoded, .response, .failure], user: .api, hint: "error") }
        for (index, shape) in endpoints.enumerated() {
            let user = TypeShape.Owner.endpoint(index)
            for parameter in shape.endpoint.parameters {
                follow(parameter.schema, .parameter, user: user, hint: parameter.name)
            }
            switch shape.payload {
            case .members(let object, _):
                for member in members(of: object, .parameter) {
                    let uses: Uses = isJSONPart(member, of: shape) ? [.encoded, .body] : .parameter
                    follow(member.schema, uses, user: user, hint: member.name)
                }
            case .value(let schema, _): follow(schema, [.encoded, .body], user: user, hint: "body")
            case .none, .bytes, .file, .text: break
            }
            switch shape.reply {
            case .one(let reading), .optional(let reading): follow(reading, user: user)
            case .byStatus(let readings):
                for group in readings { follow(group.reading, user: user, hint: group.name) }
            }
            if let failure = shape.failure { follow(failure, user: user, hint: "failure") }
        }
    }

    /// Whether a member of a body is a part in JSON of a form with files: as the description says, or since it is an
    /// object (OpenAPI 3.1, 4.8.15).
    func isJSONPart(_ member: Object.Member, of shape: EndpointShape) -> Bool {
        guard case .members(_, .multipart) = shape.payload else { return false }
        switch shape.endpoint.body?.styles[member.name] {
        case .json?: return true
        case nil: return isObject(member.schema)
        default: return false
        }
    }

    private func isObject(_ schema: Schema) -> Bool {
        switch schema.kind {
        case .dictionary: true
        case .list(let inner): isObject(inner)
        case .model:
            switch model(schema)?.kind {
            case .object: true
            case .union(let union): union.variants.allSatisfy { object($0.schema) != nil }
            default: false
            }
        default: false
        }
    }

    private func follow(_ reading: EndpointShape.Reading, user: TypeShape.Owner, hint: String = "response") {
        switch reading {
        case .json(let schema), .envelope(let schema, of: nil):
            follow(schema, [.decoded, .response], user: user, hint: hint)
        case .envelope(let schema, let id?):
            types[id] = TypeShape(uses: [.decoded, .envelope], users: [user])
            let member = api.models[id]?.object.flatMap { members(of: $0, .decoded).first }
            follow(schema, [.decoded, .response], user: user, hint: member?.name ?? hint)
        case .events(let schema): follow(schema, [.decoded, .event], user: user, hint: "event")
        case .lines(let schema): follow(schema, [.decoded, .response], user: user, hint: "line")
        case .none, .text, .bytes, .file: break
        }
    }

    private func follow(
        _ schema: Schema, _ uses: Uses, user: TypeShape.Owner, hint: String, isElement: Bool = false
    ) {
        switch schema.kind {
        case .list(let inner), .dictionary(let inner):
            follow(inner, uses, user: user, hint: hint, isElement: true)
        case .model(let id):
            if let element = pageElements[id] {
                follow(Schema(.model(Self.page), place: schema.place), [.decoded, .response], user: .api, hint: hint)
                return follow(element, uses.subtracting(.response), user: user, hint: hint, isElement: true)
            }
            guard let model = api.models[id] else { return }
            var type = types[id] ?? TypeShape()
            let news = uses.subtracting(type.uses)
            type.uses.formUnion(uses)
            if type.hint.isEmpty || hint < type.hint { (type.hint, type.isElement) = (hint, isElement) }
            type.users.insert(user)
            types[id] = type
            guard !news.isEmpty else { return }
            let inner = type.uses.intersection([.decoded, .encoded, .parameter])
            for (name, schema) in model.schemas where isUsed(name, of: model, for: inner) {
                follow(schema, inner, user: .model(id), hint: name)
            }
        default: break
        }
    }

    private func isUsed(_ name: String, of model: Model, for uses: Uses) -> Bool {
        guard let member = model.object?.members[name] else { return true }
        if uses.contains(.decoded), !uses.isDisjoint(with: [.encoded, .parameter]) { return true }
        return uses.contains(.decoded) ? !member.isWriteOnly : !member.isReadOnly
    }
}

extension Model {
    /// What a value of the model contains: members by their names, or variants.
    var schemas: [(name: String, schema: Schema)] {
        switch kind {
        case .object(let object):
            object.members.values.map { ($0.name, $0.schema) }.sorted { $0.0 < $1.0 }
        case .texts: []
        case .union(let union):
            union.variants.map { variant in
                (variant.name ?? variant.tags.first ?? variant.schema.kind.word, variant.schema)
            }
        }
    }
}

extension Schema.Kind {
    /// What a value is called where nothing else names it.
    var word: String {
        switch self {
        case .any: "value"
        case .boolean: "bool"
        case .integer: "int"
        case .number: "number"
        case .string: "string"
        case .constant(let text): text
        case .date, .unixTime: "date"
        case .bytes: "data"
        case .list(let inner): if case .model = inner.kind { "items" } else { inner.kind.word + "s" }
        case .dictionary: "dictionary"
        case .model: "object"
        }
    }
}
