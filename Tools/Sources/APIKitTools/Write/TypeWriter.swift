/// Writes the declaration of a model.
struct TypeWriter {
    let plan: Plan
    let id: ModelID
    let model: Model
    let type: TypeShape

    init?(_ plan: Plan, _ id: ModelID) {
        guard let model = plan.api.models[id], let type = plan.types[id] else { return nil }
        self.plan = plan
        self.id = id
        self.model = model
        self.type = type
    }

    var isRead: Bool { type.uses.contains(.decoded) }

    /// Whether it is an enum of texts that are only sent.
    var isChoice: Bool {
        if case .texts = model.kind { !isRead } else { false }
    }

    /// The lines of the declaration, including its nested types.
    func lines(depth: Int) -> [String] {
        // The comment on the member that uses the type has the same text.
        let isDescribedThere = type.isNested && !type.isElement && model.name == nil
        let documentation = isDescribedThere ? nil : model.documentation
        var lines = Documentation.summary(documentation, names: names)
        // A comment, not an attribute: the compiler would warn about each use in other generated models.
        if model.isDeprecated { lines = Documentation.deprecated(lines) }
        switch model.kind {
        case .object(let object): lines += structure(object, depth: depth)
        case .texts(let texts): lines += isRead ? openTexts(texts, depth: depth) : closedTexts(texts, depth: depth)
        case .union(let union): lines += UnionWriter(writer: self, union: union).lines(depth: depth)
        }
        return lines
    }

    /// The names that a comment should not merely repeat. Public code keeps every comment.
    private var names: [String] { plan.options.isPublic ? [] : [type.name] }

    /// The types that are declared inside, separated by empty lines.
    func nestedTypes(depth: Int) -> [String] {
        plan.nested(in: .model(id)).flatMap { inner -> [String] in
            guard let writer = TypeWriter(plan, inner) else { return [] }
            return [""] + Lines.indented(writer.lines(depth: depth + 1))
        }
    }

    /// The protocols that the type conforms to, after the given ones.
    func conformances(_ first: [String] = []) -> String {
        var names = first
        let uses = type.uses
        let isEnvelope = uses.contains(.envelope)
        // An event conforms to the API's protocol of models only if that provides a decoder for it.
        let isDecodedEvent = uses.contains(.event) && !plan.decoderArguments.isEmpty
        let isResponse = isEnvelope || isDecodedEvent || uses.contains(.response)
        if isResponse { names.append(isEnvelope ? "JSONEnvelope" : plan.modelProtocol) }
        if uses.contains(.event) { names.append("EventModel") }
        if uses.contains(.body) { names.append("JSONBody") }
        names += codableProtocols(isResponse: isResponse)
        if uses.contains(.parameter) { names.append("ParameterValue") }
        if uses.contains(.failure) { names.append("Error") }
        if plan.options.isPublic, !hasSendableProtocol { names.append("Sendable") }
        return names.joined(separator: ", ")
    }

    /// The coding protocols of the standard library that the type's APIKit protocols do not inherit: `JSONResponse`
    /// includes `Decodable`, and `JSONBody` includes `Encodable`.
    private func codableProtocols(isResponse: Bool) -> [String] {
        let needsDecodable = isRead && !isResponse
        let needsEncodable = type.uses.contains(.encoded) && !type.uses.contains(.body)
        switch (needsDecodable, needsEncodable) {
        case (true, true): return ["Codable"]
        case (true, false): return ["Decodable"]
        case (false, true): return ["Encodable"]
        case (false, false): return []
        }
    }

    /// Whether one of the type's APIKit protocols inherits `Sendable`. This matters for public types only: the compiler
    /// infers it for others.
    private var hasSendableProtocol: Bool {
        !type.uses.isDisjoint(with: [.response, .envelope, .event, .body, .parameter])
    }

    // MARK: - Structs

