/// The identifier of a model in its API. It never appears in the code.
typealias ModelID = String

/// The values of a parameter, a body or a member, before they have a Swift type.
struct Schema {
    /// What the values are.
    indirect enum Kind: Hashable {
        /// Any JSON.
        case any
        case boolean
        /// A whole number.
        case integer(IntegerType)
        case number
        case string
        /// A moment in RFC 3339.
        case date
        /// A moment in seconds since 1970.
        case unixTime
        /// The bytes of a body, or a file in a form.
        case bytes
        /// Always the same text, such as the tag of a union's variant.
        case constant(String)
        /// Always the same number or Boolean: its Swift literal, and the kind without this limit.
        case fixed(String, Schema.Kind)
        case list(Schema)
        /// An object whose members' names are data.
        case dictionary(Schema)
        /// An object, an enum or a union, by its identifier in ``API/models``.
        case model(ModelID)
    }

    /// What the values are.
    var kind: Kind
    /// Whether null is a value too.
    var isNullable = false
    /// The description of the values in the source.
    var documentation: String?
    /// Whether they should not be used any longer.
    var isDeprecated = false
    /// The location of the schema in the source.
    var place: Place

    var isAny: Bool { kind == .any }
    var isBytes: Bool { kind == .bytes }
    var isString: Bool { kind == .string }

    /// Whether it is any value, or an object with any members.
    var isOpen: Bool {
        if case .dictionary(let inner) = kind { return inner.isAny }
        return isAny
    }

    var isList: Bool {
        if case .list = kind { true } else { false }
    }

    /// The schema of the innermost elements of a list or a dictionary; the schema itself if it is neither.
    var core: Schema {
        switch kind {
        case .list(let inner), .dictionary(let inner): inner.core
        default: self
        }
    }

    var modelID: ModelID? {
        if case .model(let id) = kind { id } else { nil }
    }

    /// Whether it is a model, or a list or a dictionary of models.
    var holdsModels: Bool { core.modelID != nil }

    /// Creates a schema.
    init(_ kind: Kind, isNullable: Bool = false, documentation: String? = nil, place: Place) {
        self.kind = kind
        self.isNullable = isNullable
        self.documentation = documentation
        self.place = place
    }
}

extension Schema: Hashable {
    /// Whether the values are of the same kind. Documentation, places and whether null is allowed may differ.
    static func == (left: Schema, right: Schema) -> Bool { left.kind == right.kind }

    func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

/// The Swift type of whole numbers. `Int` may have only 32 bits, as on some watches.
enum IntegerType: String, CaseIterable {
    case int = "Int"
    case int64 = "Int64"
    case uint32 = "UInt32"
    case uint64 = "UInt64"

    /// Chooses the type by the `format` of an integer. Smaller formats fit into `Int`.
    init(format: String) {
        switch format {
        case "int64": self = .int64
        case "uint32": self = .uint32
        case "uint64": self = .uint64
        default: self = .int
        }
    }

    /// Whether there are no negative values.
    var isUnsigned: Bool { self == .uint32 || self == .uint64 }

    /// The type that can hold the values of all given types: `Int64` for `Int` and `UInt32`. Nil if there is none, as
    /// for `Int` and `UInt64`.
    static func common(of types: Set<IntegerType>) -> IntegerType? {
        if types.count == 1 { return types.first }
        if types.allSatisfy(\.isUnsigned) { return .uint64 }
        return types.contains(.uint64) ? nil : .int64
    }
}

/// Values that need a Swift type of their own.
struct Model {
    /// The kind of the type.
    enum Kind {
        /// A struct.
        case object(Object)
        /// An enum of texts. A server may send others than the known ones.
        case texts([Text])
        /// An enum of numbers, whose ``Text/value`` is a Swift literal. The kind is that of the numbers.
        case numbers([Text], Schema.Kind)
        /// An enum with a case for each variant.
        case union(Union)
    }

