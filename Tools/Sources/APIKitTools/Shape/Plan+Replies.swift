extension Plan {
    private typealias Content = (mediaType: String, schema: Schema)

    /// What an endpoint is in Swift, but for its names.
    func shape(of endpoint: Endpoint) -> EndpointShape {
        var shape = EndpointShape(endpoint: endpoint, reply: .one(.none), payload: payload(of: endpoint))
        let successes = successes(of: endpoint)
        var readings: [(status: Int, reading: EndpointShape.Reading, mediaType: String?)] = []
        for response in successes {
            let content = content(of: response)
            let (reading, mediaType) = content.map(reading) ?? (.none, nil)
            for other in response.contents where self.reading(of: other).reading != reading {
                let text = "the response is read as \(content?.mediaType ?? ""), not as \(other.mediaType)"
                api.notes.append(Note(.simplified, text, at: response.place))
            }
            readings.append((response.statuses?.lowerBound ?? 200, reading, mediaType))
        }
        readings.sort { $0.status < $1.status }
        var distinct: [(status: Int, reading: EndpointShape.Reading)] = []
        for (status, reading, _) in readings where !distinct.contains(where: { $0.reading == reading }) {
            distinct.append((status, reading))
        }
        let contents = distinct.filter { !$0.reading.isNone }
        switch (contents.count, distinct.count) {
        case (0, _): shape.reply = .one(.none)
        case (1, 1): shape.reply = .one(contents[0].reading)
        case (1, _): shape.reply = .optional(contents[0].reading)
        default: shape.reply = .byStatus(distinct)
        }
        shape.accept = readings.compactMap(\.mediaType).first { !["application/json", "*/*"].contains($0) }
        shape.failure = failure(of: endpoint)
        if let type = endpoint.body?.mediaType, type.hasSuffix("+json") || MediaType.isFile(type), !type.contains("*") {
            shape.contentType = type
        }
        shape.paging = paging(of: endpoint, shape.reply)
        return shape
    }

    /// The responses that are a success: those of 2xx, or the one for all statuses if there is none.
    private func successes(of endpoint: Endpoint) -> [Response] {
        let successes = endpoint.responses.filter { $0.statuses.map { 200..<300 ~= $0.lowerBound } ?? false }
        if !successes.isEmpty { return successes }
        if let redirect = endpoint.responses.first(where: { $0.statuses.map { 301...308 ~= $0.lowerBound } ?? false }) {
            // Redirects are followed, to what the description does not say.
            var response = redirect
            response.contents = [("application/octet-stream", Schema(.bytes, place: redirect.place))]
            return [response]
        }
        return endpoint.responses.filter { $0.statuses == nil }
    }

    /// The content of a response that is read; nil if it has none.
    private func content(of response: Response) -> Content? {
        response.contents.first { $0.mediaType == "application/json" }
            ?? response.contents.first { MediaType($0.mediaType) == .json } ?? response.contents.first
    }

    private func reading(of content: Content) -> (reading: EndpointShape.Reading, mediaType: String?) {
        let (name, schema) = content
        switch MediaType(name) {
        case .json where isEmpty(schema): return (.none, nil)
        case .json:
            if let member = envelopeMember, let content = onlyMember(of: schema, named: member) {
                return isEmpty(content) ? (.none, nil) : (.envelope(content), name)
            }
            return (.json(schema), name)
        case .events: return (.events(schema), nil)
        case .jsonLines: return (.lines(element(of: schema)), name)
        case .text: return (.text, name)
        default:
            return (MediaType.isFile(name) ? .file : .bytes, name)
        }
    }

    /// Finds the member that many responses have around what they are about, and nothing else.
    func findEnvelope() {
        let schemas = api.endpoints.flatMap { successes(of: $0).compactMap { content(of: $0)?.schema } }
        envelopeMember = ["data", "result", "response"].first { name in
            schemas.count { onlyMember(of: $0, named: name) != nil } > 2
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

    /// The schema of one line, if that of the whole is a list.
    private func element(of schema: Schema) -> Schema {
        if case .list(let element) = schema.kind { element } else { schema }
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

    /// Whether a request without a body has no sense: an update of nothing, or none of the members that are required.
    func needsBody(_ endpoint: Endpoint, _ schema: Schema) -> Bool {
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
    var isEnvelope: Bool { if case .envelope = self { true } else { false } }

    /// The values that are read; nil if they are not JSON.
    var schema: Schema? {
        switch self {
        case .json(let schema), .envelope(let schema), .events(let schema), .lines(let schema): schema
        case .none, .text, .bytes, .file: nil
        }
    }
}