    private func structure(_ object: Object, depth: Int) -> [String] {
        let properties = plan.properties(of: object, id: id, type.uses)
        let stored = properties.filter { $0.constant == nil }
        var body = declarations(of: stored)
        if let content = envelopeContent(properties) { body.append(content) }
        let isWritten = !type.uses.isDisjoint(with: [.encoded, .parameter])
        if plan.options.isPublic, isWritten {
            body += [""] + Initializer(stored).lines(depth: depth + 1)
        }
        if type.uses.contains(.parameter) {
            let lines = parameterNode(properties, depth: depth + 1)
            let isApart = plan.options.isPublic || lines.count > 1
            if isApart, !body.isEmpty { body.append("") }
            body += lines
        }
        let keys = codingKeys(properties, depth: depth + 1)
        var lines = ["\(plan.access)struct \(type.name)\(genericParameter): \(conformances()) {"]
        lines += Lines.indented(body) + nestedTypes(depth: depth)
        if !keys.isEmpty { lines += [""] + Lines.indented(keys) }
        return lines + ["}"]
    }

    /// The generic parameter of the API's page type; empty for other types.
    private var genericParameter: String {
        guard id == Plan.page else { return "" }
        return "<Element: \(plan.options.isCodable ? "Codable" : "Decodable") & Sendable>"
    }

    private func declarations(of properties: [Property]) -> [String] {
        let lines = properties.flatMap { property in
            let keyword = property.isVariable ? "var" : "let"
            let declaration = property.declaration(isPublic: plan.options.isPublic)
            return Documentation.property(property, names: names) + ["\(plan.access)\(keyword) \(declaration)"]
        }
        return plan.options.isPublic ? lines : Documentation.withoutRepetitions(lines)
    }

    /// The property `content`, which `JSONEnvelope` requires; nil if the envelope's own member has that name.
    private func envelopeContent(_ properties: [Property]) -> String? {
        guard type.uses.contains(.envelope), let content = properties.first, content.name != "content" else {
            return nil
        }
        return "\(plan.access)var content: \(content.type) { \(content.code) }"
    }

    private func parameterNode(_ properties: [Property], depth: Int) -> [String] {
        let elements = properties.map { property in
            let value = isRead ? property.parameterValue : property.value
            return "\(Lines.literal(property.wireName)): \(value)"
        }
        let object = DictionaryLiteral(start: ".object([", elements, end: "])")
        return Lines.property("\(plan.access)var parameterNode: Parameters.Node", object, depth: depth)
    }

    /// The coding keys; empty if the decoder finds all members by their names in Swift. A key has a text only if the
    /// name in JSON is another one.
    private func codingKeys(_ properties: [Property], depth: Int) -> [String] {
        let isCoded = !type.uses.isDisjoint(with: [.decoded, .encoded])
        var same: [String] = []
        var others: [String] = []
        for property in properties {
            if plan.needsCodingKey(property.name, for: property.wireName, type.uses) {
                others.append("    case \(property.code) = \(Lines.literal(property.wireName))")
            } else {
                same.append(property.code)
            }
        }
        guard isCoded, !others.isEmpty else { return [] }
        let cases = Lines.indented(Lines.cases(same, depth: depth + 1))
        return ["private enum CodingKeys: String, CodingKey {"] + cases + others + ["}"]
    }

    // MARK: - Texts

    /// A known text, and its name in Swift.
    private struct NamedText {
        /// The name as code.
        let name: String
        /// The text in JSON.
        let value: String
        let comment: [String]
    }

    private func named(_ texts: [Text]) -> [NamedText] {
        let owner = Words(type.name)
        let prefix = Self.commonWordCount(of: texts)
        var taken: Set<String> = []
        return texts.map { text in
            let wanted = text.name ?? Self.name(of: text, withoutWords: prefix)
            let name = plan.freeName(wanted, in: &taken, of: owner, reserved: ["hashValue", "hash", "encode"])
            let commentNames = names.isEmpty ? [] : names + [text.value]
            let comment = Documentation.summary(text.documentation, names: commentNames)
            return NamedText(name: SwiftName.code(name), value: text.value, comment: comment)
        }
    }

