/// Reads one operation of a path.
struct OperationReader {
    let schemas: SchemaReader
    let item: Element
    let element: Element

    func endpoint(method: String, path: String) throws -> Endpoint {
        var endpoint = Endpoint(
            name: try element.text("operationId"), method: method, path: path, place: element.place)
        endpoint.tags = try element.texts("tags")
        endpoint.summary = element.prose("summary") ?? item.prose("summary")
        endpoint.documentation = element.prose("description")
        endpoint.isDeprecated = try element.flag("deprecated")
        endpoint.parameters = try parameters(of: &endpoint)
        endpoint.body = try body()
        if let body = endpoint.body, ["GET", "HEAD", "TRACE"].contains(method) {
            noteLostBody(body, of: endpoint)
            endpoint.body = nil
        }
        for (status, value) in try element.members("responses") where !status.hasPrefix("x-") {
            endpoint.responses.append(try response(status, schemas.target(of: value)))
        }
        return endpoint
    }

    private func noteLostBody(_ body: Body, of endpoint: Endpoint) {
        // Some descriptions give each operation a body without members. Nothing is lost if it is not sent.
        if case .dictionary = body.schema.kind { return }
        schemas.note(.skipped, "body of \(endpoint.method) \(endpoint.path)", at: element.place)
    }

    // MARK: - Parameters

    /// The maximum number of parameters of an operation. Each is compared with all others, so the time grows with the
    /// square of the number. Real operations have far fewer.
    private static let maximumParameters = 500

    /// Reads the parameters of an endpoint.
    ///
    /// This also changes the endpoint's path: a query in it is removed, and the styles `label` and `matrix` add a
    /// prefix before a value.
    private func parameters(of endpoint: inout Endpoint) throws -> [Parameter] {
        let elements = try parameterElements(of: endpoint)
        var parameters = takeQueryOffPath(of: &endpoint)
        for element in elements {
            guard let parameter = try parameter(element, of: &endpoint) else { continue }
            for parameter in sentParameters(for: parameter) {
                parameters.removeAll { $0.name == parameter.name && $0.location == parameter.location }
                parameters.append(parameter)
            }
        }
        var described = Set(parameters.filter { $0.location == .path }.map(\.name))
        for name in Endpoint.names(in: endpoint.path) where described.insert(name).inserted {
            schemas.note(.simplified, "path parameter \(name) is not described: a text", at: endpoint.place)
            let text = Schema(.string, place: endpoint.place)
            parameters.append(
                Parameter(name: name, location: .path, isRequired: true, schema: text, place: endpoint.place))
        }
        return parameters
    }

    /// The parameters of the path item and of the operation. If both have a parameter with the same name and location,
    /// the operation's one is used.
    private func parameterElements(of endpoint: Endpoint) throws -> [Element] {
        let all = try (item.list("parameters") ?? []) + (element.list("parameters") ?? [])
        let count = max(all.count, Endpoint.names(in: endpoint.path).count)
        guard count <= Self.maximumParameters else {
            throw element.error("there are \(count) parameters")
        }
        var elements: [Element] = []
        for element in all {
            let parameter = try schemas.target(of: element)
            elements.removeAll {
                $0.prose("name") == parameter.prose("name") && $0.prose("in") == parameter.prose("in")
            }
            elements.append(parameter)
        }
        return elements
    }

    /// Removes the query and the fragment from the endpoint's path, and returns the items of the query as parameters:
    /// `/search?type=code` has the parameter `type`.
    private func takeQueryOffPath(of endpoint: inout Endpoint) -> [Parameter] {
        if let fragment = endpoint.path.firstIndex(of: "#") {
            endpoint.path = String(endpoint.path[..<fragment])
        }
        guard let mark = endpoint.path.firstIndex(of: "?") else { return [] }
        let query = String(endpoint.path[mark...].dropFirst())
        endpoint.path = String(endpoint.path[..<mark])
        let place = endpoint.place
        return Endpoint.items(in: query).map { name, value in
            let kind: Schema.Kind = value.hasPrefix("{") ? .string : .constant(value)
            let schema = Schema(kind, place: place)
            return Parameter(name: name, location: .query, isRequired: true, schema: schema, place: place)
        }
    }

