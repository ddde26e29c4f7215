/// Corrects a description by a recording: what was null or absent is optional, whatever the description says.
struct Correction {
    private var api: API
    private var notes: Set<Note> = []

    /// Returns an API that also reads what was recorded, with a note for each correction.
    static func correcting(_ api: API, by archive: Archive) -> API {
        var correction = Correction(api: api)
        for exchange in archive.exchanges { correction.apply(exchange) }
        correction.api.notes += correction.notes
        return correction.api
    }

    private init(api: API) { self.api = api }

    private mutating func apply(_ exchange: Archive.Exchange) {
        guard let node = exchange.response, let endpoint = endpoint(of: exchange) else { return }
        let responses = endpoint.responses
        let response =
            responses.first { $0.statuses?.contains(exchange.status) == true } ?? responses.first { $0.statuses == nil }
        guard let schema = response?.json?.schema else {
            let text = "\(endpoint.method) \(endpoint.path) has also sent \(exchange.status)"
            notes.insert(Note(.simplified, text, at: exchange.place))
            return
        }
        correct(schema, by: node)
        for member in api.readMomentsAsTexts(in: schema, as: node) {
            let text = "\(member.name) is a String: the recording has times without an offset from UTC"
            notes.insert(Note(.corrected, text, at: member.schema.place))
        }
    }

    /// The endpoint whose path fits; one with the fewest values, if several do.
    private func endpoint(of exchange: Archive.Exchange) -> Endpoint? {
        let fitting = api.endpoints.filter { endpoint in
            guard endpoint.method == exchange.method else { return false }
            let base = (endpoint.baseURL ?? api.baseURL ?? "").split(separator: "/").dropFirst(2).map(String.init)
            let segments = base + endpoint.path.split(separator: "/").map(String.init)
            let sent = exchange.path.filter { !$0.isEmpty }
            return segments.count == sent.count && zip(segments, sent).allSatisfy { Self.fits($0, $1) }
        }
        return fitting.min { Endpoint.names(in: $0.path).count < Endpoint.names(in: $1.path).count }
    }

    private static func fits(_ template: String, _ segment: String) -> Bool {
        guard let open = template.firstIndex(of: "{"), let close = template.lastIndex(of: "}") else {
            return template == segment
        }
        let (start, end) = (template[..<open], template[close...].dropFirst())
        return segment.count > start.count + end.count && segment.hasPrefix(start) && segment.hasSuffix(end)
    }

    private mutating func correct(_ schema: Schema, by node: Node) {
        switch (schema.kind, node.content) {
        case (.list(let inner), .list(let nodes)): for node in nodes { correct(inner, by: node) }
        case (.dictionary(let inner), .object(let members)): for node in members.values { correct(inner, by: node) }
        case (.model(let id), .object(let members)):
            for (name, member) in api.models[id]?.object?.members ?? [:] where !member.isWriteOnly {
                let node = members[name]
                if node == nil, member.isRequired {
                    api.models[id]?.object?.members[name]?.isRequired = false
                } else if node?.content == .null, !member.schema.isNullable {
                    api.models[id]?.object?.members[name]?.schema.isNullable = true
                } else {
                    if let node { correct(member.schema, by: node) }
                    continue
                }
                notes.insert(Note(.corrected, "\(name) is optional, as the recording shows", at: member.schema.place))
            }
        default: break
        }
    }
}
