extension Plan {
    /// Decides the form of an endpoint in Swift: what it sends, and what it returns. Notes are added for contents of
    /// responses that the form leaves out. Names are chosen later, by ``nameTypes()``.
    func shape(of endpoint: Endpoint) -> EndpointShape {
        let successes = successes(of: endpoint)
        for response in successes { noteOtherContents(of: response) }
        var shape = EndpointShape(endpoint: endpoint, reply: reply(of: successes), payload: payload(of: endpoint))
        // A body such as `{"issue": {"title": …}}` is sent from the properties of the endpoint, `title` among them.
        if let inner = onlyObjectInBody(of: shape) {
            shape.bodyMember = inner.member
            shape.payload = .members(inner.object, .json)
        }
        shape.accept = successes.lazy.compactMap(acceptedType).first
        shape.failure = ownFailure(of: endpoint)
        if let type = endpoint.body?.mediaType { shape.contentType = ownContentType(type) }
        shape.paging = paging(of: endpoint, shape.reply)
        return shape
    }

    /// The media type of a body, if its Swift type does not imply it: `application/vnd.api+json` or `application/zip`,
    /// but not `application/json`. A range such as `image/*` cannot be sent, and is nil.
    private func ownContentType(_ type: String) -> String? {
        let isRange = type.contains("*")
        if isRange { return nil }
        let isSpecial = type.hasSuffix("+json") || MediaType.isFile(type)
        return isSpecial ? type : nil
    }

    // MARK: - Responses

    /// The successful responses, by status: those of 2xx, or else a redirect, or else the `default` response.
    private func successes(of endpoint: Endpoint) -> [Response] {
        let described = endpoint.responses.filter { $0.isFor(200...299) }
        if !described.isEmpty { return exactStatusesFirst(described) }
        if var redirect = endpoint.responses.first(where: { $0.isFor(301...308) }) {
            // The engine follows redirects. What the target returns is unknown, so it is read as bytes.
            redirect.contents = [("application/octet-stream", Schema(.bytes, place: redirect.place))]
            return [redirect]
        }
        // The `default` response has no statuses.
        return endpoint.responses.filter { $0.statuses == nil }
    }

    /// Sorts successful responses by status. The range 2XX comes last, since responses for exact statuses take
    /// precedence (OpenAPI 3.1, 4.8.16).
    private func exactStatusesFirst(_ responses: [Response]) -> [Response] {
        let exact = responses.filter { !$0.isForSeveralStatuses }
        let sorted = exact.sorted { $0.statuses?.lowerBound ?? 0 < $1.statuses?.lowerBound ?? 0 }
        guard let range = responses.first(where: \.isForSeveralStatuses) else { return sorted }
        return sorted + [range]
    }

    /// Decides what an endpoint with these successful responses returns: one value, a value or nil, or a case for each
    /// group of statuses. A group is the statuses whose responses are read in the same way. One of the groups is for
    /// all other statuses too, which the description does not list.
    ///
    /// If 200 and 201 have the same content, it is one value. If 204 without content is added, it is a value or nil. If
    /// 202 with another content is added, there is a case for each.
    private func reply(of successes: [Response]) -> EndpointShape.Reply {
        var groups: [EndpointShape.StatusReading] = []
        for response in successes { add(response, to: &groups) }
        // Statuses without a described response are read like the first one.
        if !groups.isEmpty, !groups.contains(where: \.isForOthers) {
            groups[0].isForOthers = true
        }
        let contents = groups.map(\.reading).filter { !$0.isNone }
        guard let content = contents.first else { return .one(.none) }
        if groups.count == 1 { return .one(content) }
        // All groups but one have no content.
        if contents.count == 1 { return .optional(content) }
        return .byStatus(groups)
    }

    /// Adds a response to the group of responses that are read in the same way, or creates that group.
    ///
    /// A response for a status such as 202 adds that status to the group. One for the range 2XX adds no status, but the
    /// group is then for all statuses without a response of their own.
    private func add(_ response: Response, to groups: inout [EndpointShape.StatusReading]) {
        let reading = reading(of: response)
        let statuses = exactStatuses(of: response)
        let isForOthers = response.isForSeveralStatuses
        if let index = groups.firstIndex(where: { $0.reading == reading }) {
            groups[index].statuses += statuses
            if isForOthers { groups[index].isForOthers = true }
        } else {
            groups.append(EndpointShape.StatusReading(statuses: statuses, isForOthers: isForOthers, reading: reading))
        }
    }

    /// The statuses that a successful response lists: 202, or none for the range 2XX. The `default` response counts as
    /// 200, since it is the success of an endpoint that describes no other one.
    private func exactStatuses(of response: Response) -> [Int] {
        if response.isForSeveralStatuses { return [] }
        guard let statuses = response.statuses else { return [200] }
        return [statuses.lowerBound]
    }

