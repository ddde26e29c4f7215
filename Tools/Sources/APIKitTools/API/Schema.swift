/// The identifier of a model in its API. It never appears in the code.
typealias ModelID = String

/// The values of a parameter, a body or a member, before they have a Swift type.
struct Schema {
    /// What the values are.
    indirect enum Kind: Hashable {
        /// Any JSON.
        case any
        case boolean
        /// A whole number, and whether it may need more than 32 bits by its format.
        case integer(isLong: Bool)
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

/// Values that need a Swift type of their own.
struct Model {
    /// The kind of the type.
    enum Kind {
        /// A struct.
        case object(Object)
        /// An enum of texts. A server may send others than the known ones.
        case texts([Text])
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

/// A known text of an enum.
struct Text {
    /// The text in JSON.
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
        var tags: [String] = []
        /// A name, if the source gives one.
        var name: String?
    }

    /// The variants.
    var variants: [Variant]
    /// The member whose text identifies the variant; nil if variants are only distinguished by their members or types.
    var tag: String?
}

extension Union {
    /// Removes redundant variants. All kinds of numbers become one variant. Beside a variant for any text, those for
    /// limited texts, such as a date, a constant or an enum, are dropped. If a variant allows any value, it is the only
    /// one.
    func simplifiedVariants(in models: [ModelID: Model]) -> [Variant] {
        if let any = variants.first(where: \.schema.isAny) { return [any] }
        var result: [Variant] = []
        for variant in variants where !result.contains(where: { $0.schema == variant.schema }) {
            result.append(variant)
        }
        result = Self.withOneNumber(result)
        if result.contains(where: \.schema.isString) {
            result.removeAll { $0.schema.kind.isLimitedText(in: models) }
        }
        return result
    }

    /// Merges all variants for numbers into one, at the position of the first: a number of 32 bits, a text and a number
    /// of 64 bits become a number of 64 bits and a text. Equal variants must have been removed before.
    private static func withOneNumber(_ variants: [Variant]) -> [Variant] {
        let numbers = variants.filter(\.schema.kind.isNumber)
        guard numbers.count > 1, var number = numbers.first,
            let index = variants.firstIndex(where: \.schema.kind.isNumber)
        else { return variants }
        let areWhole = numbers.allSatisfy { variant in
            if case .integer = variant.schema.kind { true } else { false }
        }
        // No two variants are equal, so one of several whole numbers is long.
        number.schema.kind = areWhole ? .integer(isLong: true) : .number
        var result = variants.filter { !$0.schema.kind.isNumber }
        result.insert(number, at: index)
        return result
    }

    /// The models that cannot be distinguished from others by a tag.
    fileprivate var untaggedVariants: [ModelID] {
        variants.compactMap { variant in
            guard let id = variant.schema.modelID else { return nil }
            let hasOwnTags = !variant.tags.isEmpty && variants.count { $0.tags == variant.tags } == 1
            return tag != nil && hasOwnTags ? nil : id
        }
    }
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
