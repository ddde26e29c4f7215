/// Writes the enum of a union: a case for each variant and, if it is read, one for variants that are not known yet.
struct UnionWriter {
    private struct Case {
        let name: String
        let type: String
        /// The code for its value, `value`, as a parameter.
        let parameterValue: String
        let tags: [String]
        let rank: Int
        /// The properties, if it is an object.
        let properties: [Property]
    }

    private let writer: TypeWriter
    private let tag: String?
    private let cases: [Case]
    /// Whether there may be variants that are not known yet. If a tag or the members of objects distinguish them, an
    /// API can add some, but not if each is of another JSON type.
    private let isOpen: Bool

    init(writer: TypeWriter, union: Union) {
        self.writer = writer
        tag = union.tag
        var taken: Set<String> = ["init", "self", "encode", "parameternode"]
        let lists = union.variants.count { $0.schema.isList && $0.schema.holdsModels }
        let isParameter = writer.type.uses.isDisjoint(with: [.decoded, .encoded])
        let isRead = writer.isRead
        let json = union.variants.map { Self.json($0.schema.kind, writer.plan) }
        cases = zip(union.variants, json).map { variant, json in
            let isSentOnly = !isRead && writer.type.uses.contains(.parameter)
            let use: Uses = isParameter ? .parameter : isSentOnly ? .encoded : .decoded
            let type = writer.plan.typeName(variant.schema, use)
            let name = Self.name(of: variant, type: type, in: writer, isOnlyList: lists < 2)
            return Case(
                name: SwiftName.code(SwiftName.unique(name, in: &taken)), type: type,
                parameterValue: isRead ? variant.schema.parameterValue("value") : "value",
                tags: union.tag == nil ? [] : variant.tags.sorted(), rank: json.rank,
                properties: writer.plan.properties(of: variant.schema))
        }
        let types = json.map(\.type)
        let hasTags = cases.contains { !$0.tags.isEmpty }
        isOpen = writer.isRead && (hasTags || types.contains(nil) || Set(types).count < types.count)
    }

    private static func name(
        of variant: Union.Variant, type: String, in writer: TypeWriter, isOnlyList: Bool
    ) -> String {
        if case .list(let inner) = variant.schema.kind, inner.holdsModels, !isOnlyList {
            return Words(type).plural.lowerCamel
        }
        if case .model(let id) = variant.schema.kind, let name = writer.plan.types[id]?.name {
            let owner = writer.type.name
            let words = Words(name).words
            let shorter = Array(words.dropFirst(Words(owner).words.count))
            let isPrefixed = name.hasPrefix(owner) && !shorter.isEmpty
            let result = SwiftName.member(Words(words: isPrefixed ? shorter : words).upperCamel)
            return result == "other" ? "otherVariant" : result
        }
        return SwiftName.member(variant.schema.kind.word)
    }

    /// The type of all values of a variant in JSON, nil if they can have several, and in which order variants are
    /// tried: what reads only one kind of JSON first, and of two objects the one that requires more.
    private static func json(_ kind: Schema.Kind, _ plan: Plan) -> (type: String?, rank: Int) {
        switch kind {
        case .boolean: return ("boolean", 0)
        case .integer: return ("number", 1)
        case .number, .unixTime: return ("number", 2)
        case .date: return ("string", 3)
        case .string, .constant, .bytes: return ("string", 4)
        case .list: return ("array", 5)
        case .dictionary: return ("object", 900_000)
        case .any: return (nil, 1_000_000)
        case .model(let id):
            switch plan.api.models[id]?.kind {
            case .texts: return ("string", 4)
            case .object(let object):
                let required = object.members.values.filter(\.isRequired).count
                return ("object", 700_000 - required * 500 - min(object.members.count, 499))
            case .union: return (nil, 800_000)
            case nil: return (nil, 1_000_000)
            }
        }
    }

    func lines(depth: Int) -> [String] {
        let uses = writer.type.uses
        let isIndirect = writer.type.isIndirect ? "indirect " : ""
        var parts = [cases.map { "case \($0.name)(\($0.type))" } + (isOpen ? ["case other(JSONValue)"] : [])]
        if writer.isRead { parts.append(decoding()) }
        if uses.contains(.encoded) { parts.append(encoding()) }
        if uses.contains(.parameter) { parts.append(parameterNode()) }
        let inner = parts.joined(separator: [""])
        let keys = writer.isRead && !tagged.isEmpty ? [""] + Lines.indented(codingKey()) : []
        return ["\(writer.plan.access)\(isIndirect)enum \(writer.type.name): \(writer.conformances()) {"]
            + Lines.indented(Array(inner)) + writer.nestedTypes(depth: depth) + keys + ["}"]
    }

