/// Writes the enum of a union, which is one of several kinds of values, called variants. The enum has a case for each
/// variant. If the union is read and may get more variants, it also has the case `other` for unknown ones.
///
///     enum Delivery: Decodable {
///         case courier(Courier)
///         case pickup(Pickup)
///         case other(JSONValue)
///         …
///     }
struct UnionWriter {
    /// The case for a variant.
    private struct Case {
        /// The name as code, such as `courier`.
        let name: String
        /// The Swift type of its value, such as `Courier`.
        let type: String
        /// The code for its value as a parameter. The value itself is called `value`.
        let parameterValue: String
        /// The values of the union's tag that identify the variant.
        let tags: [Tag]
        /// What distinguishes its values from those of other variants.
        let traits: VariantTraits
        /// The properties of its type, if that is a struct.
        let properties: [Property]
    }

    private let writer: TypeWriter
    /// The member whose value identifies the variant of a value, such as `type`; nil if there is none.
    private let tag: String?
    private let cases: [Case]
    /// Whether the enum has the case `other`, for variants that are not known yet.
    private let hasOther: Bool

    private var plan: Plan { writer.plan }

    /// Creates a writer for a union.
    ///
    /// - Parameters:
    ///   - writer: The writer of the union's type.
    ///   - union: The variants.
    init(writer: TypeWriter, union: Union) {
        self.writer = writer
        tag = union.tag
        cases = Self.cases(for: union, writer)
        hasOther = writer.isRead && Self.mayGetVariants(cases)
    }

    /// Creates the cases of the enum, one for each variant of the union. Each has a name of its own.
    ///
    ///     case courier(Courier)
    ///     case pickup(Pickup)
    private static func cases(for union: Union, _ writer: TypeWriter) -> [Case] {
        let plan = writer.plan
        let use = TypeUse(writer.type.uses)
        let listCount = union.variants.count { $0.schema.isList && $0.schema.holdsModels }
        let hasSeveralLists = listCount > 1
        // The members that each enum has, in lower case: the names of cases are compared without regard to case.
        var takenNames: Set<String> = ["init", "self", "encode", "parameternode"]
        let typeNames = Set(union.variants.map { plan.typeName($0.schema, for: use) })
        return union.variants.map { variant in
            let schema = variant.schema
            let type = plan.typeName(schema, for: use)
            var wantedName = name(of: variant, type: type, in: writer, hasSeveralLists: hasSeveralLists)
            // A type whose name has no capital, such as `日本`: inside the enum, the case would hide it.
            if typeNames.contains(wantedName) { wantedName += "Variant" }
            let name = SwiftName.unique(wantedName, in: &takenNames)
            return Case(
                name: SwiftName.code(name),
                type: type,
                // The value of a union that is only sent holds no nils that a parameter would have to leave out.
                parameterValue: writer.isRead ? schema.parameterValue("value") : "value",
                // Tags are values of the union's tag member. Without such a member, they are useless.
                tags: union.tag == nil ? [] : variant.tags.sorted(),
                traits: VariantTraits(of: schema.kind, plan),
                properties: plan.properties(of: schema))
        }
    }

    /// Whether a server may send variants that are not known yet.
    ///
    /// An API often adds variants that are distinguished by a tag or by their members, such as another kind of event.
    /// It rarely adds another JSON type: a union of numbers and texts stays one.
    private static func mayGetVariants(_ cases: [Case]) -> Bool {
        let hasTags = cases.contains { !$0.tags.isEmpty }
        return hasTags || !haveDistinctTypes(cases)
    }

    /// Whether each variant has a JSON type of its own, so that the type is enough to distinguish them.
    private static func haveDistinctTypes(_ cases: [Case]) -> Bool {
        var types: Set<JSONType> = []
        for item in cases {
            guard let type = item.traits.jsonType else { return false }
            let isNew = types.insert(type).inserted
            if !isNew { return false }
        }
        return true
    }

    /// Writes the declaration of the enum: its cases, the initializer and the functions that its uses require, nested
    /// types, and the coding key of the tag.
    ///
    ///     enum Event: Decodable {
    ///         case sale(Sale)
    ///         case other(JSONValue)
    ///
    ///         init(from decoder: any Decoder) throws {
    ///             …
    ///         }
    ///
    ///         private enum CodingKeys: String, CodingKey { case type }
    ///     }
    func lines(depth: Int) -> [String] {
        let uses = writer.type.uses
        var sections = [caseDeclarations()]
        if uses.isRead { sections.append(decoding()) }
        if uses.contains(.encoded) { sections.append(encoding()) }
        if uses.contains(.parameter) { sections.append(parameterNode()) }

        let modifier = writer.type.isIndirect ? "indirect " : ""
        var lines = ["\(writer.access)\(modifier)enum \(writer.type.name): \(writer.conformances()) {"]
        lines += Lines.indented(Lines.sections(sections))
        lines += writer.nestedTypes(depth: depth)
        if uses.isRead, !taggedCases.isEmpty { lines += [""] + Lines.indented([codingKeys()]) }
        return lines + ["}"]
    }

