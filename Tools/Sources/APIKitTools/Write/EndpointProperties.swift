/// The properties of an endpoint, in the order of its initializer: values in the path, required values, filters,
/// headers, sorting, and pages.
struct EndpointProperties {
    typealias Item = EndpointWriter.EndpointProperty

    private(set) var all: [Item] = []
    private let plan: Plan
    private let shape: EndpointShape
    private var taken: Set<String> = []

    init(_ plan: Plan, _ shape: EndpointShape) {
        self.plan = plan
        self.shape = shape
        addParameters()
        addBody()
        if shape.paging?.needsLink == true {
            let schema = Schema(.string, place: shape.endpoint.place)
            let property = Property(name: "pageLink", wireName: "", type: "URL?", schema: schema)
            all.append(Item(property: property, source: .page))
        }
        sort()
    }

    // MARK: - Order

    /// The groups of properties, in their order.
    private enum Rank: Int {
        case path, needed, selecting, refining, sorting, page
    }

    /// The values that determine the position of a property.
    private struct SortKey: Comparable {
        let rank: Rank
        let name: MemberOrder
        /// The position before sorting. Properties of the path keep their order.
        let position: Int

        static func < (left: SortKey, right: SortKey) -> Bool {
            if left.rank != right.rank { return left.rank.rawValue < right.rank.rawValue }
            if left.rank == .path { return left.position < right.position }
            return left.name < right.name
        }
    }

    private mutating func sort() {
        let keys = all.enumerated().map { position, item in
            let name = MemberOrder(item.property.wireName, item.property.schema.kind, isParameter: true)
            return SortKey(rank: rank(of: item, name), name: name, position: position)
        }
        let order = all.indices.sorted { keys[$0] < keys[$1] }
        all = order.map { all[$0] }
    }

    private func rank(of item: Item, _ name: MemberOrder) -> Rank {
        if item.source == .path { return .path }
        if item.source == .page { return .page }
        if item.property.isNeeded { return .needed }
        if item.source == .header { return .refining }
        // In a request with a body, the query usually just selects parts of the response.
        if item.source == .query, shape.endpoint.body != nil { return .refining }
        let isSorting = name.section.rawValue >= MemberOrder.Section.sorting.rawValue
        return isSorting ? .sorting : .selecting
    }

    // MARK: - Parameters

    private mutating func addParameters() {
        let parameters = shape.endpoint.parameters
        let order = Endpoint.names(in: shape.endpoint.path)
        func position(_ parameter: Parameter) -> Int { order.firstIndex(of: parameter.name) ?? 0 }
        let inPath = parameters.filter { $0.location == .path }
        for parameter in inPath.sorted(by: { position($0) < position($1) }) { add(parameter) }
        // Parameters are sorted by name, so that the names of properties do not depend on the description's order.
        let others = parameters.filter { $0.location != .path }
        for parameter in others.sorted(by: { $0.name < $1.name }) { add(parameter) }
    }

    private mutating func add(_ parameter: Parameter) {
        let source = Item.Source(parameter.location)
        let owner = source == .path ? segment(before: parameter.name) : nil
        let name = freeName(wantedName(of: parameter, owner: owner), of: owner, kind: parameter.schema.kind)
        let type = plan.typeName(parameter.schema, .parameter)
        var property = Property(name: name, wireName: parameter.name, type: type, schema: parameter.schema)
        let style = style(of: parameter)
        setValue(of: &property, for: parameter, source, style)
        all.append(Item(property: property, source: source, style: style, keepsSlashes: parameter.keepsSlashes))
    }

    /// The style of a parameter. If the endpoint's base writes all lists with commas, a list with commas needs no style
    /// of its own.
    private func style(of parameter: Parameter) -> Parameter.Style {
        if parameter.location == .query, shape.lists == .commas, case .separated(",") = parameter.style {
            return .repeated
        }
        return parameter.style
    }

    /// Gives the property of a parameter its initial value, or makes it a constant or optional.
    private func setValue(
        of property: inout Property, for parameter: Parameter, _ source: Item.Source, _ style: Parameter.Style
    ) {
        if let value = parameter.initialValue, let literal = literal(value) {
            property.initialValue = literal
        } else if parameter.isRequired, source != .path, case .constant(let text) = parameter.schema.kind {
            property.constant = Lines.literal(text)
        } else if let paging = shape.paging, paging.isNumber(parameter.name) {
            property.initialValue = paging.firstNumber
        } else if parameter.isIdempotencyKey, shape.endpoint.method != "GET" {
            property.type = "UUID"
            property.initialValue = "UUID()"
        } else if !parameter.isRequired {
            setAbsent(&property, style: source == .query ? style : .json)
        }
    }

