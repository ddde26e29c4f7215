/// The properties of an endpoint, in the order of its initializer: those in the path, those that are required, those
/// that select, headers, and those that sort and divide into pages.
struct EndpointProperties {
    typealias Item = EndpointWriter.EndpointProperty

    private(set) var all: [Item] = []
    private let plan: Plan
    private let shape: EndpointShape
    private var taken: Set<String> = []

    init(_ plan: Plan, _ shape: EndpointShape) {
        self.plan = plan
        self.shape = shape
        let order = Endpoint.names(in: shape.endpoint.path)
        let (path, others) = (
            shape.endpoint.parameters.filter { $0.location == .path },
            shape.endpoint.parameters.filter { $0.location != .path }
        )
        for parameter in path.sorted(by: { order.firstIndex(of: $0.name) ?? 0 < order.firstIndex(of: $1.name) ?? 0 }) {
            add(parameter)
        }
        // Names are given in an order that does not depend on the description.
        for parameter in others.sorted(by: { $0.name < $1.name }) { add(parameter) }
        addBody()
        if shape.paging?.needsLink == true {
            let schema = Schema(.string, place: shape.endpoint.place)
            all.append(
                Item(property: Property(name: "pageLink", wireName: "", type: "URL?", schema: schema), source: .page))
        }
        let ranked = all.enumerated().map { index, item in
            let name = MemberOrder(item.property.wireName, item.property.schema.kind, isParameter: true)
            return (rank: rank(item, name), index: item.source == .path ? index : 0, name: name, item: item)
        }
        all = ranked.sorted { ($0.rank, $0.index, $0.name) < ($1.rank, $1.index, $1.name) }.map(\.item)
    }

    private func rank(_ item: Item, _ order: MemberOrder) -> Int {
        switch item.source {
        case .path: 0
        case .page: 5
        case .header where !isNeeded(item.property): 3
        // Beside a body, a query is about the response.
        case .query where shape.endpoint.body != nil && !isNeeded(item.property): 3
        default:
            if isNeeded(item.property) {
                1
            } else {
                order.section.rawValue < MemberOrder.Section.sorting.rawValue ? 2 : 4
            }
        }
    }

    private func isNeeded(_ property: Property) -> Bool { !property.isOptional && property.initialValue == nil }

    private mutating func add(_ parameter: Parameter) {
        let source: Item.Source = parameter.location == .path ? .path : parameter.location == .query ? .query : .header
        let owner = parameter.location == .path ? segment(before: parameter.name) : nil
        let name = freeName(wanted(parameter, of: owner), of: owner, kind: parameter.schema.kind)
        var property = Property(name: name, wireName: parameter.name, type: "", schema: parameter.schema)
        property.type = plan.typeName(parameter.schema, .parameter)
        var style = parameter.style
        if source == .query, shape.lists == .commas, case .separated(",") = style { style = .repeated }
        if let value = parameter.initialValue, let literal = literal(value) {
            property.initialValue = literal
        } else if case .constant(let text) = parameter.schema.kind, parameter.isRequired, source != .path {
            property.constant = Lines.literal(text)
        } else if let paging = shape.paging, paging.isNumber(parameter.name) {
            property.initialValue = paging.firstNumber
        } else if parameter.isIdempotencyKey, shape.endpoint.method != "GET" {
            (property.type, property.initialValue) = ("UUID", "UUID()")
        } else if !parameter.isRequired {
            setAbsent(&property, style: source == .query ? style : .json)
        }
        all.append(Item(property: property, source: source, style: style, keepsSlashes: parameter.keepsSlashes))
    }

    /// Gives a property its value if nothing is sent: nil, or an empty list where that sends nothing.
    private func setAbsent(_ property: inout Property, style: Parameter.Style) {
        switch (property.schema.kind, style) {
        case (.list, .repeated), (.list, .members): property.initialValue = "[]"
        case (.dictionary, .repeated), (.dictionary, .members): property.initialValue = "[:]"
        default: property.type += "?"
        }
    }

    private func literal(_ node: Node) -> String? {
        switch node.content {
        case .text(let text): Lines.literal(text)
        case .number(let number): number
        case .boolean(let flag): "\(flag)"
        default: nil
        }
    }

    private mutating func addBody() {
        let schema = shape.endpoint.body?.schema ?? Schema(.bytes, place: shape.endpoint.place)
        switch shape.payload {
        case .none: break
        case .members(let object, _):
            for member in plan.members(of: object, .parameter) { add(member) }
        case .value(let schema, let isRequired):
            let name =
                plan.model(schema).map { $0.name == nil ? shape.noun.lowerCamel : member(plan.typeName(schema)) }
                ?? "content"
            addValue(name, plan.typeName(schema) + (isRequired ? "" : "?"), schema)
        case .bytes: addValue("data", "Data", schema)
        case .file: addValue("content", "RequestBody", schema)
        case .text: addValue("text", "String", schema)
        }
    }

    /// A property of a type: `issue` of `NewIssue`.
    private func member(_ type: String) -> String {
        let words = Words(type).words
        return words.count > 1 && words.first == "new"
            ? Words(words: Array(words.dropFirst())).lowerCamel : SwiftName.member(type)
    }

    /// The name of a property, with that of what the endpoint is about if it is reserved: `filePath`, `issueBody`.
    private mutating func freeName(_ name: String, of owner: Words? = nil, kind: Schema.Kind = .any) -> String {
        return plan.freeName(name, in: &taken, of: owner ?? shape.noun, reserved: SwiftName.requirements, kind: kind)
    }