    /// Writes the cases: `case courier(Courier)`, and `case other(JSONValue)` for unknown variants.
    private func caseDeclarations() -> [String] {
        let known = cases.map { "case \($0.name)(\($0.type))" }
        return hasOther ? known + ["case other(JSONValue)"] : known
    }

    // MARK: - Names

    /// The name of the case for a variant, which is derived from the variant's type:
    ///
    ///     Courier           courier
    ///     EventCreated      created, in the union `Event`
    ///     String            string
    ///     [Order]           items, or orders if the union has several lists of models
    private static func name(
        of variant: Union.Variant, type: String, in writer: TypeWriter, hasSeveralLists: Bool
    ) -> String {
        if hasSeveralLists, case .list(let element) = variant.schema.kind, element.holdsModels {
            return Words(type).plural.lowerCamel
        }
        guard case .model(let id) = variant.schema.kind, let modelName = writer.plan.types[id]?.name else {
            // The word for the kind, such as `string`, or `items` for a list.
            return SwiftName.member(variant.schema.kind.word)
        }
        let ownWords = Words(words: words(of: modelName, withoutPrefix: writer.type.name))
        // The words after the prefix may begin with a digit, so that the name needs an underscore.
        let name = SwiftName.member(ownWords.upperCamel)
        // The case for unknown variants is called `other`.
        return name == "other" ? "otherVariant" : name
    }

    /// The words of a type's name without another name at its beginning: `created` for `EventCreated` without `Event`.
    /// If nothing else is left, the words of the whole name.
    private static func words(of name: String, withoutPrefix prefix: String) -> [String] {
        let words = Words(name).words
        guard name.hasPrefix(prefix) else { return words }
        let rest = words.dropFirst(Words(prefix).words.count)
        return rest.isEmpty ? words : Array(rest)
    }

    // MARK: - Tags

    private var taggedCases: [Case] { cases.filter { !$0.tags.isEmpty } }
    private var untaggedCases: [Case] { cases.filter { $0.tags.isEmpty } }

    /// The name of the coding key for the tag, in Swift.
    private var tagName: String { SwiftName.member(tag ?? "") }

    /// Writes the coding key for the tag. The key has a text if its name in JSON is another one:
    ///
    ///     private enum CodingKeys: String, CodingKey { case eventType = "event_type" }
    private func codingKeys() -> String {
        let wireName = tag ?? ""
        var key = SwiftName.code(tagName)
        let needsText = plan.coding.needsCodingKey(tagName, for: wireName, writer.type.uses)
        if needsText { key += " = \(Lines.literal(wireName))" }
        return "private enum CodingKeys: String, CodingKey { case \(key) }"
    }

    /// The tags that identify the same variants.
    private struct TagGroup {
        var tags: [Tag]
        /// The cases for the variants. There are several if the tags alone do not distinguish them.
        let cases: [Case]
    }

    /// Groups the tags, which are values that identify variants, by their variants. Tags for the same variants share a
    /// case of the switch over the tag: `case "refund", "sale":`. A tag may also belong to several variants, which its
    /// case tries in turn.
    private func tagGroups() -> [TagGroup] {
        var groups: [TagGroup] = []
        for tag in Set(taggedCases.flatMap(\.tags)).sorted() {
            let cases = taggedCases.filter { $0.tags.contains(tag) }
            // The names of cases are unique, so equal names mean the same variants. They are in the same order.
            let names = cases.map(\.name)
            let groupIndex = groups.firstIndex { $0.cases.map(\.name) == names }
            if let groupIndex {
                groups[groupIndex].tags.append(tag)
            } else {
                groups.append(TagGroup(tags: [tag], cases: cases))
            }
        }
        return groups
    }

    // MARK: - Decoding

    /// The depth for which the lines inside of `init(from:)` are broken. It fits enums that are nested in up to three
    /// types, and is the same for all, so that an enum looks the same everywhere.
    private static let decodingDepth = 6