    private var tagged: [Case] { cases.filter { !$0.tags.isEmpty } }

    private var tagName: String { SwiftName.code(SwiftName.member(tag ?? "")) }

    private func codingKey() -> [String] {
        let needsName = writer.plan.needsCodingKey(SwiftName.member(tag ?? ""), for: tag ?? "", writer.type.uses)
        let value = needsName ? " = \(Lines.literal(tag ?? ""))" : ""
        return ["private enum CodingKeys: String, CodingKey { case \(tagName)\(value) }"]
    }

    private func decoding() -> [String] {
        var lines = ["\(writer.plan.access)init(from decoder: any Decoder) throws {"]
        lines.append("    let container = try decoder.singleValueContainer()")
        let untagged = attempts(cases.filter { $0.tags.isEmpty })
        guard !tagged.isEmpty else { return lines + Lines.indented(untagged) + ["}"] }
        let value = "try? decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .\(tagName))"
        lines.append("    switch \(value) {")
        for (tags, cases) in byTags {
            let head = "case \(tags.map { Lines.literal($0) }.joined(separator: ", ")):"
            if cases.count == 1 {
                let line = "\(head) self = .\(cases[0].name)(try container.decode(\(cases[0].type).self))"
                lines +=
                    Lines.fits(line, 6)
                    ? ["    \(line)"] : ["    \(head)", "        \(line.dropFirst(head.count + 1))"]
            } else {
                lines += ["    \(head)"] + Lines.indented(Lines.indented(attempts(cases)))
            }
        }
        if cases.contains(where: \.tags.isEmpty) {
            lines += ["    default:"] + Lines.indented(Lines.indented(untagged))
        } else {
            lines.append("    default: self = .other(try container.decode(JSONValue.self))")
        }
        return lines + ["    }", "}"]
    }

    /// The variants of each tag: more than one if the tag does not tell them apart.
    private var byTags: [(tags: [String], cases: [Case])] {
        var groups: [(tags: [String], cases: [Case])] = []
        for tag in Set(tagged.flatMap(\.tags)).sorted() {
            let cases = tagged.filter { $0.tags.contains(tag) }
            if let index = groups.firstIndex(where: { $0.cases.map(\.name) == cases.map(\.name) }) {
                groups[index].tags.append(tag)
            } else {
                groups.append(([tag], cases))
            }
        }
        return groups
    }

    /// Tries one variant after the other.
    private func attempts(_ cases: [Case]) -> [String] {
        let sorted = cases.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
        let lines = sorted.dropLast(isOpen ? 0 : 1).enumerated().flatMap { index, item in
            let start = "\(index == 0 ? "" : "} else ")if let value = try? container.decode(\(item.type).self)"
            let marks = Self.marks(of: item, before: sorted[(index + 1)...]).map { "value.\($0) != nil" }
            return Lines.condition(start, marks, depth: 6) + ["    self = .\(item.name)(value)"]
        }
        let last = isOpen ? ("other", "JSONValue") : sorted.last.map { ($0.name, $0.type) } ?? ("", "")
        let decoded = "self = .\(last.0)(try container.decode(\(last.1).self))"
        // A list of itself, for example, is a union with one variant.
        guard !lines.isEmpty else { return [decoded] }
        return lines + ["} else {", "    \(decoded)", "}"]
    }

    /// The members that only one of several objects has, if it could be read from the others too.
    private static func marks(of item: Case, before others: ArraySlice<Case>) -> [String] {
        let needed = Set(item.properties.filter { !$0.isOptional }.map(\.wireName))
        let others = others.map { Set($0.properties.map(\.wireName)) }.filter { !$0.isEmpty && needed.isSubset(of: $0) }
        guard !others.isEmpty else { return [] }
        return item.properties.filter { property in !others.contains { $0.contains(property.wireName) } }.map(\.code)
    }

    private var allCases: [String] { cases.map(\.name) + (isOpen ? ["other"] : []) }

    private func encoding() -> [String] {
        [
            "\(writer.plan.access)func encode(to encoder: any Encoder) throws {",
            "    var container = encoder.singleValueContainer()", "    switch self {",
        ] + allCases.map { "    case .\($0)(let value): try container.encode(value)" } + ["    }", "}"]
    }

    private func parameterNode() -> [String] {
        ["\(writer.plan.access)var parameterNode: Parameters.Node {", "    switch self {"]
            + cases.map { "    case .\($0.name)(let value): \($0.parameterValue).parameterNode" }
            + (isOpen ? ["    case .other(let value): value.parameterNode"] : []) + ["    }", "}"]
    }
}
