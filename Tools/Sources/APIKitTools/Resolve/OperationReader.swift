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
        // Some descriptions have an empty body for each operation.
        if case .dictionary = body.schema.kind { return }
        schemas.note(.skipped, "body of \(endpoint.method) \(endpoint.path)", at: element.place)
    }

    // MARK: - Parameters

    /// How many parameters an operation may have: each is compared with all others.
    private static let maximumParameters = 500

    /// The parameters of an endpoint, of which those in its path also change that.
    private func parameters(of endpoint: inout Endpoint) throws -> [Parameter] {
        let elements = try parameterElements(of: endpoint)
        var parameters = movedFromPath(of: &endpoint)
        for element in elements {
            guard let parameter = try parameter(element, of: &endpoint) else { continue }
            for parameter in written(parameter) {
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

    /// The parameters of the path and of the operation, which replace those with the same name and place.
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

    /// Takes the query and the fragment off the path: `/search?type=code` has a parameter.
    private func movedFromPath(of endpoint: inout Endpoint) -> [Parameter] {
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

    /// A parameter; nil if nothing is generated for it. Some styles add a mark to the endpoint's path, before the value.
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
        if let mark = try pathMark(of: element) {
            endpoint.path = endpoint.path.replacing("{\(name)}", with: "\(mark){\(name)}")
        }
        return parameter
    }

    /// Where a parameter is sent; nil for headers that have another place in a description (OpenAPI 3.1, 4.8.12), and,
    /// with a note, for what cannot be sent or changes nothing.
    private func location(
        _ place: String, of name: String, _ element: Element, _ endpoint: Endpoint
    ) -> Parameter.Location? {
        switch Parameter.Location(rawValue: place) {
        case nil:
            schemas.note(.skipped, "\(place) parameter \(name)", at: element.place)
            return nil
        case .header?:
            let isKnown = ["accept", "content-type", "authorization"].contains(name.lowercased())
            return isKnown ? nil : .header
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
            // Names of members, of which there are more than the description lists.
            let areFields = name.hasSuffix("fields") || schemas.hasPaths(inner.kind)
            if areFields { schema.kind = .list(Schema(.string, place: inner.place)) }
        }
        schema.documentation = element.prose("description") ?? schema.documentation
        schema.isDeprecated = try element.flag("deprecated") || schema.isDeprecated
        return schema
    }

    /// The size of a page by default, which is sent, so that a reader of the code knows it.
    private func pageSize(of parameter: Parameter, _ source: Element?) -> Node? {
        guard parameter.isPageSize, let size = source?.child("default")?.node, case .number(let text) = size.content,
            Int(text) != nil
        else { return nil }
        return size
    }

    private static let lengthOfUUID = 36

    /// Whether a UUID is a value, as far as the description limits them.
    private func allowsUUID(_ source: Element?) throws -> Bool {
        guard let limits = try source.map(schemas.target) else { return true }
        if limits.has("pattern") { return false }
        guard case .number(let text)? = limits.child("maxLength")?.node.content, let length = Int(text) else {
            return true
        }
        return length >= Self.lengthOfUUID
    }

    /// What is sent for a parameter: the members of an object in a query have no name around them by default (OpenAPI
    /// 3.1, 4.8.12.3), and what cannot be written as described is a text of the caller's.
    private func written(_ parameter: Parameter) -> [Parameter] {
        switch (parameter.location, parameter.style) {
        case (.query, .members): return [parameter]
        case (.query, .repeated): return writtenAsMembers(parameter)
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

    /// The members of an object in a query as parameters of their own; the parameter itself if it is something else.
    private func writtenAsMembers(_ parameter: Parameter) -> [Parameter] {
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

    /// The parameter as a text of the caller's, with a note, unless it is a UUID by default.
    private func asText(_ parameter: Parameter) -> Parameter {
        var text = parameter
        text.schema.kind = .string
        if !text.isIdempotencyKey {
            let location = parameter.location.rawValue
            schemas.note(.simplified, "\(location) parameter \(parameter.name) is a String", at: parameter.place)
        }
        return text
    }

    /// What stands before the value in a path of the styles `label` and `matrix`.
    private func pathMark(of element: Element) throws -> String? {
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
            let isQuery = ["query", nil].contains(element.prose("in"))
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

    /// Which media type of several is sent: the lowest.
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
            // In a form with files, it is a part of its own.
            guard MediaType(body.mediaType) == .form else { return }
            schemas.note(.simplified, "form member \(member) is a String in JSON", at: encoding.place)
        }
        if encoding.child("style") != nil { body.styles[member] = try style(of: encoding) }
    }

    /// Sends the members of an object in a form without a name around them, where the description says that it has the
    /// style of a form and is exploded.
    private func sendMembersOfObjects(in body: inout Body) {
        guard case .model(let id) = body.schema.kind, var model = schemas.models[id], var form = model.object else {
            return
        }
        var isChanged = false
        for (name, style) in body.styles.sorted(by: { $0.key < $1.key }) {
            guard case .repeated = style, let member = form.members[name],
                let object = schemas.model(member.schema.kind)?.object
            else { continue }
            isChanged = true
            form.members[name] = nil
            body.styles[name] = nil
            for var inner in object.members.values where form.members[inner.name] == nil {
                inner.isRequired = inner.isRequired && member.isRequired
                form.members[inner.name] = inner
            }
            let names = object.members.keys.sorted().joined(separator: ", ")
            schemas.note(.simplified, "form member \(name) is sent as its members \(names)", at: member.schema.place)
        }
        guard isChanged else { return }
        model.kind = .object(form)
        body.schema.kind = schemas.add(model, id: "\(id)<form>")
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

    /// The examples of a content. Some descriptions have them as texts in JSON.
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
