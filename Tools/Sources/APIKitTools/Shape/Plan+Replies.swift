extension Plan {
    /// Decides the form of an endpoint in Swift. Names are chosen later.
    func shape(of endpoint: Endpoint) -> EndpointShape {
        var shape = EndpointShape(endpoint: endpoint, reply: .one(.none), payload: payload(of: endpoint))
        if let inner = onlyObject(of: shape) {
            shape.bodyMember = inner.member
            shape.payload = .members(inner.object, .json)
        }
        let successes = successes(of: endpoint)
        shape.reply = reply(of: successes)
        shape.accept = successes.lazy.compactMap(acceptedType).first
        shape.failure = failure(of: endpoint)
        if let type = endpoint.body?.mediaType { shape.contentType = ownContentType(type) }
        shape.paging = paging(of: endpoint, shape.reply)
        return shape
    }

    /// The media type of a body, if its Swift type does not imply it. A range such as `image/*` cannot be sent, and is
    /// nil.
    private func ownContentType(_ type: String) -> String? {
        let isOwn = type.hasSuffix("+json") || MediaType.isFile(type)
        return isOwn && !type.contains("*") ? type : nil
    }

    // MARK: - Responses

    /// The successful responses, by status: those of 2xx, or else a redirect, or else the `default` response.
    ///
    /// A range such as 2XX comes last, since responses for exact statuses take precedence (OpenAPI 3.1, 4.8.16).
    private func successes(of endpoint: Endpoint) -> [Response] {
        let successes = endpoint.responses.filter { $0.isFor(200...299) }
        if !successes.isEmpty {
            let ranges = successes.filter(\.isForSeveralStatuses).prefix(1)
            let exact = successes.filter { !$0.isForSeveralStatuses }
            return exact.sorted { $0.statuses?.lowerBound ?? 0 < $1.statuses?.lowerBound ?? 0 } + ranges
        }
        if var redirect = endpoint.responses.first(where: { $0.isFor(301...308) }) {
            // The engine follows redirects. What the target returns is unknown, so it is read as bytes.
            redirect.contents = [("application/octet-stream", Schema(.bytes, place: redirect.place))]
            return [redirect]
        }
        return endpoint.responses.filter { $0.statuses == nil }
    }

    /// Decides what an endpoint with these successful responses returns.
    private func reply(of successes: [Response]) -> EndpointShape.Reply {
        var groups: [EndpointShape.StatusReading] = []
        for response in successes {
            let reading = response.content.map(reading) ?? .none
            noteOtherContents(of: response, than: reading)
            add(reading, of: response, to: &groups)
        }
        // Statuses without a described response are read like the first one.
        if !groups.isEmpty, !groups.contains(where: \.isForOthers) {
            groups[0].isForOthers = true
        }
        let contents = groups.map(\.reading).filter { !$0.isNone }
        guard let content = contents.first else { return .one(.none) }
        if groups.count == 1 { return .one(content) }
        return contents.count == 1 ? .optional(content) : .byStatus(groups)
    }

    /// Adds a response to the group of responses that are read in the same way, or creates that group.
    private func add(
        _ reading: EndpointShape.Reading, of response: Response, to groups: inout [EndpointShape.StatusReading]
    ) {
        let isForOthers = response.isForSeveralStatuses && !groups.contains(where: \.isForOthers)
        let statuses = response.isForSeveralStatuses ? [] : [response.statuses?.lowerBound ?? 200]
        if let index = groups.firstIndex(where: { $0.reading == reading }) {
            groups[index].statuses += statuses
            if isForOthers { groups[index].isForOthers = true }
        } else {
            groups.append(EndpointShape.StatusReading(statuses: statuses, isForOthers: isForOthers, reading: reading))
        }
    }

    private func noteOtherContents(of response: Response, than reading: EndpointShape.Reading) {
        let type = response.content?.mediaType ?? ""
        for other in response.contents where self.reading(of: other) != reading {
            let text = "the response is read as \(type), not as \(other.mediaType)"
            api.notes.append(Note(.simplified, text, at: response.place))
        }
    }

    /// The media type of a response, if it has to be requested: the response's Swift type already requests the usual
    /// types.
    private func acceptedType(of response: Response) -> String? {
        guard let content = response.content, reading(of: content).schema != nil else {
            return nil
        }
        let usual = ["application/json", "*/*", "text/event-stream"]
        return usual.contains(content.mediaType) ? nil : content.mediaType
    }

    private func reading(of content: Response.Content) -> EndpointShape.Reading {
        let (name, schema) = content
        switch MediaType(name) {
        case .json where isEmpty(schema):
            return .none
        case .json:
            guard let member = envelopeMember, let content = onlyMember(of: schema, named: member) else {
                return .json(schema)
            }
            return isEmpty(content) ? .none : .envelope(content, of: nil)
        case .events:
            return .events(schema)
        case .jsonLines:
            if case .list(let line) = schema.kind { return .lines(line) }
            return .lines(schema)
        case .text:
            return .text
        case .form, .multipart, .bytes:
            return MediaType.isFile(name) ? .file : .bytes
        }
    }

    // MARK: - Envelopes

    /// Finds the member of the API's envelope: the only member of at least three responses.
    func findEnvelope() {
        let schemas = api.endpoints.flatMap { successes(of: $0).compactMap(\.content?.schema) }
        // Fewer than three responses may have such a member by coincidence.
        envelopeMember = ["data", "result", "response"].first { name in
            schemas.count { onlyMember(of: $0, named: name) != nil } > 2
        }
    }

    /// Lets endpoints return the only member of their response object, if that object is used as a response only. Each
    /// of these endpoints then has an envelope of its own.
    func findOwnEnvelopes() {
        var useCounts: [ModelID: Int] = [:]
        let used = endpoints.flatMap { schemas(of: $0) } + api.models.values.flatMap(\.schemas).map(\.schema)
        for id in used.compactMap(\.core.modelID) { useCounts[id, default: 0] += 1 }
        var endpointsByResponse: [ModelID: [Int]] = [:]
        for index in endpoints.indices {
            if let id = endpoints[index].responseModel { endpointsByResponse[id, default: []].append(index) }
        }
        for (id, indices) in endpointsByResponse.sorted(by: { $0.key < $1.key }) {
            let isOnlyResponse = useCounts[id] == indices.count
            guard isOnlyResponse, let envelope = api.models[id], let content = onlyContent(of: envelope) else {
                continue
            }
            // The envelope is called `Response`, so its content can have the envelope's name.
            if let inner = content.modelID, api.models[inner]?.name == nil {
                api.models[inner]?.name = envelope.name
            }
            for index in indices { wrapReply(of: index, in: envelope, id, content) }
        }
    }

    /// The schema of an object's only member, if its values are objects or unions. It is nullable if the member may be
    /// absent.
    private func onlyContent(of envelope: Model) -> Schema? {
        guard let object = envelope.object, object.others == nil else { return nil }
        let members = members(of: object, .decoded)
        guard members.count == 1, let member = members.first else { return nil }
        switch model(member.schema.core)?.kind {
        case .object, .union: break
        case .texts, nil: return nil
        }
        var content = member.schema
        if !member.isRequired { content.isNullable = true }
        return content
    }

    private func wrapReply(of index: Int, in envelope: Model, _ id: ModelID, _ content: Schema) {
        let own = "\(id) \(index)"
        api.models[own] = envelope
        api.models[own]?.name = nil
        endpoints[index].reply = .one(.envelope(content, of: own))
        endpoints[index].paging = paging(of: endpoints[index].endpoint, endpoints[index].reply)
    }

    /// The only member of an object, if it is a model or a list of models.
    private func onlyMember(of schema: Schema, named name: String) -> Schema? {
        guard let object = object(schema), object.members.count == 1, let content = object.members[name]?.schema else {
            return nil
        }
        guard !schema.isNullable, !content.isNullable else { return nil }
        let isObject = content.holdsModels || isEmpty(content)
        return isObject ? content : nil
    }

    /// Whether an object never has members. A description without members is not enough, since many just leave them
    /// out: the text has to say so too.
    private func isEmpty(_ schema: Schema) -> Bool {
        guard case .dictionary(let inner) = schema.kind, inner.isAny else { return false }
        return schema.documentation?.lowercased().contains("empty object") == true
    }
}

