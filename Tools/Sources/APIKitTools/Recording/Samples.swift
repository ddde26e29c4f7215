/// The values that were seen in one place, from which their schema follows.
final class Samples {
    /// Any of them, to say where they are.
    private let place: Place
    private var count = 0
    private var nulls = 0
    private var kinds: Set<String> = []
    private var isDate = true
    private var isLong = false
    private var element: Samples?
    private var members: [String: Samples] = [:]
    private var objects = 0

    init(at place: Place) { self.place = place }

    func add(_ node: Node) {
        count += 1
        switch node.content {
        case .null: nulls += 1
        case .boolean: kinds.insert("boolean")
        case .number(let text):
            let number = Int64(text)
            kinds.insert(number == nil ? "number" : "integer")
            isLong = isLong || number.map { Int32(exactly: $0) == nil } ?? false
        case .text(Archive.Exchange.file): kinds.insert("file")
        case .text(let text):
            kinds.insert("string")
            isDate = isDate && Self.isDate(text)
        case .list(let nodes):
            kinds.insert("list")
            let element = element ?? Samples(at: place)
            for node in nodes { element.add(node) }
            self.element = element
        case .object(let own):
            kinds.insert("object")
            objects += 1
            for (name, node) in own {
                let member = members[name] ?? Samples(at: place)
                member.add(node)
                members[name] = member
            }
        }
    }

    /// The values of names that are data, as one.
    private func merged() -> Samples {
        let all = Samples(at: place)
        for member in members.values { all.merge(member) }
        return all
    }

    private func merge(_ other: Samples) {
        (count, nulls, objects) = (count + other.count, nulls + other.nulls, objects + other.objects)
        kinds.formUnion(other.kinds)
        (isDate, isLong) = (isDate && other.isDate, isLong || other.isLong)
        if let inner = other.element {
            let element = element ?? Samples(at: place)
            element.merge(inner)
            self.element = element
        }
        for (name, inner) in other.members {
            let member = members[name] ?? Samples(at: place)
            member.merge(inner)
            members[name] = member
        }
    }

    /// A moment as the library's decoder reads it (RFC 3339).
    private static func isDate(_ text: String) -> Bool {
        let pattern =
            /[12]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+\-]([01]\d|2[0-3]):[0-5]\d)/
        return text.wholeMatch(of: pattern) != nil
    }

    // MARK: - Schemas

    /// The schema of the values; objects become models.
    func schema(_ id: ModelID, name: String? = nil, in models: inout RecordedModels) -> Schema {
        // Nothing is known of what is always null; and what is of several kinds may be null, too.
        guard count > nulls else { return Schema(.any, isNullable: true, place: place) }
        let schema = Schema(kind(id, name, &models), isNullable: nulls > 0, place: place)
        if schema.isAny { return Schema(.any, place: place) }
        return schema
    }

    private func kind(_ id: ModelID, _ name: String?, _ models: inout RecordedModels) -> Schema.Kind {
        switch kinds {
        case ["boolean"]: return .boolean
        case ["file"]: return .bytes
        case ["integer"]: return .integer(isLong: isLong)
        case ["number"], ["number", "integer"]: return .number
        case ["string"]: return isDate ? .date : .string
        case ["list"]:
            let element = element.map { $0.schema("\(id)/0", name: name, in: &models) }
            return .list(element ?? Schema(.any, place: place))
        case ["object"]:
            guard !members.isEmpty else { return .dictionary(Schema(.any, place: place)) }
            let areData = members.keys.allSatisfy { Route.isIdentifier($0) }
            if areData { return .dictionary(merged().schema("\(id)/*", in: &models)) }
            return .model(models.add(object(id, &models), id: id, name: name, place: place))
        default: return .any
        }
    }

    private func object(_ id: ModelID, _ models: inout RecordedModels) -> Object {
        Object(
            members.sorted { $0.key < $1.key }.map { name, samples in
                let schema = samples.schema("\(id)/\(name)", in: &models)
                return Object.Member(name, schema, isRequired: samples.count == objects)
            })
    }
}

/// The models of a recording, each once: objects with the same members are the same.
struct RecordedModels {
    private(set) var models: [ModelID: Model] = [:]
    private var ids: [[String]: [ModelID]] = [:]
    private var names: Set<String> = []

    /// Adds an object.
    ///
    /// - Returns: The identifier of the model, which may be that of an earlier one with the same members.
    mutating func add(_ object: Object, id: ModelID, name: String?, place: Place) -> ModelID {
        let members = object.members.keys.sorted()
        var known = id
        for other in ids[members] ?? [] {
            guard case .object(let earlier)? = models[other]?.kind, let merged = earlier.merged(with: object) else { continue }
            models[other]?.kind = .object(merged)
            known = other
            break
        }
        if known == id {
            models[id] = Model(.object(object), place: place)
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
        switch (kind, other.kind) {
        // Of one of them, nothing is known.
        case (.any, _) where isNullable: result.kind = other.kind
        case (_, .any) where other.isNullable: break
        case (.integer(let isLong), .integer(let isOtherLong)): result.kind = .integer(isLong: isLong || isOtherLong)
        case (.integer, .number), (.number, .integer), (.number, .number): result.kind = .number
        case (.date, .string), (.string, .date), (.string, .string): result.kind = .string
        case (.list(let inner), .list(let otherInner)):
            guard let merged = inner.merged(with: otherInner) else { return nil }
            result.kind = .list(merged)
        case (.dictionary(let inner), .dictionary(let otherInner)):
            guard let merged = inner.merged(with: otherInner) else { return nil }
            result.kind = .dictionary(merged)
        case (.model(let id), .model(let other)) where id == other: break
        case (.any, .any), (.boolean, .boolean), (.date, .date), (.bytes, .bytes): break
        default: return nil
        }
        return result
    }
}
