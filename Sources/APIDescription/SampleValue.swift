import APIKitCore
import APIKitTesting

/// Creates values that a schema allows, for a response type to decode.
///
/// A sample is created several times: if the type cannot decode it, ``mend(_:)`` changes the choice that caused the
/// error, and the next value has another alternative there.
struct SampleValue {
    /// Which of the values that a schema allows is created.
    enum Variation: Equatable {
        /// A value with all members, without null.
        case full
        /// A value with only the members that are required.
        case required
        /// A value with null wherever the schema allows it.
        case null
        /// A value with the constant of each enum and the alternative of each `oneOf` or `anyOf` that has this index.
        case other(Int)
    }

    /// A place at which the schema allows several values.
    struct Choice {
        let path: String
        let pointer: String
        /// The number of values to choose from.
        let count: Int
        /// Whether the schema lists the values. If false, it allows any scalar of a type, and the values are guesses at
        /// what a model may decode, such as a date.
        let isDescribed: Bool
    }

    let variation: Variation
    /// The indexes of the values that a full value has, by their paths. The default is 0.
    private let picks: [String: Int]
    /// How many times the choice at each path was changed. A full value advances to the next value each time; in other
    /// variations, one change returns the place to what it is in a full value.
    private(set) var mended: [String: Int] = [:]
    /// The choices in the value that was created last, by their paths.
    private var choices: [String: Choice] = [:]
    /// How many schemas the current value has used.
    private var count = 0

    // Schemas can describe values of exponential size or without an end. The limits keep a sample small.
    private static let countLimit = 3_000
    private static let depthLimit = 12

    init(_ variation: Variation, picks: [String: Int] = [:]) {
        self.variation = variation
        self.picks = picks
    }

    /// Creates the value; nil if that is impossible, as for a schema without a type.
    mutating func value(of schema: Node) -> JSONValue? {
        choices = [:]
        count = 0
        return value(of: schema, at: Position())
    }

    // MARK: - Paths

    /// A path as one text. `avatar_url` and `avatarUrl` have the same path, since a decoder may convert names.
    static func path(of names: some Sequence<String>) -> String {
        var path = ""
        for name in names {
            path += "/\(name.filter { $0 != "_" && $0 != "-" }.lowercased())"
        }
        return path
    }

    /// The coding path of a decoding error, including a missing key; empty for other errors.
    static func names(of error: any Error) -> [String] {
        let path: [any CodingKey]
        switch error as? DecodingError {
        case .keyNotFound(let key, let context)?:
            path = context.codingPath + [key]
        case .valueNotFound(_, let context)?, .typeMismatch(_, let context)?, .dataCorrupted(let context)?:
            path = context.codingPath
        default:
            path = []
        }
        return path.map { key in key.intValue.map(String.init) ?? key.stringValue }
    }

    // MARK: - Mending

    /// How many values the largest choice has: the number of samples that cover all constants and alternatives. Very
    /// large enums are not covered completely.
    var choiceCount: Int {
        let counts = choices.values.filter(\.isDescribed).map(\.count)
        return min(counts.max() ?? 1, 50)
    }

    /// Selects another value at the place of a decoding error, or at a place around it.
    ///
    /// - Returns: The choice that was changed; nil if no other value is left.
    mutating func mend(_ error: any Error) -> Choice? {
        let names = Self.names(of: error)
        // The decoder has found a scalar of the right type, but with another content, such as a text that is not a
        // date. Only then can another guess help.
        var isContentWrong = false
        if case .dataCorrupted? = error as? DecodingError { isContentWrong = true }
        // The search goes from the place of the error outwards. The error may be the consequence of a choice further
        // out, such as that of an alternative for the surrounding object.
        for length in (0...names.count).reversed() {
            let path = Self.path(of: names.prefix(length))
            guard let choice = choices[path] else { continue }
            let isAtError = length == names.count
            let mayHelp = choice.isDescribed || (isContentWrong && isAtError)
            let hasNext = mended[path, default: 0] + 1 < choice.count
            if mayHelp, hasNext {
                mended[path, default: 0] += 1
                return choice
            }
        }
        return nil
    }

