import APIKitCore
import APIKitTesting

/// Compares a request with its operation.
struct RequestCheck {
    private let operation: Operation
    /// Whether the endpoint joins the elements of lists by commas.
    private let joinsLists: Bool
    private var problems: [APIDescription.Problem] = []

    static func problems(
        _ endpoint: some APIRequest, _ request: HTTPRequest, _ match: Operation.Match
    ) -> [APIDescription.Problem] {
        var check = RequestCheck(
            operation: match.operation, joinsLists: endpoint.base.parameterStyle.lists == .commas)
        if !match.hasServer {
            let message = "is sent to \(request.url.shown), and the description names other servers"
            check.problems.add(.unknownServer, "", message, match.operation.servers.pointer)
        }
        check.checkPath(match.values)
        check.checkQuery(of: request.url)
        check.checkHeaders(request.headers, own: endpoint.headers)
        check.checkBody(request.body, type: request.headers[.contentType].map(MIMEType.init(rawValue:)))
        return check.problems
    }

    // MARK: - Parameters

    private mutating func checkPath(_ values: [PathTemplate.Value]) {
        checkParameters("path", values.map { Parameter.Item(name: $0.name, text: $0.text) })
    }

    private mutating func checkQuery(of url: URL) {
        let items = Parameter.items(url.query(percentEncoded: true) ?? "")
        let others = checkParameters("query", items)
        let unknown = Set(others.map(\.name)).subtracting(operation.otherItems)
        addUnknown("query", unknown.sorted())
    }

