/// Models by their identifiers. The stages of a plan that add models, or change some, have their own.
typealias Models = [ModelID: Model]

extension Models {
    /// The model of a schema; nil if it needs no type of its own.
    func model(_ schema: Schema) -> Model? {
        guard case .model(let id) = schema.kind else { return nil }
        return self[id]
    }

    /// The object of a schema; nil if it is something else.
    func object(_ schema: Schema) -> Object? { model(schema)?.object }

    /// Whether a schema is of a kind, or contains a schema of that kind at any depth: in its elements, its members or
    /// its variants.
    func contains(in schema: Schema, _ isKind: (Schema.Kind) -> Bool) -> Bool {
        var known: Set<ModelID> = []
        var work = [schema]
        while let next = work.popLast() {
            if isKind(next.kind) { return true }
            switch next.kind {
            case .list(let inner), .dictionary(let inner):
                work.append(inner)
            case .model(let id):
                let isNew = known.insert(id).inserted
                if isNew { work += self[id]?.schemas.map(\.schema) ?? [] }
            default:
                break
            }
        }
        return false
    }

    /// Whether values are objects in JSON, dictionaries among them, or lists of these. A union counts as an object if
    /// all of its variants are objects.
    func holdsObjects(_ schema: Schema) -> Bool {
        switch schema.kind {
        case .dictionary: return true
        case .list(let element): return holdsObjects(element)
        default: break
        }
        switch model(schema)?.kind {
        case .object: return true
        case .union(let union): return union.variants.allSatisfy { object($0.schema) != nil }
        case .texts, .numbers, nil: return false
        }
    }

    /// Sorts models by their names in the description, so that the names that are chosen for their types do not depend
    /// on the order of the description. Models without a name come last.
    func sortedByName(_ ids: [ModelID]) -> [ModelID] {
        return ids.map { NameKey(name: self[$0]?.name, id: $0) }.sorted().map(\.id)
    }
}

/// What models are sorted by.
private struct NameKey: Comparable {
    /// The name in the description; nil if there is none.
    let name: String?
    let id: ModelID

    static func < (first: NameKey, second: NameKey) -> Bool {
        guard let firstName = first.name else { return second.name == nil && first.id < second.id }
        guard let secondName = second.name else { return true }
        return (firstName, first.id) < (secondName, second.id)
    }
}

extension Model {
    /// The schemas of an object's members, sorted by name, or of a union's variants, each with a name. Empty for an
    /// enum of texts or numbers.
    var schemas: [(name: String, schema: Schema)] {
        switch kind {
        case .object(let object):
            object.members.values.map { ($0.name, $0.schema) }.sorted { $0.0 < $1.0 }
        case .texts, .numbers: []
        case .union(let union):
            union.variants.map { ($0.nameOrWord, $0.schema) }
        }
    }
}

extension Union.Variant {
    /// The name of the variant, or else its first tag if that is a text, or else the word for the kind of its values,
    /// such as `string`.
    fileprivate var nameOrWord: String { name ?? tags.first?.text ?? schema.kind.word }
}

extension Schema.Kind {
    /// A word for a value that has no name of its own: `int` for a whole number, `strings` for a list of texts, and
    /// `string lists` for a list of such lists.
    var word: String {
        switch self {
        case .any: "value"
        case .boolean: "bool"
        case .integer: "int"
        case .number: "number"
        case .string: "string"
        case .constant(let text): text
        case .fixed(_, let kind): kind.word
        case .date, .unixTime: "date"
        case .bytes: "data"
        case .list(let inner) where inner.modelID != nil: "items"
        case .list(let inner) where inner.isList: "\(Words.singular(inner.kind.word)) lists"
        case .list(let inner): Words(words: [inner.kind.word]).plural.words[0]
        case .dictionary: "dictionary"
        case .model: "object"
        }
    }
}