    /// Reads a parameter; returns nil if nothing is generated for it. If its style has a prefix, the prefix is added to
    /// the endpoint's path.
    private func parameter(_ element: Element, of endpoint: inout Endpoint) throws -> Parameter? {
        guard let name = try element.text("name"), let place = try element.text("in") else {
            throw element.error("a parameter needs a name and a place in the request")
        }
        guard let location = location(place, of: name, element, endpoint) else {
            return nil
        }
        let content = try element.members("content").first?.value
        let source = content?.child("schema") ?? element.child("schema")
        let isRequired = try location == .path || element.flag("required")
        var parameter = Parameter(
            name: name, location: location, isRequired: isRequired,
            schema: try parameterSchema(source, of: element, name: name), place: element.place)
        parameter.initialValue = pageSize(of: parameter, source)
        parameter.allowsUUID = try allowsUUID(source)
        parameter.style = content == nil ? try style(of: element) : .json
        parameter.keepsSlashes = try element.flag("x-multi-segment") || element.flag("allowReserved")
        if let prefix = try pathPrefix(of: element) {
            endpoint.path = endpoint.path.replacing("{\(name)}", with: "\(prefix){\(name)}")
        }
        return parameter
    }

    /// Where a parameter is sent; nil if it is left out.
    ///
    /// OpenAPI ignores parameters for `Accept`, `Content-Type` and `Authorization`, since other parts of a description
    /// define these headers (OpenAPI 3.1, 4.8.12). Parameters that cannot be sent, or that only affect the formatting
    /// of the response, are left out with a note.
    private func location(
        _ place: String, of name: String, _ element: Element, _ endpoint: Endpoint
    ) -> Parameter.Location? {
        switch Parameter.Location(rawValue: place) {
        case nil:
            schemas.note(.skipped, "\(place) parameter \(name)", at: element.place)
            return nil
        case .header?:
            let isDefinedElsewhere = ["accept", "content-type", "authorization"].contains(name.lowercased())
            return isDefinedElsewhere ? nil : .header
        case .query?:
            guard ["opt_pretty", "pretty", "prettyPrint"].contains(name) else {
                return .query
            }
            schemas.note(.skipped, "query parameter \(name), which only adds spaces", at: element.place)
            return nil
        case .path?:
            if Endpoint.names(in: endpoint.path).contains(name) { return .path }
            schemas.note(.skipped, "path parameter \(name), which the path does not have", at: element.place)
            return nil
        }
    }

    private func parameterSchema(_ source: Element?, of element: Element, name: String) throws -> Schema {
        var schema = try schemas.schema(source, or: .string, at: element.place)
        if case .list(let inner) = schema.kind, schemas.isPlain(inner.kind) {
            // The values select members of the response. A description rarely lists all names that a server accepts.
            let areFields = name.hasSuffix("fields") || schemas.hasPaths(inner.kind)
            if areFields { schema.kind = .list(Schema(.string, place: inner.place)) }
        }
        schema.documentation = element.prose("description") ?? schema.documentation
        schema.isDeprecated = try element.flag("deprecated") || schema.isDeprecated
        return schema
    }

    /// The default size of a page; nil if the parameter is not a page size. It becomes the property's initial value, so
    /// that the generated code shows how many items a page has.
    private func pageSize(of parameter: Parameter, _ source: Element?) -> Node? {
        guard parameter.isPageSize, let size = source?.child("default")?.node, case .number(let text) = size.content,
            Int(text) != nil
        else { return nil }
        return size
    }

    private static let lengthOfUUID = 36

    /// Whether the description's limits on the values allow a UUID. With a `pattern`, that is unknown.
    private func allowsUUID(_ source: Element?) throws -> Bool {
        guard let limits = try source.map(schemas.target) else { return true }
        if limits.has("pattern") { return false }
        guard case .number(let text)? = limits.child("maxLength")?.node.content, let length = Int(text) else {
            return true
        }
        return length >= Self.lengthOfUUID
    }

