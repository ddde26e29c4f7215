/// Writes the declaration of a model.
struct TypeWriter {
    let plan: Plan
    let id: ModelID
    let model: Model
    let type: TypeShape

    init?(_ plan: Plan, _ id: ModelID) {
        guard let model = plan.api.models[id], let type = plan.types[id] else { return nil }
        (self.plan, self.id, self.model, self.type) = (plan, id, model, type)
    }

    var isRead: Bool { type.uses.contains(.decoded) }

    /// Whether it is an enum of texts that are only sent.
    var isChoice: Bool { if case .texts = model.kind { !isRead } else { false } }

    /// The lines of the declaration, with those of the types inside of it.
    func lines(depth: Int) -> [String] {
        // What is described at the member that uses it has its comment there.
        let isDescribedThere = type.isNested && !type.isElement && model.name == nil
        let documentation = isDescribedThere ? nil : model.documentation
        var lines = Documentation.summary(documentation, names: names)
        // The compiler would warn of each use by other models.
        if model.isDeprecated { lines = Documentation.deprecated(lines) }
        switch model.kind {
        case .object(let object): lines += structure(object, depth: depth)
        case .texts(let texts): lines += isRead ? openTexts(texts, depth: depth) : closedTexts(texts, depth: depth)
        case .union(let union): lines += UnionWriter(writer: self, union: union).lines(depth: depth)
        }
        return lines
    }

    /// The names that a comment need not repeat.
    private var names: [String] { plan.options.isPublic ? [] : [type.name] }

    /// The types that are declared inside, separated by empty lines.
    func nestedTypes(depth: Int) -> [String] {
        plan.nested(in: .model(id)).flatMap { inner -> [String] in
            guard let writer = TypeWriter(plan, inner) else { return [] }
            return [""] + Lines.indented(writer.lines(depth: depth + 1))
        }
    }

    /// What the type conforms to.
    func conformances(_ first: [String] = []) -> String {
        var names = first
        let uses = type.uses
        let isEnvelope = uses.contains(.envelope)
        let isResponse =
            isEnvelope || uses.contains(.response) || uses.contains(.event) && !plan.decoderArguments.isEmpty
        let isEncoded = uses.contains(.encoded)
        if isResponse { names.append(isEnvelope ? "JSONEnvelope" : plan.modelProtocol) }
        if uses.contains(.event) { names.append("EventModel") }
        if uses.contains(.body) { names.append("JSONBody") }
        let needsEncodable = isEncoded && !uses.contains(.body)
        if isRead, !isResponse { names.append(needsEncodable ? "Codable" : "Decodable") }
        if needsEncodable, !isRead || isResponse { names.append("Encodable") }
        if uses.contains(.parameter) { names.append("ParameterValue") }
        if uses.contains(.failure) { names.append("Error") }
        // The compiler finds out by itself whether types that are not public are.
        let isSendable =
            plan.options.isPublic && uses.isDisjoint(with: [.response, .envelope, .event, .body, .parameter])
        return (names + (isSendable ? ["Sendable"] : [])).joined(separator: ", ")
    }

    // MARK: - Structs

    private func structure(_ object: Object, depth: Int) -> [String] {
        let properties = plan.properties(of: object, id: id, type.uses)
        var body = properties.filter { $0.constant == nil }.flatMap { declaration(of: $0) }
        if !plan.options.isPublic { body = Documentation.withoutRepetitions(body) }
        if type.uses.contains(.envelope), let content = properties.first, content.name != "content" {
            body.append("\(plan.access)var content: \(content.type) { \(content.code) }")
        }
        let isWritten = !type.uses.isDisjoint(with: [.encoded, .parameter])
        if plan.options.isPublic, isWritten {
            body += [""] + Initializer(properties.filter { $0.constant == nil }).lines(depth: depth + 1)
        }
        if type.uses.contains(.parameter) {
            let elements = properties.map { property in
                "\(Lines.literal(property.wireName)): \(isRead ? property.parameterValue : property.value)"
            }
            let list = elements.isEmpty ? [":"] : elements
            let lines = Lines.dictionary(
                "\(plan.access)var parameterNode: Parameters.Node", ".object([", list, "])", depth: depth + 1)
            if !body.isEmpty, plan.options.isPublic || lines.count > 1 { body.append("") }
            body += lines
        }
        let element = id == Plan.page ? "<Element: \(plan.options.isCodable ? "Codable" : "Decodable") & Sendable>" : ""
        var lines = ["\(plan.access)struct \(type.name)\(element): \(conformances()) {"] + Lines.indented(body)
        lines += nestedTypes(depth: depth)
        let keys = codingKeys(properties, depth: depth + 1)
        if !keys.isEmpty { lines += [""] + Lines.indented(keys) }
        return lines + ["}"]
    }

