/// Writes the declaration of a model: a struct for an object, a struct or an enum for known texts, and an enum for a
/// union.
struct TypeWriter {
    let plan: Plan
    let id: ModelID
    /// The model as the description or the recording shows it.
    let model: Model
    /// The form that the model takes in Swift: its name, its place and its uses.
    let type: TypeShape

    /// Creates a writer for a model; nil if the code does not use the model.
    init?(_ plan: Plan, _ id: ModelID) {
        guard let model = plan.api.models[id], let type = plan.types[id] else { return nil }
        self.plan = plan
        self.id = id
        self.model = model
        self.type = type
    }

    /// Whether the type is public. An envelope inside an internal endpoint is not.
    var isPublic: Bool {
        if case .endpoint = type.owner, type.isNested { return plan.endpointsArePublic }
        return plan.options.isPublic
    }

    /// The access modifier of the type and its members, with a space; empty if they are internal.
    var access: String { isPublic ? "public " : "" }

    /// Whether values are read from JSON.
    var isRead: Bool { type.uses.contains(.decoded) }

    /// Whether it is an enum of texts or numbers that are only sent.
    var isChoice: Bool {
        switch model.kind {
        case .texts, .numbers: !isRead
        case .object, .union: false
        }
    }

    /// Writes the declaration with its comment and its nested types:
    ///
    ///     /// Something that the shop sells.
    ///     struct Product: ShopModel {
    ///         let id: Int
    ///         …
    ///     }
    ///
    /// The depth is the number of declarations around it.
    func lines(depth: Int) -> [String] {
        var comment = Documentation.summary(documentation, names: [type.name])
        // A comment, not an attribute: the compiler would warn about each use in other generated models.
        if model.isDeprecated { comment = Documentation.deprecated(comment) }
        return comment + declaration(depth: depth)
    }

    /// The description of the type; nil if the member that uses the type has the same one.
    ///
    /// A nested type without a name of its own is described where it is used, and so has the description of its member.
    /// The type of elements is an exception, since its member has the description of the list.
    private var documentation: String? {
        let isNamed = model.name != nil
        let memberHasSameDescription = type.isNested && !type.isElement && !isNamed
        return memberHasSameDescription ? nil : model.documentation
    }

    /// Writes the declaration without its comment. Known texts become a struct if they are read, since a server may
    /// send others, and an enum if they are only sent.
    private func declaration(depth: Int) -> [String] {
        switch model.kind {
        case .object(let object): structure(object, depth: depth)
        case .texts(let texts), .numbers(let texts, _):
            isRead ? openStruct(of: texts) : closedEnum(of: texts, depth: depth)
        case .union(let union): UnionWriter(writer: self, union: union).lines(depth: depth)
        }
    }

    /// Writes the types that are declared inside, each with an empty line before it.
    func nestedTypes(depth: Int) -> [String] {
        var lines: [String] = []
        for nestedID in plan.nested(in: .model(id)) {
            guard let writer = TypeWriter(plan, nestedID) else { continue }
            lines += [""] + Lines.indented(writer.lines(depth: depth + 1))
        }
        return lines
    }

    // MARK: - Conformances

    /// The protocols that the type conforms to, after some given ones: `ShopModel, JSONBody, ParameterValue`.
    ///
    /// They follow from the uses of the type: whether it is read, encoded or sent as a parameter, and whether it is a
    /// whole response, a whole body, an event or a failure.
    ///
    /// - Parameters:
    ///   - first: The protocols before.
    ///   - isLocalized: Whether the type, which is a failure, has an `errorDescription`.
    /// - Returns: The protocols, separated by commas.
    func conformances(after first: [String] = [], isLocalized: Bool = false) -> String {
        let uses = type.uses
        var names = first
        // `ShopModel`, `JSONResponse` or `JSONEnvelope`.
        if let responseProtocol { names.append(responseProtocol) }
        if uses.contains(.event) { names.append("EventModel") }
        if uses.contains(.body) { names.append("JSONBody") }
        // `Decodable`, `Encodable` or `Codable`, if the protocols before do not inherit it.
        if let codingProtocol { names.append(codingProtocol) }
        if uses.contains(.parameter) { names.append("ParameterValue") }
        if uses.contains(.failure) { names.append(isLocalized ? "LocalizedError" : "Error") }
        // The compiler infers `Sendable` for types that are not public.
        if isPublic, !hasSendableProtocol { names.append("Sendable") }
        return names.joined(separator: ", ")
    }