    /// The parameters that are sent for a described parameter.
    ///
    /// By default, each member of an object in a query is sent as a parameter of its own, without the object's name
    /// (OpenAPI 3.1, 4.8.12.3). If the library cannot write a value as described, the caller provides the text.
    private func sentParameters(for parameter: Parameter) -> [Parameter] {
        switch (parameter.location, parameter.style) {
        case (.query, .members): return [parameter]
        case (.query, .repeated): return parametersForMembers(of: parameter)
        case (_, .json): return [asText(parameter)]
        default:
            switch parameter.schema.kind {
            case .any, .bytes, .unixTime:
                var text = parameter
                text.schema.kind = .string
                return [text]
            case .list(let inner): return [schemas.isPlain(inner.kind) ? parameter : asText(parameter)]
            case let kind: return [schemas.isPlain(kind) ? parameter : asText(parameter)]
            }
        }
    }

    /// One parameter for each member of an object in a query; the parameter itself if it is not an object.
    private func parametersForMembers(of parameter: Parameter) -> [Parameter] {
        guard let object = schemas.model(parameter.schema.kind)?.object else {
            if case .dictionary = parameter.schema.kind {
                let text = "query parameter \(parameter.name) is sent as \(parameter.name)[key]=value"
                schemas.note(.simplified, text, at: parameter.place)
            }
            return [parameter]
        }
        let members = object.members.values.filter { !$0.isReadOnly }.sorted { $0.name < $1.name }
        let names = members.map(\.name).joined(separator: ", ")
        schemas.note(
            .simplified, "query parameter \(parameter.name) is sent as its members \(names)", at: parameter.place)
        return members.map { member in
            Parameter(
                name: member.name, location: .query, isRequired: parameter.isRequired && member.isRequired,
                schema: member.schema, place: member.schema.place)
        }
    }

    /// The parameter as a text that the caller provides, with a note. An idempotency key has no note: its property is a
    /// new UUID by default.
    private func asText(_ parameter: Parameter) -> Parameter {
        var text = parameter
        text.schema.kind = .string
        if !text.isIdempotencyKey {
            let location = parameter.location.rawValue
            schemas.note(.simplified, "\(location) parameter \(parameter.name) is a String", at: parameter.place)
        }
        return text
    }

    /// The prefix that the styles `label` and `matrix` add before a value in a path; nil for other styles.
    private func pathPrefix(of element: Element) throws -> String? {
        switch try element.text("style") {
        case "label": "."
        case "matrix": ";\(element.prose("name") ?? "")="
        default: nil
        }
    }

    private func style(of element: Element) throws -> Parameter.Style {
        switch try element.text("style") {
        case "deepObject": return .members
        case "spaceDelimited": return .separated(" ")
        case "pipeDelimited": return .separated("|")
        case let style:
            // An encoding has no `in`: the fields of a form are written like a query.
            let isQuery = ["query", nil].contains(element.prose("in"))
            // Only `form`, the default style in a query, is exploded by default (OpenAPI 3.1, 4.8.12.2).
            var explodes = style == "form" || style == nil
            if element.child("explode") != nil { explodes = try element.flag("explode") }
            return isQuery && explodes ? .repeated : .separated(",")
        }
    }

    // MARK: - Bodies

    private func body() throws -> Body? {
        guard let reference = element.child("requestBody") else { return nil }
        let element = try schemas.target(of: reference)
        let contents = try element.members("content")
        guard let best = contents.min(by: { rank($0.name) < rank($1.name) }) else {
            return nil
        }
        for other in contents where other.name != best.name {
            schemas.note(.simplified, "the body is sent as \(best.name), not as \(other.name)", at: other.value.place)
        }
        let isStructured = rank(best.name) < Self.otherRank
        let schema = try schemas.schema(
            best.value.child("schema"), or: isStructured ? .any : .bytes, at: best.value.place)
        var body = Body(
            mediaType: best.name, schema: schema, isRequired: try element.flag("required"), place: element.place)
        for (name, encoding) in try best.value.members("encoding") {
            try addStyle(of: name, encoding, to: &body)
        }
        if MediaType(body.mediaType) == .form { sendMembersOfObjects(in: &body) }
        return body
    }