    // MARK: - Creating

    /// The place in the sample at which a value is created.
    private struct Position {
        private(set) var path = ""
        /// The pointers of the surrounding schemas. A schema that contains itself is not entered again.
        private(set) var schemas: [String] = []

        func member(_ name: String) -> Position {
            var position = self
            position.path += SampleValue.path(of: [name])
            return position
        }

        func inside(_ schema: Node) -> Position {
            var position = self
            position.schemas.append(schema.pointer)
            return position
        }
    }

    private mutating func value(of schema: Node, at outer: Position) -> JSONValue? {
        count += 1
        let isTooMuch = count >= Self.countLimit || outer.schemas.count >= Self.depthLimit
        guard !isTooMuch, !outer.schemas.contains(schema.pointer) else { return nil }
        let position = outer.inside(schema)

        if variation == .null, schema.allowsNull, differsFromFull(at: position.path, schema.pointer) {
            return .literal("null")
        }
        if let constant = constant(of: schema, position.path) { return constant }
        // The members of the schema itself, and those of the schemas that it is composed of.
        var members = members(of: schema, at: position)
        for part in parts(of: schema, position.path) {
            switch value(of: part, at: position) {
            case .object(let others)?:
                members = Self.merged(members ?? [], others)
            case let value?:
                return value
            case nil:
                // A part without a type may only list required members, so it needs no value.
                let onlyRequiresMembers = part.kinds.isEmpty
                if !onlyRequiresMembers { return nil }
            }
        }
        if let members { return .object(members) }
        return valueOfType(of: schema, at: position)
    }

    /// One of the values that `const` or `enum` names, except null; nil if there are none.
    private mutating func constant(of schema: Node, _ path: String) -> JSONValue? {
        let constants = (schema.constants?.values ?? []).map(\.value).filter { !$0.isNull }
        guard !constants.isEmpty else { return nil }
        return constants[pick(of: constants.count, path, schema)]
    }

    /// The schemas that a schema is composed of: all of `allOf`, and one alternative each of `oneOf` and `anyOf`.
    private mutating func parts(of schema: Node, _ path: String) -> [Node] {
        var parts = schema.allOf
        for keyword in ["oneOf", "anyOf"] {
            let choices = schema.list(keyword).filter { $0.types != ["null"] }
            guard !choices.isEmpty else { continue }
            parts.append(choices[pick(of: choices.count, path, schema)])
        }
        return parts
    }

    /// A value of a type that the schema names itself, or of one that its keywords imply.
    private mutating func valueOfType(of schema: Node, at position: Position) -> JSONValue? {
        var types = schema.types.filter { $0 != "null" }
        if types.isEmpty, let kind = schema.kinds.min() { types = [kind] }
        guard !types.isEmpty else { return nil }
        let type = types[pick(of: types.count, position.path, schema)]
        switch type {
        case "object": return .object([])
        case "array": return .list(elements(of: schema, at: position))
        default: return scalar(type, schema, position.path)
        }
    }

    /// One value for each schema in `prefixItems`, and one for `items`.
    private mutating func elements(of schema: Node, at position: Position) -> [JSONValue] {
        var schemas = schema.list("prefixItems")
        if let others = schema["items"] { schemas.append(others) }
        var elements: [JSONValue] = []
        for (index, schema) in schemas.enumerated() {
            // Elements are described by their index, so the elements after a missing one cannot move to its place.
            guard let element = value(of: schema, at: position.member(String(index))) else { break }
            elements.append(element)
        }
        return elements
    }

    // MARK: - Objects