    /// Headers that HTTP defines, and those that a description has elsewhere.
    private static let standardHeaders: Set<HTTPHeaders.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .authorization, .cacheControl, .contentEncoding, .contentType,
        .cookie, .idempotencyKey, .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange, .lastEventID, .range, .userAgent,
    ]

    /// Checks headers, of which only those of the endpoint itself have to be described: others concern all of the API.
    private mutating func checkHeaders(_ headers: HTTPHeaders, own: HTTPHeaders) {
        let names = operation.parameters.filter { $0.location == "header" }.map(\.name)
        var items: [Parameter.Item] = []
        for name in names {
            guard let text = headers[HTTPHeaders.Name(rawValue: name)] else { continue }
            items.append(Parameter.Item(name: name, text: text))
        }
        checkParameters("header", items)

        let described = Set((names + operation.otherItems).map(HTTPHeaders.Name.init(rawValue:)))
        let unknown = own.map(\.name).filter { !described.contains($0) && !Self.standardHeaders.contains($0) }
        addUnknown("header", unknown.map(\.rawValue))
    }

    private mutating func addUnknown(_ location: String, _ names: [String]) {
        for name in names {
            problems.add(.unknown, "\(location) \(name)", "is not in the description", operation.node.pointer)
        }
    }

    /// Checks the parameters of one place.
    ///
    /// - Returns: The remaining items.
    @discardableResult
    private mutating func checkParameters(_ location: String, _ items: [Parameter.Item]) -> [Parameter.Item] {
        var items = items
        for parameter in operation.parameters where parameter.location == location {
            let member = "\(location) \(parameter.name)"
            if let reading = parameter.takeValue(from: &items, joinsLists: joinsLists) {
                addFault(of: reading, parameter, member)
                check(reading.value, parameter, member)
            } else if parameter.node.isTrue("required"), location != "path" {
                problems.add(.missing, member, "is required, and missing", parameter.node.pointer)
            }
        }
        return items
    }

    private mutating func addFault(of reading: Parameter.Reading, _ parameter: Parameter, _ member: String) {
        guard let fault = reading.fault else { return }
        problems.add(.style, member, fault, parameter.node.pointer)
    }

    private mutating func check(_ value: JSONValue, _ parameter: Parameter, _ member: String) {
        if value.string == "", parameter.node.isTrue("allowEmptyValue") { return }
        if let schema = parameter.schema {
            problems.add(SchemaCheck.problems(value, schema, at: .named(member), .request, isText: true))
        } else if let text = value.string, let media = parameter.node["content"]?["application/json"] {
            problems.add(media.problems(with: Data(text.utf8), media["schema"], at: .named(member), .request))
        }
    }

    // MARK: - The body

    private mutating func checkBody(_ body: RequestBody?, type: MIMEType?) {
        switch (body, operation.node["requestBody"]) {
        case (nil, nil):
            break
        case (nil, let described?):
            guard described.isTrue("required") else { return }
            problems.add(.missing, "body", "is required, and missing", described.pointer)
        case (_?, nil):
            problems.add(.unknown, "body", "is not in the description", operation.node.pointer)
        case (let body?, let described?):
            guard let content = described["content"] else { return }
            let essence = type?.essence ?? ""
            if let media = content.media(essence) {
                checkBody(body, essence, media)
            } else {
                problems.add([content.unknownType(essence, "body")])
            }
        }
    }

    private mutating func checkBody(_ body: RequestBody, _ essence: String, _ media: Node) {
        if let form = body.form {
            checkForm(fields(of: form, media), media)
        } else if let data = body.data, essence == MIMEType.formURLEncoded.essence {
            checkForm(Parameter.items(String(decoding: data, as: UTF8.self)), media)
        } else if let data = body.data, essence.isJSON {
            problems.add(media.problems(with: data, media["schema"], at: .named("body"), .request))
        }
    }

    /// The parts of a form as fields. Those that are not text are masked, which fits everything; those in JSON are
    /// checked on their own.
    private mutating func fields(of form: MultipartForm, _ media: Node) -> [Parameter.Item] {
        var fields: [Parameter.Item] = []
        for part in form.parts {
            var text = Masking.mask
            if part.body.contentType == nil, let plain = Self.text(of: part) {
                text = plain
            } else {
                checkJSON(of: part, index: fields.count { $0.name == part.name }, media)
            }
            fields.append(Parameter.Item(name: part.name, text: text))
        }
        return fields
    }

    /// The text of a part; nil for a file, and for what is not in memory.
    private static func text(of part: MultipartForm.Part) -> String? {
        guard part.filename == nil, let data = part.body.data else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    /// Checks a part in JSON, which has an index among those of its name. A list has a part for each element, or one
    /// for all.
    private mutating func checkJSON(of part: MultipartForm.Part, index: Int, _ media: Node) {
        guard part.filename == nil, let data = part.body.data else { return }
        guard let type = part.body.contentType, type.essence.isJSON else { return }
        guard let schema = media["schema"]?.property(part.name) else { return }
        var described = schema
        if let element = schema.element(at: index) {
            let isList = JSONValue(data)?.kind == "list"
            let holdsOneElement = !isList || element.kinds.contains("array")
            if holdsOneElement { described = element }
        }
        problems.add(media.problems(with: data, described, at: .named("body.\(part.name)"), .request))
    }

    /// Checks the fields of a form as members of an object.
    private mutating func checkForm(_ fields: [Parameter.Item], _ media: Node) {
        guard let schema = media["schema"] else { return }
        var items = fields
        var members: [JSONValue.Member] = []
        while let item = items.first {
            let field = field(of: item, schema, media)
            if let field, let reading = field.takeValue(from: &items, joinsLists: joinsLists) {
                addFault(of: reading, field, "body.\(field.name)")
                members.append((field.name, reading.value))
            } else {
                members.append((item.name, .string(item.text)))
                items.removeAll { $0.name == item.name }
            }
        }
        problems.add(SchemaCheck.problems(.object(members), schema, at: .named("body"), .request, isText: true))
    }

    /// The field that an item belongs to: `device` for `device[name]`; nil if the schema has none.
    private func field(of item: Parameter.Item, _ schema: Node, _ media: Node) -> Parameter? {
        let root = String(item.name.prefix { $0 != "[" && $0 != "." })
        for name in [item.name, root] {
            guard let property = schema.property(name) else { continue }
            return Parameter(field: name, property, encoding: media["encoding"]?[name])
        }
        return nil
    }
}
