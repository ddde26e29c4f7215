/// The models of a recording, inferred from its values. Objects with the same members share a model.
struct RecordedModels {
    private(set) var models: [ModelID: Model] = [:]
    /// The models with the same names of members, by these names in alphabetical order.
    private var idsByMemberNames: [[String]: [ModelID]] = [:]
    private var takenNames: Set<String> = []

    /// Returns the schema of values that were recorded in the same place. Objects are added to the models.
    ///
    /// - Parameters:
    ///   - nodes: The values.
    ///   - id: The place, such as `GET https://api.example/users 200`. A model that is found there has this identifier,
    ///     and one that is found within a member has it with the member's name at its end.
    ///   - name: The name that the model gets if no other has it.
    ///   - place: The location in the recording for notes.
    /// - Returns: The schema.
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

        /// Sorts values by kind.
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

    /// The kind of texts: files, dates if all of them are, otherwise strings.
    private static func kind(ofTexts texts: [String]) -> Schema.Kind {
        if texts.contains(Archive.Exchange.filePlaceholder) { return .bytes }
        return texts.allSatisfy(isDate) ? .date : .string
    }

    /// The kind of numbers: integers if all of them are, long ones if one of them has more than 32 bits.
    private static func kind(ofNumbers numbers: [String]) -> Schema.Kind {
        let integers = numbers.compactMap { Int64($0) }
        guard integers.count == numbers.count else { return .number }
        let areLong = integers.contains { Int32(exactly: $0) == nil }
        return .integer(isLong: areLong)
    }

    /// The kind of objects: a dictionary if the names of all members are identifiers, as in `{"17": …, "18": …}`, since
    /// such names are data; otherwise a model.
    private mutating func kind(
        ofObjects objects: [[String: Node]], _ id: ModelID, _ name: String?, _ place: Place
    ) -> Schema.Kind {
        let memberNames = Set(objects.flatMap(\.keys)).sorted()
        // This is also true of empty objects, of which no member is known.
        let areNamesData = memberNames.allSatisfy(\.looksLikeIdentifier)
        if areNamesData {
            return .dictionary(schema(of: objects.flatMap(\.values), "\(id)/*", at: place))
        }
        var members: [Object.Member] = []
        for memberName in memberNames {
            let values = objects.compactMap { $0[memberName] }
            let schema = schema(of: values, "\(id)/\(memberName)", at: place)
            let isRequired = values.count == objects.count
            members.append(Object.Member(name: memberName, schema: schema, isRequired: isRequired))
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

    /// Adds a model for an object, or merges the object with an earlier one that has the same members.
    ///
    /// - Returns: The identifier of the model.
    private mutating func add(_ object: Object, id: ModelID, name: String?, place: Place) -> ModelID {
        let modelID: ModelID
        if let earlier = merge(object) {
            modelID = earlier
        } else {
            models[id] = Model(kind: .object(object), place: place)
            idsByMemberNames[object.memberNames, default: []].append(id)
            modelID = id
        }
        // The first model that wants a name gets it.
        let needsName = models[modelID]?.name == nil
        if let name, needsName, !takenNames.contains(name) {
            takenNames.insert(name)
            models[modelID]?.name = name
        }
        return modelID
    }

    /// Merges an object with the first model that has the same members, of kinds that can be merged. Returns the model's
    /// identifier; nil if there is none.
    private mutating func merge(_ object: Object) -> ModelID? {
        for id in idsByMemberNames[object.memberNames] ?? [] {
            guard let merged = models[id]?.object?.merged(with: object) else { continue }
            models[id]?.object = merged
            return id
        }
        return nil
    }
}

extension Object {
    fileprivate var memberNames: [String] { members.keys.sorted() }

    /// Merges two objects with the same names of members. A member becomes optional or nullable if it is so in one of
    /// them. Returns nil if the values of a member have no common kind.
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
    /// Returns a schema with the values of both; nil if they have no common kind.
    fileprivate func merged(with other: Schema) -> Schema? {
        guard let mergedKind = mergedKind(with: other) else { return nil }
        var result = self
        result.kind = mergedKind
        result.isNullable = isNullable || other.isNullable
        return result
    }

    /// Returns the kind of both; that of the other one if all values of one were null.
    private func mergedKind(with other: Schema) -> Kind? {
        if isOnlyNull { return other.kind }
        if other.isOnlyNull { return kind }
        return kind.merged(with: other.kind)
    }

    /// Whether all recorded values were null, so that the kind is unknown.
    private var isOnlyNull: Bool { isAny && isNullable }
}

extension Schema.Kind {
    /// Returns the kind that covers the values of both, such as a number for integers and numbers; nil if only `any`
    /// does.
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
