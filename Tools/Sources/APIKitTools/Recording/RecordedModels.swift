/// The models of a recording, inferred from its values. Objects with the same members share a model.
struct RecordedModels {
    private(set) var models: [ModelID: Model] = [:]
    private var ids: [[String]: [ModelID]] = [:]
    private var names: Set<String> = []

    /// The schema of values that were recorded in the same place. Objects are added to the models.
    mutating func schema(of nodes: [Node], _ id: ModelID, name: String? = nil, at place: Place) -> Schema {
        let seen = SeenValues(nodes)
        switch seen.kindNames.count {
        case 0:
            // All values were null, so their kind is unknown.
            return Schema(.any, isNullable: true, place: place)
        case 1:
            let kind = kind(of: seen, id, name, place)
            return Schema(kind, isNullable: seen.hasNull, place: place)
        default:
            // Values of several kinds are read as any JSON, which includes null.
            return Schema(.any, place: place)
        }
    }

    /// The values that were recorded in one place, by kind.
    private struct SeenValues {
        /// The kinds of values, other than null.
        private(set) var kindNames: Set<String> = []
        private(set) var hasNull = false
        private(set) var hasBooleans = false
        private(set) var texts: [String] = []
        private(set) var numbers: [String] = []
        /// The elements of all lists.
        private(set) var elements: [Node] = []
        private(set) var objects: [[String: Node]] = []

        init(_ nodes: [Node]) {
            for node in nodes {
                if node.content != .null { kindNames.insert(node.kindName) }
                switch node.content {
                case .null: hasNull = true
                case .boolean: hasBooleans = true
                case .text(let text): texts.append(text)
                case .number(let number): numbers.append(number)
                case .list(let inner): elements += inner
                case .object(let members): objects.append(members)
                }
            }
        }
    }

    /// The kind of values that are all of the same kind or null.
    private mutating func kind(of seen: SeenValues, _ id: ModelID, _ name: String?, _ place: Place) -> Schema.Kind {
        if seen.hasBooleans { return .boolean }
        if !seen.texts.isEmpty { return Self.kind(ofTexts: seen.texts) }
        if !seen.numbers.isEmpty { return Self.kind(ofNumbers: seen.numbers) }
        if !seen.objects.isEmpty { return kind(ofObjects: seen.objects, id, name, place) }
        return .list(schema(of: seen.elements, "\(id)/0", name: name, at: place))
    }

    private static func kind(ofTexts texts: [String]) -> Schema.Kind {
        if texts.contains(Archive.Exchange.filePlaceholder) { return .bytes }
        return texts.allSatisfy(isDate) ? .date : .string
    }

    private static func kind(ofNumbers numbers: [String]) -> Schema.Kind {
        let integers = numbers.compactMap { Int64($0) }
        guard integers.count == numbers.count else { return .number }
        let areLong = integers.contains { Int32(exactly: $0) == nil }
        return .integer(isLong: areLong)
    }

    private mutating func kind(
        ofObjects objects: [[String: Node]], _ id: ModelID, _ name: String?, _ place: Place
    ) -> Schema.Kind {
        let names = Set(objects.flatMap(\.keys)).sorted()
        let areNamesData = names.allSatisfy(Route.isIdentifier)
        if areNamesData {
            return .dictionary(schema(of: objects.flatMap(\.values), "\(id)/*", at: place))
        }
        var members: [Object.Member] = []
        for name in names {
            let values = objects.compactMap { $0[name] }
            let schema = schema(of: values, "\(id)/\(name)", at: place)
            let isRequired = values.count == objects.count
            members.append(Object.Member(name: name, schema: schema, isRequired: isRequired))
        }
        return .model(add(Object(members), id: id, name: name, place: place))
    }

    /// Whether a text is a date in the form that the library's decoder reads (RFC 3339). Days after the 28th are left
    /// out, since not every month has them.
    private static func isDate(_ text: String) -> Bool {
        let day = /[12]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])/
        let time = /[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+\-]([01]\d|2[0-3]):[0-5]\d)/
        guard text.prefix(10).wholeMatch(of: day) != nil else { return false }
        return text.dropFirst(10).wholeMatch(of: time) != nil
    }

    /// Adds an object.
    ///
    /// - Returns: The identifier of the model. If an earlier model has the same members, the object is merged with it.
    private mutating func add(_ object: Object, id: ModelID, name: String?, place: Place) -> ModelID {
        let result: ModelID
        if let earlier = merge(object) {
            result = earlier
        } else {
            models[id] = Model(kind: .object(object), place: place)
            ids[object.memberNames, default: []].append(id)
            result = id
        }
        if let name, models[result]?.name == nil, names.insert(name).inserted {
            models[result]?.name = name
        }
        return result
    }

    /// Merges an object with the first model that has the same members; nil if there is none.
    private mutating func merge(_ object: Object) -> ModelID? {
        for id in ids[object.memberNames] ?? [] {
            guard let merged = models[id]?.object?.merged(with: object) else { continue }
            models[id]?.object = merged
            return id
        }
        return nil
    }
}

extension Object {
    fileprivate var memberNames: [String] { members.keys.sorted() }

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
    /// A schema with the values of both; nil if their kinds differ.
    fileprivate func merged(with other: Schema) -> Schema? {
        guard let mergedKind = mergedKind(with: other) else { return nil }
        var result = self
        result.kind = mergedKind
        result.isNullable = isNullable || other.isNullable
        return result
    }

    private func mergedKind(with other: Schema) -> Kind? {
        if isOnlyNull { return other.kind }
        if other.isOnlyNull { return kind }
        return kind.merged(with: other.kind)
    }

    /// Whether all recorded values were null, so that the kind is unknown.
    private var isOnlyNull: Bool { isAny && isNullable }
}

extension Schema.Kind {
    /// The kind that covers the values of both; nil if only `any` does.
    fileprivate func merged(with other: Schema.Kind) -> Schema.Kind? {
        switch (self, other) {
        case (.integer(let isLong), .integer(let isOtherLong)): .integer(isLong: isLong || isOtherLong)
        case (.integer, .number), (.number, .integer): .number
        case (.date, .string), (.string, .date): .string
        case (.list(let inner), .list(let otherInner)):
            inner.merged(with: otherInner).map { .list($0) }
        case (.dictionary(let inner), .dictionary(let otherInner)):
            inner.merged(with: otherInner).map { .dictionary($0) }
        default: self == other ? self : nil
        }
    }
}
