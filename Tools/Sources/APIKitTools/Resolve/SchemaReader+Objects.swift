/// What the parts of an `allOf`, and the schema around them, say together.
private struct Parts {
    var members: [String: Object.Member] = [:]
    var required: Set<String> = []
    var others: Schema?
    /// Parts that are not objects.
    var plain: [Schema] = []
    /// The schemas with `oneOf` or `anyOf`.
    var unions: [Element] = []
    /// Whether one of them is an object with members or is said to be an object.
    var isObject = false

    /// What is read last says most; but what says nothing replaces nothing.
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
    /// A schema with `properties` or `allOf`.
    func composed(_ element: Element) throws -> Schema.Kind {
        if let only = try onlyPart(of: element) { return try schema(only).kind }
        var parts = Parts()
        for part in try self.parts(of: element) { try collect(part, into: &parts) }
        let object = object(of: parts, at: element)
        for union in parts.unions {
            let common = parts.members.isEmpty ? nil : object
            if let kind = try self.union(union, with: common, for: element) { return kind }
        }
        if parts.members.isEmpty { return kindWithoutMembers(parts, at: element) }
        if let others = parts.others {
            if isDictionary(parts.members, of: others) { return .dictionary(others) }
            if !others.isAny {
                note(.simplified, "members of an object that are not named are ignored", at: element.place)
            }
        }
        return add(Model(kind: .object(object), place: element.place), for: element)
    }

    /// What parts are that name no member: the last one, unless one is said to be an object.
    private func kindWithoutMembers(_ parts: Parts, at element: Element) -> Schema.Kind {
        if parts.isObject {
            return .dictionary(parts.others ?? Schema(.any, place: element.place))
        }
        return parts.plain.last?.kind ?? .any
    }

    /// Whether the names of members are only examples of what a dictionary may have.
    private func isDictionary(_ members: [String: Object.Member], of others: Schema) -> Bool {
        members.values.allSatisfy { $0.schema == others && !$0.schema.isNullable }
    }

    /// The one part of an `allOf` that says anything, beside texts about it.
    private func onlyPart(of element: Element) throws -> Element? {
        guard element.componentName == nil, !element.has("properties", "oneOf", "anyOf", "required"),
            let parts = try element.list("allOf")
        else { return nil }
        let telling = parts.filter {
            $0.has("$ref", "type", "properties", "allOf", "oneOf", "anyOf", "enum", "required", "additionalProperties")
        }
        return telling.count == 1 ? telling[0] : nil
    }

    private func object(of parts: Parts, at element: Element) -> Object {
        var object = Object(others: parts.others)
        for (name, var member) in parts.members {
            // An identifier that only the server chooses is in each of its responses.
            let isIdentifier = ["id", "gid", "uuid"].contains(name)
            let isChosenByTheServer = isIdentifier && member.isReadOnly && !member.schema.isNullable
            member.isRequired = parts.required.contains(name) || isChosenByTheServer
            object.members[name] = member
        }
        return object
    }

    /// The schemas that an `allOf` is made of, at any depth, each before those it is a part of, and itself at the end.
    ///
    /// A schema that is a part in several ways is there once, in its last place, since what is read last says most.
    /// Otherwise two parts that are made of the same two parts, and so on, would be read in twice as many ways at each
    /// level.
    private func parts(of element: Element) throws -> [Element] {
        var parts: [Element] = []
        var known: Set<String> = []
        func visit(_ element: Element, depth: Int) throws {
            let element = try target(of: element)
            guard known.insert(element.id).inserted else { return }
            guard depth < 60 else {
                throw element.error("allOf is nested more than 60 deep")
            }
            parts.append(element)
            for part in try (element.list("allOf") ?? []).reversed() { try visit(part, depth: depth + 1) }
        }
        try visit(element, depth: 1)
        return parts.reversed()
    }

    /// Adds what a schema says itself.
    private func collect(_ element: Element, into parts: inout Parts) throws {
        for (name, value) in try element.members("properties") { parts.add(try member(name, value)) }
        parts.required.formUnion(try element.texts("required"))
        if element.has("oneOf", "anyOf") { parts.unions.append(element) }
        let isObject = element.has("properties") || element.prose("type") == "object"
        parts.isObject = parts.isObject || isObject
        if let others = element.child("additionalProperties"), case .object = others.node.content {
            parts.others = try schema(others)
        }
        if !isObject, !element.has("allOf", "oneOf", "anyOf"), element.has("type", "enum") {
            parts.plain.append(try schema(element))
        }
    }

    private func member(_ name: String, _ element: Element) throws -> Object.Member {
        var member = Object.Member(name: name, schema: try schema(element), isRequired: false)
        member.isReadOnly = try element.flag("readOnly")
        member.isWriteOnly = try element.flag("writeOnly")
        return member
    }
}