    /// The preference among several media types of a body: the one with the lowest rank is sent.
    private func rank(_ mediaType: String) -> Int {
        switch MediaType(mediaType) {
        case .json: 0
        case .multipart: 1
        case .form: 2
        default: Self.otherRank
        }
    }

    private static let otherRank = 3

    private func addStyle(of member: String, _ encoding: Element, to body: inout Body) throws {
        if encoding.prose("contentType")?.contains("json") == true {
            body.styles[member] = .json
            // In a multipart form, JSON is a part of its own, which is generated with its type.
            guard MediaType(body.mediaType) == .form else { return }
            schemas.note(.simplified, "form member \(member) is a String in JSON", at: encoding.place)
        }
        if encoding.child("style") != nil { body.styles[member] = try style(of: encoding) }
    }

    /// Replaces objects in a form by their members, if the description gives them the style `form` with `explode`: that
    /// style sends each member of an object as a field of its own, without the object's name (OpenAPI 3.1, 4.8.12.3).
    ///
    /// The changed form becomes a new model, since the description may use the original one elsewhere.
    private func sendMembersOfObjects(in body: inout Body) {
        guard case .model(let id) = body.schema.kind, var model = schemas.models[id], var form = model.object else {
            return
        }
        let explodedNames = body.styles.keys.sorted().filter { name in
            if case .repeated? = body.styles[name] { true } else { false }
        }
        var isChanged = false
        for name in explodedNames {
            guard let member = form.members[name], let object = schemas.model(member.schema.kind)?.object else {
                continue
            }
            form.members[name] = nil
            addMembers(of: object, isAlwaysSent: member.isRequired, to: &form)
            body.styles[name] = nil
            let names = object.members.keys.sorted().joined(separator: ", ")
            schemas.note(.simplified, "form member \(name) is sent as its members \(names)", at: member.schema.place)
            isChanged = true
        }
        guard isChanged else { return }
        model.kind = .object(form)
        body.schema.kind = schemas.add(model, id: "\(id)<form>")
    }

    /// Adds the members of an object to a form. The form's own members take precedence. The added members can only be
    /// required if the object itself is always sent.
    private func addMembers(of object: Object, isAlwaysSent: Bool, to form: inout Object) {
        for var member in object.members.values where form.members[member.name] == nil {
            member.isRequired = member.isRequired && isAlwaysSent
            form.members[member.name] = member
        }
    }

    // MARK: - Responses

    private func response(_ status: String, _ element: Element) throws -> Response {
        var response = Response(statuses: try statuses(status, element), place: element.place)
        response.headers = Set(try element.members("headers").map { $0.name.lowercased() })
        for (name, media) in try element.members("content") {
            let schema = try schemas.schema(media.child("schema"), or: kindWithoutSchema(name), at: media.place)
            response.contents.append((name, schema))
            response.examples += examples(of: media).map { (schema, $0) }
        }
        return response
    }

    private func kindWithoutSchema(_ mediaType: String) -> Schema.Kind {
        switch MediaType(mediaType) {
        case .text: .string
        case .json: .any
        default: .bytes
        }
    }

    /// The examples of a media type. Some descriptions hold an example as a text that contains JSON.
    private func examples(of media: Element) -> [Node] {
        var examples: [Node] = []
        if let named = try? media.members("examples") {
            examples = named.compactMap { $0.value.child("value")?.node }
        }
        if let example = media.child("example") { examples.append(example.node) }
        return examples.map { example in
            guard case .text(let text) = example.content else { return example }
            return (try? JSONParser.parse(Array(text.utf8), file: "")) ?? example
        }
    }

    private func statuses(_ text: String, _ element: Element) throws -> ClosedRange<Int>? {
        if text == "default" { return nil }
        if let code = Int(text), 100...599 ~= code { return code...code }
        if let digit = text.first?.wholeNumberValue, 1...5 ~= digit, text.lowercased().hasSuffix("xx") {
            let first = digit * 100
            return first...first + 99
        }
        throw element.error(about: text, "is not a status")
    }
}