    /// Writes the initializer that reads a value. A union with tags has a switch over the tag; without tags, one
    /// variant after the other is tried:
    ///
    ///     init(from decoder: any Decoder) throws {
    ///         let container = try decoder.singleValueContainer()
    ///         …
    ///     }
    private func decoding() -> [String] {
        let head = [
            "\(writer.access)init(from decoder: any Decoder) throws {",
            "    let container = try decoder.singleValueContainer()",
        ]
        let choice = taggedCases.isEmpty ? attempts(at: cases) : tagSwitch()
        return head + Lines.indented(choice) + ["}"]
    }

    /// Writes the switch over the tag:
    ///
    ///     switch try? decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .type) {
    ///     case "sale": self = .saleEvent(try container.decode(SaleEvent.self))
    ///     case "stock": self = .stockEvent(try container.decode(StockEvent.self))
    ///     default: self = .other(try container.decode(JSONValue.self))
    ///     }
    ///
    /// Tags that are numbers are read as an `Int`, for example, and tags of several types as a `JSONValue`.
    ///
    /// If the tag is unknown or absent, the `default` tries variants without a tag:
    ///
    ///     default:
    ///         if let value = try? container.decode(Note.self) {
    ///             self = .note(value)
    ///         } else {
    ///             self = .other(try container.decode(JSONValue.self))
    ///         }
    ///
    /// A variant that lacks the member of the tag is only tried if the tag is absent, since a value with another tag
    /// would lose it. So the absent tag gets a case of its own, which tries all variants without a tag, and the tag is
    /// read as a `JSONValue`, which is nil only if it is absent:
    ///
    ///     case nil:
    ///         if let value = try? container.decode(Note.self) {
    ///
    /// Each union with tags has the case `other`.
    private func tagSwitch() -> [String] {
        let key = SwiftName.code(tagName)
        let casesForAbsentTag = untaggedCases.filter(lacksTag)
        let casesForUnknownTag = untaggedCases.filter { !lacksTag($0) }
        let typeOfTags = TagType(of: taggedCases.flatMap(\.tags))
        let tagType = (casesForAbsentTag.isEmpty ? typeOfTags : .any).name
        var lines = [
            "switch try? decoder.container(keyedBy: CodingKeys.self).decode(\(tagType).self, forKey: .\(key)) {"
        ]
        for group in tagGroups() { lines += tagCase(for: group) }
        if !casesForAbsentTag.isEmpty { lines += ["case nil:"] + Lines.indented(attempts(at: untaggedCases)) }
        if casesForUnknownTag.isEmpty {
            lines.append("default: \(Self.assignmentOfOther)")
        } else {
            lines.append("default:")
            lines += Lines.indented(attempts(at: casesForUnknownTag))
        }
        return lines + ["}"]
    }

    /// Whether the variant of a case is an object without the member of the tag.
    private func lacksTag(_ item: Case) -> Bool {
        !item.properties.isEmpty && !item.properties.contains { $0.wireName == tag }
    }

    /// Writes the case of the switch for some tags, in one line or in two:
    ///
    ///     case "sale": self = .sale(try container.decode(Sale.self))
    ///
    ///     case "refund", "return":
    ///         self = .refund(try container.decode(Refund.self))
    ///
    /// If the tags identify several variants, the case tries one after the other.
    private func tagCase(for group: TagGroup) -> [String] {
        let tags = group.tags.map(\.literal).joined(separator: ", ")
        let head = "case \(tags):"
        let isUnique = group.cases.count == 1
        if !isUnique { return [head] + Lines.indented(attempts(at: group.cases)) }
        let assignment = Self.assignment(of: group.cases[0])
        let line = "\(head) \(assignment)"
        return Lines.fits(line, Self.decodingDepth) ? [line] : [head, "    \(assignment)"]
    }

    /// The code that reads a variant: `self = .sale(try container.decode(Sale.self))`.
    private static func assignment(of item: Case) -> String {
        "self = .\(item.name)(try container.decode(\(item.type).self))"
    }

    /// The code that reads an unknown variant.
    private static let assignmentOfOther = "self = .other(try container.decode(JSONValue.self))"

