/// The properties of an endpoint, in the order of its initializer: those in the path, those that are required, and all
/// others by their names.
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
        let parameters = shape.endpoint.parameters.sorted { first, second in
            if first.location == .path, second.location == .path {
                return (order.firstIndex(of: first.name) ?? 0) < (order.firstIndex(of: second.name) ?? 0)
            }
            if (first.location == .path) != (second.location == .path) { return first.location == .path }
            return first.name < second.name
        }
        for parameter in parameters { add(parameter) }
        addBody()
        if shape.paging?.needsLink == true {
            let schema = Schema(
                .string, documentation: "The link to a page, if it is not the first.", place: shape.endpoint.place)
            all.append(
                Item(property: Property(name: "pageLink", wireName: "", type: "URL?", schema: schema), source: .page))
        }
        // Swift has no stable sort.
        let ranked = all.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
        all = ranked.map(\.element)
    }

    private func rank(_ item: Item) -> Int {
        switch item.source {
        case .path: 0
        case .page: 3
        default: item.property.isOptional || item.property.initialValue != nil ? 2 : 1
        }
    }

    private mutating func add(_ parameter: Parameter) {
        let source: Item.Source = parameter.location == .path ? .path : parameter.location == .query ? .query : .header
        let name = plan.freeName(parameter.name, in: &taken, reserved: SwiftName.requirements)
        var property = Property(name: name, wireName: parameter.name, type: "", schema: parameter.schema)
        property.type = isText(parameter) ? "String" : plan.typeName(parameter.schema, .parameter)
        if case .bytes = parameter.schema.kind { property.type = "String" }
        if let value = parameter.initialValue, let literal = literal(value) {
            property.initialValue = literal
        } else if case .constant(let text) = parameter.schema.kind, parameter.isRequired, source != .path {
            property.constant = Lines.literal(text)
        } else if let paging = shape.paging, paging.isNumber(parameter.name) {
            property.initialValue = paging.firstNumber
        } else if !parameter.isRequired {
            property.type += "?"
        }
        all.append(
            Item(property: property, source: source, style: parameter.style, keepsSlashes: parameter.keepsSlashes))
    }

    /// Whether a value is written by the caller: JSON in a query, or more than a path or a header can hold.
    private func isText(_ parameter: Parameter) -> Bool {
        if case .json = parameter.style { return true }
        guard parameter.location != .query else { return false }
        switch parameter.schema.kind {
        case .string, .integer, .number, .boolean, .constant: return false
        case .model(let id): if case .texts? = plan.api.models[id]?.kind { return false } else { return true }
        case .list(let inner): if case .string = inner.kind { return false } else { return true }
        default: return true
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
            let modelName = plan.model(schema).map { _ in plan.typeName(schema) }
            let name = modelName.map { SwiftName.member($0) } ?? "content"
            addValue(name, plan.typeName(schema) + (isRequired ? "" : "?"), schema)
        case .bytes: addValue("data", "Data", schema)
        case .text: addValue("text", "String", schema)
        }
    }

    private mutating func addValue(_ name: String, _ type: String, _ schema: Schema) {
        let name = plan.freeName(name, in: &taken, reserved: SwiftName.requirements)
        all.append(Item(property: Property(name: name, wireName: "", type: type, schema: schema), source: .body))
    }

    private mutating func add(_ member: Object.Member) {
        let isTaken = taken.contains(SwiftName.member(member.name).lowercased())
        let wanted = isTaken ? "new_\(member.name)" : member.name
        let name = plan.freeName(wanted, in: &taken, reserved: SwiftName.requirements)
        var type = plan.typeName(member.schema, .parameter)
        if case .members(_, .multipart) = shape.payload {} else if case .bytes = member.schema.kind { type = "String" }
        var property = Property(name: name, wireName: member.name, type: type, schema: member.schema)
        let isUpdate = ["PATCH", "PUT"].contains(shape.endpoint.method)
        if member.name == "stream", shape.endpoint.isStream {
            property.constant = "true"
        } else if case .constant(let text) = member.schema.kind, member.isRequired, !member.schema.isNullable {
            property.constant = Lines.literal(text)
        } else if member.schema.isNullable, member.isRequired || isUpdate, !member.schema.isAny {
            property.type = "Patch<\(type)>"
            property.initialValue = member.isRequired ? nil : ".keep"
        } else if !member.isRequired {
            property.type += "?"
        }
        all.append(
            Item(property: property, source: .body, style: shape.endpoint.body?.styles[member.name] ?? .repeated))
    }
}

// MARK: - Values as code

extension EndpointWriter.EndpointProperty {
    /// The property in the literal of a path.
    var pathValue: String {
        switch property.schema.kind {
        case .list where property.type != "String": "\(property.code).joined(separator: \",\")"
        case .number, .boolean: "\(property.code).description"
        default: property.code
        }
    }

    /// The property as a parameter.
    var parameterValue: String {
        guard case .separated(let separator) = style, case .list(let inner) = property.schema.kind,
            property.constant == nil
        else { return property.value }
        let mark = property.isOptional ? "?" : ""
        let literal = Lines.literal(separator)
        switch inner.kind {
        case .string, .constant: return "\(property.code)\(mark).joined(separator: \(literal))"
        case .model: return "\(property.code)\(mark).map(\\.rawValue).joined(separator: \(literal))"
        default: return "\(property.code)\(mark).map(\\.description).joined(separator: \(literal))"
        }
    }

    /// The property as the value of a header.
    var headerValue: String {
        if property.constant != nil || property.type.hasPrefix("String") { return property.value }
        let mark = property.isOptional ? "?" : ""
        switch property.schema.kind {
        case .list: return "\(property.code)\(mark).joined(separator: \", \")"
        case .model: return "\(property.code)\(mark).rawValue"
        default: return "\(property.code)\(mark).description"
        }
    }
}
