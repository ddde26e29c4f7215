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
        /// Whether it is a JSON part of a multipart form.
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
    private var isPublic: Bool { plan.options.isPublic }

    /// The properties that are not constants.
    private var stored: [Property] {
        properties.map(\.property).filter { $0.constant == nil }
    }

    // MARK: - Declaration

    /// The lines of the file, without the import.
    func lines() -> [String] {
        let typeWriters = plan.nested(in: .endpoint(index)).compactMap { TypeWriter(plan, $0) }
        var lines = documentation()
        if endpoint.isDeprecated { lines.append("@available(*, deprecated)") }
        lines.append("\(plan.access)struct \(shape.name): \(protocols()) {")
        lines += Lines.indented(members(with: typeWriters.filter(\.type.isNested)))
        lines.append("}")
        for writer in typeWriters where !writer.type.isNested { lines += [""] + writer.lines(depth: 0) }
        return lines
    }

    private func documentation() -> [String] {
        let names = isPublic ? [] : [shape.name, endpoint.path]
        return Documentation.action(
            [endpoint.summary, endpoint.documentation], isGet: endpoint.method == "GET", names: names)
    }

    private func protocols() -> String {
        var names = ["\(plan.options.name)Request"]
        if sendsParametersInBody, case .members(_, .json) = shape.payload { names.append("JSONRequest") }
        if shape.paging != nil { names.append("PagedRequest") }
        return names.joined(separator: ", ")
    }

    private var sendsParametersInBody: Bool {
        !["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"].contains(endpoint.method)
    }

    /// The members of the endpoint's type, in sections with an empty line between them: first the properties that a
    /// caller sets and the enums of their choices, then the protocol's requirements, then other types.
    private func members(with typeWriters: [TypeWriter]) -> [String] {
        let choices = typeWriters.filter(\.isChoice).map { $0.lines(depth: 1) }
        let otherTypes = typeWriters.filter { !$0.isChoice }.map { $0.lines(depth: 1) }
        let required = Array(requirements().joined())
        let head = typealiases() + declarations()

        var sections: [[String]] = []
        if stored.isEmpty, !isPublic {
            sections.append(head + required)
        } else {
            sections.append(head)
            // Enums that fit in one line form a section together.
            sections.append(choices.filter { $0.count == 1 }.flatMap(\.self))
            sections += choices.filter { $0.count > 1 }
            if isPublic { sections.append(Initializer(stored).lines(depth: 1)) }
            sections.append(required)
        }
        sections.append(PageWriter(plan: plan, shape: shape, properties: stored).lines(response: modelType()))
        sections += otherTypes
        if case .byStatus(let readings) = shape.reply { sections.append(statusEnum(readings)) }
        return Array(sections.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    private func typealiases() -> [String] {
        var lines: [String] = []
        if let response = responseType(), response != "Response" {
            lines.append("\(plan.access)typealias Response = \(response)")
        }
        if let failure = shape.failure {
            lines.append("\(plan.access)typealias Failure = \(typeName(failure))")
        }
        return lines
    }

    private func declarations() -> [String] {
        let names = isPublic ? [] : [shape.name]
        let lines = stored.flatMap { property in
            let declaration = "\(plan.access)var \(property.declaration(isPublic: isPublic))"
            return Documentation.property(property, names: names) + [declaration]
        }
        return isPublic ? lines : Documentation.withoutRepetitions(lines)
    }
}

// MARK: - Response

extension EndpointWriter {
    /// The response type for a reading of a body.
    private func typeName(_ reading: EndpointShape.Reading) -> String {
        switch reading {
        case .none: "NoContent"
        case .text: "String"
        case .bytes: "Data"
        case .file: "DownloadedFile"
        case .json(let schema): isResponse(schema) ? plan.typeName(schema) : "JSON<\(modelName(schema))>"
        case .envelope(let schema, of: nil): "\(plan.options.name)Envelope<\(modelName(schema))>"
        case .envelope: "Response"
        case .events(let schema):
            plan.model(schema) == nil ? "ServerSentEvents" : "JSONEvents<\(plan.typeName(schema))>"
        case .lines(let schema): "JSONLines<\(plan.typeName(schema))>"
        }
    }

    /// The type of the value that a caller receives for a body.
    private func modelName(_ reading: EndpointShape.Reading) -> String {
        switch reading {
        case .json(let schema), .envelope(let schema, _): modelName(schema)
        case .none, .text, .bytes, .file, .events, .lines: typeName(reading)
        }
    }

    /// The type of a schema's values, optional if they may be null. `JSONValue` has a case for null instead.
    private func modelName(_ schema: Schema) -> String {
        let isOptional = schema.isNullable && !schema.isAny
        return plan.typeName(schema) + (isOptional ? "?" : "")
    }

    /// Whether values of a schema are a `JSONResponse`: models, and lists and dictionaries of them.
    private func isResponse(_ schema: Schema) -> Bool {
        if schema.isNullable { return false }
        switch schema.kind {
        case .model: return true
        case .list(let inner), .dictionary(let inner): return isResponse(inner)
        default: return false
        }
    }

    /// The endpoint's response type; nil if the endpoint declares its own enum for it.
    private func responseType() -> String? {
        switch shape.reply {
        case .one(let reading): typeName(reading)
        case .optional(let reading): "\(typeName(reading))?"
        case .byStatus: nil
        }
    }

    /// The type of the value that a caller receives.
    private func modelType() -> String {
        if case .one(let reading) = shape.reply { return modelName(reading) }
        return responseType() ?? "Response"
    }
}

// MARK: - Responses by status

extension EndpointWriter {
    private func statusEnum(_ readings: [EndpointShape.StatusReading]) -> [String] {
        let hasContent = readings.contains { $0.reading.schema != nil }
        var lines = ["\(plan.access)enum Response: APIResponse {"]
        for item in readings {
            let value = item.reading.isNone ? "" : "(\(modelName(item.reading)))"
            lines.append("    case \(item.name)\(value)")
        }
        let types = hasContent ? "[.json]" : "[]"
        let first = construction(of: readings[0], call: "try", argument: "data: data")
        lines += [
            "",
            "    \(plan.access)static var acceptedTypes: [MIMEType] { \(types) }",
            "    \(plan.access)static func process(data: Data) throws -> Response { \(first) }",
            "",
            "    \(plan.access)static func process(response: HTTPResponse) async throws -> Response {",
            "        switch response.head.status {",
        ]
        // The response for all other statuses is the `default` of the switch, and comes last.
        let exact = readings.reversed().filter { !$0.isForOthers }
        for item in exact + readings.filter(\.isForOthers) {
            let value = construction(of: item, call: "try await", argument: "response: response")
            lines.append("        \(Self.pattern(of: item)): \(value)")
        }
        return lines + ["        }", "    }", "}"]
    }

    private static func pattern(of item: EndpointShape.StatusReading) -> String {
        if item.isForOthers { return "default" }
        return "case \(item.statuses.map(String.init).joined(separator: ", "))"
    }

    /// The code that creates a case from a response: `.created(try Order.process(data: data))`.
    private func construction(of item: EndpointShape.StatusReading, call: String, argument: String) -> String {
        if item.reading.isNone { return ".\(item.name)" }
        return ".\(item.name)(\(call) \(typeName(item.reading)).process(\(argument)))"
    }
}

// MARK: - Requirements

extension EndpointWriter {
    /// The declarations that the protocol requires; a declaration without lines has the protocol's default.
    private func requirements() -> [[String]] {
        [base(), method(), path(), headers(), query(), parameters(), body()]
    }

    private func base() -> [String] {
        guard let base = shape.base else { return [] }
        return Lines.property("\(plan.access)var base: APIBase", ".\(SwiftName.code(base))", depth: 1)
    }

    private static let namedMethods: Set = ["POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"]

    private func method() -> [String] {
        if endpoint.method == "GET" { return [] }
        let hasName = Self.namedMethods.contains(endpoint.method)
        let method = hasName ? ".\(endpoint.method.lowercased())" : Lines.literal(endpoint.method)
        return ["\(plan.access)var method: HTTPMethod { \(method) }"]
    }

    private func path() -> [String] {
        Lines.property("\(plan.access)var path: URLPath", pathLiteral(), depth: 1)
    }

    /// The path as a literal, in which the properties of its values are interpolated.
    private func pathLiteral() -> String {
        var code = ""
        var rest = plan.path(of: endpoint)
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            code += Self.literalContent(rest[..<open])
            code += pathValue(rest[open...close])
            rest = rest[rest.index(after: close)...]
        }
        return "\"\(code)\(Self.literalContent(rest))\""
    }

    /// The interpolation of a value in braces; the placeholder itself if no parameter has its name.
    private func pathValue(_ placeholder: Substring) -> String {
        let name = placeholder.dropFirst().dropLast()
        let property = properties.first { $0.source == .path && $0.property.wireName == name }
        guard let property else { return Self.literalContent(placeholder) }
        let label = property.keepsSlashes ? "segments: " : ""
        return "\\(\(label)\(property.pathValue))"
    }

    /// The contents of a literal, without its quotes.
    private static func literalContent(_ text: Substring) -> String {
        String(Lines.literal(String(text)).dropFirst().dropLast())
    }

    // MARK: - Parameters

    private func elements(of source: EndpointProperty.Source) -> [String] {
        properties.filter { $0.source == source }.map { item in
            "\(Lines.literal(item.property.wireName)): \(item.parameterValue)"
        }
    }

    private func dictionary(_ declaration: String, _ elements: [String]) -> [String] {
        if elements.isEmpty { return [] }
        return Lines.property("\(plan.access)var \(declaration)", DictionaryLiteral(elements), depth: 1)
    }

    /// The query of a request whose parameters are in its body.
    private func query() -> [String] {
        sendsParametersInBody ? dictionary("query: Parameters", elements(of: .query)) : []
    }

    private func parameters() -> [String] {
        let declaration = "parameters: Parameters"
        guard sendsParametersInBody else { return dictionary(declaration, elements(of: .query)) }
        var members: [String] = []
        if case .members = shape.payload { members = elements(of: .body) }
        guard let member = bodyMember else { return dictionary(declaration, members) }
        let literal = DictionaryLiteral(members, member: member)
        return Lines.property("\(plan.access)var \(declaration)", literal, depth: 1)
    }

    private var bodyMember: String? { shape.bodyMember.map(Lines.literal) }

    // MARK: - Headers

    private func headers() -> [String] {
        var elements = properties.filter { $0.source == .header }.map { item in
            "\(Self.headerName(item.property.wireName)): \(item.headerValue)"
        }
        let readsContent = shape.reply.readings.contains { $0.schema != nil }
        if let accept = shape.accept, readsContent {
            elements.append(".accept: \(Lines.literal(accept))")
        }
        if let type = shape.contentType { elements.append(".contentType: \(Lines.literal(type))") }
        return dictionary("headers: HTTPHeaders", elements)
    }

    /// The request headers for which the library has constants.
    private static let namedHeaders: Set = [
        "accept-language", "cache-control", "idempotency-key", "if-match", "if-modified-since", "if-none-match",
        "if-range", "last-event-id", "range", "user-agent",
    ]

    private static func headerName(_ name: String) -> String {
        let hasName = namedHeaders.contains(name.lowercased())
        return hasName ? ".\(Words(name).lowerCamel)" : Lines.literal(name)
    }

    // MARK: - Bodies

    /// The declaration of the body; empty if the library creates the body from the parameters.
    private func body() -> [String] {
        let head = "\(plan.access)var body: RequestBody?"
        switch shape.payload {
        case .none:
            return []
        case .members(_, let type):
            if sendsParametersInBody { return multipartBody(head, type) }
            return bodyBesideQuery(head, type)
        case .value(let schema, let isRequired):
            return Lines.property(head, jsonValue(schema, isRequired: isRequired), depth: 1)
        case .bytes(let type):
            return Lines.property(head, dataValue(content, type), depth: 1)
        case .text(let type):
            return Lines.property(head, dataValue("Data(\(content).utf8)", type), depth: 1)
        case .file:
            return Lines.property(head, content, depth: 1)
        }
    }

    /// The property with the content of the body.
    private var content: String { properties.last { $0.source == .body }?.property.code ?? "" }

    private func dataValue(_ data: String, _ type: String) -> String {
        ".data(\(data), contentType: \(Lines.literal(type)))"
    }

    private func jsonValue(_ schema: Schema, isRequired: Bool) -> String {
        // Models bring their own encoder. Other values need the library's default encoder for APIs.
        let encoder = schema.holdsModels ? "" : ", encoder: .api"
        return isRequired ? ".json(\(content)\(encoder))" : "\(content).map { .json($0\(encoder)) }"
    }

    /// The declaration of a multipart body. It is only needed if a request may have no file or other part: otherwise,
    /// the library recognizes a multipart form by its parts.
    private func multipartBody(_ head: String, _ type: MediaType) -> [String] {
        guard type == .multipart, !elements(of: .body).isEmpty, !hasPart else { return [] }
        return Lines.property(head, ".multipart(MultipartForm(parameters, style: base.parameterStyle))", depth: 1)
    }

    /// Whether every request has a file or a JSON part.
    private var hasPart: Bool {
        properties.contains { item in
            let property = item.property
            let isRequiredPart = item.isJSONPart && !property.isOptional && !property.schema.isList
            return isRequiredPart || property.type == "FilePart"
        }
    }

    /// The declaration of a body with members, in a request whose method sends its parameters in the query.
    private func bodyBesideQuery(_ head: String, _ type: MediaType) -> [String] {
        let members = elements(of: .body)
        if members.isEmpty, bodyMember == nil { return [] }
        let kind = type == .json ? "json" : "form"
        let literal = DictionaryLiteral(start: ".\(kind)([", members, end: "])", member: bodyMember)
        return Lines.property(head, literal, depth: 1)
    }
}
