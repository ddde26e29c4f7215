import APIKitCore
import APIKitTesting

/// Compares a request with its operation.
struct RequestCheck {
    let operation: Operation
    /// Whether the endpoint joins the elements of lists by commas.
    let joinsLists: Bool
    private(set) var problems: [APIDescription.Problem] = []

    mutating func checkPath(_ values: [PathTemplate.Value]) {
        for parameter in operation.parameters where parameter.location == "path" {
            guard let value = values.last(where: { $0.name == parameter.name }) else { continue }
            check(.string(value.text), parameter, "path \(parameter.name)")
        }
    }

    mutating func checkQuery(_ url: URL) {
        var items = Self.items(url.query(percentEncoded: true) ?? "")
        for parameter in operation.parameters where parameter.location == "query" {
            checkField(parameter, &items, "query \(parameter.name)")
        }
        for name in Set(items.map(\.name)).subtracting(operation.otherItems).sorted() {
            problems.add(.unknown, "query \(name)", "is not in the description", operation.node.pointer)
        }
    }

    /// Headers that HTTP defines, and those that a description has elsewhere.
    private static let standardHeaders: Set<HTTPHeaders.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .authorization, .cacheControl, .contentEncoding, .contentType,
        .cookie,
        .idempotencyKey, .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange, .lastEventID, .range, .userAgent,
    ]

    /// Checks headers, of which only those of the endpoint itself have to be described: others concern all of the API.
    mutating func checkHeaders(_ headers: HTTPHeaders, own: HTTPHeaders) {
        let parameters = operation.parameters.filter { $0.location == "header" }
        for parameter in parameters where !["accept", "content-type", "authorization"].contains(parameter.key[1]) {
            var items: [Parameter.Item] = headers[.init(rawValue: parameter.name)].map { [(parameter.name, $0)] } ?? []
            checkField(parameter, &items, "header \(parameter.name)")
        }
        let others = (parameters.map(\.name) + operation.otherItems).map(HTTPHeaders.Name.init(rawValue:))
        for name in own.map(\.name) where !Self.standardHeaders.union(others).contains(name) {
            problems.add(.unknown, "header \(name)", "is not in the description", operation.node.pointer)
        }
    }

    private mutating func checkField(_ parameter: Parameter, _ items: inout [Parameter.Item], _ member: String) {
        if let (value, fault) = parameter.takeValue(from: &items, joinsLists: joinsLists) {
            if let fault { problems.add(.style, member, fault, parameter.node.pointer) }
            check(value, parameter, member)
        } else if parameter.node.isTrue("required") {
            problems.add(.missing, member, "is required, and missing", parameter.node.pointer)
        }
    }

    private mutating func check(_ value: JSONValue, _ parameter: Parameter, _ member: String) {
        if value.string == "", parameter.node.isTrue("allowEmptyValue") { return }
        if let schema = parameter.schema {
            problems.add(SchemaCheck.problems(value, schema, member, .request, isText: true))
        } else if let text = value.string, let media = parameter.node["content"]?["application/json"] {
            checkJSON(Data(text.utf8), media, member)
        }
    }

    private mutating func checkJSON(_ data: Data, _ media: Node, _ member: String) {
        guard let value = JSONValue(data) else { return problems.add(.type, member, "is not JSON", media.pointer) }
        if let schema = media["schema"] { problems.add(SchemaCheck.problems(value, schema, member, .request)) }
    }

    /// The items of a query or a form.
    private static func items(_ text: String) -> [Parameter.Item] {
        text.split(separator: "&").map { item in
            let name = item.prefix { $0 != "=" }
            let texts = [name, item.dropFirst(name.count + 1)].map { $0.replacing("+", with: " ").percentDecoded }
            return (texts[0], texts[1])
        }
    }

    // MARK: - The body

    mutating func checkBody(_ body: RequestBody?, type: MIMEType?) {
        let described = operation.node["requestBody"]?.resolved
        guard let body, let described else {
            let isMissing = body == nil && described?.isTrue("required") == true
            let message = isMissing ? "is required, and missing" : "is not in the description"
            let pointer = (described ?? operation.node).pointer
            return isMissing || body != nil
                ? problems.add(isMissing ? .missing : .unknown, "body", message, pointer) : ()
        }
        guard let content = described["content"] else { return }
        let essence = type?.essence ?? ""
        guard let media = content.media(essence) else {
            let types = content.members.map(\.name).joined(separator: ", ")
            return problems.add(.contentType, "body", "is \(essence), not \(types)", content.pointer)
        }
        if let form = body.form {
            let items = form.parts.map { part in
                // What is not text has no type of JSON's.
                let text = part.filename == nil && part.body.contentType == nil ? part.body.data : nil
                return (part.name, text.map { String(decoding: $0, as: UTF8.self) } ?? Masking.mask)
            }
            checkForm(items, media)
        } else if let data = body.data, essence == MIMEType.formURLEncoded.essence {
            checkForm(Self.items(String(decoding: data, as: UTF8.self)), media)
        } else if let data = body.data, essence.isJSON {
            checkJSON(data, media, "body")
        }
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

extension Node {
    /// What the object `content` has for a type, the exact one first.
    func media(_ essence: String) -> Node? {
        [essence, "\(essence.prefix { $0 != "/" })/*", "*/*"].lazy.compactMap { type in
            members.first { MIMEType(rawValue: $0.name).essence == type }?.node
        }.first
    }
}

extension String {
    /// Whether a content type is JSON, or one that is based on it (RFC 6839, section 3.1).
    var isJSON: Bool { hasSuffix("/json") || hasSuffix("+json") }
}