// MARK: - Bodies

extension Plan {
    private func payload(of endpoint: Endpoint) -> EndpointShape.Payload {
        guard let body = endpoint.body else { return .none }
        let mediaType = body.mediaType
        let type = MediaType(mediaType)
        let isUnstructured = body.schema.isBytes || body.schema.isString
        switch type {
        case .json where mediaType.contains("*") && isUnstructured:
            // Bytes or text of any type are sent as a file, not as JSON.
            return .file(mediaType)
        case .json, .jsonLines, .events:
            guard let object = object(body.schema), object.others == nil, isUsedOnce(body.schema) else {
                return .value(body.schema, isRequired: needsBody(endpoint, body.schema))
            }
            return .members(object, .json)
        case .form, .multipart:
            if let object = object(body.schema) { return .members(object, type) }
            guard case .dictionary = body.schema.kind else { return .bytes(mediaType) }
            return .members(Object(), type)
        case .text:
            return .text(mediaType)
        case .bytes:
            return MediaType.isFile(mediaType) ? .file(mediaType) : .bytes(mediaType)
        }
    }

    /// The only member of a JSON body, if it is an object that every request sends. Its members become the endpoint's
    /// properties.
    private func onlyObject(of shape: EndpointShape) -> (member: String, object: Object)? {
        guard case .members(let body, .json) = shape.payload else { return nil }
        let sent = body.members.values.filter { !$0.isReadOnly }
        guard sent.count == 1, let member = sent.first, !member.schema.isNullable,
            let object = object(member.schema), object.others == nil
        else { return nil }
        let isAlwaysSent = member.isRequired || needsBody(shape.endpoint, member.schema)
        let containsItself = object.members.values.contains { inner in
            holds(inner.schema) { $0 == member.schema.kind }
        }
        return isAlwaysSent && !containsItself ? (member.name, object) : nil
    }

