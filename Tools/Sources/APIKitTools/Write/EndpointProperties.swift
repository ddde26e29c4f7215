import OpenAPIRules

/// Creates the properties of an endpoint, in the order of its initializer: values in the path, required values,
/// filters, headers, sorting, and pages.
struct EndpointProperties {
    private(set) var all: [EndpointProperty] = []
    private let plan: Plan
    private let shape: EndpointShape
    /// The names of the properties so far, in lower case.
    private var takenNames: Set<String> = []

    /// Creates the properties of an endpoint from its shape, which is its form in Swift, and sorts them.
    init(_ plan: Plan, _ shape: EndpointShape) {
        self.plan = plan
        self.shape = shape
        addParameters()
        addBody()
        if shape.paging?.needsLink == true { addPageLink() }
        sort()
    }

    /// Adds the property for the link to a page, which the response to another page provides:
    ///
    ///     var pageLink: URL?
    private mutating func addPageLink() {
        let schema = Schema(
            .string, documentation: "The page to request, if it is not the first one.", place: shape.endpoint.place)
        // The link is not sent under a name: it replaces the URL of the request.
        let property = Property(name: "pageLink", wireName: "", type: "URL?", schema: schema)
        all.append(EndpointProperty(property: property, source: .page))
    }

    // MARK: - Order

    /// The groups of properties, in their order.
    private enum Rank: Comparable {
        /// Values in the path.
        case path
        /// Other values that each request needs.
        case required
        /// Values that select the results.
        case filter
        /// Headers, and values that select parts of a result, such as the items of a query beside a body.
        case refinement
        /// The order and the number of results.
        case sorting
        /// The link to a page.
        case page
    }

    /// The values that determine the position of a property.
    private struct SortKey: Comparable {
        let rank: Rank
        /// The order of members by their names and types, which also applies to properties of the same rank.
        let memberOrder: MemberOrder
        /// The position before sorting. Values in the path keep their order.
        let position: Int

        /// Compares by rank. In the path, the positions decide; in other groups, the order of members.
        static func < (left: SortKey, right: SortKey) -> Bool {
            if left.rank != right.rank { return left.rank < right.rank }
            if left.rank == .path { return left.position < right.position }
            return left.memberOrder < right.memberOrder
        }
    }

    /// Sorts the properties by their groups, such as the path before filters. Within a group, ``MemberOrder`` decides,
    /// which sorts by names and types.
    private mutating func sort() {
        let keys = all.enumerated().map { position, item in
            let property = item.property
            // A member of the body counts as a parameter too, since the caller sets it in the same way.
            let memberOrder = MemberOrder(property.wireName, property.schema.kind, isParameter: true)
            let rank = rank(of: item, section: memberOrder.section)
            return SortKey(rank: rank, memberOrder: memberOrder, position: position)
        }
        let sortedPositions = all.indices.sorted { keys[$0] < keys[$1] }
        all = sortedPositions.map { all[$0] }
    }

    /// The group that a property belongs to. It depends on where the value is sent, on whether the value is required,
    /// and on what its name means:
    ///
    ///     status in a query                           filter
    ///     sort or limit in a query                    sorting
    ///     fields in the query beside a body           refinement
    ///     X-Trace in a header                         refinement
    ///     any of these, if required                   required
    ///
    /// The section is that of the name in ``MemberOrder``: `sorting` for `sort`, and `page` for `limit`.
    private func rank(of item: EndpointProperty, section: MemberOrder.Section) -> Rank {
        if item.source == .path { return .path }
        if item.source == .page { return .page }
        if item.property.isRequired { return .required }
        if item.source == .header { return .refinement }
        let hasBody = shape.endpoint.body != nil
        // In a request with a body, the query usually just selects parts of the response.
        if item.source == .query, hasBody { return .refinement }
        let isSortingOrPage = section == .sorting || section == .page
        return isSortingOrPage ? .sorting : .filter
    }

    // MARK: - Parameters

    /// Adds properties for the parameters in the path, in the order of the path, and then for those in the query and
    /// the headers.
    private mutating func addParameters() {
        let parameters = shape.endpoint.parameters
        let namesInPath = Endpoint.names(in: shape.endpoint.path)
        func positionInPath(_ parameter: Parameter) -> Int { namesInPath.firstIndex(of: parameter.name) ?? 0 }
        let pathParameters = parameters.filter { $0.location == .path }
        let inOrderOfPath = pathParameters.sorted { positionInPath($0) < positionInPath($1) }
        for parameter in inOrderOfPath { addProperty(for: parameter) }
        // Other parameters are sorted by name, so that the names of properties do not depend on the description's
        // order.
        let otherParameters = parameters.filter { $0.location != .path }
        let inOrderOfNames = otherParameters.sorted { $0.name < $1.name }
        for parameter in inOrderOfNames { addProperty(for: parameter) }
    }

