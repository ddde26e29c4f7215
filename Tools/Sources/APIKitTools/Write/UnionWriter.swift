/// Writes the enum of a union, with a case for each variant. If the union is read and may get more variants, it also
/// has a case for unknown ones.
struct UnionWriter {
    private struct Case {
        let name: String
        let type: String
        /// The code for its value, `value`, as a parameter.
        let parameterValue: String
        /// The texts of the union's tag that identify the variant.
        let tags: [String]
        let reading: VariantReading
        /// The properties of the variant, if it is an object.
        let properties: [Property]
    }

    private let writer: TypeWriter
    /// The member whose text identifies the variant of a value.
    private let tag: String?
    private let cases: [Case]
    /// Whether there may be variants that are not known yet. An API can add variants that are distinguished by a tag or
    /// by their members, but rarely adds another JSON type.
    private let isOpen: Bool

    private var plan: Plan { writer.plan }

    init(writer: TypeWriter, union: Union) {
        self.writer = writer
        tag = union.tag
        let plan = writer.plan
        let use = Self.use(of: writer.type)
        let hasSeveralLists = union.variants.count { $0.schema.isList && $0.schema.holdsModels } > 1
        var taken: Set<String> = ["init", "self", "encode", "parameternode"]
        cases = union.variants.map { variant in
            let schema = variant.schema
            let type = plan.typeName(schema, use)
            let name = Self.name(of: variant, type: type, in: writer, isOneOfLists: hasSeveralLists)
            return Case(
                name: SwiftName.code(SwiftName.unique(name, in: &taken)),
                type: type,
                parameterValue: writer.isRead ? schema.parameterValue("value") : "value",
                tags: union.tag == nil ? [] : variant.tags.sorted(),
                reading: VariantReading(schema.kind, plan),
                properties: plan.properties(of: schema))
        }
        let hasTags = cases.contains { !$0.tags.isEmpty }
        let mayGrow = hasTags || !Self.areDistinct(cases.map(\.reading.type))
        isOpen = writer.isRead && mayGrow
    }

    /// The use for which the types of the cases are chosen.
    private static func use(of type: TypeShape) -> Uses {
        let uses = type.uses
        if uses.isDisjoint(with: [.decoded, .encoded]) { return .parameter }
        let isOnlySent = !uses.contains(.decoded)
        return isOnlySent && uses.contains(.parameter) ? .encoded : .decoded
    }

    /// Whether each variant has a JSON type of its own.
    private static func areDistinct(_ types: [JSONType?]) -> Bool {
        let known = types.compactMap(\.self)
        return known.count == types.count && Set(known).count == types.count
    }

    func lines(depth: Int) -> [String] {
        var parts = [caseDeclarations()]
        if writer.isRead { parts.append(decoding()) }
        if writer.type.uses.contains(.encoded) { parts.append(encoding()) }
        if writer.type.uses.contains(.parameter) { parts.append(parameterNode()) }
        let modifier = writer.type.isIndirect ? "indirect " : ""
        var lines = ["\(plan.access)\(modifier)enum \(writer.type.name): \(writer.conformances()) {"]
        lines += Lines.indented(Array(parts.joined(separator: [""])))
        lines += writer.nestedTypes(depth: depth)
        if writer.isRead, !tagged.isEmpty { lines += [""] + Lines.indented([codingKeys()]) }
        return lines + ["}"]
    }

    private func caseDeclarations() -> [String] {
        let known = cases.map { "case \($0.name)(\($0.type))" }
        return isOpen ? known + ["case other(JSONValue)"] : known
    }

    private var allNames: [String] {
        let names = cases.map(\.name)
        return isOpen ? names + ["other"] : names
    }

    // MARK: - Names

    /// The name of a variant's case, which is derived from the type's name. If the union has several lists of models,
    /// each is named after its elements.
    private static func name(
        of variant: Union.Variant, type: String, in writer: TypeWriter, isOneOfLists: Bool
    ) -> String {
        if isOneOfLists, case .list(let inner) = variant.schema.kind, inner.holdsModels {
            return Words(type).plural.lowerCamel
        }
        guard case .model(let id) = variant.schema.kind, let modelName = writer.plan.types[id]?.name else {
            return SwiftName.member(variant.schema.kind.word)
        }
        let ownWords = Words(words: words(of: modelName, in: writer.type.name))
        let name = SwiftName.member(ownWords.upperCamel)
        // The case for unknown variants is called `other`.
        return name == "other" ? "otherVariant" : name
    }

