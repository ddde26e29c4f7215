import APIKitCore
import APIKitTesting

extension SampleValue {
    /// The place in the sample at which a value is created.
    struct Position {
        /// The path of the place, in the form of ``SampleValue/path(of:)``.
        private(set) var path = ""
        /// The paths of the surrounding schemas. A schema that contains itself is not entered again.
        private(set) var schemas: [String] = []

        func member(_ name: String) -> Position {
            var position = self
            position.path += SampleValue.path(of: [name])
            return position
        }

        func inside(_ schema: Definition) -> Position {
            var position = self
            position.schemas.append(schema.path)
            return position
        }
    }

    /// Creates a value of a schema: null if the variation has it there, or else one of the schema's constants if it
    /// names some, or else a value from its keywords and parts.
    ///
    /// - Returns: The value; nil if there is none, for example if the schema contains itself, or a limit is reached.
    mutating func value(of schema: Definition, at outer: Position) -> JSONValue? {
        schemaCount += 1
        let isTooLarge = schemaCount >= Self.schemaLimit
        let isTooDeep = outer.schemas.count >= Self.depthLimit
        let isWithinItself = outer.schemas.contains(schema.path)
        if isTooLarge || isTooDeep || isWithinItself { return nil }
        let position = outer.inside(schema)

        if variation == .null, schema.allowsNull {
            // After an error at this null, the value is that of the full sample instead.
            let isNull = recordVariation(at: position.path, schema.pointer)
            if isNull { return .null }
        }
        if let constant = chooseConstant(of: schema, position.path) { return constant }
        return composedValue(of: schema, at: position)
    }

    /// Creates a value from a schema and its parts, the schemas that it is composed of.
    ///
    /// If they describe objects, the value has the members of all of them. If a part gives another value, such as a
    /// list, that is the result. If there are neither members nor parts, it is a value of the schema's own type.
    private mutating func composedValue(of schema: Definition, at position: Position) -> JSONValue? {
        var members = members(of: schema, at: position)
        for part in chooseParts(of: schema, position.path) {
            guard let value = value(of: part, at: position) else {
                // A part without a type may only list required members, so it needs no value.
                let needsValue = !part.kinds.isEmpty
                if needsValue { return nil }
                continue
            }
            guard case .object(let partMembers) = value else { return value }
            members = Self.merged(members ?? [], Array(partMembers))
        }
        if let members { return .object(JSONValue.Object(members)) }
        return valueOfType(of: schema, at: position)
    }

    /// One of the values that `const` or `enum` names, except null; nil if there are none.
    private mutating func chooseConstant(of schema: Definition, _ path: String) -> JSONValue? {
        let constants = (schema.constants?.values ?? []).map(\.value).filter { !$0.isNull }
        guard !constants.isEmpty else { return nil }
        return constants[chooseIndex(below: constants.count, at: path, of: schema)]
    }

    /// The schemas that a schema is composed of: all of `allOf`, and one alternative each of `oneOf` and `anyOf`.
    ///
    /// A schema rarely has both keywords. Their alternatives are then chosen by the same index, since both choices have
    /// the same path.
    private mutating func chooseParts(of schema: Definition, _ path: String) -> [Definition] {
        var parts = schema.allOf
        for keyword in ["oneOf", "anyOf"] {
            let alternatives = schema.list(keyword).filter { $0.types != ["null"] }
            guard !alternatives.isEmpty else { continue }
            parts.append(alternatives[chooseIndex(below: alternatives.count, at: path, of: schema)])
        }
        return parts
    }

    /// Creates a value of a type that the schema names itself or, without one, of a type that its keywords imply:
    /// `items` implies a list.
    private mutating func valueOfType(of schema: Definition, at position: Position) -> JSONValue? {
        var types = schema.types.filter { $0 != "null" }
        // If keywords imply several types, any of them will do. It has to be the same one in each sample, so it is the
        // first by name.
        if types.isEmpty, let impliedType = schema.kinds.min() { types = [impliedType] }
        guard !types.isEmpty else { return nil }
        let type = types[chooseIndex(below: types.count, at: position.path, of: schema)]
        switch type {
        // The schema describes no members, since `composedValue` would have created an object with them.
        case "object": return .object([:])
        case "array": return .array(elements(of: schema, at: position))
        default: return scalar(type, schema, position.path)
        }
    }

