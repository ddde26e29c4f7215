/// Writes the file of an endpoint.
struct EndpointWriter {
    let plan: Plan
    let index: Int
    let shape: EndpointShape
    private let properties: [EndpointProperty]

    /// A stored property of an endpoint, or a constant in its place.
    struct EndpointProperty {
        enum Source: Equatable { case path, query, header, body, page }

        var property: Property
        var source: Source
        var style = Parameter.Style.repeated
        /// Whether it is a part of a form with files, in JSON.
        var isJSONPart = false
        var keepsSlashes = false
    }

    init(_ plan: Plan, _ index: Int) {
        self.plan = plan
        self.index = index
        shape = plan.endpoints[index]
        properties = EndpointProperties(plan, shape).all
    }

    private var endpoint: Endpoint { shape.endpoint }
    private var stored: [Property] { properties.filter { $0.property.constant == nil }.map(\.property) }

    /// The lines of the file, without the import.
    func lines() -> [String] {
        let isPublic = plan.options.isPublic
        let known = isPublic ? [] : [shape.name, endpoint.path]
        var lines = Documentation.action(
            [endpoint.summary, endpoint.documentation], isGet: endpoint.method == "GET", names: known)
        if endpoint.isDeprecated { lines.append("@available(*, deprecated)") }
        var body: [String] = []
        if let response = responseType(), response != "Response" {
            body.append("\(plan.access)typealias Response = \(response)")
        }
        if let failure = shape.failure {
            body.append("\(plan.access)typealias Failure = \(typeName(failure))")
        }
        let declarations = stored.flatMap(declaration)
        body += isPublic ? declarations : Documentation.withoutRepetitions(declarations)
        let nested = plan.nested(in: .endpoint(index)).compactMap { TypeWriter(plan, $0) }
        let inner = nested.filter(\.type.isNested)
        let next = PageWriter(plan: plan, shape: shape, properties: stored).lines(response: modelType())
        var status: [String] = []
        if case .byStatus(let readings) = shape.reply { status = statusEnum(readings) }
        let required = Array(requirements().joined())
        // The choices of properties stand below these, other types at the end.
        let choices = inner.filter(\.isChoice).map { $0.lines(depth: 1) }
        let short = Array(choices.filter { $0.count == 1 }.joined())
        var sections = [body, short] + choices.filter { $0.count > 1 }
        sections += isPublic ? [Initializer(stored).lines(depth: 1), required] : [required]
        if stored.isEmpty, !isPublic { sections = [body + required] }
        sections += [next] + inner.filter { !$0.isChoice }.map { $0.lines(depth: 1) } + [status]
        lines.append("\(plan.access)struct \(shape.name): \(protocols()) {")
        lines += Lines.indented(Array(sections.filter { !$0.isEmpty }.joined(separator: [""])))
        lines.append("}")
        return lines + nested.filter { !$0.type.isNested }.flatMap { [""] + $0.lines(depth: 0) }
    }

    private func protocols() -> String {
        var names = ["\(plan.options.name)Request"]
        if case .members(_, .json) = shape.payload, sendsParametersInBody { names.append("JSONRequest") }
        if shape.paging != nil { names.append("PagedRequest") }
        return names.joined(separator: ", ")
    }

    private var sendsParametersInBody: Bool {
        !["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"].contains(endpoint.method)
    }

    private func declaration(of property: Property) -> [String] {
        let lines = Documentation.property(property, names: plan.options.isPublic ? [] : [shape.name])
        return lines + ["\(plan.access)var \(property.declaration(isPublic: plan.options.isPublic))"]
    }
}

// MARK: - Response

