import OpenAPIRules

/// The combined contents of the parts of an `allOf` and of the schema around them.
private struct Parts {
    var members: [String: Object.Member] = [:]
    var required: Set<String> = []
    /// The values of additional members: those that `properties` does not name.
    var others: Schema?
    /// The parts that are neither objects nor composed of others, such as an enum.
    var plain: [Schema] = []
    /// The schemas with `oneOf` or `anyOf`.
    var unions: [Element] = []
    /// Whether one of the parts has `properties` or the type `object`.
    var isObject = false

    /// Adds a member. It replaces an earlier one with the same name, but keeps what the new one does not specify.
    /// Whether it is required is not decided here: ``required`` has the names from all parts.
    mutating func add(_ member: Object.Member) {
        var member = member
        if let earlier = members[member.name] {
            member.isReadOnly = member.isReadOnly || earlier.isReadOnly
            member.isWriteOnly = member.isWriteOnly || earlier.isWriteOnly
            if member.schema.isAny { member.schema.kind = earlier.schema.kind }
            member.schema.documentation = member.schema.documentation ?? earlier.schema.documentation
        }
        members[member.name] = member
    }
}

extension SchemaReader {
    /// Decides the kind of a schema with `properties` or `allOf`. The schema's parts are those of its `allOf`, and the
    /// schema itself.
    ///
    /// 1. An `allOf` in which only one part describes values has the kind of that part.
    /// 2. If a part is a union, the kind is that union. Its variants get the members of the other parts.
    /// 3. Without members, the kind is a dictionary or that of the last part.
    /// 4. If all members have the same kind as the additional ones, those with names that the schema does not list, it
    ///    is a dictionary.
    /// 5. Otherwise, it is an object.
    func composed(_ element: Element) throws -> Schema.Kind {
        // 1. One part describes values.
        if let only = try onlyPart(of: element) { return try schema(only).kind }
        let parts = try combinedParts(of: element)
        let object = object(of: parts)
        // 2. A part is a union.
        let commonMembers = parts.members.isEmpty ? nil : object
        for unionElement in parts.unions {
            // The result is nil if the variants only restrict the members, as variants with `required` alone do.
            if let kind = try union(unionElement, with: commonMembers, for: element) { return kind }
        }
        // 3. There are no members.
        if parts.members.isEmpty { return kindWithoutMembers(parts, at: element) }
        // 4. All members have the same kind.
        if let additional = parts.others {
            if isDictionary(parts.members, of: additional) { return .dictionary(additional) }
            if !additional.isAny {
                note(.simplified, "members of an object that are not named are ignored", at: element.place)
            }
        }
        for name in parts.required.subtracting(parts.members.keys).sorted() {
            let member = element.shownMember(name)
            note(.skipped, "\(member), which is required, but not described", at: element.shownPlace)
        }
        // 5. Any other schema.
        return addModel(.object(object), describedBy: element)
    }

    /// Reads the members that a schema and the parts of its `allOf` describe.
    func members(of element: Element) throws -> Object { object(of: try combinedParts(of: element)) }

    /// Reads all parts of a schema and combines them.
    private func combinedParts(of element: Element) throws -> Parts {
        let elements = try self.parts(of: element)
        var parts = Parts()
        for part in elements { try collect(part, into: &parts) }
        let ids = Set(elements.map(\.id))
        parts.unions = try parts.unions.filter { union in
            // A base may list its children as variants. In the `allOf` of such a child, it only means its members.
            if union.id == element.id { return true }
            return try !hasVariant(union, among: ids)
        }
        return parts
    }

    /// Whether one of a union's variants is a reference to one of some schemas.
    private func hasVariant(_ union: Element, among ids: Set<String>) throws -> Bool {
        if let known = idsOfVariants[union.id] { return !known.isDisjoint(with: ids) }
        let variants = try union.list("oneOf") ?? union.list("anyOf") ?? []
        // A broken reference is an error where the union itself is read.
        let found = Set(variants.filter { $0.has("$ref") }.compactMap { try? target(of: $0).id })
        idsOfVariants[union.id] = found
        return !found.isDisjoint(with: ids)
    }

    /// The kind of an `allOf` whose parts have no named members: a dictionary if a part is an object, otherwise the
    /// kind of the last part.
    private func kindWithoutMembers(_ parts: Parts, at element: Element) -> Schema.Kind {
        if parts.isObject {
            return .dictionary(parts.others ?? Schema(.any, place: element.place))
        }
        return parts.plain.last?.kind ?? .any
    }

    /// Whether an object is really a dictionary: its named members have the same kind as all others, so their names are
    /// only examples of keys.
    private func isDictionary(_ members: [String: Object.Member], of others: Schema) -> Bool {
        members.values.allSatisfy { $0.schema == others && !$0.schema.isNullable }
    }