    /// The name in the source, such as `simple-user`. A model that is described where it is used has none, and its type
    /// is named after the member or the parameter that uses it.
    var name: String?
    /// The title in the source, if it can serve as a name. It is only used if a type would otherwise get a general name
    /// or a number.
    var title: String?
    /// What the type is.
    var kind: Kind
    /// The description of the values in the source.
    var documentation: String?
    /// Whether it should not be used any longer.
    var isDeprecated = false
    /// The location of the model in the source.
    var place: Place
}

/// An object with named members.
struct Object {
    /// A member.
    struct Member {
        /// The name in JSON.
        var name: String
        /// Its values.
        var schema: Schema
        /// Whether it is always there.
        var isRequired: Bool
        /// Whether only responses have it.
        var isReadOnly = false
        /// Whether only requests have it.
        var isWriteOnly = false
    }

    /// The members by name.
    var members: [String: Member] = [:]
    /// The values of members with other names; nil if such members are ignored.
    var others: Schema?

    /// Creates an object.
    init(_ members: [Member] = [], others: Schema? = nil) {
        self.members = Dictionary(members.map { ($0.name, $0) }) { first, _ in first }
        self.others = others
    }
}

/// A known text or number of an enum.
struct Text {
    /// The text in JSON, or the number as a Swift literal.
    var value: String
    /// A name, if the source gives one.
    var name: String?
    /// The description of the text in the source.
    var documentation: String?
}

/// One of several kinds of values.
struct Union {
    /// A kind of value.
    struct Variant {
        /// Its values.
        var schema: Schema
        /// The values of the union's ``Union/tag`` that identify the variant.
        var tags: [Tag] = []
        /// A name, if the source gives one.
        var name: String?
    }

    /// The variants.
    var variants: [Variant]
    /// The member whose value identifies the variant; nil if variants are only distinguished by their members or types.
    var tag: String?
}

extension Union {
    /// Merges and removes variants that no reader of a value could tell apart:
    ///
    /// - If a variant allows any value, it is the only one.
    /// - All numbers become one variant, and so do all Booleans, and lists whose elements have one kind.
    /// - Beside a variant for any text, those for limited texts, such as a date, a constant or an enum, are dropped.
    func simplifiedVariants(in models: [ModelID: Model]) -> [Variant] {
        if let any = variants.first(where: \.schema.isAny) { return [any] }
        var result = Self.withoutEqualValues(variants)
        result = Self.withoutLimits(result, where: \.isNumber, in: models)
        result = Self.withoutLimits(result, where: \.isBoolean, in: models)
        // Variants that only differed in their limits are equal now.
        result = Self.withOneNumber(Self.withoutEqualValues(result))
        result = Self.withOneList(result, in: models)
        if result.contains(where: \.schema.isString) {
            result.removeAll { $0.schema.kind.isLimitedText(in: models) }
        }
        return result
    }

    /// Keeps the first of several variants with the same values.
    private static func withoutEqualValues(_ variants: [Variant]) -> [Variant] {
        var result: [Variant] = []
        for variant in variants where !result.contains(where: { $0.schema == variant.schema }) {
            result.append(variant)
        }
        return result
    }

    /// Removes the limits to some values from several variants for numbers, or for Booleans: two enums of numbers
    /// become two variants for any number. A single variant keeps its limits.
    private static func withoutLimits(
        _ variants: [Variant], where isOfType: (Schema.Kind) -> Bool, in models: [ModelID: Model]
    ) -> [Variant] {
        let indices = variants.indices.filter { isOfType(variants[$0].schema.kind.unlimited(in: models)) }
        if indices.count < 2 { return variants }
        var result = variants
        for index in indices { result[index].schema.kind = result[index].schema.kind.unlimited(in: models) }
        return result
    }

    /// Merges all variants for numbers into one, at the position of the first: a number of 32 bits, a text and a number
    /// of 64 bits become a number of 64 bits and a text. Equal variants must have been removed before.
    private static func withOneNumber(_ variants: [Variant]) -> [Variant] {
        let numbers = variants.filter(\.schema.kind.isNumber)
        guard numbers.count > 1, var number = numbers.first,
            let index = variants.firstIndex(where: \.schema.kind.isNumber)
        else { return variants }
        number.schema.kind = .commonNumber(of: numbers.map(\.schema.kind))
        var result = variants.filter { !$0.schema.kind.isNumber }
        result.insert(number, at: index)
        return result
    }

