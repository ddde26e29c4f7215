import OpenAPIRules

extension SchemaReader {
    /// Decides the kind of a schema that is not a reference, by the first of these keywords that it has:
    ///
    /// 1. `discriminator`, if other schemas have this one in their `allOf`,
    /// 2. `const` or an `enum` of one value, if `allOf`, `oneOf` or `anyOf` beside it describe what it is chosen from,
    /// 3. `properties` or `allOf`,
    /// 4. `oneOf` or `anyOf`,
    /// 5. `enum` or `const`,
    /// 6. `type`. A list of several types is a union.
    func kind(of element: Element) throws -> Schema.Kind {
        if let kind = try inheritance(element) { return kind }
        if let kind = try onlyValue(besideOthersIn: element) { return kind }
        if element.hasAny(of: "allOf", "properties") { return try composed(element) }
        if let kind = try union(element, with: nil) { return kind }
        let types = try types(of: element)
        // Of several types, the values themselves say which ones they have.
        let typeOfEnum = types.count == 1 ? types.first : nil
        if let kind = try enumeration(element, type: typeOfEnum) { return kind }
        if types.count < 2 { return try plain(types.first, element) }
        let variants = try types.map { type in
            Union.Variant(schema: Schema(try plain(type, element), place: element.place))
        }
        return simplified(Union(variants: variants), for: element)
    }

    /// The kind of a schema with a single value beside keywords that describe its type in general, such as an enum:
    ///
    ///     { allOf: [{ $ref: ActionType }], enum: [1] }
    ///
    /// Nil if the schema has no such keyword, or may have several values.
    func onlyValue(besideOthersIn element: Element) throws -> Schema.Kind? {
        guard element.hasAny(of: "allOf", "oneOf", "anyOf", "$ref"), !element.has("properties") else { return nil }
        var values = try element.list("enum") ?? []
        if let constant = element.child("const") { values = [constant] }
        guard values.count(where: { !$0.isNull }) == 1 else { return nil }
        return try enumeration(element, type: types(of: element).first)
    }

    /// Decides the kind of a schema by its type and `format`: a `string` with the format `date-time` is a date. The
    /// schema is neither an enum nor composed of others.
    ///
    /// - Parameters:
    ///   - type: Its type; nil if it has none.
    ///   - element: The schema.
    /// - Returns: The kind.
    /// - Throws: ``DescriptionError`` if OpenAPI has no such type, or if a schema within this one cannot be read.
    func plain(_ type: String?, _ element: Element) throws -> Schema.Kind {
        let format = element.prose("format") ?? ""
        switch type {
        case "string": return text(element, format: format)
        case "boolean": return .boolean
        // No standard defines these formats, but descriptions use them for a moment in seconds since 1970. `timestamp`
        // is less certain, and counts only for whole numbers.
        case "integer" where ["unix-time", "unixtime", "timestamp"].contains(format): return .unixTime
        case "integer": return .integer(IntegerType(format: format))
        case "number" where ["unix-time", "unixtime"].contains(format): return .unixTime
        case "number": return .number
        case "array":
            return .list(try schema(element.child("items"), or: .any, at: element.place))
        case "object":
            return .dictionary(try schema(element.schemaOfOtherMembers, or: .any, at: element.place))
        // Swift has no type for values that are always null.
        case "null": return .any
        case "file": return .bytes
        case let type?: throw element.error(about: type, "is not a type")
        case nil: return try withoutType(element, format: format)
        }
    }

    /// The kind of a `string`: a date, bytes, or a text, also for formats that have no Swift type, such as `email`.
    private func text(_ element: Element, format: String) -> Schema.Kind {
        switch format {
        case "date-time": moment(element)
        case "binary": .bytes
        default: element.holdsBytes ? .bytes : .string
        }
    }

    /// A schema without `type`. Its other keywords may imply the type: only lists have `items`, for example.
    private func withoutType(_ element: Element, format: String) throws -> Schema.Kind {
        if element.has("items") { return try plain("array", element) }
        if element.has("additionalProperties") || element.schemaOfOtherMembers != nil {
            return try plain("object", element)
        }
        if !format.isEmpty { return try plain("string", element) }
        return element.has("contentMediaType") ? .bytes : .any
    }

    /// A date, or a text with a note if an example has no offset from UTC.
    private func moment(_ element: Element) -> Schema.Kind {
        let examples = ["example", "examples", "default"].compactMap { element.child($0)?.node }
        guard examples.contains(where: \.hasLocalTime) else { return .date }
        let name = element.path.split(separator: "/").last ?? "it"
        note(.simplified, "\(name) is a String, since its example has no offset from UTC", at: element.place)
        return .string
    }
}

// MARK: - Any JSON

extension SchemaReader {
    /// Why a schema that describes values became any JSON; nil if it describes nothing, or if another note says it.
    ///
    /// The code then has a `JSONValue`, which reads and sends all of the described values, but without their types.
    func reasonForAny(_ element: Element) -> NoteText? {
        if (try? isNullItself(element)) == true {
            return element.onlySaysNullable ? nil : "a value that is always null is any JSON"
        }
        if let variants = try? variantElements(of: element), !variants.isEmpty {
            let hasNote = variants.count > Self.maximumVariants
            if hasNote || !variants.contains(where: describesValues) { return nil }
            return "a union is any JSON, since one of its variants allows any value"
        }
        if element.hasAny(of: "enum", "const") {
            let values = (try? element.list("enum")) ?? element.child("const").map { [$0] } ?? []
            let hasOthers = values.count <= Self.maximumValues && values.contains(where: \.isListOrObject)
            return hasOthers ? "an enum is any JSON, since it has lists or objects" : nil
        }
        guard let parts = try? element.list("allOf"), parts.contains(where: describesValues) else { return nil }
        return "an allOf is any JSON, since its parts do not say what the values are"
    }

    /// Whether a variant or a part says more of its values than texts, and is not null.
    private func describesValues(_ element: Element) -> Bool {
        guard let target = try? target(of: element), case .object = target.node.content else { return false }
        if (try? isNull(target)) == true { return false }
        return target.hasAny(
            of: "type", "properties", "items", "allOf", "oneOf", "anyOf", "enum", "const", "format",
            "additionalProperties")
    }
}