    /// Adds a note for each media type of a response that would have to be read in another way than the chosen one.
    private func noteOtherContents(of response: Response) {
        guard let chosen = response.content else { return }
        let chosenReading = reading(of: chosen)
        for other in response.contents where reading(of: other) != chosenReading {
            let text: NoteText = "the response is read as \(exact: chosen.mediaType), not as \(exact: other.mediaType)"
            api.notes.append(Note(.simplified, text, at: response.place))
        }
    }

    /// The media type of a response, such as `application/vnd.api+json`, if the endpoint has to request it in a header:
    /// the response's Swift type already requests the usual types.
    private func acceptedType(of response: Response) -> String? {
        guard let content = response.content, reading(of: content).schema != nil else {
            return nil
        }
        let usual = ["application/json", "*/*", "text/event-stream"]
        return usual.contains(content.mediaType) ? nil : content.mediaType
    }

    /// How the body of a response is read, by the one of its contents that is chosen.
    private func reading(of response: Response) -> EndpointShape.Reading {
        guard let content = response.content else { return .none }
        return reading(of: content)
    }

    /// Decides how a content of a response is read, by its media type. Types that are often large, such as
    /// `application/zip`, are downloaded to a file, and other bytes are held in memory.
    private func reading(of content: Response.Content) -> EndpointShape.Reading {
        let (name, schema) = content
        switch MediaType(name) {
        case .json:
            // No value in JSON is binary, so this is a file that is described with a wrong media type.
            return schema.isBytes ? .bytes : readingOfJSON(schema)
        case .events:
            return .events(schema)
        case .jsonLines:
            // Some descriptions have the schema of a line, others that of the list of all lines.
            if case .list(let line) = schema.kind { return .lines(line) }
            return .lines(schema)
        case .text:
            return .text
        case .form, .multipart, .bytes:
            return MediaType.isFile(name) ? .file : .bytes
        }
    }

    /// How a response in JSON is read: the values in the API's envelope if it has that, or else the whole JSON. An
    /// object that is always empty is not read.
    private func readingOfJSON(_ schema: Schema) -> EndpointShape.Reading {
        if isEmpty(schema) { return .none }
        guard let member = envelopeMember, let content = envelopedContent(of: schema, named: member) else {
            return .json(schema)
        }
        return isEmpty(content) ? .none : .envelope(content, of: nil)
    }

    // MARK: - Envelopes

    /// Sets ``envelopeMember``, the member of the API's envelope: an object around what many endpoints return, which
    /// has no other members, such as `{"data": …}`.
    func findEnvelope() {
        let schemas = api.endpoints.flatMap { successes(of: $0).compactMap(\.content?.schema) }
        envelopeMember = ["data", "result", "response"].first { name in
            let count = schemas.count { envelopedContent(of: $0, named: name) != nil }
            // Fewer than three responses may have such a member by coincidence.
            return count > 2
        }
    }

    /// Unwraps responses such as `{"issue": {…}}`: the endpoint returns the issue, and the object around it, its
    /// envelope, becomes a type inside the endpoint.
    ///
    /// The object must not be used in other places, where it would still need a type. If several endpoints return it,
    /// each of them gets an envelope.
    func findOwnEnvelopes() {
        let usesOfModels = countSchemasOfModels()
        var endpointsByResponse: [ModelID: [Int]] = [:]
        for index in endpoints.indices {
            if let id = endpoints[index].responseModel { endpointsByResponse[id, default: []].append(index) }
        }
        for (id, indices) in endpointsByResponse.sorted(by: { $0.key < $1.key }) {
            // Each of these endpoints has the object once, as its response. If it is counted more often, it is also
            // used in other places.
            let isOnlyResponse = usesOfModels[id] == indices.count
            guard isOnlyResponse, let envelope = api.models[id], let content = onlyContent(of: envelope) else {
                continue
            }
            // The envelope is called `Response`, so its content can have the envelope's name.
            if let inner = content.modelID, api.models[inner]?.name == nil {
                api.models[inner]?.name = envelope.name
            }
            for index in indices { wrapReply(of: index, in: envelope, id: id, content: content) }
        }
    }

    /// Counts how often each model is the type of a value that endpoints send or return, of the payload of a webhook,
    /// or of a member or variant of a model. A list or a dictionary counts for the model of its elements.
    private func countSchemasOfModels() -> [ModelID: Int] {
        let ofEndpoints = endpoints.flatMap { schemas(of: $0) }
        let ofModels = api.models.values.flatMap(\.schemas).map(\.schema)
        var counts: [ModelID: Int] = [:]
        for schema in ofEndpoints + ofModels + api.webhooks.map(\.schema) {
            // `core` is the schema of the innermost elements.
            if let id = schema.core.modelID { counts[id, default: 0] += 1 }
        }
        return counts
    }

    /// Returns the schema of what an object is wrapped around: the schema of the issue for `{"issue": {…}}`.
    ///
    /// The object must have only this member. The member has to hold objects: `{"issues": [{…}]}` also has a content,
    /// but `{"count": 7}` does not. If the member may be absent, the schema of the content allows null.
    ///
    /// - Returns: The schema; nil if the object is not wrapped around another one.
    private func onlyContent(of envelope: Model) -> Schema? {
        // An object with further members of any name, `others`, may have more than the described one.
        guard let object = envelope.object, object.others == nil else { return nil }
        let members = members(of: object, .decoded)
        guard members.count == 1, let member = members.first, holdsObjectsOrUnions(member.schema) else { return nil }
        var content = member.schema
        if !member.isRequired { content.isNullable = true }
        return content
    }

