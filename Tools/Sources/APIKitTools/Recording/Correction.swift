/// Corrects a description by a recording: a member that was null or absent becomes optional, even if the description
/// requires it.
struct Correction {
    private var api: API
    private var notes: Set<Note> = []

    /// Returns an API that can also read the recorded responses, with a note for each correction.
    static func correcting(_ api: API, by archive: Archive) -> API {
        var correction = Correction(api: api)
        for exchange in archive.exchanges { correction.apply(exchange) }
        correction.api.notes += correction.notes
        return correction.api
    }

    private init(api: API) { self.api = api }

    /// Corrects the schema of an endpoint's response by what one exchange has received, and notes each correction. A
    /// response that is not JSON, or of another API, is ignored.
    private mutating func apply(_ exchange: Archive.Exchange) {
        guard let node = exchange.response, let endpoint = endpoint(of: exchange) else { return }
        guard let schema = endpoint.response(for: exchange.status)?.json?.schema else {
            // The description does not have this status, so there is no schema to correct.
            let text = "\(endpoint.method) \(endpoint.path) has also sent \(exchange.status)"
            notes.insert(Note(.simplified, text, at: exchange.place))
            return
        }
        correctMembers(in: schema, by: node)
        for member in api.turnDatesIntoTexts(in: schema, shownBy: node) {
            let text = "\(member.name) is a String: the recording has times without an offset from UTC"
            notes.insert(Note(.corrected, text, at: member.schema.place))
        }
    }

    // MARK: - Endpoints

    /// The endpoint whose path matches an exchange. If several match, it is the one with the fewest values: `/users/me`
    /// before `/users/{id}`.
    private func endpoint(of exchange: Archive.Exchange) -> Endpoint? {
        let matching = api.endpoints.filter { endpoint in
            endpoint.method == exchange.method && matches(endpoint, recordedPath: exchange.path)
        }
        return matching.min { Endpoint.names(in: $0.path).count < Endpoint.names(in: $1.path).count }
    }

    /// Whether a recorded path, in segments, is that of an endpoint: `/api/v2/users/7` matches the path `/users/{id}` of an
    /// API whose base URL ends in `/api/v2`.
    private func matches(_ endpoint: Endpoint, recordedPath: [String]) -> Bool {
        let baseURL = endpoint.baseURL ?? api.baseURL ?? ""
        // The first two parts of a URL are its scheme and its host.
        let baseSegments = baseURL.split(separator: "/").dropFirst(2)
        let templates = baseSegments + endpoint.path.split(separator: "/")
        let segments = recordedPath.filter { !$0.isEmpty }
        guard templates.count == segments.count else { return false }
        return zip(templates, segments).allSatisfy { template, segment in Self.matches(String(template), segment) }
    }

    /// Whether a segment of a path matches a template: `7.json` matches `{id}.json`.
    ///
    /// Everything from the first to the last brace counts as one value, so that `{owner}.{format}` matches any segment.
    private static func matches(_ template: String, _ segment: String) -> Bool {
        guard let open = template.firstIndex(of: "{"), let close = template.lastIndex(of: "}") else {
            return template == segment
        }
        let start = template[..<open]
        let end = template[close...].dropFirst()
        let hasValue = segment.count > start.count + end.count
        return hasValue && segment.hasPrefix(start) && segment.hasSuffix(end)
    }

    // MARK: - Members

    /// Corrects the members of all objects in a schema by a recorded value: those that the value does not have, or that
    /// are null in it, become optional.
    private mutating func correctMembers(in schema: Schema, by node: Node) {
        switch (schema.kind, node.content) {
        case (.list(let elementSchema), .list(let nodes)):
            for node in nodes { correctMembers(in: elementSchema, by: node) }
        case (.dictionary(let valueSchema), .object(let members)):
            for node in members.values { correctMembers(in: valueSchema, by: node) }
        case (.model(let id), .object(let nodes)):
            let members = api.models[id]?.object?.members ?? [:]
            for member in members.values where !member.isWriteOnly {
                correct(member, of: id, by: nodes[member.name])
            }
        default: break
        }
    }

    /// Corrects a member of a model by a recorded value, which is nil if the member was absent.
    private mutating func correct(_ member: Object.Member, of id: ModelID, by node: Node?) {
        guard let node else {
            guard member.isRequired else { return }
            api.models[id]?.object?.members[member.name]?.isRequired = false
            noteIsOptional(member)
            return
        }
        guard node.content == .null else {
            correctMembers(in: member.schema, by: node)
            return
        }
        guard !member.schema.isNullable else { return }
        api.models[id]?.object?.members[member.name]?.schema.isNullable = true
        noteIsOptional(member)
    }

    private mutating func noteIsOptional(_ member: Object.Member) {
        let text = "\(member.name) is optional, as the recording shows"
        notes.insert(Note(.corrected, text, at: member.schema.place))
    }
}

extension Endpoint {
    /// The response for a status, or else the `default` response.
    fileprivate func response(for status: Int) -> Response? {
        let exact = responses.first { $0.statuses?.contains(status) == true }
        return exact ?? responses.first { $0.statuses == nil }
    }
}
