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
        _ = check.checkParameters("path", match.values)
        let others = check.checkParameters("query", Parameter.items(request.url.query(percentEncoded: true) ?? ""))
        check.checkUnknown("query", Set(others.map(\.name)).subtracting(match.operation.otherItems).sorted())
        check.checkHeaders(request.headers, own: endpoint.headers)
        check.checkBody(request.body, type: request.headers[.contentType].map(MIMEType.init(rawValue:)))
        return check.problems
    }

    /// Headers that HTTP defines, and those that a description has elsewhere.
    private static let standardHeaders: Set<HTTPHeaders.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .authorization, .cacheControl, .contentEncoding, .contentType,
        .cookie, .idempotencyKey, .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange, .lastEventID, .range, .userAgent,
    ]

    /// Checks headers, of which only those of the endpoint itself have to be described: others concern all of the API.
    private mutating func checkHeaders(_ headers: HTTPHeaders, own: HTTPHeaders) {
        let names = operation.parameters.filter { $0.location == "header" }.map(\.name)
        _ = checkParameters("header", names.compactMap { name in headers[.init(rawValue: name)].map { (name, $0) } })
        let described = Self.standardHeaders.union((names + operation.otherItems).map(HTTPHeaders.Name.init(rawValue:)))
        checkUnknown("header", own.map(\.name).filter { !described.contains($0) }.map(\.rawValue))
    }

    private mutating func checkUnknown(_ location: String, _ names: [String]) {
        for name in names {
            problems.add(.unknown, "\(location) \(name)", "is not in the description", operation.node.pointer)
        }
    }

    /// Checks the parameters of one place.
    ///
    /// - Returns: The remaining items.
    private mutating func checkParameters(_ location: String, _ items: [Parameter.Item]) -> [Parameter.Item] {
        var items = items
        for parameter in operation.parameters where parameter.location == location {
            let member = "\(location) \(parameter.name)"
            if let (value, fault) = parameter.takeValue(from: &items, joinsLists: joinsLists) {
                if let fault { problems.add(.style, member, fault, parameter.node.pointer) }
                check(value, parameter, member)
            } else if parameter.node.isTrue("required"), location != "path" {
                problems.add(.missing, member, "is required, and missing", parameter.node.pointer)
            }
        }
        return items
    }

    private mutating func check(_ value: JSONValue, _ parameter: Parameter, _ member: String) {
        if value.string == "", parameter.node.isTrue("allowEmptyValue") { return }
        if let schema = parameter.schema {
            problems.add(SchemaCheck.problems(value, schema, member, .request, isText: true))
        } else if let text = value.string, let media = parameter.node["content"]?["application/json"] {
            problems.add(media.problems(with: Data(text.utf8), media["schema"], member, .request))
        }
    }

    // MARK: - The body

    private mutating func checkBody(_ body: RequestBody?, type: MIMEType?) {
        let described = operation.node["requestBody"]
        guard let body else {
            guard let described, described.isTrue("required") else { return }
            return problems.add(.missing, "body", "is required, and missing", described.pointer)
        }
        guard let described else {
            return problems.add(.unknown, "body", "is not in the description", operation.node.pointer)
        }
        guard let content = described["content"] else { return }
        let essence = type?.essence ?? ""
        guard let media = content.media(essence) else {
            return problems.add([content.unknownType(essence, "body")])
        }
        if let form = body.form {
            checkForm(fields(of: form, media), media)
        } else if let data = body.data, essence == MIMEType.formURLEncoded.essence {
            checkForm(Parameter.items(String(decoding: data, as: UTF8.self)), media)
        } else if let data = body.data, essence.isJSON {
            problems.add(media.problems(with: data, media["schema"], "body", .request))
        }
    }

    /// The parts of a form as fields. Those that are not text are masked, which fits everything; those in JSON are
    /// checked on their own.
    private mutating func fields(of form: MultipartForm, _ media: Node) -> [Parameter.Item] {
        var fields: [Parameter.Item] = []
        for part in form.parts {
            guard part.filename == nil, let data = part.body.data else {
                fields.append((part.name, Masking.mask))
                continue
            }
            guard let type = part.body.contentType else {
                fields.append((part.name, String(decoding: data, as: UTF8.self)))
                continue
            }
            if type.essence.isJSON, let schema = media["schema"]?.property(part.name) {
                let index = fields.count { $0.name == part.name }
                checkPart(data, part.name, index: index, schema, media)
            }
            fields.append((part.name, Masking.mask))
        }
        return fields
    }

    /// Checks a part in JSON, which is one of those of its name. A list has a part for each element, or one for all.
    private mutating func checkPart(_ data: Data, _ name: String, index: Int, _ schema: Node, _ media: Node) {
        let element = schema.element(at: index)
        let isElement = element?.kinds.contains("array") == true || JSONValue(data)?.kind != "list"
        let described = isElement ? element ?? schema : schema
        problems.add(media.problems(with: data, described, "body.\(name)", .request))
    }

    /// Checks the fields of a form as members of an object.
    private mutating func checkForm(_ fields: [Parameter.Item], _ media: Node) {
        guard let schema = media["schema"] else { return }
        var (items, members): ([Parameter.Item], [JSONValue.Member]) = (fields, [])
        while let item = items.first {
            let root = String(item.name.prefix { $0 != "[" && $0 != "." })
            let name = schema.property(item.name) == nil ? root : item.name
            let field = schema.property(name).map { Parameter(field: name, $0, encoding: media["encoding"]?[name]) }
            if let field, let (value, fault) = field.takeValue(from: &items, joinsLists: joinsLists) {
                if let fault { problems.add(.style, "body.\(name)", fault, field.node.pointer) }
                members.append((name, value))
            } else {
                members.append((item.name, .string(item.text)))
                items.removeAll { $0.name == item.name }
            }
        }
        problems.add(SchemaCheck.problems(.object(members), schema, "body", .request, isText: true))
    }
}
