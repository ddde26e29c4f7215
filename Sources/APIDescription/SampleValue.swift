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

    private let variation: Variation
    /// The members that are as in a full value.
    private let fixed: Set<String>
    /// The values to choose in a full value, by their paths; the first one by default.
    private let picks: [String: Int]
    private var (choices, changes): ([String: Choice], [String: Choice]) = ([:], [:])
    private var count = 0
    private static let (countLimit, depthLimit) = (3_000, 12)

    init(_ variation: Variation, fixed: Set<String>, picks: [String: Int]) {
        (self.variation, self.fixed, self.picks) = (variation, fixed, picks)
    }

    /// The value; nil if none can be created, as for a schema without a type.
    mutating func value(of schema: Node) -> JSONValue? { value(of: schema, "", []) }

    /// How many values the largest choice has, up to a limit.
    var choiceCount: Int { min(choices.values.filter(\.isAllowed).map(\.count).max() ?? 1, 50) }

    /// What differs from a full value at the coding path of an error, or around it.
    func change(at names: [String]) -> Choice? {
        Self.nearest(names, changes) { !fixed.contains($0.path) }
    }

    /// What may be chosen otherwise at the coding path of an error, or around it. Texts are only tried if the decoder
    /// has found a string where it wants one.
    func nextChoice(at names: [String], after error: any Error) -> Choice? {
        let isText = if case DecodingError.dataCorrupted? = error as? DecodingError { true } else { false }
        let path = Self.joined(names)
        return Self.nearest(names, choices) { choice in
            picks[choice.path, default: 0] + 1 < choice.count && (choice.isAllowed || isText && choice.path == path)
        }
    }

    private static func nearest(
        _ names: [String], _ choices: [String: Choice], where fits: (Choice) -> Bool
    ) -> Choice? {
        (0...names.count).reversed().compactMap { choices[joined(names.prefix($0))] }.first(where: fits)
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
    private static func joined(_ names: some Sequence<String>) -> String {
        names.map { "/\($0.filter { $0 != "_" && $0 != "-" }.lowercased())" }.joined()
    }

    // MARK: - Schemas

    private mutating func value(of schema: Node, _ path: String, _ outer: [String]) -> JSONValue? {
        let schema = schema.resolved
        count += 1
        guard count < Self.countLimit, outer.count < Self.depthLimit, !outer.contains(schema.pointer) else {
            return nil
        }
        let outer = outer + [schema.pointer]
        if variation == .null, schema.allowsNull, change(path, schema) { return .literal("null") }
        let values = schema.list("enum").map(\.value).filter { !$0.isNull }
        if !values.isEmpty { return values[pick(of: values.count, path, schema)] }
        if let constant = schema["const"] { return constant.value }
        // What the schema says itself, and what those say of which it is composed.
        var (objects, other): ([[JSONValue.Member]], JSONValue?) = ([], nil)
        if let own = members(of: schema, path, outer) { objects.append(own) }
        for part in parts(of: schema, path) {
            switch value(of: part, path, outer) {
            case .object(let members)?: objects.append(members)
            case let value?: other = value
            // Some parts only require members.
            case nil: if !part.kinds.isEmpty { return nil }
            }
        }
        if other != nil || !objects.isEmpty { return other ?? Self.merged(objects) }
        let types = schema.types.filter { $0 != "null" }
        switch types.isEmpty ? schema.kinds.min() : types[pick(of: types.count, path, schema)] {
        case "object": return .object([])
        case "array": return .list([schema["items"].flatMap { value(of: $0, "\(path)/0", outer) }].compactMap(\.self))
        case "string": return text(schema, path)
        case "integer": return accepted(["1"].map(JSONValue.literal), schema).first
        case "number": return accepted(["1.5", "1"].map(JSONValue.literal), schema).first
        case "boolean": return .literal("true")
        default: return nil
        }
    }

    private mutating func parts(of schema: Node, _ path: String) -> [Node] {
        let choices = [schema.list("oneOf"), schema.list("anyOf")].map { $0.filter { $0.resolved.types != ["null"] } }
        return schema.list("allOf")
            + choices.filter { !$0.isEmpty }.map { $0[pick(of: $0.count, path, schema)] }
    }

    /// The members of an object; nil if the schema names none, or a required one has no value.
    private mutating func members(of schema: Node, _ path: String, _ outer: [String]) -> [JSONValue.Member]? {
        guard let properties = schema["properties"]?.members else {
            guard let additional = schema["additionalProperties"], case .object = additional.value else { return nil }
            return value(of: additional, "\(path)/key", outer).map { [("key", $0)] }
        }
        let required = Set(schema.list("required").compactMap(\.string))
        var members: [JSONValue.Member] = []
        for (name, property) in properties where !property.resolved.isTrue("writeOnly") {
            let path = "\(path)\(Self.joined([name]))"
            if variation == .required, !required.contains(name), change(path, property) { continue }
            if let value = value(of: property, path, outer) {
                members.append((name, value))
            } else if required.contains(name) {
                return nil
            }
        }
        return members
    }

    private static func merged(_ objects: [[JSONValue.Member]]) -> JSONValue {
        var names: Set<String> = []
        return .object(objects.joined().filter { names.insert($0.name).inserted })
    }

    /// Notes that a value differs from that in a full one; false if it is not to.
    private mutating func change(_ path: String, _ schema: Node) -> Bool {
        changes[path] = Choice(path: path, pointer: schema.pointer, count: 0, isAllowed: true)
        return !fixed.contains(path)
    }

    private mutating func pick(of count: Int, _ path: String, _ schema: Node, isAllowed: Bool = true) -> Int {
        if count > 1, choices[path]?.isAllowed != true {
            choices[path] = Choice(path: path, pointer: schema.pointer, count: count, isAllowed: isAllowed)
        }
        if case .other(let index) = variation, isAllowed, count > 1, change(path, schema) {
            return min(index, count - 1)
        }
        return min(picks[path, default: 0], count - 1)
    }

    /// A text that the schema accepts; several, since a model may want a date where the schema names no format.
    private mutating func text(_ schema: Node, _ path: String) -> JSONValue? {
        let texts = [
            schema["format"]?.string == "uri" ? "https://example.com/" : "text", "2026-11-20T18:30:00Z", "2026-11-20",
            "8B5F0B9A-2C7E-4F0D-9C3A-6E1D2F4A7B90", "https://example.com/", "1", "Fri, 20 Nov 2026 18:30:00 +0000",
        ]
        let values = accepted(texts.map(JSONValue.string), schema)
        return values.isEmpty ? nil : values[pick(of: values.count, path, schema, isAllowed: false)]
    }

    /// The values that the schema accepts, those that it names first.
    private func accepted(_ values: [JSONValue], _ schema: Node) -> [JSONValue] {
        let own = ["example", "default", "minimum", "maximum"].compactMap { schema[$0]?.value }
        return (own + schema.list("examples").map(\.value) + values).filter {
            !$0.isNull && SchemaCheck.problems($0, schema, "", .response).isEmpty
        }
    }
}
