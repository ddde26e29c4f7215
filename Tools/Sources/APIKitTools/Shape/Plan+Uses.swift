extension Plan {
    /// Counts how often each model is referenced, by endpoints, by webhooks and by other models.
    ///
    /// The count shows whether a model is only used in one place. A list or a dictionary of models references the model
    /// of its elements.
    func countReferences() -> [ModelID: Int] {
        var schemas = api.models.values.flatMap(\.schemas).map(\.schema)
        for endpoint in api.endpoints {
            schemas += endpoint.parameters.map(\.schema)
            // An operation that returns JSON or events is split into two endpoints with the same body. `isStream` marks
            // the second one. The body is counted once, so that it can still be the only use of its model.
            if let body = endpoint.body, !endpoint.isStream { schemas.append(body.schema) }
            schemas += endpoint.responses.flatMap(\.contents).map(\.schema)
        }
        schemas += api.webhooks.map(\.schema)
        var counts: [ModelID: Int] = [:]
        for schema in schemas {
            if let id = schema.core.modelID { counts[id, default: 0] += 1 }
        }
        return counts
    }

    /// Follows the schemas of all endpoints, and records in ``types`` what each model is used for, and by whom.
    ///
    /// Each use has a hint: the name of the member or the parameter, such as `owner`, or a word such as `error`. A type
    /// without a name in the description is named after its hint.
    func findUses() {
        if let failure {
            follow(failure, [.decoded, .response, .failure], user: .api, hint: "error")
        }
        for (index, shape) in endpoints.enumerated() {
            let user = TypeShape.Owner.endpoint(index)
            for parameter in shape.endpoint.parameters {
                follow(parameter.schema, .parameter, user: user, hint: parameter.name)
            }
            followBody(of: shape, user: user)
            followReply(of: shape, user: user)
            if let failure = shape.failure { followReading(failure, user: user, hint: "failure") }
        }
        findUsesByWebhooks()
    }

    // MARK: - Endpoints

    /// Finds the objects that are whole bodies of updates, or variants of such bodies. In an update, null removes a
    /// value, so these objects must be able to send it.
    func findObjectsOfUpdates() -> Set<ModelID> {
        var work: [ModelID] = []
        for shape in endpoints where shape.isUpdate {
            if case .value(let schema, _) = shape.payload, let id = schema.modelID { work.append(id) }
        }
        var known: Set<ModelID> = []
        while let id = work.popLast() {
            guard known.insert(id).inserted else { continue }
            work += api.models[id]?.variants.compactMap(\.schema.modelID) ?? []
        }
        return known
    }

    /// Records the uses of the models in an endpoint's body.
    ///
    /// If the members of the body are properties of the endpoint, their values are written as parameters, even if the
    /// body is JSON. An encoder only writes a body that is a single JSON value, and a JSON part of a multipart form.
    private func followBody(of shape: EndpointShape, user: TypeShape.Owner) {
        switch shape.payload {
        case .members(let object, _):
            for member in members(of: object, .parameter) {
                let uses: Uses = isJSONPart(member, of: shape) ? [.encoded, .body] : .parameter
                follow(member.schema, uses, user: user, hint: member.name)
            }
        case .value(let schema, _):
            follow(schema, [.encoded, .body], user: user, hint: "body")
        case .none, .bytes, .file, .text:
            break
        }
    }

    /// Records the uses of the models in an endpoint's successful responses.
    private func followReply(of shape: EndpointShape, user: TypeShape.Owner) {
        switch shape.reply {
        case .one(let reading), .optional(let reading):
            followReading(reading, user: user, hint: "response")
        case .byStatus(let groups):
            for group in groups { followReading(group.reading, user: user, hint: group.name) }
        }
    }

    /// Whether a member is sent as a JSON part of a multipart form: if the description says so, or by default if it is
    /// an object (OpenAPI 3.1, 4.8.15).
    func isJSONPart(_ member: Object.Member, of shape: EndpointShape) -> Bool {
        guard case .members(_, .multipart) = shape.payload else { return false }
        guard let style = shape.endpoint.body?.styles[member.name] else { return holdsObjects(member.schema) }
        if case .json = style { return true }
        return false
    }

    /// Whether values are JSON objects, dictionaries, or lists of these. A union counts as an object if all of its
    /// variants are objects.
    private func holdsObjects(_ schema: Schema) -> Bool {
        switch schema.kind {
        case .dictionary: return true
        case .list(let element): return holdsObjects(element)
        default: break
        }
        switch model(schema)?.kind {
        case .object: return true
        case .union(let union): return union.variants.allSatisfy { object($0.schema) != nil }
        case .texts, .numbers, nil: return false
        }
    }

    /// Records the uses of the models in the body of a response.
    ///
    /// - Parameters:
    ///   - reading: How the body is read.
    ///   - user: The endpoint.
    ///   - hint: The name for a type that has none in the description.
    private func followReading(_ reading: EndpointShape.Reading, user: TypeShape.Owner, hint: String) {
        switch reading {
        case .json(let schema), .envelope(let schema, of: nil):
            // The API's envelope, which many endpoints share, is a generic type that is written once. Only its content
            // is used here.
            follow(schema, [.decoded, .response], user: user, hint: hint)
        case .envelope(let schema, of: let envelope?):
            // The endpoint's own envelope is a type inside the endpoint. Its content is named after its only member.
            types[envelope] = TypeShape(uses: [.decoded, .envelope], users: [user])
            var hintOfContent = hint
            if let object = api.models[envelope]?.object, let member = members(of: object, .decoded).first {
                hintOfContent = member.name
            }
            follow(schema, [.decoded, .response], user: user, hint: hintOfContent)
        case .events(let schema):
            follow(schema, [.decoded, .event], user: user, hint: "event")
        case .lines(let schema):
            follow(schema, [.decoded, .response], user: user, hint: "line")
        case .none, .text, .bytes, .file:
            break
        }
    }

    // MARK: - Models

    /// Records the uses of the models in a schema, at any depth.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - uses: The uses of its values.
    ///   - user: The model or the endpoint that uses them.
    ///   - hint: The name of the member or the parameter that uses them.
    ///   - isElement: Whether they are elements of a list or a dictionary.
    func follow(
        _ schema: Schema, _ uses: Uses, user: TypeShape.Owner, hint: String, isElement: Bool = false
    ) {
        switch schema.kind {
        case .list(let inner), .dictionary(let inner):
            follow(inner, uses, user: user, hint: hint, isElement: true)
        case .model(let id):
            if let element = pageElements[id] {
                followPage(of: element, uses, user: user, hint: hint, at: schema.place)
            } else if let model = api.models[id] {
                let hasNewUses = recordUse(of: id, uses, user: user, hint: hint, isElement: isElement)
                // Without new uses, the members have been followed before. This also ends the recursion.
                if hasNewUses { followMembers(of: model, id) }
            }
        default:
            break
        }
    }

    /// Records the uses of a page of elements. Only responses have pages.
    ///
    /// The response is the API's generic type of pages, which the API uses. The endpoint uses the elements, which are
    /// read as a part of the response.
    private func followPage(of element: Schema, _ uses: Uses, user: TypeShape.Owner, hint: String, at place: Place) {
        let page = Schema(.model(Self.page), place: place)
        follow(page, [.decoded, .response], user: .api, hint: hint)
        follow(element, uses.subtracting(.response), user: user, hint: hint, isElement: true)
    }

    /// Adds uses, a user and a hint to the type of a model.
    ///
    /// - Parameters:
    ///   - id: The model.
    ///   - uses: The uses of its values.
    ///   - user: The model or the endpoint that uses them.
    ///   - hint: The name for a type that has none in the description: that of the member, such as `items`.
    ///   - isElement: Whether the values are elements of a list, so that this hint has to be put in the singular.
    /// - Returns: Whether one of the uses is new.
    private func recordUse(
        of id: ModelID, _ uses: Uses, user: TypeShape.Owner, hint: String, isElement: Bool
    ) -> Bool {
        var type = types[id] ?? TypeShape()
        let hasNewUses = !uses.isSubset(of: type.uses)
        type.uses.formUnion(uses)
        type.users.insert(user)
        // The first hint in alphabetical order is kept, so that the order of the description does not matter.
        if type.hint.isEmpty || hint < type.hint {
            type.hint = hint
            type.isElement = isElement
        }
        types[id] = type
        return hasNewUses
    }

    /// Records the uses of the models in a model's members or variants.
    ///
    /// They inherit how values are read and written, but not what the model as a whole is: a member of a response is
    /// not a response itself.
    private func followMembers(of model: Model, _ id: ModelID) {
        let uses = types[id]?.uses ?? []
        let inherited = uses.intersection([.decoded, .encoded, .parameter])
        for (name, schema) in model.schemas where isUsed(name, of: model, for: inherited) {
            follow(schema, inherited, user: .model(id), hint: name)
        }
    }

    /// Whether a member exists for some uses: `readOnly` members are not sent, and `writeOnly` members are not read.
    /// The variants of a union exist for all uses.
    private func isUsed(_ name: String, of model: Model, for uses: Uses) -> Bool {
        guard let member = model.object?.members[name] else { return true }
        if uses.isRead && uses.isWritten { return true }
        return uses.isRead ? !member.isWriteOnly : !member.isReadOnly
    }
}