    /// The protocol through which the library reads the type as a response: `JSONEnvelope` for an envelope, and the
    /// protocol of the API's models for others. It provides the decoder. Nil if the type is not read by itself.
    private var responseProtocol: String? {
        let uses = type.uses
        if uses.contains(.envelope) { return "JSONEnvelope" }
        if uses.contains(.response) { return plan.modelProtocol }
        // An event only needs the protocol of models if that has a decoder with settings of the API.
        let decoderHasSettings = !plan.coding.decoderArguments.isEmpty
        if uses.contains(.event), decoderHasSettings { return plan.modelProtocol }
        return nil
    }

    /// The coding protocol of the standard library that the type needs; nil if its APIKit protocols inherit what it
    /// needs: those of responses inherit `Decodable`, and `JSONBody` inherits `Encodable`.
    private var codingProtocol: String? {
        let needsDecodable = type.uses.contains(.decoded) && responseProtocol == nil
        let needsEncodable = type.uses.contains(.encoded) && !type.uses.contains(.body)
        switch (needsDecodable, needsEncodable) {
        case (true, true): return "Codable"
        case (true, false): return "Decodable"
        case (false, true): return "Encodable"
        case (false, false): return nil
        }
    }

    /// Whether one of the type's APIKit protocols inherits `Sendable`.
    private var hasSendableProtocol: Bool {
        !type.uses.isDisjoint(with: [.response, .envelope, .event, .body, .parameter])
    }

    // MARK: - Structs

    /// Writes the struct of an object:
    ///
    ///     struct Money: ShopModel, JSONBody, ParameterValue {
    ///         var amount: Int
    ///         var currency: String
    ///         var parameterNode: Parameters.Node { .object(["amount": amount, "currency": currency]) }
    ///     }
    ///
    /// Nested types and coding keys come last. The API's page type has a generic parameter: `struct ShopPage<Element>`.
    private func structure(_ object: Object, depth: Int) -> [String] {
        let properties = plan.properties(of: object, id: id, type.uses)
        let keys = codingKeys(properties, depth: depth + 1)
        let message = type.uses.contains(.failure) ? FailureMessage(plan, properties) : nil
        var lines = ["\(access)struct \(type.name)\(genericParameter): \(conformances(isLocalized: message != nil)) {"]
        lines += Lines.indented(members(for: properties, messageCode: message?.code, depth: depth + 1))
        lines += nestedTypes(depth: depth)
        if !keys.isEmpty { lines += [""] + Lines.indented(keys) }
        return lines + ["}"]
    }

    /// The generic parameter of the API's page type, `<Element: Decodable & Sendable>`; empty for other types.
    private var genericParameter: String {
        guard id == GenericPage.id else { return "" }
        let codingProtocol = plan.options.isCodable ? "Codable" : "Decodable"
        return "<Element: \(codingProtocol) & Sendable>"
    }

