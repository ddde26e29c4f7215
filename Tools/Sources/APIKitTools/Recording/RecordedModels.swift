/// The models of a recording, as the values in it show them. Objects with the same members are the same.
struct RecordedModels {
    private(set) var models: [ModelID: Model] = [:]
    private var ids: [[String]: [ModelID]] = [:]
    private var names: Set<String> = []

    /// The schema of values that were seen in one place; objects become models.
    mutating func schema(of nodes: [Node], _ id: ModelID, name: String? = nil, at place: Place) -> Schema {
        var kinds: Set<String> = []
        for node in nodes { kinds.insert(node.kindName) }
        let isNullable = kinds.remove(Node(.null).kindName) != nil
        // Nothing is known of what is always null; and what is of several kinds may be null, too.
        guard !kinds.isEmpty else { return Schema(.any, isNullable: true, place: place) }
        let kind = kinds.count > 1 ? .any : kind(of: nodes, id, name, place)
        return Schema(kind, isNullable: isNullable && kinds.count == 1, place: place)
    }

    /// The kind of values that are of one kind, or null.
    private mutating func kind(of nodes: [Node], _ id: ModelID, _ name: String?, _ place: Place) -> Schema.Kind {
        var (texts, numbers, elements, objects): ([String], [String], [Node], [[String: Node]]) = ([], [], [], [])
        for node in nodes {
            switch node.content {
            case .null: break
            case .boolean: return .boolean
            case .text(let text): texts.append(text)
            case .number(let number): numbers.append(number)
            case .list(let inner): elements += inner
            case .object(let members): objects.append(members)
            }
        }
        if texts.contains(Archive.Exchange.file) { return .bytes }
        if !texts.isEmpty { return texts.allSatisfy(Self.isDate) ? .date : .string }
        if !numbers.isEmpty {
            let integers = numbers.compactMap { Int64($0) }
            let isLong = integers.contains { Int32(exactly: $0) == nil }
            return integers.count == numbers.count ? .integer(isLong: isLong) : .number
        }
        guard !objects.isEmpty else { return .list(schema(of: elements, "\(id)/0", name: name, at: place)) }
        let members = Set(objects.flatMap(\.keys)).sorted()
        // Names that are data.
        if members.allSatisfy(Route.isIdentifier) {
            return .dictionary(schema(of: objects.flatMap(\.values), "\(id)/*", at: place))
        }
        return .model(
            add(
                Object(
                    members.map { name in
                        let values = objects.compactMap { $0[name] }
                        let schema = schema(of: values, "\(id)/\(name)", at: place)
                        return Object.Member(name: name, schema: schema, isRequired: values.count == objects.count)
                    }), id: id, name: name, place: place))
    }

    /// A moment as the library's decoder reads it (RFC 3339).
    private static func isDate(_ text: String) -> Bool {
        let day = /[12]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])/
        let time = /[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+\-]([01]\d|2[0-3]):[0-5]\d)/
        return text.prefix(10).wholeMatch(of: day) != nil && text.dropFirst(10).wholeMatch(of: time) != nil
    }

    /// Adds an object.
    ///
    /// - Returns: The identifier of the model, which may be that of an earlier one with the same members.
    private mutating func add(_ object: Object, id: ModelID, name: String?, place: Place) -> ModelID {
        let members = object.members.keys.sorted()
        var known = id
        for other in ids[members] ?? [] where known == id {
            guard let merged = models[other]?.object?.merged(with: object) else { continue }
            models[other]?.object = merged
            known = other
        }
        if known == id {
            models[id] = Model(kind: .object(object), place: place)
            ids[members, default: []].append(id)
        }
        if models[known]?.name == nil, let name, names.insert(name).inserted { models[known]?.name = name }
        return known
    }
}

extension Object {
    /// The same members, optional and nullable where they are so in either; nil if their kinds differ.
    fileprivate func merged(with other: Object) -> Object? {
        var result = self
        for (name, member) in other.members {
            guard var own = members[name], let schema = own.schema.merged(with: member.schema) else { return nil }
            own.schema = schema
            own.isRequired = own.isRequired && member.isRequired
            result.members[name] = own
        }
        return result
    }
}

extension Schema {
    fileprivate func merged(with other: Schema) -> Schema? {
        var result = self
        result.isNullable = isNullable || other.isNullable
        let kind = isOnlyNull ? other.kind : other.isOnlyNull ? kind : kind.merged(with: other.kind)
        guard let kind else { return nil }
        result.kind = kind
        return result
    }

    /// Nothing is known of what was always null.
    private var isOnlyNull: Bool { isAny && isNullable }
}

extension Schema.Kind {
    /// The kind that has the values of both; nil if there is none but any.
    fileprivate func merged(with other: Schema.Kind) -> Schema.Kind? {
        switch (self, other) {
        case (.integer(let isLong), .integer(let isOtherLong)): .integer(isLong: isLong || isOtherLong)
        case (.integer, .number), (.number, .integer): .number
        case (.date, .string), (.string, .date): .string
        case (.list(let inner), .list(let otherInner)): inner.merged(with: otherInner).map { .list($0) }
        case (.dictionary(let inner), .dictionary(let otherInner)):
            inner.merged(with: otherInner).map { .dictionary($0) }
        default: self == other ? self : nil
        }
    }
}
