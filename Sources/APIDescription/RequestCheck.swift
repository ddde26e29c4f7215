import APIKitCore
import APIKitTesting
import OpenAPIRules

/// Compares a request with the operation that describes it.
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

    /// Headers that need no description: HTTP defines them, or the description states them in another way, such as
    /// `Authorization` as a security scheme and `Content-Type` as a key of `content`.
    private static let standardHeaders: Set<HTTPHeaders.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .authorization, .cacheControl, .contentEncoding, .contentType,
        .cookie, .idempotencyKey, .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange, .lastEventID, .range, .userAgent,
    ]

    /// Checks the values of all described headers, and that the endpoint's own headers are described.
    ///
    /// Headers that the API adds to all of its requests are often missing from descriptions.
    ///
    /// - Parameters:
    ///   - headers: All headers of the request.
    ///   - own: The headers that the endpoint itself adds.
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

    /// Checks the parameters in one location, such as the query.
    ///
    /// - Returns: The items that do not belong to a described parameter.
    @discardableResult
    private mutating func checkParameters(_ location: String, _ items: [Parameter.Item]) -> [Parameter.Item] {
        var items = items
        for parameter in operation.parameters where parameter.location == location {
            let member = "\(location) \(parameter.name)"
            if let reading = parameter.takeValue(from: &items, joinsLists: joinsLists) {
                addFault(of: reading, parameter, member)
                check(reading.value, parameter, member)
            } else if parameter.node.isTrue("required"), location != "path" {
                // Values in the path are never missing: without them, the operation would not match the request.
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
        let place = Place.named(member)
        if let schema = parameter.schema {
            problems.add(SchemaCheck.problems(value, schema, at: place, .request, isText: true))
        } else if let text = value.string, let media = parameter.node["content"]?["application/json"] {
            // A parameter without a schema of its own may hold JSON as its text.
            problems.add(media.problems(with: Data(text.utf8), media["schema"], at: place, .request))
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
            checkParts(of: form, media)
        } else if let data = body.data, essence == MIMEType.formURLEncoded.essence {
            checkForm(Parameter.items(String(decoding: data, as: UTF8.self)), media)
        } else if let data = body.data, essence.isJSON {
            problems.add(media.problems(with: data, media["schema"], at: .named("body"), .request))
        }
    }

    /// Checks the parts of a multipart form: parts in JSON one by one, and all parts together as the fields of a form.
    private mutating func checkParts(of form: MultipartForm, _ media: Node) {
        var fields: [Parameter.Item] = []
        for part in form.parts {
            let hasPlainText = part.body.contentType == nil
            if hasPlainText, let text = Self.text(of: part) {
                fields.append(Parameter.Item(name: part.name, text: text))
            } else {
                checkJSON(of: part, index: fields.count { $0.name == part.name }, media)
                // A mask fits every schema: as a field, the part only counts as present.
                fields.append(Parameter.Item(name: part.name, text: Masking.mask))
            }
        }
        checkForm(fields, media)
    }

    /// The text of a part in memory; nil for a file and for a body that is not in memory.
    private static func text(of part: MultipartForm.Part) -> String? {
        guard part.filename == nil, let data = part.body.data else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    /// Checks a part whose content type is JSON; other parts are ignored.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - index: How many parts of the same name precede it.
    ///   - media: The description of the form.
    private mutating func checkJSON(of part: MultipartForm.Part, index: Int, _ media: Node) {
        guard part.filename == nil, let data = part.body.data else { return }
        guard let type = part.body.contentType, type.essence.isJSON else { return }
        guard let property = media["schema"]?.property(part.name) else { return }
        let schema = Self.schema(ofPart: data, index: index, property)
        problems.add(media.problems(with: data, schema, at: .named("body.\(part.name)"), .request))
    }

    /// The schema for a JSON part of a form.
    ///
    /// If the property is a list, a form may send it as one part that holds the whole list, or as one part for each
    /// element.
    private static func schema(ofPart data: Data, index: Int, _ property: Node) -> Node {
        guard let element = property.element(at: index) else { return property }
        let isList = JSONValue(data)?.kind == "list"
        // A list is the whole value, unless the elements are lists themselves.
        let isWholeValue = isList && !element.kinds.contains("array")
        return isWholeValue ? property : element
    }

    /// Checks the fields of a form as the members of an object.
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
                // The schema does not name the field. Of several fields of one name, the first one counts.
                members.append((item.name, .string(item.text)))
                items.removeAll { $0.name == item.name }
            }
        }
        problems.add(SchemaCheck.problems(.object(members), schema, at: .named("body"), .request, isText: true))
    }

    /// The described field that an item belongs to, such as `device` for `device[name]`; nil if there is none.
    private func field(of item: Parameter.Item, _ schema: Node, _ media: Node) -> Parameter? {
        let root = String(item.name.prefix { $0 != "[" && $0 != "." })
        for name in [item.name, root] {
            guard let property = schema.property(name) else { continue }
            return Parameter(field: name, property, encoding: media["encoding"]?[name])
        }
        return nil
    }
}