extension EndpointWriter {
    /// The type that reads a body.
    private func typeName(_ reading: EndpointShape.Reading) -> String {
        switch reading {
        case .none: "NoContent"
        case .text: "String"
        case .bytes: "Data"
        case .file: "DownloadedFile"
        case .json(let schema): isResponse(schema) ? plan.typeName(schema) : "JSON<\(valueName(schema))>"
        case .envelope(let schema, of: nil): "\(plan.options.name)Envelope<\(valueName(schema))>"
        case .envelope: "Response"
        case .events(let schema):
            if plan.model(schema) == nil { "ServerSentEvents" } else { "JSONEvents<\(plan.typeName(schema))>" }
        case .lines(let schema): "JSONLines<\(plan.typeName(schema))>"
        }
    }

    private func valueName(_ schema: Schema) -> String {
        plan.typeName(schema) + (schema.isNullable && !schema.isAny ? "?" : "")
    }

    /// Whether values of a schema are a `JSONResponse`: models, and lists and dictionaries of them.
    private func isResponse(_ schema: Schema) -> Bool {
        switch schema.kind {
        case .model: !schema.isNullable
        case .list(let inner), .dictionary(let inner): !schema.isNullable && isResponse(inner)
        default: false
        }
    }

    /// The endpoint's response type; nil if it is declared inside.
    private func responseType() -> String? {
        switch shape.reply {
        case .one(let reading): typeName(reading)
        case .optional(let reading): typeName(reading) + "?"
        case .byStatus: nil
        }
    }

    /// What a caller receives.
    private func modelType() -> String {
        guard case .one(let reading) = shape.reply else { return responseType() ?? "Response" }
        return valueName(reading)
    }

    private func statusEnum(_ groups: [EndpointShape.StatusReading]) -> [String] {
        var lines = ["\(plan.access)enum Response: APIResponse {"]
        for group in groups {
            let value = group.reading.isNone ? "" : "(\(valueName(group.reading)))"
            lines.append("    case \(group.name)\(value)")
        }
        let first = groups[0].reading
        let types = groups.contains { $0.reading.schema != nil } ? "[.json]" : "[]"
        lines += ["", "    \(plan.access)static var acceptedTypes: [MIMEType] { \(types) }"]
        let value = first.isNone ? "" : "(try \(typeName(first)).process(data: data))"
        let model = ".\(groups[0].name)\(value)"
        lines += [
            "    \(plan.access)static func process(data: Data) throws -> Response { \(model) }", "",
            "    \(plan.access)static func process(response: HTTPResponse) async throws -> Response {",
            "        switch response.head.status {",
        ]
        let exact = groups.reversed().filter { !$0.isForOthers }
        for group in exact + groups.filter(\.isForOthers) {
            let statuses = group.statuses.map(String.init).joined(separator: ", ")
            let pattern = group.isForOthers ? "default" : "case \(statuses)"
            let value =
                group.reading.isNone ? "" : "(try await \(typeName(group.reading)).process(response: response))"
            lines.append("        \(pattern): .\(group.name)\(value)")
        }
        return lines + ["        }", "    }", "}"]
    }

    private func valueName(_ reading: EndpointShape.Reading) -> String {
        switch reading {
        case .json(let schema), .envelope(let schema, _): valueName(schema)
        default: typeName(reading)
        }
    }
}

// MARK: - Requirements

extension EndpointWriter {
    /// The lines of each declaration that the protocol requires.
    private func requirements() -> [[String]] {
        let (query, body) = (elements(of: .query), elements(of: .body))
        var parameters = sendsParametersInBody ? [] : query
        if sendsParametersInBody, case .members = shape.payload { parameters = body }
        let known = ["POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"].contains(endpoint.method)
        let method = known ? ".\(endpoint.method.lowercased())" : Lines.literal(endpoint.method)
        return [
            shape.base.map { Lines.property("\(plan.access)var base: APIBase", ".\(SwiftName.code($0))", depth: 1) }
                ?? [],
            endpoint.method == "GET" ? [] : ["\(plan.access)var method: HTTPMethod { \(method) }"],
            Lines.property("\(plan.access)var path: URLPath", path(), depth: 1),
            dictionary("headers: HTTPHeaders", headerElements()),
            dictionary("query: Parameters", sendsParametersInBody ? query : []),
            dictionary("parameters: Parameters", parameters, member: sendsParametersInBody ? bodyMember : nil),
            bodyLines(body),
        ]
    }