    /// Creates the elements of a list: one for each schema in `prefixItems`, and one for `items`.
    private mutating func elements(of schema: Definition, at position: Position) -> [JSONValue] {
        var elementSchemas = schema.list("prefixItems")
        if let others = schema["items"] { elementSchemas.append(others) }
        var elements: [JSONValue] = []
        for (index, elementSchema) in elementSchemas.enumerated() {
            // The list ends before an element without a value: a later element would take its index, which has another
            // schema.
            guard let element = value(of: elementSchema, at: position.member(String(index))) else { break }
            elements.append(element)
        }
        return elements
    }

    // MARK: - Objects

    /// The members of an object: all that `properties` names or, in the variation `required`, only the required ones.
    /// Members that only requests have are left out.
    ///
    /// - Returns: The members; nil if the schema describes none, or if a required one has no value.
    private mutating func members(of schema: Definition, at position: Position) -> [JSONValue.Object.Member]? {
        guard let properties = schema["properties"] else { return additionalMember(of: schema, at: position) }
        let required = Set(schema.required)
        var members: [JSONValue.Object.Member] = []
        for (name, property) in properties.members where !property.isTrue("writeOnly") {
            let isOptional = !required.contains(name)
            let inner = position.member(name)
            let pointer = properties.pointer(to: name)
            if variation == .required, isOptional {
                // After an error about the missing member, the sample has it, like the full sample.
                let isLeftOut = recordVariation(at: inner.path, pointer)
                if isLeftOut { continue }
            }
            if let value = value(of: property, at: inner) {
                members.append((name, value))
            } else if !isOptional {
                return nil
            }
        }
        return members
    }

    /// One member with an arbitrary name, for an object whose members are described by `additionalProperties`; nil if
    /// there is no such schema.
    private mutating func additionalMember(of schema: Definition, at position: Position) -> [JSONValue.Object.Member]? {
        guard let others = schema["additionalProperties"], case .object = others.value else { return nil }
        let name = "key"
        guard let value = value(of: others, at: position.member(name)) else { return nil }
        return [(name, value)]
    }

    /// The members of two lists. The first list takes precedence if both have a member of the same name.
    private static func merged(_ members: [JSONValue.Object.Member], _ others: [JSONValue.Object.Member]) -> [JSONValue
        .Object.Member]
    {
        let names = Set(members.map(\.name))
        return members + others.filter { !names.contains($0.name) }
    }

    // MARK: - Scalars

    /// A string, number or boolean that the schema accepts. The values in the schema, such as its example, are tried
    /// before guesses.
    private mutating func scalar(_ type: String, _ schema: Definition, _ path: String) -> JSONValue? {
        let keywords = ["example", "default", "minimum", "maximum"]
        let nodesInSchema = keywords.compactMap { schema[$0] } + schema.list("examples")
        let candidates = nodesInSchema.map(\.value) + Self.guesses(of: type, format: schema["format"]?.string)
        let accepted = candidates.filter { value in
            !value.isNull && SchemaCheck.problems(value, schema, at: .named(""), .sample).isEmpty
        }
        guard !accepted.isEmpty else { return nil }
        return accepted[chooseIndex(below: accepted.count, at: path, of: schema, isGuess: true)]
    }

    /// Guesses at scalars of a type. There are several texts, since a model may decode a date, a UUID or a URL where
    /// the schema names no format.
    private static func guesses(of type: String, format: String?) -> [JSONValue] {
        switch type {
        case "string":
            let first = format == "uri" ? "https://example.com/" : "text"
            let others = [
                "2026-11-20T18:30:00Z", "2026-11-20", "8B5F0B9A-2C7E-4F0D-9C3A-6E1D2F4A7B90", "https://example.com/",
                "1", "Fri, 20 Nov 2026 18:30:00 +0000",
            ]
            return ([first] + others).map(JSONValue.string)
        case "boolean":
            return [.bool(true)]
        case "number", "integer":
            // The schema of an integer does not accept 1.5.
            return [1.5, 1]
        default:
            return []
        }
    }
}