    private func declaration(of property: Property) -> [String] {
        var lines = Documentation.property(property, names: names)
        let keyword = property.isVariable ? "var" : "let"
        lines.append("\(plan.access)\(keyword) \(property.declaration(isPublic: plan.options.isPublic))")
        return lines
    }

    private func codingKeys(_ properties: [Property], depth: Int) -> [String] {
        let isOther = { (property: Property) in plan.needsCodingKey(property.name, for: property.wireName, type.uses) }
        let others = properties.filter(isOther)
        guard !type.uses.isDisjoint(with: [.decoded, .encoded]), !others.isEmpty else { return [] }
        let same = properties.filter { !isOther($0) }.map(\.code)
        return ["private enum CodingKeys: String, CodingKey {"]
            + Lines.indented(Lines.cases(same, depth: depth + 1))
            + others.map { "    case \($0.code) = \(Lines.literal($0.wireName))" } + ["}"]
    }

    // MARK: - Texts

    private func comment(on text: Text) -> [String] {
        Documentation.summary(text.documentation, names: names.isEmpty ? [] : names + [text.value])
    }

    private func named(_ texts: [Text]) -> [(name: String, text: Text)] {
        var taken: Set<String> = []
        let prefix = Self.prefix(of: texts)
        return texts.map { text in
            let rest = prefix == 0 ? text.value : Words(text.value).words.dropFirst(prefix).joined(separator: "_")
            let name = plan.freeName(
                text.name ?? rest, in: &taken, of: Words(type.name), reserved: ["hashValue", "hash", "encode"])
            return (SwiftName.code(name), text)
        }
    }

    /// How many words all constants of an enum begin with, as in `EVALUATION_STATUS_FAILED`, if there are several.
    private static func prefix(of texts: [Text]) -> Int {
        let names = texts.map { Words($0.value).words }
        guard names.count > 1, texts.allSatisfy({ $0.name == nil && $0.value == $0.value.uppercased() }) else {
            return 0
        }
        let common = names.reduce(names[0]) { common, name in
            zip(common, name.dropLast()).prefix { $0 == $1 }.map(\.0)
        }
        let areNames = common.count > 1 && names.allSatisfy { $0[common.count].first?.isLetter == true }
        return areNames ? common.count : 0
    }

    /// Texts that a server sends, which may send others one day.
    private func openTexts(_ texts: [Text], depth: Int) -> [String] {
        let isolation = type.isNested ? "" : "nonisolated "
        let head = "\(plan.access)\(isolation)struct \(type.name)"
        var lines = ["\(head): \(conformances(["RawRepresentable", "Hashable"])) {"]
        lines.append("    \(plan.access)let rawValue: String")
        if plan.options.isPublic {
            lines += ["", "    public init(rawValue: String) { self.rawValue = rawValue }"]
        }
        lines.append("")
        for (name, text) in named(texts) {
            let comment = comment(on: text)
            let value = Lines.literal(text.value)
            lines += Lines.indented(comment + ["\(plan.access)static let \(name) = Self(rawValue: \(value))"])
        }
        return lines + ["}"]
    }

    /// Texts that are only sent.
    private func closedTexts(_ texts: [Text], depth: Int) -> [String] {
        let cases = named(texts).map { name, text in
            (name.filter { $0 != "`" } == text.value ? name : "\(name) = \(Lines.literal(text.value))", text)
        }
        let head = "\(plan.access)enum \(type.name): \(conformances(["String"]))"
        let hasComments = texts.contains { !comment(on: $0).isEmpty }
        let line = "\(head) { case \(cases.map(\.0).joined(separator: ", ")) }"
        if !hasComments, Lines.fits(line, depth), !cases.isEmpty { return [line] }
        guard hasComments else {
            return ["\(head) {"] + Lines.indented(Lines.cases(cases.map(\.0), depth: depth + 1)) + ["}"]
        }
        let lines = cases.flatMap { code, text in
            comment(on: text) + ["case \(code)"]
        }
        return ["\(head) {"] + Lines.indented(lines) + ["}"]
    }
}

/// A public memberwise initializer, which the compiler does not write.
struct Initializer {
    private let properties: [Property]

    init(_ properties: [Property]) { self.properties = properties }

    func lines(depth: Int) -> [String] {
        guard !properties.isEmpty else { return ["public init() {}"] }
        let parameters = properties.map { property in
            let value = property.initialValue ?? (property.isOptional ? "nil" : nil)
            return "\(property.code): \(property.type)" + (value.map { " = \($0)" } ?? "")
        }
        return Lines.list("public init(", parameters, ") {", depth: depth)
            + properties.map { "    self.\($0.code) = \($0.code)" } + ["}"]
    }
}
