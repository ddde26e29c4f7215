import APIKitCore
import APIKitTesting

/// A value that a schema allows, to be read by a response type.
struct SampleValue {
    /// Which of the values that a schema allows.
    enum Variation: Equatable {
        /// With all members, none of them null.
        case full
        /// With those members only that are required.
        case required
        /// With null wherever it is allowed.
        case null
        /// With another value of each enum and another schema of each choice, by their number.
        case other(Int)
    }

    /// Where a value may be another one.
    struct Choice {
        let path: String
        let pointer: String
        let count: Int
        /// Whether the schema describes each of the values. Otherwise it allows any text, and these are guesses at what
        /// a model may read.
        let isDescribed: Bool
    }

    let variation: Variation
    /// The values to choose in a full value, by their paths; the first one by default.
    private let picks: [String: Int]
    /// How many times each value was mended: in a full value, by choosing the next one; otherwise once, by leaving it
    /// as it is there.
    private(set) var mended: [String: Int] = [:]
    private var choices: [String: Choice] = [:]
    private var count = 0

    private static let countLimit = 3_000
    private static let depthLimit = 12

    init(_ variation: Variation, picks: [String: Int] = [:]) {
        self.variation = variation
        self.picks = picks
    }

    /// The value; nil if none can be created, as for a schema without a type.
    mutating func value(of schema: Node) -> JSONValue? {
        choices = [:]
        count = 0
        return value(of: schema, at: Position())
    }

    // MARK: - Paths

    /// A path as a text; `avatar_url` and `avatarUrl` are the same, since a decoder may convert names.
    static func path(of names: some Sequence<String>) -> String {
        var path = ""
        for name in names {
            path += "/\(name.filter { $0 != "_" && $0 != "-" }.lowercased())"
        }
        return path
    }

    /// The coding path of what a decoder has failed at.
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

    /// How many values the largest choice has, up to a limit.
    var choiceCount: Int {
        let counts = choices.values.filter(\.isDescribed).map(\.count)
        return min(counts.max() ?? 1, 50)
    }

    /// Chooses otherwise at the coding path of an error, or around it. Texts are only tried if the decoder has found a
    /// string where it wants one.
    ///
    /// - Returns: What was chosen otherwise; nil if there is nothing.
    mutating func mend(_ error: any Error) -> Choice? {
        let names = Self.names(of: error)
        var isText = false
        if case .dataCorrupted? = error as? DecodingError { isText = true }
        // From the place of the error outwards.
        for length in (0...names.count).reversed() {
            let path = Self.path(of: names.prefix(length))
            guard let choice = choices[path] else { continue }
            let isAtError = length == names.count
            let isWorthTrying = choice.isDescribed || (isText && isAtError)
            let hasNext = mended[path, default: 0] + 1 < choice.count
            if isWorthTrying, hasNext {
                mended[path, default: 0] += 1
                return choice
            }
        }
        return nil
    }

    // MARK: - Creating

    /// Where a value is created.
    private struct Position {
        private(set) var path = ""
        /// The schemas around it, by their pointers. One that contains itself ends there.
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

        if variation == .null, schema.allowsNull, varies(at: position.path, schema.pointer) { return .literal("null") }
        if let constant = constant(of: schema, position.path) { return constant }
        // What the schema says itself, and what those say of which it is composed.
        var members = members(of: schema, at: position)
        for part in parts(of: schema, position.path) {
            switch value(of: part, at: position) {
            case .object(let others)?:
                members = Self.merged(members ?? [], others)
            case let value?:
                return value
            case nil:
                // A part may have no value of its own, and only say which members are required.
                let onlyRequiresMembers = part.kinds.isEmpty
                if !onlyRequiresMembers { return nil }
            }
        }
        if let members { return .object(members) }
        return valueOfType(of: schema, at: position)
    }

    private mutating func constant(of schema: Node, _ path: String) -> JSONValue? {
        let constants = (schema.constants?.values ?? []).map(\.value).filter { !$0.isNull }
        guard !constants.isEmpty else { return nil }
        return constants[pick(of: constants.count, path, schema)]
    }

    /// The schemas that a schema is composed of, with one of each choice.
    private mutating func parts(of schema: Node, _ path: String) -> [Node] {
        var parts = schema.allOf
        for keyword in ["oneOf", "anyOf"] {
            let choices = schema.list(keyword).filter { $0.types != ["null"] }
            guard !choices.isEmpty else { continue }
            parts.append(choices[pick(of: choices.count, path, schema)])
        }
        return parts
    }

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

    /// A value for each element that has a schema of its own, and one for all others.
    private mutating func elements(of schema: Node, at position: Position) -> [JSONValue] {
        var schemas = schema.list("prefixItems")
        if let others = schema["items"] { schemas.append(others) }
        var elements: [JSONValue] = []
        for (index, schema) in schemas.enumerated() {
            // Without one, those after it would be in its place.
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
            if variation == .required, isOptional, varies(at: inner.path, pointer) { continue }
            if let value = value(of: property, at: inner) {
                members.append((name, value))
            } else if !isOptional {
                return nil
            }
        }
        return members
    }

    /// A member of an object whose schema has one for all members.
    private mutating func otherMembers(of schema: Node, at position: Position) -> [JSONValue.Member]? {
        guard let others = schema["additionalProperties"], case .object = others.value else { return nil }
        let name = "key"
        guard let value = value(of: others, at: position.member(name)) else { return nil }
        return [(name, value)]
    }

    private static func merged(_ members: [JSONValue.Member], _ others: [JSONValue.Member]) -> [JSONValue.Member] {
        let names = Set(members.map(\.name))
        return members + others.filter { !names.contains($0.name) }
    }

    // MARK: - Scalars

    /// A scalar that the schema accepts, those that it names first.
    private mutating func scalar(_ type: String, _ schema: Node, _ path: String) -> JSONValue? {
        let named = ["example", "default", "minimum", "maximum"].compactMap { schema[$0] } + schema.list("examples")
        let candidates = named.map(\.value) + Self.scalars(of: type, format: schema["format"]?.string)
        let values = candidates.filter { value in
            !value.isNull && SchemaCheck.problems(value, schema, at: .named(""), .sample).isEmpty
        }
        guard !values.isEmpty else { return nil }
        return values[pick(of: values.count, path, schema, isDescribed: false)]
    }

    /// Scalars of a type. There are several texts, since a model may want a date where the schema names no format.
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

    /// Whether a value differs from that in a full one, which is noted as a choice between both: one that was mended
    /// does not.
    private mutating func varies(at path: String, _ pointer: String) -> Bool {
        choices[path] = Choice(path: path, pointer: pointer, count: 2, isDescribed: true)
        return mended[path] == nil
    }

    /// Chooses one of several values, and notes that there are others.
    ///
    /// - Returns: Its index.
    private mutating func pick(of count: Int, _ path: String, _ schema: Node, isDescribed: Bool = true) -> Int {
        let last = count - 1
        switch variation {
        case .full:
            let isNotedAsDescribed = choices[path]?.isDescribed == true
            if count > 1, !isNotedAsDescribed {
                choices[path] = Choice(path: path, pointer: schema.pointer, count: count, isDescribed: isDescribed)
            }
            return min(mended[path, default: 0], last)
        case .other(let index):
            if count > 1, isDescribed, varies(at: path, schema.pointer) { return min(index, last) }
            return min(picks[path, default: 0], last)
        case .required, .null:
            return min(picks[path, default: 0], last)
        }
    }
}