    /// Adds the property for a parameter. A parameter in the path has an owner, the noun before it, which can be part
    /// of its name: the owner of `path` in `files/{path}` is `file`, and the property is called `filePath`.
    private mutating func addProperty(for parameter: Parameter) {
        let source = EndpointProperty.Source(parameter.location)
        let owner = source == .path ? noun(before: parameter.name) : nil
        let name = freeName(wantedName(of: parameter, owner: owner), of: owner, kind: parameter.schema.kind)
        let type = plan.typeName(parameter.schema, for: .parameter)
        var property = Property(name: name, wireName: parameter.name, type: type, schema: parameter.schema)
        property.kindOfEnum = plan.kindOfNumbers(ofEnum: parameter.schema.core)
        setInitialValue(of: &property, for: parameter, source)
        var item = EndpointProperty(property: property, source: source)
        switch source {
        case .path:
            item.pathStyle = parameter.pathStyle
            item.isObject = plan.object(parameter.schema) != nil
            item.keepsSlashes = parameter.keepsSlashes
        case .query:
            item.listStyle = plan.listStyles.ownStyle(of: parameter.schema, parameter.style)
        case .header, .body, .page:
            break
        }
        all.append(item)
    }

    /// Decides what is sent for a parameter if the caller sets nothing, and gives its property that value. The first
    /// case that applies decides:
    ///
    ///     var direction = "asc"           // has a default value
    ///                                     // required, and always the same: a constant, sent but not declared
    ///     var kind: Kind = .card          // required, and an enum of one value
    ///     var page = 1                    // the number of the first page
    ///     var idempotencyKey = UUID()     // a new key for each request
    ///     var sizes: [String] = []        // not required, and an empty list sends nothing
    ///     var sort: Sort?                 // not required
    ///     var shop: String                // required, so the caller has to set it
    private func setInitialValue(
        of property: inout Property, for parameter: Parameter, _ source: EndpointProperty.Source
    ) {
        // The path is written with properties only, so a value in the path never becomes a constant. Neither does a
        // key of a security scheme, since the description's would be sent instead of the user's.
        let isCredential = plan.security.isKey(parameter, source)
        let canBeConstant = source != .path && parameter.isRequired && !isCredential
        // A GET can be repeated without a key.
        let needsNewKey = parameter.isIdempotencyKey && shape.endpoint.method != "GET"
        if let value = parameter.initialValue, let literal = literal(value) {
            property.initialValue = literal
        } else if canBeConstant, source == .header, case .fixed(let text, _) = parameter.schema.kind {
            // A header is a text.
            property.constant = Lines.literal(text)
        } else if canBeConstant, let literal = parameter.schema.kind.onlyLiteral {
            property.constant = literal
        } else if canBeConstant, let value = plan.onlyValue(ofEnum: parameter.schema) {
            property.initialValue = value
        } else if let paging = shape.paging, paging.advances(parameter.name) {
            property.initialValue = paging.firstNumber(of: parameter)
        } else if needsNewKey {
            property.type = "UUID"
            property.initialValue = "UUID()"
        } else if !parameter.isRequired {
            // A header with an empty list would be sent, with an empty text as its value.
            allowOmission(of: &property, emptySendsNothing: source == .query)
        }
    }

    /// Gives a property that need not be sent an initial value with which it is not sent: an empty list or dictionary
    /// if that sends nothing, otherwise nil.
    ///
    ///     var sizes: [String] = []
    ///     var sort: Sort?
    private func allowOmission(of property: inout Property, emptySendsNothing: Bool) {
        switch property.schema.kind {
        case .list where emptySendsNothing: property.initialValue = "[]"
        case .dictionary where emptySendsNothing: property.initialValue = "[:]"
        default: property.type += "?"
        }
    }

    /// The Swift literal for a default value in a description; nil for null, lists and objects.
    private func literal(_ node: Node) -> String? {
        switch node.content {
        case .text(let text): Lines.literal(text)
        case .number(let number): number
        case .boolean(let flag): "\(flag)"
        case .null, .list, .object: nil
        }
    }

    // MARK: - Bodies

    /// Adds the properties for the body. An object that only this endpoint sends has a property for each of its
    /// members. Any other body has a single property for its whole content:
    ///
    ///     var order: Order             // JSON with a type of its own
    ///     var data: Data               // bytes in memory
    ///     var content: RequestBody     // bytes that may come from a file
    ///     var text: String
    private mutating func addBody() {
        switch shape.payload {
        case .none:
            break
        case .members(let object, _):
            for member in plan.members(of: object, .parameter) { addProperty(for: member) }
        case .value(let schema, let isRequired):
            let type = plan.typeName(schema)
            let name = contentName(of: schema, type: type)
            addContent(name: name, type: isRequired ? type : "\(type)?", schema)
        case .bytes:
            addContent(name: "data", type: "Data", schemaOfBody)
        case .file:
            addContent(name: "content", type: "RequestBody", schemaOfBody)
        case .text:
            addContent(name: "text", type: "String", schemaOfBody)
        }
    }

