import APIKitCore
import APIKitTesting

/// A value that a schema allows, to be read by a response type.
struct SampleValue {
    /// Which of the values that a schema allows.
    enum Variation: Equatable {
        /// With all members, none of them null, and the first of several choices.
        case full
        /// With those members only that are required.
        case required
        /// With null wherever it is allowed.
        case null
        /// With another value of each enum, and another schema of each choice.
        case choice(Int)
    }

    private let variation: Variation
    /// The members that are as in a full value.
    private let fixed: Set<String>
    /// The places in the description because of which a member differs from a full value.
    private var changes: [String: String] = [:]
    /// How many choices there are at most, up to a limit.
    private(set) var choiceCount = 1
    private var count = 0
    private static let countLimit = 3_000
    private static let depthLimit = 12

    init(_ variation: Variation, fixed: Set<String> = []) {
        self.variation = variation
        self.fixed = fixed
    }

    /// The value; nil if none can be created, as for a schema without a type.
    mutating func value(of schema: Node) -> JSONValue? { value(of: schema, "", []) }

    /// What is changed in the value that a decoder names, or in one around it.
    func change(of names: [String]) -> (name: String, pointer: String)? {
        for count in (0...names.count).reversed() {
            let name = Self.joined(names.prefix(count))
            if let pointer = changes[name] { return (name, pointer) }
        }
        return nil
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

    /// A path of names as a text; `avatar_url` and `avatarUrl` are the same, since a decoder may convert names.
    private static func joined(_ names: some Sequence<String>) -> String {
        names.map { "/\($0.filter { $0 != "_" && $0 != "-" }.lowercased())" }.joined()
    }

    // MARK: - Schemas

    private mutating func value(of schema: Node, _ path: String, _ outer: [String]) -> JSONValue? {
        let schema = schema.resolved
        count += 1
        guard count < Self.countLimit, outer.count < Self.depthLimit, !outer.contains(schema.pointer) else { return nil }
        let outer = outer + [schema.pointer]
        if variation == .null, schema.allowsNull, note(path, schema) { return .literal("null") }
        if let choices = schema["enum"]?.elements.filter({ !$0.value.isNull }), !choices.isEmpty {
            return choices[choice(of: choices.count, path, schema)].value
        }
        if let constant = schema["const"] { return constant.value }
        let own = members(of: schema, path, outer)
        guard let parts = parts(of: schema, path, outer) else { return nil }
        let objects = parts.compactMap { if case .object(let members) = $0 { members } else { nil } }
        if objects.count == parts.count, own != nil || !parts.isEmpty {
            return Self.merged([own ?? []] + objects)
        }
        if let part = parts.first(where: { if case .object = $0 { false } else { true } }) { return part }
        let types = schema.types.filter { $0 != "null" }
        let type = types.isEmpty ? nil : types[choice(of: types.count, path, schema)]
        if type == "array" || type == nil && schema["items"] != nil {
            return .list(schema["items"].flatMap { value(of: $0, "\(path)/0", outer) }.map { [$0] } ?? [])
        }
        return type == "object" ? .object([]) : scalar(type, schema)
    }

    /// The values of what a schema is composed of; nil if one has none.
    private mutating func parts(of schema: Node, _ path: String, _ outer: [String]) -> [JSONValue]? {
        var parts = schema["allOf"]?.elements ?? []
        for keyword in ["oneOf", "anyOf"] {
            let choices = schema[keyword]?.elements.filter { $0.resolved.types != ["null"] } ?? []
            if !choices.isEmpty { parts.append(choices[choice(of: choices.count, path, schema)]) }
        }
        var values: [JSONValue] = []
        for part in parts {
            // A part that only requires members has no type of its own.
            let isPlain = part.parts.allSatisfy { $0["type"] == nil && $0["properties"] == nil && $0["enum"] == nil }
            guard let value = value(of: part, path, outer) else {
                if isPlain { continue }
                return nil
            }
            values.append(value)
        }
        return values
    }

    /// The members of an object; nil if the schema names none, or a required one has no value.
    private mutating func members(of schema: Node, _ path: String, _ outer: [String]) -> [JSONValue.Member]? {
        guard let properties = schema["properties"]?.members else {
            guard let additional = schema["additionalProperties"], case .object = additional.value else { return nil }
            return value(of: additional, "\(path)/key", outer).map { [("key", $0)] }
        }
        let required = Set(schema["required"]?.elements.compactMap(\.string) ?? [])
        var members: [JSONValue.Member] = []
        for (name, property) in properties where property.resolved["writeOnly"]?.isTrue != true {
            let path = "\(path)\(Self.joined([name]))"
            if variation == .required, !required.contains(name), note(path, property) { continue }
            if let value = value(of: property, path, outer) {
                members.append((name, value))
            } else if required.contains(name) {
                return nil
            }
        }
        return members
    }

    private static func merged(_ objects: [[JSONValue.Member]]) -> JSONValue {
        var (members, names): ([JSONValue.Member], Set<String>) = ([], [])
        for member in objects.joined() where names.insert(member.name).inserted { members.append(member) }
        return .object(members)
    }

    /// Notes that a member differs from a full value; false if it is not to.
    private mutating func note(_ path: String, _ schema: Node) -> Bool {
        guard !fixed.contains(path) else { return false }
        changes[path] = schema.pointer
        return true
    }

    private mutating func choice(of count: Int, _ path: String, _ schema: Node) -> Int {
        choiceCount = min(max(choiceCount, count), 50)
        guard case .choice(let index) = variation, count > 1, note(path, schema) else { return 0 }
        return min(index, count - 1)
    }

    /// The first of some values that the schema accepts.
    private func scalar(_ type: String?, _ schema: Node) -> JSONValue? {
        let own = ["example", "default", "minimum", "maximum"].compactMap { schema[$0]?.value }
        let examples = schema["examples"]?.elements.map(\.value) ?? []
        let texts = ["text", "2026-11-20T18:30:00Z", "2026-11-20", "8B5F0B9A-2C7E-4F0D-9C3A-6E1D2F4A7B90"]
        let links = schema["format"]?.string == "uri" ? [JSONValue.string("https://example.com/")] : []
        let values: [JSONValue]
        switch type {
        case "string": values = links + texts.map(JSONValue.string)
        case "integer": values = [.literal("1")]
        case "number": values = [.literal("1.5"), .literal("1")]
        case "boolean": values = [.literal("true")]
        default: return nil
        }
        return (own + examples + values).first {
            !$0.isNull && SchemaCheck.findings($0, schema, "", .response).isEmpty
        }
    }
}