    /// Gives a property the value for sending nothing: an empty list or dictionary if that sends nothing in the given
    /// style, otherwise nil.
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
        case .null, .list, .object: nil
        }
    }

    // MARK: - Bodies

    private mutating func addBody() {
        let schema = shape.endpoint.body?.schema ?? Schema(.bytes, place: shape.endpoint.place)
        switch shape.payload {
        case .none: break
        case .members(let object, _):
            for member in plan.members(of: object, .parameter) { add(member) }
        case .value(let schema, let isRequired):
            let type = plan.typeName(schema)
            let name = contentName(of: schema, type: type)
            addContent(name, isRequired ? type : "\(type)?", schema)
        case .bytes: addContent("data", "Data", schema)
        case .file: addContent("content", "RequestBody", schema)
        case .text: addContent("text", "String", schema)
        }
    }

    private mutating func addContent(_ name: String, _ type: String, _ schema: Schema) {
        let property = Property(name: freeName(name), wireName: "", type: type, schema: schema)
        all.append(Item(property: property, source: .body))
    }

    /// The name of the property for a whole body. It follows from the name of its type, or from the endpoint's noun if
    /// the description does not name the type.
    private func contentName(of schema: Schema, type: String) -> String {
        guard let model = plan.model(schema) else { return "content" }
        if model.name == nil { return shape.noun.lowerCamel }
        // `issue` for the type `NewIssue`
        let words = Words(type).words
        if words.count > 1, words.first == "new" { return Words(words: Array(words.dropFirst())).lowerCamel }
        return SwiftName.member(type)
    }

    private mutating func add(_ member: Object.Member) {
        // If the path already has a `name`, the member of the body is its new value: `newName`.
        let isTaken = taken.contains(SwiftName.member(member.name).lowercased())
        let wantedName = isTaken ? "new_\(member.name)" : member.name
        let name = freeName(wantedName, kind: member.schema.kind)
        let style = shape.endpoint.body?.styles[member.name]
        let isPart = plan.isJSONPart(member, of: shape)
        let type = type(of: member, style: style, isPart: isPart)
        var property = Property(name: name, wireName: member.name, type: type, schema: member.schema)
        setValue(of: &property, for: member, style: style, isPart: isPart)
        all.append(Item(property: property, source: .body, style: style ?? .repeated, isJSONPart: isPart))
    }

    private func type(of member: Object.Member, style: Parameter.Style?, isPart: Bool) -> String {
        if !shape.payload.isMultipart {
            // The caller provides the text of a form's field that contains JSON, and of bytes in a JSON body.
            if case .json? = style { return "String" }
            if member.schema.isBytes { return "String" }
        }
        return plan.typeName(member.schema, isPart ? .encoded : .parameter)
    }

    /// Gives the property of a member its initial value, or makes it a constant or optional.
    private func setValue(
        of property: inout Property, for member: Object.Member, style: Parameter.Style?, isPart: Bool
    ) {
        let schema = member.schema
        // `JSONValue` has a case for null, so it needs no `Patch`. Neither does a JSON part of a form.
        let allowsNull = schema.isNullable && !schema.isAny && !isPart
        // In an update, null and an absent member differ: the former removes a value.
        let isUpdate = ["PATCH", "PUT"].contains(shape.endpoint.method)
        let needsPatch = allowsNull && (isUpdate || member.isRequired)
        if shape.endpoint.isStream, member.name == "stream" {
            property.constant = "true"
        } else if member.isRequired, !schema.isNullable, case .constant(let text) = schema.kind {
            property.constant = Lines.literal(text)
        } else if needsPatch {
            property.type = "Patch<\(property.type)>"
            if !member.isRequired { property.initialValue = ".keep" }
        } else if !member.isRequired {
            let isInJSON = shape.payload.isJSONMembers || isPart
            setAbsent(&property, style: isInJSON ? .json : style ?? .repeated)
        }
    }

    // MARK: - Names

    /// Returns a name that is not taken, and adds it to the taken ones. A reserved name gets the noun of its owner:
    /// `filePath`, `issueBody`.
    private mutating func freeName(_ name: String, of owner: Words? = nil, kind: Schema.Kind = .any) -> String {
        plan.freeName(name, in: &taken, of: owner ?? shape.noun, reserved: SwiftName.requirements, kind: kind)
    }

    private static let identifiers: Set = ["gid", "id", "name", "number", "slug", "uuid"]

    /// The preferred name of a parameter: `id` for the last value of a path such as `tasks/{task_gid}`, which
    /// identifies the path's noun, but `projectID` for other identifiers.
    private func wantedName(of parameter: Parameter, owner: Words?) -> String {
        let words = Words(parameter.name).words
        guard words.count > 1, let last = words.last, Self.identifiers.contains(last) else { return parameter.name }
        let isGlobalID = last == "gid"
        let identifier = isGlobalID ? "id" : last
        let ownerWords = words.dropLast()
        let isOfOwner = owner?.words.suffix(ownerWords.count) == ownerWords
        if isOfOwner, endsPath(parameter), !isOtherName(identifier) { return identifier }
        if isGlobalID { return Words(words: ownerWords + [identifier]).lowerCamel }
        return parameter.name
    }

    private func endsPath(_ parameter: Parameter) -> Bool {
        let last = shape.endpoint.path.split(separator: "/").last
        return last?.hasPrefix("{\(parameter.name)}") == true
    }

    /// Whether a parameter or a member of the body has a name.
    private func isOtherName(_ name: String) -> Bool {
        let isParameter = shape.endpoint.parameters.contains { $0.name == name }
        return isParameter || shape.payload.members.contains { $0.name == name }
    }

    /// The word before a value in the path, in the singular: `file` for `path` in `files/{path}`.
    private func segment(before name: String) -> Words? {
        let segments = shape.endpoint.path.split(separator: "/")
        let index = segments.firstIndex { $0.contains("{\(name)}") } ?? 0
        let word = segments[..<index].last { !$0.contains("{") }
        return word.map { Words(String($0)).singular }
    }
}