    /// The schema of the body's content. It is only used for endpoints that have a body, so there always is one.
    private var schemaOfBody: Schema {
        shape.endpoint.body?.schema ?? Schema(.bytes, place: shape.endpoint.place)
    }

    /// Adds a property for the whole content of the body.
    private mutating func addContent(name: String, type: String, _ schema: Schema) {
        let property = Property(name: freeName(name), wireName: "", type: type, schema: schema)
        all.append(EndpointProperty(property: property, source: .body))
    }

    /// The name of the property for the whole content of a body, which depends on the content's type:
    ///
    ///     Issue, NewIssue                     issue
    ///     a model without a name              order, if the endpoint is about orders
    ///     [Int] and others without models     content
    private func contentName(of schema: Schema, type: String) -> String {
        guard let model = plan.model(schema) else { return "content" }
        let isNamed = model.name != nil
        if !isNamed { return shape.noun.lowerCamel }
        let words = Words(type).words
        let beginsWithNew = words.count > 1 && words.first == "new"
        if beginsWithNew { return Words(words: Array(words.dropFirst())).lowerCamel }
        return SwiftName.member(type)
    }

    /// Adds the property for a member of the body: `var note: String?` for the member `note`, which is not required.
    private mutating func addProperty(for member: Object.Member) {
        // If a parameter is already called `name`, the member of the body is its new value: `newName`.
        let isTaken = takenNames.contains(SwiftName.member(member.name).lowercased())
        let wantedName = isTaken ? "new_\(member.name)" : member.name
        let name = freeName(wantedName, kind: member.schema.kind)
        let style = shape.endpoint.body?.styles[member.name]
        let styleOfLists = style ?? .repeated
        let isJSONPart = shape.form.isJSONPart(member, in: plan.api.models)
        let type = type(of: member, style: style, isJSONPart: isJSONPart)
        var property = Property(name: name, wireName: member.name, type: type, schema: member.schema)
        setInitialValue(of: &property, for: member, isJSONPart: isJSONPart)
        var item = EndpointProperty(property: property, source: .body, isJSONPart: isJSONPart)
        if case .repeated = styleOfLists { item.repeatsParts = true }
        let isInForm = !shape.payload.isJSONMembers && !isJSONPart
        if isInForm { item.listStyle = plan.listStyles.ownStyle(of: member.schema, styleOfLists) }
        all.append(item)
    }

    /// The Swift type of a member of the body, which depends on how the body is written:
    /// - In a form that is not multipart, a field may contain JSON. The caller provides its text, a `String`.
    /// - In such a form, and in JSON, bytes are a text, which is usually Base64. The caller provides that text too.
    /// - Otherwise, the schema determines the type, for example `FilePart` for bytes in a multipart form.
    ///
    /// - Parameters:
    ///   - member: The member.
    ///   - style: The style in which a form writes the member; nil if the description has none.
    ///   - isJSONPart: Whether the member is a part of a multipart form that contains JSON.
    /// - Returns: The type, without a `?` for members that need not be sent.
    private func type(of member: Object.Member, style: Parameter.Style?, isJSONPart: Bool) -> String {
        if !shape.payload.isMultipart {
            let isFieldWithJSON = if case .json? = style { true } else { false }
            if isFieldWithJSON || member.schema.isBytes { return "String" }
        }
        // In a JSON part, bytes are a text, as in other JSON. The elements of its lists are never null, since the same
        // type may also be sent as a parameter, which cannot represent null.
        return plan.typeName(member.schema, for: isJSONPart ? .jsonWithoutNulls : .parameter)
    }

    /// Decides what is sent for a member of the body if the caller sets nothing, and gives its property that value. The
    /// first case that applies decides:
    ///
    ///                                             // required, and always the same: a constant, sent but not declared
    ///     var kind: Kind = .card                  // required, and an enum of one value
    ///     var price: Patch<Double>                // required, but may be null
    ///     var discount: Patch<Double> = .keep     // in an update: may be kept, set, or removed by null
    ///     var sizes: [String] = []                // in a form, not required, and an empty list sends nothing
    ///     var note: String?                       // not required
    ///     var title: String                       // required, so the caller has to set it
    ///
    /// A JSON part, which is a part of a multipart form that contains JSON, never has the type `Patch`.
    private func setInitialValue(
        of property: inout Property, for member: Object.Member, isJSONPart: Bool
    ) {
        // Many endpoints stream their response only if the member `stream` is true. The response type of such a request
        // is a stream, so the caller has no choice.
        let isSwitchForStream = shape.endpoint.isStream && member.name == "stream"
        if isSwitchForStream {
            property.constant = "true"
        } else if let literal = member.onlyLiteral {
            property.constant = literal
        } else if member.isAlwaysThere, let value = plan.onlyValue(ofEnum: member.schema) {
            property.initialValue = value
        } else if shape.form.needsPatch(member), !isJSONPart {
            property.type = "Patch<\(property.type)>"
            if !member.isRequired { property.initialValue = ".keep" }
        } else if !member.isRequired {
            // In JSON, an empty list is sent as `[]`, so only nil sends nothing.
            let isInJSON = shape.payload.isJSONMembers || isJSONPart
            allowOmission(of: &property, emptySendsNothing: !isInJSON)
        }
    }