    /// The members of an object; nil if the schema names none, or a required one has no value.
    private mutating func members(of schema: Node, at position: Position) -> [JSONValue.Member]? {
        guard let properties = schema["properties"] else { return otherMembers(of: schema, at: position) }
        let required = Set(schema.required)
        var members: [JSONValue.Member] = []
        for (name, property) in properties.members where !property.isTrue("writeOnly") {
            let isOptional = !required.contains(name)
            let inner = position.member(name)
            let pointer = Node.pointer(properties.pointer, name)
            if variation == .required, isOptional, differsFromFull(at: inner.path, pointer) { continue }
            if let value = value(of: property, at: inner) {
                members.append((name, value))
            } else if !isOptional {
                return nil
            }
        }
        return members
    }

    /// One member with an arbitrary name, for an object whose members are described by `additionalProperties`.
    private mutating func otherMembers(of schema: Node, at position: Position) -> [JSONValue.Member]? {
        guard let others = schema["additionalProperties"], case .object = others.value else { return nil }
        let name = "key"
        guard let value = value(of: others, at: position.member(name)) else { return nil }
        return [(name, value)]
    }

    /// The members of two lists. The first list takes precedence if both have a member of the same name.
    private static func merged(_ members: [JSONValue.Member], _ others: [JSONValue.Member]) -> [JSONValue.Member] {
        let names = Set(members.map(\.name))
        return members + others.filter { !names.contains($0.name) }
    }

    // MARK: - Scalars

    /// A scalar that the schema accepts. The values in the schema, such as its example, are tried before guesses.
    private mutating func scalar(_ type: String, _ schema: Node, _ path: String) -> JSONValue? {
        let named = ["example", "default", "minimum", "maximum"].compactMap { schema[$0] } + schema.list("examples")
        let candidates = named.map(\.value) + Self.scalars(of: type, format: schema["format"]?.string)
        let values = candidates.filter { value in
            !value.isNull && SchemaCheck.problems(value, schema, at: .named(""), .sample).isEmpty
        }
        guard !values.isEmpty else { return nil }
        return values[pick(of: values.count, path, schema, isDescribed: false)]
    }

    /// Guesses at scalars of a type. There are several texts, since a model may decode a date, a UUID or a URL where
    /// the schema names no format.
    private static func scalars(of type: String, format: String?) -> [JSONValue] {
        switch type {
        case "string":
            let first = format == "uri" ? "https://example.com/" : "text"
            let others = [
                "2026-11-20T18:30:00Z", "2026-11-20", "8B5F0B9A-2C7E-4F0D-9C3A-6E1D2F4A7B90", "https://example.com/",
                "1", "Fri, 20 Nov 2026 18:30:00 +0000",
            ]
            return ([first] + others).map(JSONValue.string)
        case "boolean":
            return [.literal("true")]
        default:
            return [.literal("1.5"), .literal("1")]
        }
    }

    // MARK: - Choices

    /// Whether the variation applies at a path, so that the sample differs from a full value there.
    ///
    /// The place is recorded as a choice between the two. After ``mend(_:)`` has changed this choice, the sample is the
    /// same as a full value there.
    private mutating func differsFromFull(at path: String, _ pointer: String) -> Bool {
        choices[path] = Choice(path: path, pointer: pointer, count: 2, isDescribed: true)
        return mended[path] == nil
    }

    /// Selects one of several values for the variation, and records the place as a choice.
    ///
    /// - Returns: The index of the value.
    private mutating func pick(of count: Int, _ path: String, _ schema: Node, isDescribed: Bool = true) -> Int {
        let last = count - 1
        switch variation {
        case .full:
            // Guesses at a scalar do not replace the choice of the alternative that has the scalar.
            let hasDescribedChoice = choices[path]?.isDescribed == true
            if count > 1, !hasDescribedChoice {
                choices[path] = Choice(path: path, pointer: schema.pointer, count: count, isDescribed: isDescribed)
            }
            return min(mended[path, default: 0], last)
        case .other(let index):
            if count > 1, isDescribed, differsFromFull(at: path, schema.pointer) { return min(index, last) }
            return min(picks[path, default: 0], last)
        case .required, .null:
            return min(picks[path, default: 0], last)
        }
    }
}
