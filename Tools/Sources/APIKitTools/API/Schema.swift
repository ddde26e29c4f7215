/// What identifies a model among those of its API. It never appears in the code.
typealias ModelID = String

/// The values of a parameter, a body or a member, before they have a Swift type.
struct Schema {
    /// What the values are.
    indirect enum Kind: Equatable {
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
    /// What they mean, as the source says it.
    var documentation: String?
    /// Whether they should not be used any longer.
    var isDeprecated = false
    /// Where they are described.
    var place: Place

    var isAny: Bool { kind == .any }
    var isBytes: Bool { kind == .bytes }
    var isString: Bool { kind == .string }

    var isList: Bool {
        if case .list = kind { true } else { false }
    }

    /// What a list or a dictionary holds, at any depth; the schema itself if it is neither.
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

extension Schema: Equatable {
    /// Whether the values are of the same kind, whatever is said about them; one of the two may allow null.
    static func == (left: Schema, right: Schema) -> Bool { left.kind == right.kind }
}

/// What needs a Swift type of its own.
struct Model {
    /// What the type is.
    enum Kind {
        /// A struct.
        case object(Object)
        /// Texts of which some are known.
        case texts([Text])
        /// An enum with a case for each variant.
        case union(Union)
    }

    /// The name that the source gives it, such as `simple-user`; nil if it is described where it is used, and so named
    /// after the member or parameter that uses it.
    var name: String?
    /// What the source calls it, if that can be a name: for types that would otherwise have none or a number.
    var title: String?
    /// What the type is.
    var kind: Kind
    /// What it means, as the source says it.
    var documentation: String?
    /// Whether it should not be used any longer.
    var isDeprecated = false
    /// Where it is described.
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
    /// What it means.
    var documentation: String?
}

/// One of several kinds of values.
struct Union {
    /// A kind of value.
    struct Variant {
        /// Its values.
        var schema: Schema
        /// The values of the union's ``Union/tag`` that stand for it.
        var tags: [String] = []
        /// A name, if the source gives one.
        var name: String?
    }

    /// The variants.
    var variants: [Variant]
    /// The member whose text says which variant a value is; nil if its shape does.
    var tag: String?
}

extension Union {
    /// The variants without those whose values others have too: numbers are one variant, and so are texts if they can
    /// be any. If one variant has all values, it is the only one.
    func simplifiedVariants(in models: [ModelID: Model]) -> [Variant] {
        if let any = variants.first(where: \.schema.isAny) { return [any] }
        var result: [Variant] = []
        for variant in variants where !result.contains(where: { $0.schema == variant.schema }) {
            result.append(variant)
        }
        result = Self.withOneNumber(result)
        if result.contains(where: \.schema.isString) {
            result.removeAll { $0.schema.kind.isText(in: models) }
        }
        return result
    }

    /// The variants with one in place of several numbers, where the first of them is.
    private static func withOneNumber(_ variants: [Variant]) -> [Variant] {
        let numbers = variants.filter(\.schema.kind.isNumber)
        guard numbers.count > 1, var number = numbers.first,
            let index = variants.firstIndex(where: \.schema.kind.isNumber)
        else { return variants }
        let areWhole = numbers.allSatisfy { variant in
            if case .integer = variant.schema.kind { true } else { false }
        }
        number.schema.kind = areWhole ? .integer(isLong: true) : .number
        var result = variants.filter { !$0.schema.kind.isNumber }
        result.insert(number, at: index)
        return result
    }

    /// The models that no tag tells apart from others.
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

    /// What the struct has; nil if it is something else.
    var object: Object? {
        get {
            if case .object(let object) = kind { object } else { nil }
        }
        set {
            if let newValue { kind = .object(newValue) }
        }
    }

    /// The variants of a union that no tag tells apart from others.
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

    /// Whether every value is a text, but not every text a value.
    func isText(in models: [ModelID: Model]) -> Bool {
        switch self {
        case .constant, .date: return true
        case .model(let id):
            if case .texts? = models[id]?.kind { return true }
            return false
        default: return false
        }
    }
}
