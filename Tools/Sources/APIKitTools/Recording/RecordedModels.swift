import OpenAPIRules

/// The models of a recording, inferred from its values. Objects with the same members share a model.
struct RecordedModels {
    private(set) var models: [ModelID: Model] = [:]
    /// The models with the same names of members, by these names in alphabetical order.
    private var idsByMemberNames: [[String]: [ModelID]] = [:]
    private var takenNames: Set<String> = []

    /// Infers the schema of values that were recorded in the same place, and adds the objects among them to the models.
    ///
    /// - Parameters:
    ///   - nodes: The values.
    ///   - id: The place, such as `GET https://api.example/users 200`. A model that is found there has this identifier,
    ///     and one that is found within a member has it with the member's name at its end.
    ///   - name: The name that the model gets if no other has it.
    ///   - place: The location in the recording for notes.
    /// - Returns: The schema.
    mutating func schema(of nodes: [Node], id: ModelID, name: String? = nil, at place: Place) -> Schema {
        let seen = SeenValues(nodes)
        switch seen.kindNames.count {
        case 0:
            // All values were null, so their kind is unknown.
            return Schema(.any, isNullable: true, place: place)
        case 1:
            let kind = kind(of: seen, id: id, name: name, at: place)
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
        private(set) var objects: [Node.Members] = []

        /// Sorts values by kind. The elements of all lists are put together, as if there were one list.
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

    /// The kind of values that are all of the same kind or null. Objects are added to the models.
    private mutating func kind(of seen: SeenValues, id: ModelID, name: String?, at place: Place) -> Schema.Kind {
        if seen.hasBooleans { return .boolean }
        if !seen.texts.isEmpty { return Self.kind(ofTexts: seen.texts) }
        if !seen.numbers.isEmpty { return Self.kind(ofNumbers: seen.numbers) }
        if !seen.objects.isEmpty { return kind(ofObjects: seen.objects, id: id, name: name, at: place) }
        // All values are lists, which may be empty.
        return .list(schema(of: seen.elements, id: "\(id)/0", name: name, at: place))
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
        return .integer(areLong ? .int64 : .int)
    }

    /// The kind of objects: a dictionary if the names of all members are identifiers, as in `{"17": …, "18": …}`, since
    /// such names are data; otherwise a model, which is added to the models.
    private mutating func kind(
        ofObjects objects: [Node.Members], id: ModelID, name: String?, at place: Place
    ) -> Schema.Kind {
        let memberNames = Set(objects.flatMap(\.keys)).sorted()
        // Empty objects, of which no member is known, become dictionaries too.
        let areNamesData = memberNames.allSatisfy(\.looksLikeIdentifier)
        if areNamesData {
            return .dictionary(schema(of: objects.flatMap(\.values), id: "\(id)/*", at: place))
        }
        var members: [Object.Member] = []
        for memberName in memberNames {
            let values = objects.compactMap { $0[memberName] }
            let schema = schema(of: values, id: "\(id)/\(memberName)", at: place)
            let isInEachObject = values.count == objects.count
            members.append(Object.Member(name: memberName, schema: schema, isRequired: isInEachObject))
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

    /// Adds a model for an object, or merges the object with the model of an earlier one that has the same members. The
    /// model gets the name if it has none, and if the name is not taken.
    ///
    /// - Returns: The identifier of the model.
    private mutating func add(_ object: Object, id: ModelID, name: String?, place: Place) -> ModelID {
        let modelID: ModelID
        if let earlierID = mergeIntoEarlierModel(object) {
            modelID = earlierID
        } else {
            models[id] = Model(kind: .object(object), place: place)
            idsByMemberNames[object.memberNames, default: []].append(id)
            modelID = id
        }
        // A name is only given once. A later model that wants the same one stays unnamed here.
        let needsName = models[modelID]?.name == nil
        if let name, needsName, !takenNames.contains(name) {
            takenNames.insert(name)
            models[modelID]?.name = name
        }
        return modelID
    }

    /// Merges an object into the first model that has the same names of members, and members of kinds that can be
    /// merged. Returns the model's identifier; nil if there is no such model.
    private mutating func mergeIntoEarlierModel(_ object: Object) -> ModelID? {
        for id in idsByMemberNames[object.memberNames] ?? [] {
            if let merged = models[id]?.object?.merged(with: object) {
                models[id]?.object = merged
                return id
            }
        }
        return nil
    }
}

extension Object {
    fileprivate var memberNames: [String] { members.keys.sorted() }

    /// Merges two objects that have the same names of members. A member of the result may be absent or null if that is
    /// so in one of them. Returns nil if the values of a member have no common kind.
    fileprivate func merged(with other: Object) -> Object? {
        var result = self
        for (name, otherMember) in other.members {
            guard var member = members[name] else { return nil }
            guard let mergedSchema = member.schema.merged(with: otherMember.schema) else { return nil }
            member.schema = mergedSchema
            member.isRequired = member.isRequired && otherMember.isRequired
            result.members[name] = member
        }
        return result
    }
}

extension Schema {
    /// Returns a schema that the values of both have; nil if they have no common kind.
    fileprivate func merged(with other: Schema) -> Schema? {
        guard let mergedKind = mergedKind(with: other) else { return nil }
        var result = self
        result.kind = mergedKind
        result.isNullable = isNullable || other.isNullable
        return result
    }

    /// Returns the common kind of both; nil if there is none. If all values of one were null, it is that of the other.
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
    /// does. Lists and dictionaries are merged by the schemas of their elements.
    fileprivate func merged(with other: Schema.Kind) -> Schema.Kind? {
        switch (self, other) {
        case (.integer(let type), .integer(let otherType)): .integer(type == otherType ? type : .int64)
        case (.integer, .number), (.number, .integer): .number
        case (.date, .string), (.string, .date): .string
        case (.list(let element), .list(let otherElement)):
            element.merged(with: otherElement).map { .list($0) }
        case (.dictionary(let element), .dictionary(let otherElement)):
            element.merged(with: otherElement).map { .dictionary($0) }
        default: self == other ? self : nil
        }
    }
}
