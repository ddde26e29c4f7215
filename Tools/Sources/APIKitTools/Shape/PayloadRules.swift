/// Decides what endpoints send in their bodies.
struct PayloadRules {
    /// What an endpoint sends, and in which member of the body.
    struct BodyForm {
        let payload: EndpointForm.Payload
        /// The member that the payload's members are nested in; nil if they are members of the body itself.
        let member: String?
    }

    private let models: Models
    /// How often each model is referenced, by endpoints, by webhooks and by other models.
    private let references: [ModelID: Int]

    /// Creates the rules for the endpoints of an API with some models.
    init(_ api: API, _ models: Models) {
        self.models = models
        references = Self.countReferences(api, models)
    }

    /// Decides what an endpoint sends in its body. A body such as `{"issue": {"title": …}}` is sent from the properties
    /// of the endpoint, `title` among them.
    func body(of endpoint: Endpoint) -> BodyForm {
        let payload = payload(of: endpoint)
        let whole = BodyForm(payload: payload, member: nil)
        guard case .members(let object, .json) = payload else { return whole }
        guard let member = onlyMember(of: object, endpoint) else { return whole }
        guard let inner = models.object(member.schema) else { return whole }
        return BodyForm(payload: .members(inner, .json), member: member.name)
    }

    /// Decides what an endpoint sends in its body: members that are properties of the endpoint, one value, or text or
    /// bytes.
    private func payload(of endpoint: Endpoint) -> EndpointForm.Payload {
        guard let body = endpoint.body else { return .none }
        let mediaType = MediaType(body.mediaType)
        switch mediaType {
        case .json, .jsonLines, .events:
            return jsonPayload(of: endpoint, body)
        case .form, .multipart:
            if let object = models.object(body.schema) { return .members(object, mediaType) }
            // A form whose members are unknown is sent empty.
            if case .dictionary = body.schema.kind { return .members(Object(), mediaType) }
            // Other values are not a form, so the caller encodes them.
            return .bytes(body.mediaType)
        case .text:
            return .text(body.mediaType)
        case .bytes:
            return MediaType.isFile(body.mediaType) ? .file(body.mediaType) : .bytes(body.mediaType)
        }
    }

    /// Decides what an endpoint with a JSON body sends.
    ///
    /// If the body is an object that is used nowhere else, its members become properties of the endpoint. Any other
    /// body has a type of its own, and the endpoint has one property of that type.
    private func jsonPayload(of endpoint: Endpoint, _ body: Body) -> EndpointForm.Payload {
        let isTextOrBytes = body.schema.isBytes || body.schema.isString
        // A body of any media type, `*/*`, also counts as JSON. If it is a text or bytes, it is sent as a file.
        let isAnyType = body.mediaType.contains("*")
        if isTextOrBytes, isAnyType { return .file(body.mediaType) }
        if let object = models.object(body.schema), object.others == nil, isOnlyUsedByBody(body.schema) {
            return .members(object, .json)
        }
        return .value(body.schema, isRequired: needsBody(endpoint, body.schema))
    }

    /// Finds the member of a JSON body whose object is all that the body holds: `issue` in `{"issue": {"title": …}}`.
    ///
    /// The body must have only this member, and every request must send it. An object that contains itself is not
    /// found, since it needs a type of its own anyway.
    private func onlyMember(of body: Object, _ endpoint: Endpoint) -> Object.Member? {
        let sent = body.members.values.filter { !$0.isReadOnly }
        guard sent.count == 1, let member = sent.first, !member.schema.isNullable else { return nil }
        guard let object = models.object(member.schema), object.others == nil else { return nil }
        // If the body itself is always sent, so is its only member.
        let isAlwaysSent = member.isRequired || needsBody(endpoint, member.schema)
        if !isAlwaysSent { return nil }
        let containsItself = object.members.values.contains { inner in
            models.contains(in: inner.schema) { $0 == member.schema.kind }
        }
        return containsItself ? nil : member
    }

    /// Whether a request always has a body: if the description says so, if it is an update, which would change nothing
    /// without a body, or if the body has required members.
    private func needsBody(_ endpoint: Endpoint, _ schema: Schema) -> Bool {
        if endpoint.body?.isRequired == true { return true }
        if ["PATCH", "PUT"].contains(endpoint.method) { return true }
        return models.object(schema)?.members.values.contains(where: \.isRequired) == true
    }

    // MARK: - References

    /// Whether a schema is a model that is referenced only once, by the body itself.
    private func isOnlyUsedByBody(_ schema: Schema) -> Bool {
        guard case .model(let id) = schema.kind else { return false }
        return references[id] == 1
    }

    /// Counts how often each model is referenced. A list or a dictionary of models references the model of its
    /// elements.
    private static func countReferences(_ api: API, _ models: Models) -> [ModelID: Int] {
        var schemas = models.values.flatMap(\.schemas).map(\.schema)
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
}