    /// Writes the code that tries one variant after the other, in the order of their ranks: those that accept the
    /// fewest values come first:
    ///
    ///     if let value = try? container.decode(Courier.self), value.street != nil {
    ///         self = .courier(value)
    ///     } else if let value = try? container.decode(Pickup.self) {
    ///         self = .pickup(value)
    ///     } else {
    ///         self = .other(try container.decode(JSONValue.self))
    ///     }
    ///
    /// A condition such as `value.street != nil` keeps a variant from being read from the values of a later one, here
    /// `Pickup`, which does not have that member. A condition such as `value.kind == 1` keeps it from being read from
    /// the values of another one that has another number there.
    ///
    /// If the enum has no case `other`, the `else` reads the last variant, without `try?`: the error of that variant is
    /// reported if none fits.
    private func attempts(at cases: [Case]) -> [String] {
        let casesByRank = cases.sorted { ($0.traits.rank, $0.name) < ($1.traits.rank, $1.name) }
        // All of them, or all but the last one, which is then read in the `else`.
        var casesWithCondition = casesByRank[...]
        var fallback = Self.assignmentOfOther
        if !hasOther, let lastCase = casesWithCondition.popLast() { fallback = Self.assignment(of: lastCase) }
        // A union may have a single variant: a list that contains itself is one, for example.
        if casesWithCondition.isEmpty { return [fallback] }
        var lines: [String] = []
        for (index, item) in casesWithCondition.enumerated() {
            let keyword = index == 0 ? "if" : "} else if"
            let binding = "\(keyword) let value = try? container.decode(\(item.type).self)"
            // Members are compared with later variants only, since the earlier ones have been tried. Constants are
            // compared with all others: an earlier variant may have rejected its own value for another reason.
            let laterCases = casesByRank[(index + 1)...]
            let others = casesByRank.filter { $0.name != item.name }
            let constants = Self.distinguishingConstants(of: item, from: others)
            let alternatives = Self.distinguishingProperties(of: item, from: laterCases).map { "value.\($0) != nil" }
            lines += Lines.condition(binding, constants, anyOf: alternatives, depth: Self.decodingDepth)
            lines.append("    self = .\(item.name)(value)")
        }
        return lines + ["} else {", "    \(fallback)", "}"]
    }

    /// The conditions that the constants of a variant have their values: `value.kind == 1`, and `value.kind ?? 1 == 1`
    /// if the member may be absent. A constant that all other variants have too is left out.
    private static func distinguishingConstants(of item: Case, from others: [Case]) -> [String] {
        var conditions: [String] = []
        for property in item.properties {
            guard let literal = property.schema.kind.onlyLiteral else { continue }
            let isCommon = others.allSatisfy { other in
                other.properties.contains {
                    $0.wireName == property.wireName && $0.schema.kind == property.schema.kind
                }
            }
            if isCommon { continue }
            let value = "value.\(property.code)"
            conditions.append(property.isOptional ? "\(value) ?? \(literal) == \(literal)" : "\(value) == \(literal)")
        }
        return conditions
    }

    /// The properties of a variant that similar later variants do not have. One of them must be present in a value, so
    /// that a value of a later variant is not read as this one.
    ///
    /// For example, a `Courier` has a required `date` and an optional `street`, and a `Pickup` has a required `date`
    /// and an optional `shopID`. A `Courier` could be read from the values of a `Pickup`, since they have all that a
    /// `Courier` requires. So a value is only taken for a `Courier` if it has a `street`.
    ///
    /// - Returns: The names of the properties in Swift. They are empty if the variant cannot be read from the values of
    ///   a later one, or if it has no properties of its own.
    private static func distinguishingProperties(
        of item: Case, from laterCases: ArraySlice<Case>
    ) -> [String] {
        let requiredNames = Set(item.properties.filter { !$0.isOptional }.map(\.wireName))
        // The members of later variants whose values have all that this one requires.
        var namesInSimilarVariants: Set<String> = []
        for laterCase in laterCases {
            let names = Set(laterCase.properties.map(\.wireName))
            let isSimilar = requiredNames.isSubset(of: names)
            if isSimilar { namesInSimilarVariants.formUnion(names) }
        }
        if namesInSimilarVariants.isEmpty { return [] }
        let ownProperties = item.properties.filter { !namesInSimilarVariants.contains($0.wireName) }
        return ownProperties.map(\.code)
    }

    // MARK: - Encoding

    /// Writes the function that encodes the value of each case:
    ///
    ///     func encode(to encoder: any Encoder) throws {
    ///         var container = encoder.singleValueContainer()
    ///         switch self {
    ///         case .courier(let value): try container.encode(value)
    ///         case .other(let value): try container.encode(value)
    ///         }
    ///     }
    private func encoding() -> [String] {
        var names = cases.map(\.name)
        if hasOther { names.append("other") }
        let switchCases = names.map { "case .\($0)(let value): try container.encode(value)" }
        let head = [
            "\(writer.access)func encode(to encoder: any Encoder) throws {",
            "    var container = encoder.singleValueContainer()",
            "    switch self {",
        ]
        return head + Lines.indented(switchCases) + ["    }", "}"]
    }