    /// The only part of an `allOf` that describes values: the reference in
    /// `{allOf: [{$ref: User}, {description: …}]}`. All other parts, and the schema around them, just add texts.
    ///
    /// Nil if there are several, or if the schema is a named component, which has a type with its own name.
    private func onlyPart(of element: Element) throws -> Element? {
        let isNamed = element.componentName != nil
        let describesValues = element.hasAny(of: "properties", "oneOf", "anyOf", "required")
        guard !isNamed, !describesValues, let parts = try element.list("allOf") else { return nil }
        let describingParts = parts.filter { part in
            part.hasAny(
                of: "$ref", "type", "properties", "allOf", "oneOf", "anyOf", "enum", "required", "additionalProperties")
        }
        return describingParts.count == 1 ? describingParts[0] : nil
    }

    /// Creates the object that consists of all parts, and decides which of its members are required.
    private func object(of parts: Parts) -> Object {
        var object = Object(others: parts.others)
        let namesResource = namesResource(parts)
        for (name, var member) in parts.members {
            if namesResource { member.isReadOnly = false }
            // Descriptions often forget to require identifiers. One that is `readOnly` is chosen by the server, and
            // therefore in every response.
            let isChosenByTheServer = Self.identifiers.contains(name) && member.isReadOnly && !member.schema.isNullable
            member.isRequired = parts.required.contains(name) || isChosenByTheServer
            object.members[name] = member
        }
        return object
    }

    /// Whether the parts only name a resource: all members are `readOnly`, and an identifier is required. Without these
    /// members, a request would send an empty object:
    ///
    ///     {"required": ["id"], "properties": {"id": {"type": "string", "readOnly": true}}}
    private func namesResource(_ parts: Parts) -> Bool {
        let requiredMembers = parts.required.intersection(parts.members.keys)
        return parts.members.values.allSatisfy(\.isReadOnly) && !requiredMembers.isDisjoint(with: Self.identifiers)
    }

    /// The names of members that identify an object.
    private static let identifiers: Set = ["id", "gid", "uuid"]

    /// The maximum depth of an `allOf` inside of others.
    private static let maximumDepthOfParts = 60

    /// Lists all schemas that an `allOf` consists of, at any depth. Each precedes the schema that it is a part of, so
    /// that the outer schema overrides its parts when they are combined in this order.
    ///
    /// A schema that is a part of several others appears once, at its last position. Otherwise the number of parts
    /// could double at each level of nesting.
    private func parts(of element: Element) throws -> [Element] {
        // This is a depth-first search in reverse: the outer schema comes first, and the last part before the others.
        // So the first visit of a schema gives its last position.
        var reversedParts: [Element] = []
        var known: Set<String> = []
        /// Adds a schema and then its parts, unless it has been added before.
        func visit(_ element: Element, depth: Int) throws {
            let element = try target(of: element)
            guard known.insert(element.id).inserted else { return }
            guard depth < Self.maximumDepthOfParts else {
                throw element.error("allOf is nested more than \(Self.maximumDepthOfParts) deep")
            }
            reversedParts.append(element)
            for part in try (element.list("allOf") ?? []).reversed() { try visit(part, depth: depth + 1) }
        }
        try visit(element, depth: 1)
        return reversedParts.reversed()
    }

    /// Adds to the parts what a schema itself describes: its members, its variants or its type, but not the parts of
    /// its own `allOf`, which ``parts(of:)`` lists.
    private func collect(_ element: Element, into parts: inout Parts) throws {
        for (name, value) in try element.members("properties") { parts.add(try member(name, value)) }
        parts.required.formUnion(try element.texts("required"))
        if element.hasAny(of: "oneOf", "anyOf") { parts.unions.append(element) }
        if isObject(element) { parts.isObject = true }
        if let others = element.schemaOfOtherMembers { parts.others = try schema(others) }
        let isComposed = element.hasAny(of: "allOf", "oneOf", "anyOf")
        let isPlain = !isObject(element) && !isComposed && element.hasAny(of: "type", "enum")
        if isPlain { parts.plain.append(try schema(element)) }
    }

    /// Whether a schema itself says that values are objects.
    private func isObject(_ element: Element) -> Bool {
        element.has("properties") || element.prose("type") == "object"
    }

    /// Reads a member. Whether it is required is decided when all parts are known.
    ///
    /// A member whose schema is or contains a reference that leads nowhere is any JSON, with a note: it alone cannot be
    /// generated as described.
    private func member(_ name: String, _ element: Element) throws -> Object.Member {
        var schemaOfMember = Schema(.any, place: element.place)
        do {
            schemaOfMember = try schema(element)
        } catch let error as DescriptionError where error.isBrokenReference {
            let member = element.shownMember(name)
            note(.simplified, "\(member) is any JSON: \(exact: error.message)", at: error.place)
        }
        var member = Object.Member(name: name, schema: schemaOfMember, isRequired: false)
        member.isReadOnly = try element.flag("readOnly")
        member.isWriteOnly = try element.flag("writeOnly")
        return member
    }
}

extension Element {
    /// A member as notes name it. A name from a referenced file is not quoted.
    fileprivate func shownMember(_ name: String) -> String { isReferenced ? "a member" : "member \(name)" }

    /// The schema of members that `properties` does not name. Nil if there is none: `true` and `false` say nothing of
    /// the kind of such members.
    var schemaOfOtherMembers: Element? {
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            if let others = child(keyword), case .object = others.node.content { return others }
        }
        return nil
    }
}
