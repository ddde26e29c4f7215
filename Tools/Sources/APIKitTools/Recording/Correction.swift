import OpenAPIRules

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
            // The description has no JSON for this status, so there is no schema to correct.
            let text: NoteText = "\(exact: endpoint.method) \(exact: endpoint.path) has also sent \(exchange.status)"
            notes.insert(Note(.simplified, text, at: exchange.place))
            return
        }
        correctMembers(in: schema, by: node)
        for member in api.turnDatesIntoTexts(in: schema, shownBy: node) {
            let text: NoteText = "\(exact: member.name) is a String: the recording has times without an offset from UTC"
            notes.insert(Note(.corrected, text, at: member.schema.place))
        }
    }

    // MARK: - Endpoints

    /// Finds the endpoint whose method and path match an exchange; nil if there is none. If several match, it is the
    /// one with the fewest values in its path: `/users/me` before `/users/{id}`.
    private func endpoint(of exchange: Archive.Exchange) -> Endpoint? {
        let matching = api.endpoints.filter { endpoint in
            endpoint.method == exchange.method && matches(endpoint, recordedPath: exchange.path)
        }
        return matching.min { Endpoint.names(in: $0.path).count < Endpoint.names(in: $1.path).count }
    }

    /// Whether a recorded path, in segments, is that of an endpoint: `/api/v2/users/7` matches the path `/users/{id}`
    /// of an API whose base URL ends in `/api/v2`.
    private func matches(_ endpoint: Endpoint, recordedPath: [String]) -> Bool {
        let baseURL = endpoint.baseURL ?? api.baseURL ?? ""
        // The first two parts of a URL are its scheme and its host.
        let baseSegments = baseURL.split(separator: "/").dropFirst(2)
        let templates = baseSegments + endpoint.path.split(separator: "/")
        let segments = recordedPath.filter { !$0.isEmpty }
        guard templates.count == segments.count else { return false }
        return zip(templates, segments).allSatisfy { template, segment in
            Self.segment(segment, matches: String(template))
        }
    }

    /// Whether a segment of a recorded path matches a template, a segment of an endpoint's path: `7.json` matches
    /// `{id}.json`.
    ///
    /// Everything from the first to the last brace counts as one value, so that `{owner}.{format}` matches any segment.
    private static func segment(_ segment: String, matches template: String) -> Bool {
        guard let open = template.firstIndex(of: "{"), let close = template.lastIndex(of: "}") else {
            // The template is a fixed word.
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
        case (.list(let elementSchema), .list(let elements)):
            for element in elements { correctMembers(in: elementSchema, by: element) }
        case (.dictionary(let valueSchema), .object(let recordedMembers)):
            for value in recordedMembers.values { correctMembers(in: valueSchema, by: value) }
        case (.model(let id), .object(let recordedMembers)):
            let members = api.models[id]?.object?.members ?? [:]
            // A member that is write-only is absent in each response, although it may be required in a request.
            for member in members.values where !member.isWriteOnly {
                correct(member, of: id, by: recordedMembers[member.name])
            }
        default:
            // The value is not one of the schema, or it has no members.
            break
        }
    }

    /// Corrects a member of a model by its recorded value, which is nil if the member was absent.
    private mutating func correct(_ member: Object.Member, of id: ModelID, by recorded: Node?) {
        guard let recorded else {
            allowAbsence(of: member, in: id)
            return
        }
        if recorded.content == .null {
            allowNull(for: member, in: id)
        } else {
            correctMembers(in: member.schema, by: recorded)
        }
    }

    /// Makes a member optional that was absent. One that is optional already needs no note.
    private mutating func allowAbsence(of member: Object.Member, in id: ModelID) {
        if member.isRequired {
            api.models[id]?.object?.members[member.name]?.isRequired = false
            noteIsOptional(member)
        }
    }

    /// Lets a member be null that was null. One that may be null already needs no note.
    private mutating func allowNull(for member: Object.Member, in id: ModelID) {
        if !member.schema.isNullable {
            api.models[id]?.object?.members[member.name]?.schema.isNullable = true
            noteIsOptional(member)
        }
    }

    private mutating func noteIsOptional(_ member: Object.Member) {
        let text: NoteText = "\(exact: member.name) is optional, as the recording shows"
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