    private func dictionary(_ name: String, _ elements: [String], member: String? = nil) -> [String] {
        guard !elements.isEmpty || member != nil else { return [] }
        return Lines.dictionary(
            "\(plan.access)var \(name)", "[", elements.isEmpty ? [":"] : elements, "]", member: member, depth: 1)
    }

    private var bodyMember: String? { shape.bodyMember.map(Lines.literal) }

    private func bodyLines(_ members: [String]) -> [String] {
        let head = "\(plan.access)var body: RequestBody?"
        let name = properties.last { $0.source == .body }?.property.code ?? ""
        switch shape.payload {
        case .none: return []
        case .members(_, let type):
            if sendsParametersInBody {
                let hasFile = properties.contains { item in
                    let isPart = item.isJSONPart && !item.property.isOptional && !item.property.schema.isList
                    return isPart || item.property.type == "FilePart"
                }
                guard type == .multipart, !members.isEmpty, !hasFile else { return [] }
                return Lines.property(
                    head, ".multipart(MultipartForm(parameters, style: base.parameterStyle))", depth: 1)
            }
            guard !members.isEmpty || bodyMember != nil else { return [] }
            let members = members.isEmpty ? [":"] : members
            let start = ".\(type == .json ? "json" : "form")(["
            return Lines.dictionary(head, start, members, "])", member: bodyMember, depth: 1)
        case .value(let schema, let isRequired):
            let encoder = schema.holdsModels ? "" : ", encoder: .api"
            let value = isRequired ? ".json(\(name)\(encoder))" : "\(name).map { .json($0\(encoder)) }"
            return Lines.property(head, value, depth: 1)
        case .bytes(let mediaType):
            return Lines.property(head, ".data(\(name), contentType: \(Lines.literal(mediaType)))", depth: 1)
        case .file: return Lines.property(head, name, depth: 1)
        case .text(let mediaType):
            return Lines.property(
                head, ".data(Data(\(name).utf8), contentType: \(Lines.literal(mediaType)))", depth: 1)
        }
    }

    private func path() -> String {
        var code = "\""
        var rest = plan.path(of: endpoint)
        func append(_ text: Substring) { code += Lines.literal(String(text)).dropFirst().dropLast() }
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            append(rest[..<open])
            let name = rest[rest.index(after: open)..<close]
            if let value = properties.first(where: { $0.source == .path && $0.property.wireName == name }) {
                code += "\\(\(value.keepsSlashes ? "segments: " : "")\(value.pathValue))"
            } else {
                append(rest[open...close])
            }
            rest = rest[rest.index(after: close)...]
        }
        append(rest)
        return code + "\""
    }

    private func elements(of source: EndpointProperty.Source) -> [String] {
        properties.filter { $0.source == source }.map { "\(Lines.literal($0.property.wireName)): \($0.parameterValue)" }
    }

    /// The headers of requests that the library names.
    private static let headers: Set = [
        "accept-language", "cache-control", "idempotency-key", "if-match", "if-modified-since", "if-none-match",
        "if-range", "last-event-id", "range", "user-agent",
    ]

    private static func headerName(_ name: String) -> String {
        headers.contains(name.lowercased()) ? ".\(Words(name).lowerCamel)" : Lines.literal(name)
    }

    private func headerElements() -> [String] {
        var elements = properties.filter { $0.source == .header }.map {
            "\(Self.headerName($0.property.wireName)): \($0.headerValue)"
        }
        if let accept = shape.accept, shape.reply.readings.contains(where: { $0.schema != nil }) {
            elements.append(".accept: \(Lines.literal(accept))")
        }
        if let type = shape.contentType { elements.append(".contentType: \(Lines.literal(type))") }
        return elements
    }
}