    // MARK: - Names

    /// Returns a name that is not taken, and adds it to the taken ones.
    ///
    /// A name that is reserved, since the library's protocol requires a property with it, gets the noun of its owner:
    /// `path` becomes `filePath` after `files/` in a path, and `body` becomes `issueBody` if the endpoint is about
    /// issues.
    private mutating func freeName(_ name: String, of owner: Words? = nil, kind: Schema.Kind = .any) -> String {
        plan.freeName(name, in: &takenNames, of: owner ?? shape.noun, reserved: SwiftName.requirements, kind: kind)
    }

    /// The last words of parameters that identify something. A `gid` is a global identifier.
    private static let identifiers: Set = ["gid", "id", "name", "number", "slug", "uuid"]

    /// The name that a parameter would have in Swift, before it is converted to camel case. It is usually the
    /// parameter's own name. Names of several words with an identifier at the end are the exception:
    ///
    ///     tasks/{task_id}           id            at the end of the path, the owner, `task`, is not repeated
    ///     tasks/{task_gid}          id            the same for a `gid`, a global identifier
    ///     tasks/{task_id}/notes     task_id       kept, since the endpoint is about notes
    ///     ?project_gid=             projectID     elsewhere, `gid` becomes `ID`
    ///
    /// The short name is not used if it is that of another parameter or member of the body.
    ///
    /// - Parameters:
    ///   - parameter: The parameter.
    ///   - owner: The noun before the parameter in the path, in the singular; nil if it is not in the path.
    /// - Returns: The name.
    private func wantedName(of parameter: Parameter, owner: Words?) -> String {
        let words = Words(parameter.name).words
        guard words.count > 1, let last = words.last, Self.identifiers.contains(last) else { return parameter.name }
        let isGlobalID = last == "gid"
        let identifier = isGlobalID ? "id" : last
        // `task` of `task_id`.
        let noun = Array(words.dropLast())
        let isShortNameFree = !isNameOfOtherValue(identifier)
        if endsPath(parameter), repeatsOwner(noun, owner), isShortNameFree { return identifier }
        if isGlobalID { return Words(words: noun + [identifier]).lowerCamel }
        return parameter.name
    }

    /// Whether a noun is the end of the owner's name: true for `task` if the owner is `project task`.
    private func repeatsOwner(_ noun: [String], _ owner: Words?) -> Bool {
        guard let owner else { return false }
        return Array(owner.words.suffix(noun.count)) == noun
    }

    /// Whether a parameter is the last segment of the path, or the beginning of that segment: `id` in
    /// `products/{id}.json`.
    private func endsPath(_ parameter: Parameter) -> Bool {
        let lastSegment = shape.endpoint.path.split(separator: "/").last
        return lastSegment?.hasPrefix("{\(parameter.name)}") == true
    }

    /// Whether a parameter or a member of the body has a name already.
    private func isNameOfOtherValue(_ name: String) -> Bool {
        let isParameter = shape.endpoint.parameters.contains { $0.name == name }
        return isParameter || shape.payload.members.contains { $0.name == name }
    }

    /// The noun before a value in the path, in the singular: `file` for `path` in `files/{path}`.
    private func noun(before name: String) -> Words? {
        let segments = shape.endpoint.path.split(separator: "/")
        let index = segments.firstIndex { $0.contains("{\(name)}") } ?? 0
        let segment = segments[..<index].last { !$0.contains("{") }
        return segment.map { Words(String($0)).singular }
    }
}

extension Property {
    /// Whether an initializer needs a value for it.
    var isRequired: Bool { !isOptional && initialValue == nil }
}

extension EndpointForm.Payload {
    /// Whether the members are sent as a multipart form.
    fileprivate var isMultipart: Bool {
        if case .members(_, .multipart) = self { true } else { false }
    }

    /// Whether the members are sent as JSON.
    fileprivate var isJSONMembers: Bool {
        if case .members(_, .json) = self { true } else { false }
    }
}

extension EndpointProperty.Source {
    fileprivate init(_ location: Parameter.Location) {
        switch location {
        case .path: self = .path
        case .query: self = .query
        case .header: self = .header
        }
    }
}
