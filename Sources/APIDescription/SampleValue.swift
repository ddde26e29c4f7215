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
        /// Whether the schema names the other values, instead of allowing any text.
        let isAllowed: Bool
    }

    let variation: Variation
    /// The values to choose in a full value, by their paths; the first one by default.
    private let picks: [String: Int]
    /// How many times each value was mended: in a full value, by choosing the next one; otherwise once, by leaving it
    /// as it is there.
    private(set) var mended: [String: Int] = [:]
    private var choices: [String: Choice] = [:]
    private var count = 0
    private static let (countLimit, depthLimit) = (3_000, 12)

    init(_ variation: Variation, picks: [String: Int] = [:]) {
        (self.variation, self.picks) = (variation, picks)
    }

    /// The value; nil if none can be created, as for a schema without a type.
    mutating func value(of schema: Node) -> JSONValue? {
        (choices, count) = ([:], 0)
        return value(of: schema, "", [])
    }

    // MARK: - Mending

    /// How many values the largest choice has, up to a limit.
    var choiceCount: Int { min(choices.values.filter(\.isAllowed).map(\.count).max() ?? 1, 50) }

    /// Chooses otherwise at the coding path of an error, or around it. Texts are only tried if the decoder has found a
    /// string where it wants one.
    ///
    /// - Returns: What was chosen otherwise; nil if there is nothing.
    mutating func mend(_ error: any Error) -> Choice? {
        let names = Self.names(of: error)
        let paths = (0...names.count).reversed().map { Self.path(of: names.prefix($0)) }
        let isText = if case DecodingError.dataCorrupted? = error as? DecodingError { true } else { false }
        let choice = paths.compactMap { choices[$0] }.first { choice in
            mended[choice.path, default: 0] + 1 < choice.count
                && (choice.isAllowed || isText && choice.path == paths[0])
        }
        if let choice { mended[choice.path, default: 0] += 1 }
        return choice
    }

    /// The coding path of what a decoder has failed at.
    static func names(of error: any Error) -> [String] {
        let path: [any CodingKey]? =
            switch error as? DecodingError {
            case .keyNotFound(let key, let context)?: context.codingPath + [key]
            case .valueNotFound(_, let context)?, .typeMismatch(_, let context)?, .dataCorrupted(let context)?:
                context.codingPath
            default: nil
            }
        return path?.map { $0.intValue.map(String.init) ?? $0.stringValue } ?? []
    }

    /// A path as a text; `avatar_url` and `avatarUrl` are the same, since a decoder may convert names.
    static func path(of names: some Sequence<String>) -> String {
        names.map { "/\($0.filter { $0 != "_" && $0 != "-" }.lowercased())" }.joined()
    }

    // MARK: - Creating

    private mutating func value(of schema: Node, _ path: String, _ outer: [String]) -> JSONValue? {
        count += 1
        guard count < Self.countLimit, outer.count < Self.depthLimit, !outer.contains(schema.pointer) else {
            return nil
        }
        let outer = outer + [schema.pointer]
        if variation == .null, schema.allowsNull, change(path, schema.pointer) { return .literal("null") }
        let constants = schema.constants?.values.map(\.value).filter { !$0.isNull } ?? []
        if !constants.isEmpty { return constants[pick(of: constants.count, path, schema)] }
        // What the schema says itself, and what those say of which it is composed.
        var members = members(of: schema, path, outer)
        for part in parts(of: schema, path) {
            switch value(of: part, path, outer) {
            case .object(let others)?:
                members =
                    (members ?? []) + others.filter { other in members?.contains { $0.name == other.name } != true }
            case let value?: return value
            // Some parts only require members.
            case nil: if !part.kinds.isEmpty { return nil }
            }
        }
        if let members { return .object(members) }
        let types = schema.types.filter { $0 != "null" }
        switch types.isEmpty ? schema.kinds.min() : types[pick(of: types.count, path, schema)] {
        case "object": return .object([])
        case "array": return .list(elements(of: schema, path, outer))
        case let type?: return scalar(type, schema, path)
        case nil: return nil
        }
    }

    /// A value for each element that has a schema of its own, and one for all others.
    private mutating func elements(of schema: Node, _ path: String, _ outer: [String]) -> [JSONValue] {
        var elements: [JSONValue] = []
        for element in schema.list("prefixItems") + [schema["items"]].compactMap(\.self) {
            guard let value = value(of: element, "\(path)/\(elements.count)", outer) else { break }
            elements.append(value)
        }
        return elements
    }

    private mutating func parts(of schema: Node, _ path: String) -> [Node] {
        let choices = [schema.list("oneOf"), schema.list("anyOf")].map { $0.filter { $0.types != ["null"] } }
        return schema.allOf + choices.filter { !$0.isEmpty }.map { $0[pick(of: $0.count, path, schema)] }
    }

    /// The members of an object; nil if the schema names none, or a required one has no value.
    private mutating func members(of schema: Node, _ path: String, _ outer: [String]) -> [JSONValue.Member]? {
        guard let properties = schema["properties"] else {
            guard let additional = schema["additionalProperties"], case .object = additional.value else { return nil }
            return value(of: additional, "\(path)/key", outer).map { [("key", $0)] }
        }
        let required = Set(schema.required)
        var members: [JSONValue.Member] = []
        for (name, property) in properties.members where !property.isTrue("writeOnly") {
            let path = "\(path)\(Self.path(of: [name]))"
            let isLeftOut = variation == .required && !required.contains(name)
            if isLeftOut, change(path, Node.pointer(properties.pointer, name)) { continue }
            if let value = value(of: property, path, outer) {
                members.append((name, value))
            } else if required.contains(name) {
                return nil
            }
        }
        return members
    }

    /// Notes that a value differs from that in a full one; false if it is not to.
    private mutating func change(_ path: String, _ pointer: String) -> Bool {
        choices[path] = Choice(path: path, pointer: pointer, count: 2, isAllowed: true)
        return mended[path] == nil
    }

    private mutating func pick(of count: Int, _ path: String, _ schema: Node, isAllowed: Bool = true) -> Int {
        if case .other(let index) = variation, isAllowed, count > 1, change(path, schema.pointer) {
            return min(index, count - 1)
        }
        if variation == .full, count > 1, choices[path]?.isAllowed != true {
            choices[path] = Choice(path: path, pointer: schema.pointer, count: count, isAllowed: isAllowed)
        }
        return min((variation == .full ? mended : picks)[path, default: 0], count - 1)
    }

    /// A scalar that the schema accepts, those that it names first. There are several texts, since a model may want a
    /// date where the schema names no format.
    private mutating func scalar(_ type: String, _ schema: Node, _ path: String) -> JSONValue? {
        let texts = [
            schema["format"]?.string == "uri" ? "https://example.com/" : "text", "2026-11-20T18:30:00Z", "2026-11-20",
            "8B5F0B9A-2C7E-4F0D-9C3A-6E1D2F4A7B90", "https://example.com/", "1", "Fri, 20 Nov 2026 18:30:00 +0000",
        ]
        let others = (type == "boolean" ? ["true"] : ["1.5", "1"]).map(JSONValue.literal)
        let named = ["example", "default", "minimum", "maximum"].compactMap { schema[$0] } + schema.list("examples")
        let values = (named.map(\.value) + (type == "string" ? texts.map(JSONValue.string) : others)).filter {
            !$0.isNull && SchemaCheck.problems($0, schema, "", .sample).isEmpty
        }
        return values.isEmpty ? nil : values[pick(of: values.count, path, schema, isAllowed: false)]
    }
}