    /// Writes the property that returns the value of a case as a parameter:
    ///
    ///     var parameterNode: Parameters.Node {
    ///         switch self {
    ///         case .courier(let value): value.parameterNode
    ///         case .other(let value): value.parameterNode
    ///         }
    ///     }
    private func parameterNode() -> [String] {
        var switchCases = cases.map { "case .\($0.name)(let value): \($0.parameterValue).parameterNode" }
        if hasOther { switchCases.append("case .other(let value): value.parameterNode") }
        let head = ["\(writer.access)var parameterNode: Parameters.Node {", "    switch self {"]
        return head + Lines.indented(switchCases) + ["    }", "}"]
    }
}

/// The types of values in JSON.
private enum JSONType {
    case boolean, number, string, array, object
}

/// What distinguishes the values of a variant from those of other variants.
private struct VariantTraits {
    /// The JSON type of all values; nil if they can have several, or if it is unknown.
    let jsonType: JSONType?
    /// The position of the variant among those that are tried.
    let rank: VariantRank

    /// Finds the traits of a variant whose values are of some kind: their JSON type, and the rank, which decides on the
    /// order in which variants are tried. Values of any kind have no JSON type of their own.
    init(of kind: Schema.Kind, _ plan: Plan) {
        switch kind {
        case .boolean: self.init(jsonType: .boolean, rank: VariantRank(.boolean))
        case .integer, .number, .unixTime: self.init(ofNumbers: kind)
        case .fixed(_, let kind): self.init(of: kind, plan)
        case .date: self.init(jsonType: .string, rank: VariantRank(.date))
        case .string, .constant, .bytes: self.init(jsonType: .string, rank: VariantRank(.text))
        case .list: self.init(jsonType: .array, rank: VariantRank(.list))
        case .dictionary: self.init(jsonType: .object, rank: VariantRank(.dictionary))
        case .any: self.init(jsonType: nil, rank: VariantRank(.any))
        case .model(let id): self.init(ofModel: plan.api.models[id]?.kind)
        }
    }

    /// Finds the traits of a variant that is a model: an object, an enum, or another union. The kind is nil if
    /// the description does not have the model.
    ///
    /// A union has no JSON type, since its own variants may have several.
    private init(ofModel kind: Model.Kind?) {
        switch kind {
        case .object(let object): self.init(jsonType: .object, rank: VariantRank(of: object))
        case .texts: self.init(jsonType: .string, rank: VariantRank(.text))
        case .numbers(_, let kind): self.init(ofNumbers: kind)
        case .union: self.init(jsonType: nil, rank: VariantRank(.union))
        case nil: self.init(jsonType: nil, rank: VariantRank(.any))
        }
    }

    /// Finds the traits of a variant for numbers. Whole numbers are tried first.
    private init(ofNumbers kind: Schema.Kind) {
        if case .integer = kind {
            self.init(jsonType: .number, rank: VariantRank(.integer))
        } else {
            self.init(jsonType: .number, rank: VariantRank(.number))
        }
    }

    private init(jsonType: JSONType?, rank: VariantRank) {
        self.jsonType = jsonType
        self.rank = rank
    }
}

/// The order in which variants are tried. Variants that accept fewer values come first, since a variant that accepts
/// more would also read the values of the others.
private struct VariantRank: Comparable {
    /// The groups of variants, in their order. A date is tried before other texts, and an object with known members
    /// before a dictionary.
    enum Group: Comparable {
        case boolean, integer, number, date, text, list, object, union, dictionary, any
    }

    private let group: Group
    /// The numbers of members that an object requires, and that it has at all.
    private var requiredCount = 0
    private var memberCount = 0

    init(_ group: Group) { self.group = group }

    /// Ranks an object: one that requires more members accepts fewer values.
    init(of object: Object) {
        group = .object
        requiredCount = object.members.values.count(where: \.isRequired)
        memberCount = object.members.count
    }

    /// Compares by group. Of two objects, the one that requires more members comes first, then the one that has more.
    static func < (left: VariantRank, right: VariantRank) -> Bool {
        if left.group != right.group { return left.group < right.group }
        if left.requiredCount != right.requiredCount { return left.requiredCount > right.requiredCount }
        return left.memberCount > right.memberCount
    }
}