    /// The words of a variant's name, without the name of the union at its beginning.
    private static func words(of name: String, in owner: String) -> [String] {
        let words = Words(name).words
        guard name.hasPrefix(owner) else { return words }
        let rest = words.dropFirst(Words(owner).words.count)
        return rest.isEmpty ? words : Array(rest)
    }

    // MARK: - Tags

    private var tagged: [Case] { cases.filter { !$0.tags.isEmpty } }
    private var untagged: [Case] { cases.filter { $0.tags.isEmpty } }

    private var tagName: String { SwiftName.member(tag ?? "") }

    private func codingKeys() -> String {
        let name = SwiftName.code(tagName)
        let needsText = plan.needsCodingKey(tagName, for: tag ?? "", writer.type.uses)
        let key = needsText ? "\(name) = \(Lines.literal(tag ?? ""))" : name
        return "private enum CodingKeys: String, CodingKey { case \(key) }"
    }

    /// The tags that identify the same variants.
    private struct TaggedCases {
        var tags: [String]
        /// The variants. There are several if the tags alone do not distinguish them.
        let cases: [Case]
    }

    private func casesByTag() -> [TaggedCases] {
        var groups: [TaggedCases] = []
        for tag in Set(tagged.flatMap(\.tags)).sorted() {
            let cases = tagged.filter { $0.tags.contains(tag) }
            let known = groups.firstIndex { $0.cases.map(\.name) == cases.map(\.name) }
            if let known {
                groups[known].tags.append(tag)
            } else {
                groups.append(TaggedCases(tags: [tag], cases: cases))
            }
        }
        return groups
    }

    // MARK: - Decoding

    /// The depth for which lines of `init(from:)` are broken. It is the same for all unions, and fits nested ones.
    private static let decodingDepth = 6

    /// The initializer `init(from:)`.
    private func decoding() -> [String] {
        let head = [
            "\(plan.access)init(from decoder: any Decoder) throws {",
            "    let container = try decoder.singleValueContainer()",
        ]
        let choice = tagged.isEmpty ? attempts(cases) : tagSwitch()
        return head + Lines.indented(choice) + ["}"]
    }

    /// The switch over the tag. Variants without a tag are tried if the tag is unknown or absent.
    private func tagSwitch() -> [String] {
        let key = SwiftName.code(tagName)
        var lines = [
            "switch try? decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .\(key)) {"
        ]
        for group in casesByTag() { lines += decoding(group) }
        if untagged.isEmpty {
            lines.append("default: \(Self.otherAssignment)")
        } else {
            lines.append("default:")
            lines += Lines.indented(attempts(untagged))
        }
        return lines + ["}"]
    }

    /// A case of the switch over the tag.
    private func decoding(_ group: TaggedCases) -> [String] {
        let tags = group.tags.map { Lines.literal($0) }.joined(separator: ", ")
        let head = "case \(tags):"
        guard group.cases.count == 1 else { return [head] + Lines.indented(attempts(group.cases)) }
        let assignment = Self.assignment(of: group.cases[0])
        let line = "\(head) \(assignment)"
        return Lines.fits(line, Self.decodingDepth) ? [line] : [head, "    \(assignment)"]
    }

    private static func assignment(of item: Case) -> String {
        "self = .\(item.name)(try container.decode(\(item.type).self))"
    }

    private static let otherAssignment = "self = .other(try container.decode(JSONValue.self))"

    /// The code that tries one variant after the other. The last one is decoded without `try?`, so that its error is
    /// reported if no variant fits.
    private func attempts(_ cases: [Case]) -> [String] {
        let sorted = cases.sorted { ($0.reading.rank, $0.name) < ($1.reading.rank, $1.name) }
        var tried = sorted[...]
        var last = Self.otherAssignment
        if !isOpen, let lastCase = tried.popLast() { last = Self.assignment(of: lastCase) }
        // A union may have a single variant: a list that contains itself is one, for example.
        if tried.isEmpty { return [last] }
        var lines: [String] = []
        for (index, item) in tried.enumerated() {
            let keyword = index == 0 ? "if" : "} else if"
            let binding = "\(keyword) let value = try? container.decode(\(item.type).self)"
            let ownMembers = Self.distinguishingMembers(of: item, from: sorted[(index + 1)...])
            let conditions = ownMembers.map { "value.\($0) != nil" }
            lines += Lines.condition(binding, conditions, depth: Self.decodingDepth)
            lines.append("    self = .\(item.name)(value)")
        }
        return lines + ["} else {", "    \(last)", "}"]
    }

