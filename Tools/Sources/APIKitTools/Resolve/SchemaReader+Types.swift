import OpenAPIRules

extension SchemaReader {
    /// The types that a schema names. In a list of types, `null` is left out: ``allowsNull(_:)`` reports it.
    func types(of element: Element) throws -> [String] {
        if hasListOfTypes(element) { return try element.texts("type").filter { $0 != "null" } }
        guard let type = try element.text("type") else { return [] }
        return [type]
    }

    /// Whether the `type` of a schema is a list such as `["string", "null"]`, which OpenAPI 3.1 allows.
    func hasListOfTypes(_ element: Element) -> Bool {
        if case .list? = element.child("type")?.node.content { true } else { false }
    }

    /// Whether a schema allows null, in one of these ways:
    ///
    ///     nullable: true                   (OpenAPI 3.0)
    ///     type: [string, "null"]           (OpenAPI 3.1)
    ///     enum: [a, b, null]
    ///     oneOf: [{…}, {type: "null"}]     or another variant that allows null, also in `anyOf`
    ///     oneOf: [{…}, {nullable: true}]   as `schemars` writes it, although that variant allows any value
    ///     allOf: [{nullable: true}]        or another schema that allows null, if it is the only one
    ///     allOf: [{…}, {nullable: true}]
    func allowsNull(_ element: Element) throws -> Bool {
        if try element.flag("nullable") { return true }
        if hasListOfTypes(element), try element.texts("type").contains("null") { return true }
        if let values = try element.list("enum"), values.contains(where: \.isNull) {
            return true
        }
        if let variants = try variantElements(of: element) {
            if try variants.contains(where: isNull) { return true }
            // The variants have been read before, unless they are too many. One that cannot be read is an error there.
            let areRead = variants.count <= Self.maximumVariants
            return areRead && variants.contains { (try? schema($0).isNullable) ?? false }
        }
        guard let parts = try element.list("allOf") else { return false }
        if parts.contains(where: \.onlySaysNullable) { return true }
        return try parts.count == 1 && schema(parts[0]).isNullable
    }

    /// The elements of `oneOf` or `anyOf`; nil if a schema has neither.
    func variantElements(of element: Element) throws -> [Element]? {
        try element.list("oneOf") ?? element.list("anyOf")
    }

    /// Whether a variant of a union allows null and nothing else, itself or through references.
    ///
    /// A variant that only says `nullable: true` allows any value. But it stands for null: otherwise, the other
    /// variants would have no meaning.
    func isNull(_ variant: Element) throws -> Bool {
        // A broken reference is an error where the schema is read.
        guard let element = try? target(of: variant) else { return false }
        if let known = knownNulls[element.id] { return known }
        // A union that contains itself is not null.
        knownNulls[element.id] = false
        let result = try isNullItself(element)
        knownNulls[element.id] = result
        return result
    }

    /// Decides ``isNull(_:)`` for a schema that is not a reference.
    func isNullItself(_ element: Element) throws -> Bool {
        if element.onlySaysNullable { return true }
        if case .text("null")? = element.child("type")?.node.content { return true }
        if hasListOfTypes(element) { return try element.texts("type") == ["null"] }
        if let constant = element.child("const") { return constant.isNull }
        if let values = try element.list("enum") { return !values.isEmpty && values.allSatisfy(\.isNull) }
        let parts = try variantElements(of: element) ?? element.list("allOf") ?? []
        return try !parts.isEmpty && parts.allSatisfy(isNull)
    }
}
