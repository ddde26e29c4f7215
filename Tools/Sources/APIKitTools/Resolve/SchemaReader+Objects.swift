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
    /// The kind of a schema with `properties` or `allOf`.
    ///
    /// 1. An `allOf` in which only one part describes values has the kind of that part.
    /// 2. If a part is a union, the kind is that union. Its variants get the members of the other parts.
    /// 3. Without members, the kind is a dictionary or that of the last part.
    /// 4. Otherwise, it is a dictionary if all members have the kind of the additional ones, or else an object.
    func composed(_ element: Element) throws -> Schema.Kind {
        if let only = try onlyPart(of: element) { return try schema(only).kind }
        var parts = Parts()
        for part in try self.parts(of: element) { try collect(part, into: &parts) }
        let object = object(of: parts)
        let commonMembers = parts.members.isEmpty ? nil : object
        for unionElement in parts.unions {
            // The result is nil if the variants only restrict the members, as variants with `required` alone do.
            if let kind = try union(unionElement, with: commonMembers, for: element) { return kind }
        }
        if parts.members.isEmpty { return kindWithoutMembers(parts, at: element) }
        if let others = parts.others {
            if isDictionary(parts.members, of: others) { return .dictionary(others) }
            if !others.isAny {
                note(.simplified, "members of an object that are not named are ignored", at: element.place)
            }
        }
        return addModel(.object(object), describedBy: element)
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

    /// The only part of an `allOf` that describes values, if all other parts just add texts such as a description.
    ///
    /// Nil for a named component, which has a type with its own name.
    private func onlyPart(of element: Element) throws -> Element? {
        guard element.componentName == nil, !element.has("properties", "oneOf", "anyOf", "required"),
            let parts = try element.list("allOf")
        else { return nil }
        let describingParts = parts.filter {
            $0.has("$ref", "type", "properties", "allOf", "oneOf", "anyOf", "enum", "required", "additionalProperties")
        }
        return describingParts.count == 1 ? describingParts[0] : nil
    }

    /// The object that consists of all parts. Here it is decided which members are required.
    private func object(of parts: Parts) -> Object {
        var object = Object(others: parts.others)
        for (name, var member) in parts.members {
            // Descriptions often forget to require identifiers. One that the server chooses is in every response.
            let isIdentifier = ["id", "gid", "uuid"].contains(name)
            let isChosenByTheServer = isIdentifier && member.isReadOnly && !member.schema.isNullable
            member.isRequired = parts.required.contains(name) || isChosenByTheServer
            object.members[name] = member
        }
        return object
    }

    /// All schemas that an `allOf` consists of, at any depth. Each precedes the schema that it is a part of, so that
    /// the outer schema overrides its parts when they are combined in this order.
    ///
    /// A schema that is a part of several others appears once, at its last position. Otherwise the number of parts
    /// could double at each level of nesting.
    private func parts(of element: Element) throws -> [Element] {
        // The schemas are collected in the opposite order: the outer one first, and the last part before the others.
        // So the first visit of a schema gives its last position.
        var reversedParts: [Element] = []
        var known: Set<String> = []
        /// Adds a schema and then its parts, unless it has been added before.
        func visit(_ element: Element, depth: Int) throws {
            let element = try target(of: element)
            guard known.insert(element.id).inserted else { return }
            guard depth < 60 else {
                throw element.error("allOf is nested more than 60 deep")
            }
            reversedParts.append(element)
            for part in try (element.list("allOf") ?? []).reversed() { try visit(part, depth: depth + 1) }
        }
        try visit(element, depth: 1)
        return reversedParts.reversed()
    }

    /// Adds what a schema itself describes, without the parts of its own `allOf`.
    private func collect(_ element: Element, into parts: inout Parts) throws {
        for (name, value) in try element.members("properties") { parts.add(try member(name, value)) }
        parts.required.formUnion(try element.texts("required"))
        if element.has("oneOf", "anyOf") { parts.unions.append(element) }
        let isObject = element.has("properties") || element.prose("type") == "object"
        parts.isObject = parts.isObject || isObject
        // `true` and `false` say nothing of the kind of additional members.
        if let others = element.child("additionalProperties"), case .object = others.node.content {
            parts.others = try schema(others)
        }
        let isComposed = element.has("allOf", "oneOf", "anyOf")
        let isPlain = !isObject && !isComposed && element.has("type", "enum")
        if isPlain { parts.plain.append(try schema(element)) }
    }

    /// Reads a member. Whether it is required is decided when all parts are known.
    private func member(_ name: String, _ element: Element) throws -> Object.Member {
        var member = Object.Member(name: name, schema: try schema(element), isRequired: false)
        member.isReadOnly = try element.flag("readOnly")
        member.isWriteOnly = try element.flag("writeOnly")
        return member
    }
}