    /// Writes the members of a struct: its properties, the content if it is an envelope, the message if it is a failure,
    /// a public initializer, and its value as a parameter. A property that is a constant, `kind` in this example, has no declaration, but is sent as
    /// a parameter:
    ///
    ///     var city: String
    ///     var parameterNode: Parameters.Node { .object(["kind": "address", "city": city]) }
    private func members(for properties: [Property], messageCode: String?, depth: Int) -> [String] {
        let storedProperties = properties.filter { $0.constant == nil }
        var lines = declarations(of: storedProperties)
        if let content = envelopeContent(properties) { lines.append(content) }
        if let messageCode {
            lines += Lines.property("\(access)var errorDescription: String?", messageCode, depth: depth)
        }

        // Callers only create values to send them, so a type that is only read needs no initializer.
        if isPublic, type.uses.isWritten { lines += [""] + Initializer(storedProperties).lines(depth: depth) }

        if type.uses.contains(.parameter) {
            let node = parameterNode(properties, depth: depth)
            // A property in one line follows the stored properties directly.
            let standsApart = isPublic || node.count > 1
            if standsApart, !lines.isEmpty { lines.append("") }
            lines += node
        }
        return lines
    }

    /// Writes the declarations of stored properties, with their comments:
    ///
    ///     /// The amount in cents.
    ///     var amount: Int
    ///     var currency: String
    ///
    /// A comment is left out if it only repeats the names of the type and the property. In code that is not public, it
    /// is also left out if an earlier property has the same one.
    private func declarations(of properties: [Property]) -> [String] {
        let lines = properties.flatMap { property in
            let keyword = property.isVariable ? "var" : "let"
            let declaration = property.declaration(isPublic: isPublic)
            let comment = Documentation.property(property, names: [type.name], isPublic: isPublic)
            return comment + ["\(access)\(keyword) \(declaration)"]
        }
        return isPublic ? lines : Documentation.withoutRepetitions(lines)
    }

    /// Writes the property `content`, which the protocol `JSONEnvelope` requires: `var content: [Order] { orders }`.
    /// Nil if the type is not an envelope, or if its own member is called `content`.
    private func envelopeContent(_ properties: [Property]) -> String? {
        guard type.uses.contains(.envelope), let content = properties.first, content.name != "content" else {
            return nil
        }
        return "\(access)var content: \(content.type) { \(content.code) }"
    }

    /// Writes the property that returns the value as a parameter:
    ///
    ///     var parameterNode: Parameters.Node { .object(["amount": amount, "currency": currency]) }
    private func parameterNode(_ properties: [Property], depth: Int) -> [String] {
        let elements = properties.map { property in
            // If the type is read too, its lists may hold nils for the nulls in a response. A parameter has to leave
            // them out. A type that is only sent has lists such as `[Int]`, without nils.
            var value = isRead ? property.parameterValue : property.value
            if property.schema.isList, let style = plan.listStyles.ofTypes[id] {
                value = property.list(value, as: style)
            }
            return "\(Lines.literal(property.wireName)): \(value)"
        }
        let object = DictionaryLiteral(start: ".object([", elements, end: "])")
        return Lines.property("\(access)var parameterNode: Parameters.Node", object, depth: depth)
    }

    /// Writes the coding keys:
    ///
    ///     private enum CodingKeys: String, CodingKey {
    ///         case id, name, price
    ///         case htmlURL = "html_url"
    ///     }
    ///
    /// A key has a text if the decoder, which may convert names from snake case, would not find the member in JSON by
    /// the name in Swift. If no key has one, the enum is left out, since the compiler generates the same one.
    private func codingKeys(_ properties: [Property], depth: Int) -> [String] {
        let isCoded = !type.uses.isDisjoint(with: [.decoded, .encoded])
        guard isCoded else { return [] }
        var plainKeys: [String] = []
        var casesWithText: [String] = []
        for property in properties {
            if plan.coding.needsCodingKey(property.name, for: property.wireName, type.uses) {
                casesWithText.append("    case \(property.code) = \(Lines.literal(property.wireName))")
            } else {
                plainKeys.append(property.code)
            }
        }
        if casesWithText.isEmpty { return [] }
        let plainCases = Lines.indented(Lines.cases(plainKeys, depth: depth + 1))
        return ["private enum CodingKeys: String, CodingKey {"] + plainCases + casesWithText + ["}"]
    }
}