    private static func name(of text: Text, withoutWords count: Int) -> String {
        if count == 0 { return text.value }
        return Words(text.value).words.dropFirst(count).joined(separator: "_")
    }

    /// The number of words that are left out at the beginning of all names, since each constant of the enum begins with
    /// them: two for `EVALUATION_STATUS_FAILED` and `EVALUATION_STATUS_DONE`.
    private static func commonWordCount(of texts: [Text]) -> Int {
        let areConstants = texts.allSatisfy { $0.name == nil && $0.value == $0.value.uppercased() }
        guard areConstants, texts.count > 1 else { return 0 }
        let constants = texts.map { Words($0.value).words }
        var common = constants[0]
        for words in constants {
            // The last word of a constant is never left out, so that no name becomes empty.
            let removableWords = words.dropLast()
            let sameWords = zip(common, removableWords).prefix { $0 == $1 }
            common = sameWords.map(\.0)
        }
        // A single common word often belongs to the meaning: `NOT` in `NOT_FOUND` and `NOT_READY`.
        guard common.count > 1 else { return 0 }
        // The rest of each constant has to be an identifier, which cannot begin with a digit.
        let canBeShortened = constants.allSatisfy { words in words[common.count].first?.isLetter == true }
        return canBeShortened ? common.count : 0
    }

    /// A struct with a constant for each known text. A server may send texts that are not known yet, so an enum would
    /// fail to decode them.
    private func openTexts(_ texts: [Text], depth: Int) -> [String] {
        let isolation = type.isNested ? "" : "nonisolated "
        let conformances = conformances(["RawRepresentable", "Hashable"])
        var lines = ["\(plan.access)\(isolation)struct \(type.name): \(conformances) {"]
        lines.append("    \(plan.access)let rawValue: String")
        if plan.options.isPublic {
            lines += ["", "    public init(rawValue: String) { self.rawValue = rawValue }"]
        }
        lines.append("")
        for text in named(texts) {
            let value = "Self(rawValue: \(Lines.literal(text.value)))"
            let declaration = "\(plan.access)static let \(text.name) = \(value)"
            lines += Lines.indented(text.comment + [declaration])
        }
        return lines + ["}"]
    }

    /// An enum of texts that are only sent, so that no others can appear.
    private func closedTexts(_ texts: [Text], depth: Int) -> [String] {
        let texts = named(texts)
        let head = "\(plan.access)enum \(type.name): \(conformances(["String"]))"
        let cases = texts.map { text in
            let isItsName = text.name.filter { $0 != "`" } == text.value
            return isItsName ? text.name : "\(text.name) = \(Lines.literal(text.value))"
        }
        let hasComments = texts.contains { !$0.comment.isEmpty }
        if hasComments {
            let lines = zip(texts, cases).flatMap { text, code in text.comment + ["case \(code)"] }
            return ["\(head) {"] + Lines.indented(lines) + ["}"]
        }
        let line = "\(head) { case \(cases.joined(separator: ", ")) }"
        if !cases.isEmpty, Lines.fits(line, depth) { return [line] }
        return ["\(head) {"] + Lines.indented(Lines.cases(cases, depth: depth + 1)) + ["}"]
    }
}

/// A public memberwise initializer. The compiler only generates an internal one.
struct Initializer {
    private let properties: [Property]

    init(_ properties: [Property]) { self.properties = properties }

    func lines(depth: Int) -> [String] {
        guard !properties.isEmpty else { return ["public init() {}"] }
        let parameters = properties.map { parameter(for: $0) }
        let assignments = properties.map { "    self.\($0.code) = \($0.code)" }
        return Lines.list("public init(", parameters, ") {", depth: depth) + assignments + ["}"]
    }

    /// A parameter, with a default if the caller need not choose.
    private func parameter(for property: Property) -> String {
        let parameter = "\(property.code): \(property.type)"
        if let value = property.initialValue { return "\(parameter) = \(value)" }
        return property.isOptional ? "\(parameter) = nil" : parameter
    }
}