extension Model {
    /// The schemas of an object's members, sorted by name, or of a union's variants, each with a name. Empty for an
    /// enum of texts or numbers.
    var schemas: [(name: String, schema: Schema)] {
        switch kind {
        case .object(let object):
            object.members.values.map { ($0.name, $0.schema) }.sorted { $0.0 < $1.0 }
        case .texts, .numbers: []
        case .union(let union):
            union.variants.map { ($0.nameOrWord, $0.schema) }
        }
    }
}

extension Union.Variant {
    /// The name of the variant, or else its first tag if that is a text, or else the word for the kind of its values,
    /// such as `string`.
    fileprivate var nameOrWord: String { name ?? tags.first?.text ?? schema.kind.word }
}

extension Schema.Kind {
    /// A word for a value that has no name of its own: `int` for a whole number, `strings` for a list of texts, and
    /// `string lists` for a list of such lists.
    var word: String {
        switch self {
        case .any: "value"
        case .boolean: "bool"
        case .integer: "int"
        case .number: "number"
        case .string: "string"
        case .constant(let text): text
        case .fixed(_, let kind): kind.word
        case .date, .unixTime: "date"
        case .bytes: "data"
        case .list(let inner) where inner.modelID != nil: "items"
        case .list(let inner) where inner.isList: "\(Words.singular(inner.kind.word)) lists"
        case .list(let inner): Words(words: [inner.kind.word]).plural.words[0]
        case .dictionary: "dictionary"
        case .model: "object"
        }
    }
}