    /// The members of an object that later, similar objects do not have; empty if there are no similar ones.
    ///
    /// Another object is similar if it has all required members of the first, so that the first could be read from its
    /// values too. One of the returned members must then be present.
    private static func distinguishingMembers(of item: Case, from others: ArraySlice<Case>) -> [String] {
        let needed = Set(item.properties.filter { !$0.isOptional }.map(\.wireName))
        let otherNames = others.map { Set($0.properties.map(\.wireName)) }
        let similar = otherNames.filter { !$0.isEmpty && needed.isSubset(of: $0) }
        if similar.isEmpty { return [] }
        let own = item.properties.filter { property in
            !similar.contains { $0.contains(property.wireName) }
        }
        return own.map(\.code)
    }

    // MARK: - Encoding

    private func encoding() -> [String] {
        var lines = [
            "\(plan.access)func encode(to encoder: any Encoder) throws {",
            "    var container = encoder.singleValueContainer()",
            "    switch self {",
        ]
        for name in allNames { lines.append("    case .\(name)(let value): try container.encode(value)") }
        return lines + ["    }", "}"]
    }

    private func parameterNode() -> [String] {
        var lines = ["\(plan.access)var parameterNode: Parameters.Node {", "    switch self {"]
        for item in cases {
            lines.append("    case .\(item.name)(let value): \(item.parameterValue).parameterNode")
        }
        if isOpen { lines.append("    case .other(let value): value.parameterNode") }
        return lines + ["    }", "}"]
    }
}

/// The types of values in JSON.
private enum JSONType {
    case boolean, number, string, array, object
}

/// The properties of a variant that distinguish its values from those of others.
private struct VariantReading {
    /// The JSON type of all values; nil if they can have several.
    let type: JSONType?
    let rank: VariantRank

    init(_ kind: Schema.Kind, _ plan: Plan) {
        switch kind {
        case .boolean: self.init(.boolean, VariantRank(.boolean))
        case .integer: self.init(.number, VariantRank(.integer))
        case .number, .unixTime: self.init(.number, VariantRank(.number))
        case .date: self.init(.string, VariantRank(.date))
        case .string, .constant, .bytes: self.init(.string, VariantRank(.text))
        case .list: self.init(.array, VariantRank(.list))
        case .dictionary: self.init(.object, VariantRank(.dictionary))
        case .any: self.init(nil, VariantRank(.any))
        case .model(let id): self.init(plan.api.models[id]?.kind)
        }
    }

    private init(_ model: Model.Kind?) {
        switch model {
        case .texts: self.init(.string, VariantRank(.text))
        case .union: self.init(nil, VariantRank(.union))
        case nil: self.init(nil, VariantRank(.any))
        case .object(let object): self.init(.object, VariantRank(object))
        }
    }

    private init(_ type: JSONType?, _ rank: VariantRank) {
        self.type = type
        self.rank = rank
    }
}

/// The order in which variants are tried. Variants that accept fewer values come first, since a variant that accepts
/// more would also read the values of the others.
private struct VariantRank: Comparable {
    enum Group: Int {
        case boolean, integer, number, date, text, list, object, union, dictionary, any
    }

    private let group: Group
    private var requiredMembers = 0
    private var members = 0

    init(_ group: Group) { self.group = group }

    init(_ object: Object) {
        group = .object
        requiredMembers = object.members.values.count(where: \.isRequired)
        members = object.members.count
    }

    static func < (left: VariantRank, right: VariantRank) -> Bool {
        if left.group != right.group { return left.group.rawValue < right.group.rawValue }
        if left.requiredMembers != right.requiredMembers { return left.requiredMembers > right.requiredMembers }
        return left.members > right.members
    }
}