    /// Whether a request always has a body: if the description says so, if it is an update, which would change nothing
    /// without a body, or if the body has required members.
    private func needsBody(_ endpoint: Endpoint, _ schema: Schema) -> Bool {
        if endpoint.body?.isRequired == true || ["PATCH", "PUT"].contains(endpoint.method) {
            return true
        }
        return object(schema)?.members.values.contains(where: \.isRequired) == true
    }

    /// Whether a schema is a model that is referenced only once, by the body itself.
    private func isUsedOnce(_ schema: Schema) -> Bool {
        guard case .model(let id) = schema.kind else { return false }
        return references[id] == 1
    }
}

extension EndpointShape.Reading {
    var isNone: Bool { self == .none }

    /// Whether it is in the API's envelope.
    var isEnvelope: Bool {
        if case .envelope(_, of: nil) = self { true } else { false }
    }

    /// The schema of the values that are read; nil if they are not JSON.
    var schema: Schema? {
        switch self {
        case .json(let schema), .envelope(let schema, _), .events(let schema), .lines(let schema): schema
        case .none, .text, .bytes, .file: nil
        }
    }
}

extension EndpointShape {
    /// The model of the whole response; nil if the response is something else or may be null.
    var responseModel: ModelID? {
        guard case .one(.json(let schema)) = reply, !schema.isNullable else { return nil }
        return schema.modelID
    }
}
