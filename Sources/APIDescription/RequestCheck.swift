import APIKitCore
import APIKitTesting

/// Compares a request with its operation.
struct RequestCheck {
    let operation: Operation
    /// Headers of the endpoint itself; those of its base concern the API.
    let ownHeaders: HTTPHeaders
    /// Whether the endpoint joins the elements of lists by commas.
    let joinsLists: Bool
    private(set) var findings: [SchemaCheck.Finding] = []

    /// Headers that HTTP defines, and those that OpenAPI has described elsewhere.
    private static let standardHeaders: Set<HTTPHeaders.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .authorization, .cacheControl, .contentEncoding, .contentType, .cookie,
        .idempotencyKey, .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange, .lastEventID, .range, .userAgent,
    ]

    init(_ operation: Operation, ownHeaders: HTTPHeaders, joinsLists: Bool) {
        self.operation = operation
        self.ownHeaders = ownHeaders
        self.joinsLists = joinsLists
    }

    mutating func add(_ code: APIDescription.Problem.Code, _ member: String, _ message: String, _ node: Node) {
        findings.append(.init(code: code, member: member, message: message, pointer: node.pointer))
    }

    private mutating func check(_ value: JSONValue, _ parameter: Parameter, _ member: String) {
        if let content = parameter.node["content"]?.members.first?.node, let text = value.string {
            guard Self.isJSON(content.pointer), let schema = content["schema"] else { return }
            guard let value = JSONValue(Data(text.utf8)) else {
                return add(.type, member, "is not JSON", content)
            }
            findings += SchemaCheck.findings(value, schema, member, .request)
        } else if let schema = parameter.schema {
            if value.string == "", parameter.node["allowEmptyValue"]?.isTrue == true { return }
            findings += SchemaCheck.findings(value, schema, member, .request, isText: true)
        }
    }

    // MARK: - Parameters

    mutating func checkPath(_ values: [PathTemplate.Value]) {
        for parameter in operation.parameters where parameter.location == "path" {
            if let value = values.last(where: { $0.name == parameter.name }) {
                check(.string(value.text), parameter, "path \(parameter.name)")
            }
        }
    }

    mutating func checkQuery(_ url: URL, security: [Node]) {
        var items = Self.items(url.query(percentEncoded: true) ?? "")
        for parameter in operation.parameters where parameter.location == "query" {
            checkField(parameter, &items, "query \(parameter.name)")
        }
        let credentials = security.filter { $0["in"]?.string == "query" }.compactMap { $0["name"]?.string }
        let known = Set(credentials + operation.constantItems)
        for name in Set(items.map(\.name)).subtracting(known).sorted() {
            add(.unknown, "query \(name)", "is not in the description", operation.node)
        }
    }

    private mutating func checkField(_ parameter: Parameter, _ items: inout [Parameter.Item], _ member: String) {
        guard let (value, fault) = parameter.takeValue(from: &items, joinsLists: joinsLists) else {
            if parameter.isRequired { add(.missing, member, "is required, and missing", parameter.node) }
            return
        }
        if let fault { add(.style, member, fault, parameter.node) }
        check(value, parameter, member)
    }

    mutating func checkHeaders(_ headers: HTTPHeaders, security: [Node]) {
        let parameters = operation.parameters.filter { $0.location == "header" }
        for parameter in parameters {
            let name = HTTPHeaders.Name(rawValue: parameter.name)
            guard ![.accept, .contentType, .authorization].contains(name) else { continue }
            guard let text = headers[name] else {
                let member = "header \(parameter.name)"
                if parameter.isRequired { add(.missing, member, "is required, and missing", parameter.node) }
                continue
            }
            var items = [(name: parameter.name, text: text)]
            checkField(parameter, &items, "header \(parameter.name)")
        }
        let described = parameters.map(\.name) + security.compactMap { $0["name"]?.string }
        let known = Self.standardHeaders.union(described.map(HTTPHeaders.Name.init(rawValue:)))
        for name in ownHeaders.map(\.name) where !known.contains(name) {
            add(.unknown, "header \(name)", "is not in the description", operation.node)
        }
    }

    /// The items of a query or a form.
    private static func items(_ text: String) -> [Parameter.Item] {
        text.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
                part.replacing("+", with: " ").percentDecoded
            }
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
    }

    // MARK: - The body

    mutating func checkBody(_ body: RequestBody?, type: MIMEType?) {
        let described = operation.node["requestBody"]?.resolved
        guard let body else {
            if let described, described["required"]?.isTrue == true {
                add(.missing, "body", "is required, and missing", described)
            }
            return
        }
        guard let described else { return add(.unknown, "body", "is not in the description", operation.node) }
        guard let content = described["content"] else { return }
        let essence = type?.essence ?? ""
        guard let media = Self.media(essence, of: content) else {
            let types = content.members.map(\.name).joined(separator: ", ")
            return add(.contentType, "body", "is \(essence), not \(types)", content)
        }
        guard let schema = media["schema"] else { return }
        if let form = body.form {
            let items = form.parts.map { part in
                // What is not text has no type of JSON's.
                let text = part.filename == nil && part.body.contentType == nil ? part.body.data : nil
                return (part.name, text.map { String(decoding: $0, as: UTF8.self) } ?? Masking.mask)
            }
            checkForm(items, schema, media)
        } else if let data = body.data, essence == MIMEType.formURLEncoded.essence {
            checkForm(Self.items(String(decoding: data, as: UTF8.self)), schema, media)
        } else if let data = body.data, Self.isJSON(essence) {
            guard let value = JSONValue(data) else { return add(.type, "body", "is not JSON", media) }
            findings += SchemaCheck.findings(value, schema, "body", .request)
        }
    }

    /// Checks the fields of a form as members of an object.
    private mutating func checkForm(_ fields: [Parameter.Item], _ schema: Node, _ media: Node) {
        var (items, members): ([Parameter.Item], [JSONValue.Member]) = (fields, [])
        while let item = items.first {
            let root = String(item.name.prefix { $0 != "[" && $0 != "." })
            let name = schema.property(item.name) == nil ? root : item.name
            guard let property = schema.property(name),
                let (value, fault) = Parameter(field: name, schema: property, encoding: media["encoding"]?[name])
                    .takeValue(from: &items, joinsLists: joinsLists)
            else {
                members.append((item.name, .string(item.text)))
                items.removeAll { $0.name == item.name }
                continue
            }
            if let fault { add(.style, "body.\(name)", fault, property) }
            members.append((name, value))
        }
        findings += SchemaCheck.findings(.object(members), schema, "body", .request, isText: true)
    }

    /// What a description has for a content type, the exact one first.
    static func media(_ essence: String, of content: Node) -> Node? {
        let all = content.members.map { (type: MIMEType(rawValue: $0.name).essence, $0.node) }
        let range = "\(essence.prefix { $0 != "/" })/*"
        return [essence, range, "*/*"].lazy.compactMap { type in all.first { $0.type == type }?.1 }.first
    }

    /// Whether a content type is JSON, or one that is based on it (RFC 6839, section 3.1).
    static func isJSON(_ essence: String) -> Bool {
        essence.hasSuffix("/json") || essence.hasSuffix("+json") || essence.hasSuffix("~1json")
    }
}