    /// Whether values are objects or unions, or lists or dictionaries of these.
    private func holdsObjectsOrUnions(_ schema: Schema) -> Bool {
        let innermostElements = schema.core
        switch model(innermostElements)?.kind {
        case .object, .union: return true
        // An enum.
        case .texts, .numbers: return false
        // A value without a model, such as a number.
        case nil: return false
        }
    }

    /// Lets an endpoint return the content of an envelope, the object around it.
    ///
    /// The endpoint gets a copy of the envelope as a model of its own, without a name: it is declared inside the
    /// endpoint, and several endpoints may have the same envelope.
    private func wrapReply(of index: Int, in envelope: Model, id: ModelID, content: Schema) {
        // The index makes the identifier different from those of the copies for other endpoints.
        let ownID = "\(id) \(index)"
        api.models[ownID] = envelope
        api.models[ownID]?.name = nil
        endpoints[index].reply = .one(.envelope(content, of: ownID))
        // Paging depends on what is returned.
        endpoints[index].paging = paging(of: endpoints[index].endpoint, endpoints[index].reply)
    }

    /// The content of an envelope, an object with a single member of the given name: the schema of the order for
    /// `{"data": {"number": 7, …}}` and the name `data`. Nil if the object is not such an envelope.
    ///
    /// The content has to be a model, a list or a dictionary of models, or an object that is always empty. Neither the
    /// envelope nor its content may be null.
    private func envelopedContent(of schema: Schema, named name: String) -> Schema? {
        guard let object = object(schema), object.members.count == 1, let content = object.members[name]?.schema else {
            return nil
        }
        guard !schema.isNullable, !content.isNullable else { return nil }
        let isEnveloped = content.holdsModels || isEmpty(content)
        return isEnveloped ? content : nil
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
    /// Decides what an endpoint sends in its body: members that are properties of the endpoint, one value, or text or
    /// bytes.
    private func payload(of endpoint: Endpoint) -> EndpointShape.Payload {
        guard let body = endpoint.body else { return .none }
        let mediaType = MediaType(body.mediaType)
        switch mediaType {
        case .json, .jsonLines, .events:
            return jsonPayload(of: endpoint, body)
        case .form, .multipart:
            if let object = object(body.schema) { return .members(object, mediaType) }
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
    private func jsonPayload(of endpoint: Endpoint, _ body: Body) -> EndpointShape.Payload {
        let isTextOrBytes = body.schema.isBytes || body.schema.isString
        // A body of any media type, `*/*`, also counts as JSON. If it is a text or bytes, it is sent as a file.
        let isAnyType = body.mediaType.contains("*")
        if isTextOrBytes, isAnyType { return .file(body.mediaType) }
        if let object = object(body.schema), object.others == nil, isOnlyUsedHere(body.schema) {
            return .members(object, .json)
        }
        return .value(body.schema, isRequired: needsBody(endpoint, body.schema))
    }

    /// Finds the object that a JSON body is wrapped around: the issue in `{"issue": {"title": …}}`. Its members become
    /// the endpoint's properties.
    ///
    /// The body must have only this member, and every request must send it. An object that contains itself is not
    /// found, since it needs a type of its own anyway.
    ///
    /// - Returns: The name of the member, and the object; nil if the body is not wrapped around one.
    private func onlyObjectInBody(of shape: EndpointShape) -> (member: String, object: Object)? {
        guard case .members(let body, .json) = shape.payload else { return nil }
        let sent = body.members.values.filter { !$0.isReadOnly }
        guard sent.count == 1, let member = sent.first, !member.schema.isNullable else { return nil }
        guard let object = object(member.schema), object.others == nil else { return nil }
        // If the body itself is always sent, so is its only member.
        let isAlwaysSent = member.isRequired || needsBody(shape.endpoint, member.schema)
        if !isAlwaysSent { return nil }
        let containsItself = object.members.values.contains { inner in
            contains(inner.schema) { $0 == member.schema.kind }
        }
        if containsItself { return nil }
        return (member.name, object)
    }

    /// Whether a request always has a body: if the description says so, if it is an update, which would change nothing
    /// without a body, or if the body has required members.
    private func needsBody(_ endpoint: Endpoint, _ schema: Schema) -> Bool {
        if endpoint.body?.isRequired == true { return true }
        if ["PATCH", "PUT"].contains(endpoint.method) { return true }
        return object(schema)?.members.values.contains(where: \.isRequired) == true
    }

    /// Whether a schema is a model that is referenced only once, by the body itself.
    private func isOnlyUsedHere(_ schema: Schema) -> Bool {
        guard case .model(let id) = schema.kind else { return false }
        return references[id] == 1
    }
}

extension EndpointShape.Reading {
    /// Whether nothing is read.
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