    /// `id` for what the path is about, as in `tasks/{task_gid}`, and `projectID` for other identifiers.
    private func wanted(_ parameter: Parameter, of owner: Words?) -> String {
        let words = Words(parameter.name).words
        guard words.count > 1, let last = words.last, Self.identifiers.contains(last) else { return parameter.name }
        let name = last == "gid" ? "id" : last
        let isLast = shape.endpoint.path.split(separator: "/").last?.hasPrefix("{\(parameter.name)}") == true
        let others = shape.endpoint.parameters.map(\.name) + shape.payload.members.map(\.name)
        let isOwn = owner?.words.suffix(words.count - 1) == words.dropLast()[...]
        if isLast, isOwn, !others.contains(name) { return name }
        return last == "gid" ? Words(words: words.dropLast() + [name]).lowerCamel : parameter.name
    }

    private static let identifiers: Set = ["gid", "id", "name", "number", "slug", "uuid"]

    /// What the path names before a value: one of the files of `files/{path}`.
    private func segment(before name: String) -> Words? {
        let segments = shape.endpoint.path.split(separator: "/")
        let index = segments.firstIndex { $0.contains("{\(name)}") } ?? 0
        return segments[..<index].last { !$0.contains("{") }.map { Words(String($0)).singular }
    }

    private mutating func addValue(_ name: String, _ type: String, _ schema: Schema) {
        let name = freeName(name)
        all.append(Item(property: Property(name: name, wireName: "", type: type, schema: schema), source: .body))
    }

    private mutating func add(_ member: Object.Member) {
        let isTaken = taken.contains(SwiftName.member(member.name).lowercased())
        let name = freeName(isTaken ? "new_\(member.name)" : member.name, kind: member.schema.kind)
        let style = shape.endpoint.body?.styles[member.name]
        let isPart = plan.isJSONPart(member, of: shape)
        var type = plan.typeName(member.schema, isPart ? .encoded : .parameter)
        if case .members(_, .multipart) = shape.payload {
        } else if case .json? = style {
            type = "String"
        } else if member.schema.isBytes {
            type = "String"
        }
        var property = Property(name: name, wireName: member.name, type: type, schema: member.schema)
        let isUpdate = ["PATCH", "PUT"].contains(shape.endpoint.method)
        if member.name == "stream", shape.endpoint.isStream {
            property.constant = "true"
        } else if case .constant(let text) = member.schema.kind, member.isRequired, !member.schema.isNullable {
            property.constant = Lines.literal(text)
        } else if member.schema.isNullable, member.isRequired || isUpdate, !member.schema.isAny, !isPart {
            property.type = "Patch<\(type)>"
            property.initialValue = member.isRequired ? nil : ".keep"
        } else if !member.isRequired {
            let isForm = if case .members(_, .json) = shape.payload { false } else { !isPart }
            setAbsent(&property, style: isForm ? style ?? .repeated : .json)
        }
        all.append(Item(property: property, source: .body, style: style ?? .repeated, isJSONPart: isPart))
    }
}

// MARK: - Values as code

extension EndpointWriter.EndpointProperty {
    /// The property in the literal of a path.
    var pathValue: String {
        switch property.schema.kind {
        case .list, .number, .boolean, .date: text
        default: property.code
        }
    }

    /// The property as a parameter.
    var parameterValue: String {
        if property.constant != nil { return property.value }
        if isJSONPart { return part }
        guard case .separated = style, property.schema.isList else { return property.value }
        return text
    }

    /// The property as the value of a header.
    var headerValue: String { property.constant ?? (property.type == "UUID" ? "\(property.code).uuidString" : text) }

    /// The property as a text; nil if it is nil.
    private var text: String {
        let name = property.code + (property.isOptional ? "?" : "")
        guard case .list(let inner) = property.schema.kind else {
            return Self.conversion(property.schema.kind).map { "\(name).\($0)" } ?? property.code
        }
        let separator = if case .separated(let separator) = style { separator } else { "," }
        let map =
            switch Self.conversion(inner.kind) {
            case nil: ""
            case let conversion? where conversion.hasSuffix("()"): ".map { $0.\(conversion) }"
            case let conversion?: ".map(\\.\(conversion))"
            }
        return "\(name)\(map).joined(separator: \(Lines.literal(separator)))"
    }

    /// What makes a text of a value; nil if it is one.
    private static func conversion(_ kind: Schema.Kind) -> String? {
        switch kind {
        case .boolean, .integer, .number, .unixTime: "description"
        case .date: "ISO8601Format()"
        case .model: "rawValue"
        default: nil
        }
    }

    /// The property as a part in JSON; of a list, each element is one, unless the description says otherwise.
    private var part: String {
        var schema = property.schema
        var name = property.code
        var isParts = false
        if case .repeated = style, case .list(let inner) = schema.kind { (schema, isParts) = (inner, true) }
        if isParts || property.isOptional { name = "$0" }
        let encoder = schema.holdsModels ? "" : ", encoder: .api"
        let part = "FilePart(.json(\(name)\(encoder)), filename: nil)"
        guard name == "$0" else { return part }
        return "\(property.code)\(isParts && property.isOptional ? "?" : "").map { \(part) }"
    }
}