extension Property {
    /// Whether an initializer needs a value for it.
    var isNeeded: Bool { !isOptional && initialValue == nil }
}

extension EndpointShape.Payload {
    /// Whether the members are sent as a multipart form.
    fileprivate var isMultipart: Bool {
        if case .members(_, .multipart) = self { true } else { false }
    }

    /// Whether the members are sent as JSON.
    fileprivate var isJSONMembers: Bool {
        if case .members(_, .json) = self { true } else { false }
    }
}

extension EndpointWriter.EndpointProperty.Source {
    fileprivate init(_ location: Parameter.Location) {
        switch location {
        case .path: self = .path
        case .query: self = .query
        case .header: self = .header
        }
    }
}

// MARK: - Values as code

extension EndpointWriter.EndpointProperty {
    /// The code for the property in the literal of a path.
    var pathValue: String {
        switch property.schema.kind {
        case .list, .number, .boolean, .date: text
        default: property.code
        }
    }

    /// The code for the property as a parameter.
    var parameterValue: String {
        if property.constant != nil { return property.value }
        if isJSONPart { return part }
        if property.schema.isList, case .separated = style { return text }
        return property.value
    }

    /// The code for the property as the value of a header.
    var headerValue: String {
        if let constant = property.constant { return constant }
        return property.type == "UUID" ? "\(property.code).uuidString" : text
    }

    /// The code for the property as a text. If the property is optional, so is the text.
    private var text: String {
        if case .list(let inner) = property.schema.kind { return joinedText(chainable, inner) }
        guard let conversion = TextConversion(property.schema.kind) else { return property.code }
        return "\(chainable).\(conversion.code)"
    }

    /// The property as code that a member access can follow.
    private var chainable: String { property.isOptional ? "\(property.code)?" : property.code }

    /// The code for the elements of a list as one text: `ids.map(\.description).joined(separator: ",")`.
    private func joinedText(_ name: String, _ element: Schema) -> String {
        let separator = if case .separated(let separator) = style { separator } else { "," }
        let map = TextConversion(element.kind)?.map ?? ""
        return "\(name)\(map).joined(separator: \(Lines.literal(separator)))"
    }

    /// The code for the property as a JSON part of a multipart form. By default, each element of a list is a part of
    /// its own.
    private var part: String {
        if case .repeated = style, case .list(let inner) = property.schema.kind {
            return "\(chainable).map { \(Self.part("$0", inner)) }"
        }
        if property.isOptional { return "\(property.code).map { \(Self.part("$0", property.schema)) }" }
        return Self.part(property.code, property.schema)
    }

    private static func part(_ value: String, _ schema: Schema) -> String {
        // Models bring their own encoder. Other values need the library's default encoder for APIs.
        let encoder = schema.holdsModels ? "" : ", encoder: .api"
        return "FilePart(.json(\(value)\(encoder)), filename: nil)"
    }
}

/// The code that converts a value of another type to a text.
private enum TextConversion {
    case property(String)
    case function(String)

    /// Creates the conversion for a kind of value; nil if the value needs none.
    init?(_ kind: Schema.Kind) {
        switch kind {
        case .boolean, .integer, .number, .unixTime: self = .property("description")
        case .model: self = .property("rawValue")
        case .date: self = .function("ISO8601Format()")
        case .any, .string, .bytes, .constant, .list, .dictionary: return nil
        }
    }

    /// The code after a value and a dot.
    var code: String {
        switch self {
        case .property(let code), .function(let code): code
        }
    }

    /// The code after a list, which converts each of its elements.
    var map: String {
        switch self {
        case .property(let code): ".map(\\.\(code))"
        case .function(let code): ".map { $0.\(code) }"
        }
    }
}