    /// Merges all variants for lists into one, at the position of the first, if their elements can be merged into one
    /// kind: a list of texts beside a list of some known texts becomes a list of texts.
    private static func withOneList(_ variants: [Variant], in models: [ModelID: Model]) -> [Variant] {
        var elements: [Variant] = []
        for variant in variants {
            if case .list(let element) = variant.schema.kind { elements.append(Variant(schema: element)) }
        }
        guard elements.count > 1, let index = variants.firstIndex(where: \.schema.isList) else { return variants }
        let merged = Union(variants: elements).simplifiedVariants(in: models)
        guard merged.count == 1, var element = merged.first?.schema else { return variants }
        element.isNullable = elements.contains { $0.schema.isNullable }
        var list = variants[index]
        list.schema.kind = .list(element)
        var result = variants.filter { !$0.schema.isList }
        result.insert(list, at: index)
        return result
    }

    /// The models of the variants that a tag does not identify: all if the union has no tag, and otherwise those that
    /// have no values of the tag, or the same ones as another variant.
    fileprivate var untaggedVariants: [ModelID] {
        var ids: [ModelID] = []
        for variant in variants {
            guard let id = variant.schema.modelID else { continue }
            let hasTags = tag != nil && !variant.tags.isEmpty
            let isIdentified = hasTags && isOnlyVariant(withTags: variant.tags)
            if !isIdentified { ids.append(id) }
        }
        return ids
    }

    /// Whether no two variants have these values of the tag.
    private func isOnlyVariant(withTags tags: [Tag]) -> Bool { variants.count { $0.tags == tags } == 1 }
}

extension Model {
    /// The variants of a union; empty if it is something else.
    var variants: [Union.Variant] {
        if case .union(let union) = kind { union.variants } else { [] }
    }

    /// The object of a struct; nil if the model is something else.
    var object: Object? {
        get {
            if case .object(let object) = kind { object } else { nil }
        }
        set {
            if let newValue { kind = .object(newValue) }
        }
    }

    /// The variants of a union that cannot be distinguished from others by a tag.
    var untaggedVariants: [ModelID] {
        if case .union(let union) = kind { union.untaggedVariants } else { [] }
    }
}

extension Schema.Kind {
    var isNumber: Bool {
        switch self {
        case .integer, .number, .unixTime: true
        default: false
        }
    }

    var isBoolean: Bool { self == .boolean }

    /// The kind that covers the numbers of all given kinds: `integer` if all of them are whole numbers that one Swift
    /// type can hold, otherwise `number`.
    static func commonNumber(of kinds: [Schema.Kind]) -> Schema.Kind {
        var types: Set<IntegerType> = []
        for kind in kinds {
            guard case .integer(let type) = kind else { return .number }
            types.insert(type)
        }
        guard let type = IntegerType.common(of: types) else { return .number }
        return .integer(type)
    }

    /// The kind without a limit to some numbers or to one Boolean: `number` for an enum of the numbers 0.5 and 1.5.
    /// Other kinds are returned unchanged.
    func unlimited(in models: [ModelID: Model]) -> Schema.Kind {
        switch self {
        case .fixed(_, let kind): return kind
        case .model(let id):
            if case .numbers(_, let kind)? = models[id]?.kind { return kind }
            return self
        default: return self
        }
    }

    /// The Swift literal of the only value; nil if there may be others.
    var onlyLiteral: String? {
        switch self {
        case .constant(let text): Lines.literal(text)
        case .fixed(let literal, let kind): Self.literal(literal, of: kind)
        default: nil
        }
    }

    /// A number as code. One that an `Int` of 32 bits cannot represent names its type, since Swift takes other whole
    /// numbers for an `Int`: `UInt64(5_000_000_000)`.
    private static func literal(_ number: String, of kind: Schema.Kind) -> String {
        let literal = Lines.number(number)
        guard case .integer(let type) = kind, type != .int, Int32(number) == nil else { return literal }
        return "\(type.rawValue)(\(literal))"
    }

    /// Whether the values are texts of a limited form: a constant, a date or an enum.
    func isLimitedText(in models: [ModelID: Model]) -> Bool {
        switch self {
        case .constant, .date: return true
        case .model(let id):
            // An enum of texts.
            if case .texts? = models[id]?.kind { return true }
            return false
        default: return false
        }
    }
}
