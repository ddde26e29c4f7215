extension Plan {
    /// What an endpoint is in Swift, but for its names.
    func shape(of endpoint: Endpoint) -> EndpointShape {
        var shape = EndpointShape(endpoint: endpoint, reply: .one(.none), payload: payload(of: endpoint))
        if let (member, object) = onlyObject(of: shape) {
            shape.bodyMember = member
            shape.payload = .members(object, .json)
        }
        var readings: [EndpointShape.StatusReading] = []
        for response in successes(of: endpoint) {
            let type = response.content?.mediaType ?? ""
            let reading = response.content.map(reading) ?? .none
            for other in response.contents where self.reading(of: other) != reading {
                let text = "the response is read as \(type), not as \(other.mediaType)"
                api.notes.append(Note(.simplified, text, at: response.place))
            }
            if reading.schema != nil, !["application/json", "*/*", "text/event-stream"].contains(type) {
                shape.accept = shape.accept ?? type
            }
            add(reading, of: response, to: &readings)
        }
        // What no response is described for is read like the first one.
        if !readings.isEmpty, !readings.contains(where: \.isForOthers) { readings[0].isForOthers = true }
        let contents = readings.filter { !$0.reading.isNone }
        switch (contents.count, readings.count) {
        case (0, _): shape.reply = .one(.none)
        case (1, 1): shape.reply = .one(contents[0].reading)
        case (1, _): shape.reply = .optional(contents[0].reading)
        default: shape.reply = .byStatus(readings)
        }
        shape.failure = failure(of: endpoint)
        if let type = endpoint.body?.mediaType, type.hasSuffix("+json") || MediaType.isFile(type), !type.contains("*") {
            shape.contentType = type
        }
        shape.paging = paging(of: endpoint, shape.reply)
        return shape
    }

    /// Adds a response to the group of those that are read in the same way.
    private func add(
        _ reading: EndpointShape.Reading, of response: Response, to groups: inout [EndpointShape.StatusReading]
    ) {
        let isForOthers = response.isForSeveralStatuses && !groups.contains(where: \.isForOthers)
        let statuses = response.isForSeveralStatuses ? [] : [response.statuses?.lowerBound ?? 200]
        if let index = groups.firstIndex(where: { $0.reading == reading }) {
            groups[index].statuses += statuses
            groups[index].isForOthers = groups[index].isForOthers || isForOthers
        } else {
            groups.append(EndpointShape.StatusReading(statuses: statuses, isForOthers: isForOthers, reading: reading))
        }
    }

    /// The responses that are a success, by status: those of 2xx, or the one for all statuses if there is none. A range
    /// such as 2XX is for what no exact status is for (OpenAPI 3.1, 4.8.16), so it comes last.
    private func successes(of endpoint: Endpoint) -> [Response] {
        let successes = endpoint.responses.filter { $0.isFor(200...299) }
        if !successes.isEmpty {
            let ranges = successes.filter(\.isForSeveralStatuses).prefix(1)
            let others = successes.filter { !$0.isForSeveralStatuses }
            return others.sorted { $0.statuses?.lowerBound ?? 0 < $1.statuses?.lowerBound ?? 0 } + ranges
        }
        if var redirect = endpoint.responses.first(where: { $0.isFor(301...308) }) {
            // Redirects are followed, to what the description does not say.
            redirect.contents = [("application/octet-stream", Schema(.bytes, place: redirect.place))]
            return [redirect]
        }
        return endpoint.responses.filter { $0.statuses == nil }
    }

    private func reading(of content: Response.Content) -> EndpointShape.Reading {
        let (name, schema) = content
        switch MediaType(name) {
        case .json where isEmpty(schema): return .none
        case .json:
            guard let member = envelopeMember, let content = onlyMember(of: schema, named: member) else {
                return .json(schema)
            }
            return isEmpty(content) ? .none : .envelope(content, of: nil)
        case .events: return .events(schema)
        case .jsonLines: if case .list(let line) = schema.kind { return .lines(line) } else { return .lines(schema) }
        case .text: return .text
        default: return MediaType.isFile(name) ? .file : .bytes
        }
    }

    /// Finds the member that many responses have around what they are about, and nothing else.
    func findEnvelope() {
        let schemas = api.endpoints.flatMap { successes(of: $0).compactMap(\.content?.schema) }
        envelopeMember = ["data", "result", "response"].first { name in
            schemas.count { onlyMember(of: $0, named: name) != nil } > 2
        }
    }

    /// Has endpoints return what is in a response, if that is its only member, and the object around it is nothing but
    /// the response of endpoints. Each of them has an envelope of its own.
    func findOwnEnvelopes() {
        let used = endpoints.flatMap { schemas(of: $0) } + api.models.values.flatMap(\.schemas).map(\.schema)
        let counts = Dictionary(used.compactMap(\.core.modelID).map { ($0, 1) }, uniquingKeysWith: +)
        let replies = Dictionary(grouping: endpoints.indices) { endpoints[$0].responseModel ?? "" }
        for (id, indices) in replies.sorted(by: { $0.key < $1.key }) where counts[id] == indices.count {
            guard let envelope = api.models[id], let object = envelope.object, object.others == nil else { continue }
            let members = members(of: object, .decoded)
            guard let member = members.first, members.count == 1 else { continue }
            var content = member.schema
            switch model(content.core)?.kind {
            case .object, .union: break
            case .texts, nil: continue
            }
            content.isNullable = content.isNullable || !member.isRequired
            // The envelope has no name, so that what is in it can have that.
            if let inner = content.modelID, api.models[inner]?.name == nil { api.models[inner]?.name = envelope.name }
            for index in indices {
                let own = "\(id) \(index)"
                api.models[own] = envelope
                api.models[own]?.name = nil
                endpoints[index].reply = .one(.envelope(content, of: own))
                endpoints[index].paging = paging(of: endpoints[index].endpoint, endpoints[index].reply)
            }
        }
    }

    /// The only member of an object, if it is a model or a list of models.
    private func onlyMember(of schema: Schema, named name: String) -> Schema? {
        guard let object = object(schema), object.members.count == 1, let content = object.members[name]?.schema,
            !schema.isNullable, !content.isNullable, content.holdsModels || isEmpty(content)
        else { return nil }
        return content
    }

    /// Whether an object has no members, and the description does not only leave them out.
    private func isEmpty(_ schema: Schema) -> Bool {
        guard case .dictionary(let inner) = schema.kind, inner.isAny else { return false }
        return schema.documentation?.lowercased().contains("empty object") == true
    }

    private func payload(of endpoint: Endpoint) -> EndpointShape.Payload {
        guard let body = endpoint.body else { return .none }
        let type = MediaType(body.mediaType)
        switch type {
        // A file of any type.
        case .json where body.mediaType.contains("*") && (body.schema.isBytes || body.schema.isString):
            return .file(body.mediaType)
        case .json, .jsonLines, .events:
            guard let object = object(body.schema), object.others == nil, isUsedOnce(body.schema) else {
                return .value(body.schema, isRequired: needsBody(endpoint, body.schema))
            }
            return .members(object, .json)
        case .form, .multipart:
            if let object = object(body.schema) { return .members(object, type) }
            guard case .dictionary = body.schema.kind else { return .bytes(body.mediaType) }
            return .members(Object(), type)
        case .text: return .text(body.mediaType)
        case .bytes: return MediaType.isFile(body.mediaType) ? .file(body.mediaType) : .bytes(body.mediaType)
        }
    }

    /// The members of the only member of a body in JSON, if that is an object that every request has.
    private func onlyObject(of shape: EndpointShape) -> (member: String, object: Object)? {
        guard case .members(let body, .json) = shape.payload else { return nil }
        let sent = body.members.values.filter { !$0.isReadOnly }
        guard sent.count == 1, let member = sent.first, !member.schema.isNullable, let object = object(member.schema),
            object.others == nil, member.isRequired || needsBody(shape.endpoint, member.schema),
            !object.members.values.contains(where: { holds($0.schema) { $0 == member.schema.kind } })
        else { return nil }
        return (member.name, object)
    }

    /// Whether a request without a body has no sense: an update of nothing, or none of the members that are required.
    private func needsBody(_ endpoint: Endpoint, _ schema: Schema) -> Bool {
        endpoint.body?.isRequired == true || ["PATCH", "PUT"].contains(endpoint.method)
            || object(schema)?.members.values.contains { $0.isRequired } == true
    }

    /// Whether a model is the body of one endpoint, and nothing else.
    private func isUsedOnce(_ schema: Schema) -> Bool {
        guard case .model(let id) = schema.kind else { return false }
        return references[id] == 1
    }
}

extension EndpointShape.Reading {
    var isNone: Bool { self == .none }
    /// Whether it is in the API's envelope.
    var isEnvelope: Bool { if case .envelope(_, of: nil) = self { true } else { false } }

    /// The values that are read; nil if they are not JSON.
    var schema: Schema? {
        switch self {
        case .json(let schema), .envelope(let schema, _), .events(let schema), .lines(let schema): schema
        case .none, .text, .bytes, .file: nil
        }
    }
}

extension EndpointShape {
    /// The model that is all of the response.
    var responseModel: ModelID? {
        guard case .one(.json(let schema)) = reply, !schema.isNullable else { return nil }
        return schema.modelID
    }
}
