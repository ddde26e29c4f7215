/// Decides how the responses of endpoints are read.
struct ReplyRules {
    /// The member of the API's envelope: an object around what many endpoints return, which has no other members, such
    /// as `{"data": …}`. Nil if the API has no envelope.
    let envelopeMember: String?
    private let models: Models

    /// Finds the envelope of an API with some endpoints and models.
    init(_ endpoints: [Endpoint], _ models: Models) {
        self.models = models
        envelopeMember = Self.envelopeMember(of: endpoints, models)
    }

    /// Decides what an endpoint with these successful responses returns: one value, a value or nil, or a case for each
    /// group of statuses. A group is the statuses whose responses are read in the same way. One of the groups is for
    /// all other statuses too, which the description does not list.
    ///
    /// If 200 and 201 have the same content, it is one value. If 204 without content is added, it is a value or nil. If
    /// 202 with another content is added, there is a case for each.
    func reply(of successes: [Response]) -> EndpointForm.Reply {
        let groups = groups(of: successes)
        let contents = groups.map(\.reading).filter { !$0.isNone }
        guard let content = contents.first else { return .one(.none) }
        if groups.count == 1 { return .one(content) }
        // All groups but one have no content.
        if contents.count == 1 { return .optional(content) }
        return .byStatus(groups)
    }

    /// Groups responses that are read in the same way.
    ///
    /// A response for a status such as 202 adds that status to its group. One for the range 2XX adds no status, but the
    /// group is then for all statuses without a response of their own. If there is no range, that is the first group.
    private func groups(of responses: [Response]) -> [EndpointForm.StatusReading] {
        var groups: [EndpointForm.StatusReading] = []
        for response in responses {
            let reading = reading(of: response)
            let statuses = exactStatuses(of: response)
            let isForOthers = response.isForSeveralStatuses
            if let index = groups.firstIndex(where: { $0.reading == reading }) {
                groups[index].statuses += statuses
                if isForOthers { groups[index].isForOthers = true }
            } else {
                groups.append(
                    EndpointForm.StatusReading(statuses: statuses, isForOthers: isForOthers, reading: reading))
            }
        }
        let isAnyForOthers = groups.contains(where: \.isForOthers)
        if !groups.isEmpty, !isAnyForOthers { groups[0].isForOthers = true }
        return groups
    }

    /// The statuses that a successful response lists: 202, or none for the range 2XX. The `default` response counts as
    /// 200, since it is the success of an endpoint that describes no other one.
    private func exactStatuses(of response: Response) -> [Int] {
        if response.isForSeveralStatuses { return [] }
        guard let statuses = response.statuses else { return [200] }
        return [statuses.lowerBound]
    }

    /// A note for each media type of a response that would have to be read in another way than the chosen one.
    func notesOnOtherContents(of response: Response) -> [Note] {
        guard let chosen = response.content else { return [] }
        let chosenReading = reading(of: chosen)
        let others = response.contents.filter { reading(of: $0) != chosenReading }
        return others.map { other in
            let text: NoteText = "the response is read as \(exact: chosen.mediaType), not as \(exact: other.mediaType)"
            return Note(.simplified, text, at: response.place)
        }
    }

    /// The media type of a response, such as `application/vnd.api+json`, if the endpoint has to request it in a header:
    /// the response's Swift type already requests the usual types.
    func acceptedType(of response: Response) -> String? {
        guard let content = response.content, reading(of: content).schema != nil else { return nil }
        let usual = ["application/json", "*/*", "text/event-stream"]
        return usual.contains(content.mediaType) ? nil : content.mediaType
    }

    // MARK: - Contents

    /// How the body of a response is read, by the one of its contents that is chosen.
    private func reading(of response: Response) -> EndpointForm.Reading {
        guard let content = response.content else { return .none }
        return reading(of: content)
    }

    /// Decides how a content of a response is read, by its media type. Types that are often large, such as
    /// `application/zip`, are downloaded to a file, and other bytes are held in memory.
    private func reading(of content: Response.Content) -> EndpointForm.Reading {
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
    private func readingOfJSON(_ schema: Schema) -> EndpointForm.Reading {
        if schema.isAlwaysEmpty { return .none }
        guard let member = envelopeMember, let content = Self.envelopedContent(of: schema, named: member, models) else {
            return .json(schema)
        }
        return content.isAlwaysEmpty ? .none : .envelope(content, of: nil)
    }

    // MARK: - The API's envelope

    /// Finds the member of the API's envelope.
    private static func envelopeMember(of endpoints: [Endpoint], _ models: Models) -> String? {
        let schemas = endpoints.flatMap { $0.successes.compactMap(\.content?.schema) }
        return ["data", "result", "response"].first { name in
            let count = schemas.count { envelopedContent(of: $0, named: name, models) != nil }
            // Fewer than three responses may have such a member by coincidence.
            return count > 2
        }
    }

    /// The content of an envelope, an object with a single member of the given name: the schema of the order for
    /// `{"data": {"number": 7, …}}` and the name `data`. Nil if the object is not such an envelope.
    ///
    /// The content has to be a model, a list or a dictionary of models, or an object that is always empty. Neither the
    /// envelope nor its content may be null.
    private static func envelopedContent(of schema: Schema, named name: String, _ models: Models) -> Schema? {
        guard let object = models.object(schema), object.members.count == 1 else { return nil }
        guard let content = object.members[name]?.schema else { return nil }
        if schema.isNullable || content.isNullable { return nil }
        let isEnveloped = content.holdsModels || content.isAlwaysEmpty
        return isEnveloped ? content : nil
    }
}

extension Schema {
    /// Whether it is an object that never has members. A description without members is not enough, since many just
    /// leave them out: the text has to say so too.
    fileprivate var isAlwaysEmpty: Bool {
        guard case .dictionary(let inner) = kind, inner.isAny else { return false }
        return documentation?.lowercased().contains("empty object") == true
    }
}

extension Endpoint {
    /// The successful responses, by status: those of 2xx, or else a redirect, or else the `default` response.
    var successes: [Response] {
        let described = responses.filter { $0.isFor(200...299) }
        if !described.isEmpty { return Self.exactStatusesFirst(described) }
        if var redirect = responses.first(where: { $0.isFor(301...308) }) {
            // The engine follows redirects. What the target returns is unknown, so it is read as bytes.
            redirect.contents = [("application/octet-stream", Schema(.bytes, place: redirect.place))]
            return [redirect]
        }
        // The `default` response has no statuses.
        return responses.filter { $0.statuses == nil }
    }

    /// Sorts successful responses by status. The range 2XX comes last, since responses for exact statuses take
    /// precedence (OpenAPI 3.1, 4.8.16).
    private static func exactStatusesFirst(_ responses: [Response]) -> [Response] {
        let exact = responses.filter { !$0.isForSeveralStatuses }
        let sorted = exact.sorted { $0.statuses?.lowerBound ?? 0 < $1.statuses?.lowerBound ?? 0 }
        guard let range = responses.first(where: \.isForSeveralStatuses) else { return sorted }
        return sorted + [range]
    }
}
