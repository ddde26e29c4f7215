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
            // Some descriptions have an empty body for each operation.
            if case .dictionary = body.schema.kind {
            } else {
                schemas.note(.skipped, "body of \(method) \(path)", at: element.place)
            }
            endpoint.body = nil
        }
        for (status, value) in try element.members("responses") where !status.hasPrefix("x-") {
            endpoint.responses.append(try response(status, schemas.target(of: value)))
        }
        return endpoint
    }

    // MARK: - Parameters

    /// How many parameters an operation may have: each is compared with all others.
    private static let maximumParameters = 500

    private func parameters(of endpoint: inout Endpoint) throws -> [Parameter] {
        var elements: [Element] = []
        let all = try (item.list("parameters") ?? []) + (element.list("parameters") ?? [])
        let count = max(all.count, Endpoint.names(in: endpoint.path).count)
        guard count <= Self.maximumParameters else { throw element.error("there are \(count) parameters") }
        for element in all {
            let parameter = try schemas.target(of: element)
            elements.removeAll {
                $0.prose("name") == parameter.prose("name") && $0.prose("in") == parameter.prose("in")
            }
            elements.append(parameter)
        }
        var parameters = movedFromPath(of: &endpoint)
        for element in elements {
            guard let parameter = try parameter(element, of: &endpoint) else { continue }
            for parameter in written(parameter) {
                parameters.removeAll { $0.name == parameter.name && $0.location == parameter.location }
                parameters.append(parameter)
            }
        }
        for name in Endpoint.names(in: endpoint.path)
        where !parameters.contains(where: { $0.location == .path && $0.name == name }) {
            schemas.note(.simplified, "path parameter \(name) is not described: a text", at: endpoint.place)
            let text = Schema(.string, place: endpoint.place)
            parameters.append(
                Parameter(name: name, location: .path, isRequired: true, schema: text, place: endpoint.place))
        }
        return parameters
    }

    /// Takes the query and the fragment off the path: `/search?type=code` has a parameter.
    private func movedFromPath(of endpoint: inout Endpoint) -> [Parameter] {
        if let fragment = endpoint.path.firstIndex(of: "#") { endpoint.path = String(endpoint.path[..<fragment]) }
        guard let mark = endpoint.path.firstIndex(of: "?") else { return [] }
        let query = String(endpoint.path[mark...].dropFirst())
        endpoint.path = String(endpoint.path[..<mark])
        let place = endpoint.place
        return Endpoint.items(in: query).map { name, value in
            let schema = Schema(value.hasPrefix("{") ? .string : .constant(value), place: place)
            return Parameter(name: name, location: .query, isRequired: true, schema: schema, place: place)
        }
    }

    /// A parameter; nil for headers that have another place in a description (OpenAPI 3.1, 4.8.12), and for cookies.
    private func parameter(_ element: Element, of endpoint: inout Endpoint) throws -> Parameter? {
        guard let name = try element.text("name"), let place = try element.text("in") else {
            throw element.error("a parameter needs a name and a place in the request")
        }
        guard let location = Parameter.Location(rawValue: place) else {
            schemas.note(.skipped, "\(place) parameter \(name)", at: element.place)
            return nil
        }
        let isKnown = ["accept", "content-type", "authorization"].contains(name.lowercased())
        if location == .header, isKnown { return nil }
        if location == .query, ["opt_pretty", "pretty", "prettyPrint"].contains(name) {
            schemas.note(.skipped, "query parameter \(name), which only adds spaces", at: element.place)
            return nil
        }
        if location == .path, !Endpoint.names(in: endpoint.path).contains(name) {
            schemas.note(.skipped, "path parameter \(name), which the path does not have", at: element.place)
            return nil
        }
        let content = try element.members("content").first?.value
        let source = content?.child("schema") ?? element.child("schema")
        var schema = try schemas.schema(source, or: .string, at: element.place)
        if case .list(let inner) = schema.kind, name.hasSuffix("fields") || schemas.hasPaths(inner.kind),
            schemas.isPlain(inner.kind)
        {
            schema.kind = .list(Schema(.string, place: inner.place))
        }
        schema.documentation = element.prose("description") ?? schema.documentation
        schema.isDeprecated = try element.flag("deprecated") || schema.isDeprecated
        let isRequired = try location == .path || element.flag("required")
        var parameter = Parameter(
            name: name, location: location, isRequired: isRequired, schema: schema, place: element.place)
        if parameter.isPageSize, let size = source?.child("default")?.node, case .number(let text) = size.content,
            Int(text) != nil
        {
            parameter.initialValue = size
        }
        let limits = try source.map(schemas.target)
        parameter.allowsUUID = limits?.has("pattern") != true
        if case .number(let text)? = limits?.child("maxLength")?.node.content, let length = Int(text), length < 36 {
            parameter.allowsUUID = false
        }
        parameter.style = content != nil ? .json : try style(of: element)
        parameter.keepsSlashes = try element.flag("x-multi-segment") || element.flag("allowReserved")
        if let mark = try pathMark(of: element) {
            endpoint.path = endpoint.path.replacing("{\(name)}", with: "\(mark){\(name)}")
        }
        return parameter
    }

    /// What is sent for a parameter: the members of an object in a query have no name around them by default (OpenAPI
    /// 3.1, 4.8.12.3), and what cannot be written as described is a text of the caller's.
    private func written(_ parameter: Parameter) -> [Parameter] {
        var written = parameter
        switch (parameter.location, parameter.style) {
        case (.query, .members): return [parameter]
        case (.query, .repeated):
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
        case (_, .json): break
        default:
            switch parameter.schema.kind {
            case .any, .bytes, .unixTime:
                written.schema.kind = .string
                return [written]
            case .list(let inner): if schemas.isPlain(inner.kind) { return [parameter] }
            case let kind: if schemas.isPlain(kind) { return [parameter] }
            }
        }
        written.schema.kind = .string
        // It is a UUID by default.
        if written.isIdempotencyKey { return [written] }
        let location = parameter.location.rawValue
        schemas.note(.simplified, "\(location) parameter \(parameter.name) is a String", at: parameter.place)
        return [written]
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
        let style = try element.text("style")
        let isQuery = element.prose("in") == "query" || element.prose("in") == nil
        let explodes = element.child("explode") == nil ? style == "form" || style == nil : try element.flag("explode")
        switch style {
        case "deepObject": return .members
        case "spaceDelimited": return .separated(" ")
        case "pipeDelimited": return .separated("|")
        default: return isQuery && explodes ? .repeated : .separated(",")
        }
    }

    // MARK: - Bodies

    private func body() throws -> Body? {
        guard let reference = element.child("requestBody") else { return nil }
        let element = try schemas.target(of: reference)
        let contents = try element.members("content")
        guard let best = contents.min(by: { rank($0.name) < rank($1.name) }) else { return nil }
        for other in contents where other.name != best.name {
            schemas.note(.simplified, "the body is sent as \(best.name), not as \(other.name)", at: other.value.place)
        }
        let kind: Schema.Kind = rank(best.name) > 2 ? .bytes : .any
        let schema = try schemas.schema(best.value.child("schema"), or: kind, at: best.value.place)
        var body = Body(
            mediaType: best.name, schema: schema, isRequired: try element.flag("required"), place: element.place)
        for (name, encoding) in try best.value.members("encoding") {
            if encoding.prose("contentType")?.contains("json") == true {
                body.styles[name] = .json
                guard MediaType(best.name) == .form else { continue }
                schemas.note(.simplified, "form member \(name) is a String in JSON", at: encoding.place)
            }
            if encoding.child("style") != nil { body.styles[name] = try style(of: encoding) }
        }
        if MediaType(best.name) == .form { sendMembersOfObjects(in: &body) }
        return body
    }

    /// Sends the members of an object in a form without a name around them, where the description says that it has the
    /// style of a form and is exploded.
    private func sendMembersOfObjects(in body: inout Body) {
        guard case .model(let id) = body.schema.kind, var form = schemas.models[id]?.object else { return }
        var isChanged = false
        for (name, style) in body.styles.sorted(by: { $0.key < $1.key }) {
            guard case .repeated = style, let member = form.members[name],
                let object = schemas.model(member.schema.kind)?.object
            else { continue }
            form.members[name] = nil
            body.styles[name] = nil
            isChanged = true
            for var inner in object.members.values where form.members[inner.name] == nil {
                inner.isRequired = inner.isRequired && member.isRequired
                form.members[inner.name] = inner
            }
            let names = object.members.keys.sorted().joined(separator: ", ")
            schemas.note(.simplified, "form member \(name) is sent as its members \(names)", at: member.schema.place)
        }
        guard isChanged, var model = schemas.models[id] else { return }
        model.kind = .object(form)
        body.schema.kind = schemas.add(model, id: "\(id)<form>")
    }

    private func rank(_ mediaType: String) -> Int {
        switch MediaType(mediaType) {
        case .json: 0
        case .multipart: 1
        case .form: 2
        default: 3
        }
    }

    private func response(_ status: String, _ element: Element) throws -> Response {
        var response = Response(statuses: try statuses(status, element), place: element.place)
        response.headers = Set(try element.members("headers").map { $0.name.lowercased() })
        for (name, media) in try element.members("content") {
            let kind: Schema.Kind = MediaType(name) == .text ? .string : MediaType(name) == .json ? .any : .bytes
            let schema = try schemas.schema(media.child("schema"), or: kind, at: media.place)
            response.contents.append((name, schema))
            response.examples += examples(of: media).map { (schema, $0) }
        }
        return response
    }

    /// The examples of a content. Some descriptions have them as texts in JSON.
    private func examples(of media: Element) -> [Node] {
        let named = (try? media.members("examples").compactMap { $0.value.child("value")?.node }) ?? []
        return (named + [media.child("example")?.node].compactMap(\.self)).map { example in
            guard case .text(let text) = example.content else { return example }
            return (try? JSONParser.parse(Array(text.utf8), file: "")) ?? example
        }
    }

    private func statuses(_ text: String, _ element: Element) throws -> ClosedRange<Int>? {
        if text == "default" { return nil }
        if let code = Int(text), 100...599 ~= code { return code...code }
        if let digit = text.first?.wholeNumberValue, 1...5 ~= digit, text.lowercased().hasSuffix("xx") {
            return digit * 100...digit * 100 + 99
        }
        throw element.error(about: text, "is not a status")
    }
}
