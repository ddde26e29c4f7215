import Foundation
import OpenAPIRules

/// Reads schemas of OpenAPI 3.0 and 3.1, and collects the models that need a Swift type of their own.
///
/// Each schema is read once, however often it is referenced. If a schema contains itself, the inner reference refers to
/// the model that the schema becomes.
final class SchemaReader {
    let documents: Documents
    var models: [ModelID: Model] = [:]
    private(set) var notes: [Note] = []
    /// The schemas that have been read, by the identifiers of their elements.
    private var known: [String: Schema] = [:]
    /// The identifiers of the schemas that are being read: one, and those that it is a part of.
    private var active: Set<String> = []
    /// The identifiers of active schemas that were found inside themselves.
    private var recursive: Set<String> = []

    /// The maximum number of texts of an enum. Nobody can use a type with more constants.
    private static let maximumTexts = 10_000

    /// The maximum depth of nested schemas, including references. It keeps the recursion from overflowing the stack.
    private static let maximumDepth = 300

    init(_ documents: Documents) { self.documents = documents }

    func note(_ kind: Note.Kind, _ text: String, at place: Place) { notes.append(Note(kind, text, at: place)) }

    /// Reads a schema, or returns the result if it has been read before.
    ///
    /// - Throws: ``DescriptionError`` for a reference that leads nowhere, or a member of the wrong kind.
    func schema(_ element: Element) throws -> Schema {
        if case .boolean = element.node.content {
            return Schema(.any, place: element.place)
        }
        if element.has("$ref") { return try referenced(by: element) }
        let id = element.id
        if let schema = known[id] { return schema }
        if active.contains(id) {
            // The schema is found inside itself. `described(by:)` makes it a model when it has been read.
            recursive.insert(id)
            return Schema(.model(id), place: element.place)
        }
        guard active.count < Self.maximumDepth else {
            throw element.error("schemas are nested more than \(Self.maximumDepth) deep")
        }
        active.insert(id)
        defer {
            active.remove(id)
            recursive.remove(id)
        }
        let schema = try described(by: element)
        known[id] = schema
        return schema
    }

    /// Reads the schema that a reference leads to. A description or `nullable` beside the reference takes precedence.
    private func referenced(by element: Element) throws -> Schema {
        let target = try target(of: element)
        var schema: Schema
        if let twin = nonNullableTwin(of: target) {
            schema = try self.schema(twin)
            schema.isNullable = true
        } else {
            schema = try self.schema(target)
        }
        // A model's documentation is written at its declaration, not at each use.
        if case .model = schema.kind { schema.documentation = nil }
        schema.documentation = element.prose("description") ?? schema.documentation
        if try element.flag("nullable") { schema.isNullable = true }
        return schema
    }

    /// Reads a schema that is not a reference and has been added to ``active``.
    private func described(by element: Element) throws -> Schema {
        // This may find the schema inside itself, and then adds it to `recursive`.
        var schema = Schema(try kind(of: element), place: element.place)
        schema.documentation = element.prose("description")
        schema.isDeprecated = try element.flag("deprecated")
        schema.isNullable = try allowsNull(element)
        if recursive.contains(element.id), schema.kind != .model(element.id) {
            // The inner reference needs a named type, but the schema is not a model: it is a list of itself, for
            // example. A union with one variant provides that type.
            let union = Union(variants: [Union.Variant(schema: schema)])
            schema.kind = addModel(.union(union), describedBy: element)
        }
        return schema
    }

    /// Reads a schema; returns one of the given kind if there is none.
    func schema(_ element: Element?, or kind: Schema.Kind, at place: Place) throws -> Schema {
        guard let element else { return Schema(kind, place: place) }
        return try schema(element)
    }

    /// The schema `user` for one named `nullable-user`, if the two only differ in texts and in whether null is allowed.
    /// Some descriptions, such as GitHub's, copy schemas in this way; both are one model.
    private func nonNullableTwin(of element: Element) -> Element? {
        guard let prefix = element.path.range(of: "/nullable-", options: .backwards) else {
            return nil
        }
        let path = element.path.replacingCharacters(in: prefix, with: "/")
        guard let twin = try? documents.target(of: "#" + path, in: element),
            case .object(var own) = element.node.content, case .object(var other) = twin.node.content
        else { return nil }
        for name in ["title", "description", "nullable"] {
            own[name] = nil
            other[name] = nil
        }
        return own == other ? twin : nil
    }

    /// The value at the end of a chain of references. A chain of more than 30 is taken for a cycle.
    func target(of element: Element) throws -> Element {
        var target = element
        for _ in 0..<30 {
            guard let reference = try target.text("$ref") else { return target }
            target = try documents.target(of: reference, in: target)
        }
        throw element.error("the reference leads back to itself")
    }

    /// Adds the model that an element describes, with the element's name and documentation. Returns the kind that
    /// refers to it.
    func addModel(_ kind: Model.Kind, describedBy element: Element) -> Schema.Kind {
        models[element.id] = Model(
            name: element.componentName, title: element.title, kind: kind,
            documentation: element.prose("description"), isDeprecated: (try? element.flag("deprecated")) ?? false,
            place: element.place)
        return .model(element.id)
    }

    /// Adds a model that no single element describes, such as a combination of several schemas.
    func add(_ model: Model, id: ModelID) -> Schema.Kind {
        models[id] = model
        return .model(id)
    }

    func model(_ kind: Schema.Kind) -> Model? {
        guard case .model(let id) = kind else { return nil }
        return models[id]
    }
}

// MARK: - Kinds

extension SchemaReader {
    /// The types that a schema names. In a list of types, `null` is left out: ``allowsNull(_:)`` reports it.
    private func types(of element: Element) throws -> [String] {
        if case .list? = element.child("type")?.node.content {
            return try element.texts("type").filter { $0 != "null" }
        }
        guard let type = try element.text("type") else { return [] }
        return [type]
    }

    /// Whether null is allowed: by `nullable` (OpenAPI 3.0), by `null` in a list of types (3.1) or in an enum, by one
    /// of the variants, or by the only schema in an `allOf`.
    private func allowsNull(_ element: Element) throws -> Bool {
        if try element.flag("nullable") { return true }
        if case .list? = element.child("type")?.node.content, try element.texts("type").contains("null") {
            return true
        }
        if let values = try element.list("enum"), values.contains(where: \.isNull) {
            return true
        }
        let variants = try element.list("oneOf") ?? element.list("anyOf") ?? []
        if try variants.contains(where: isNull) { return true }
        guard let parts = try element.list("allOf"), parts.count == 1 else { return false }
        return try schema(parts[0]).isNullable
    }

    /// Whether a schema allows null and nothing else.
    func isNull(_ element: Element) throws -> Bool {
        if case .text("null")? = element.child("type")?.node.content { return true }
        if let constant = element.child("const") { return constant.isNull }
        guard let values = try element.list("enum"), !values.isEmpty else { return false }
        return values.allSatisfy(\.isNull)
    }

    /// The kind of a schema that is not a reference: that of the first keyword that it has, in the order of
    /// `properties` or `allOf`, `oneOf` or `anyOf`, `enum` or `const`, and `type`. A list of several types is a union.
    private func kind(of element: Element) throws -> Schema.Kind {
        if element.has("allOf", "properties") { return try composed(element) }
        if let kind = try union(element, with: nil) { return kind }
        let types = try types(of: element)
        if let kind = try enumeration(element, type: types.first) { return kind }
        if types.count < 2 { return try plain(types.first, element) }
        let variants = try types.map { type in
            Union.Variant(schema: Schema(try plain(type, element), place: element.place))
        }
        return simplified(Union(variants: variants), for: element)
    }

    /// The kind of a schema with one type or none, which is neither an enum nor composed of others.
    private func plain(_ type: String?, _ element: Element) throws -> Schema.Kind {
        let format = element.prose("format") ?? ""
        switch type {
        case "string": return text(element, format: format)
        case "boolean": return .boolean
        // No standard defines these formats, but descriptions use all of them for a moment in seconds since 1970.
        case "integer" where ["unix-time", "unixtime", "timestamp"].contains(format): return .unixTime
        case "integer": return .integer(isLong: ["int64", "uint64"].contains(format))
        case "number" where ["unix-time", "unixtime"].contains(format): return .unixTime
        case "number": return .number
        case "array":
            return .list(try schema(element.child("items"), or: .any, at: element.place))
        case "object":
            return .dictionary(try schema(element.child("additionalProperties"), or: .any, at: element.place))
        case "null": return .any
        case "file": return .bytes
        case let type?: throw element.error(about: type, "is not a type")
        case nil: return try withoutType(element, format: format)
        }
    }

    private func text(_ element: Element, format: String) -> Schema.Kind {
        switch format {
        case "date-time": moment(element)
        case "binary": .bytes
        default: .string
        }
    }

    /// A schema without `type`. Its other keywords may imply the type: only lists have `items`, for example.
    private func withoutType(_ element: Element, format: String) throws -> Schema.Kind {
        if element.has("items") { return try plain("array", element) }
        if element.has("additionalProperties") { return try plain("object", element) }
        if !format.isEmpty { return try plain("string", element) }
        return element.has("contentMediaType") ? .bytes : .any
    }

    /// A date, or a text with a note if an example has no offset from UTC.
    private func moment(_ element: Element) -> Schema.Kind {
        let examples = ["example", "examples", "default"].compactMap { element.child($0)?.node }
        guard examples.contains(where: \.hasLocalTime) else { return .date }
        let name = element.path.split(separator: "/").last ?? "it"
        note(.simplified, "\(name) is a String, since its example has no offset from UTC", at: element.place)
        return .string
    }

    /// The kind of a schema with `enum` or `const`; nil if it has neither, or has values that are not texts.
    ///
    /// Without a `type`, the first number or Boolean decides the kind. If the type is `string`, a number or a Boolean
    /// is taken for a text, since authors of YAML forget the quotes.
    private func enumeration(_ element: Element, type: String?) throws -> Schema.Kind? {
        var values = try element.list("enum")
        if values == nil, let constant = element.child("const") { values = [constant] }
        guard let values else { return nil }
        guard values.count <= Self.maximumTexts else {
            note(.simplified, "an enum of \(values.count) values is not generated", at: element.place)
            return nil
        }
        // A widespread extension of OpenAPI, which gives each text a name in code.
        let names = (try? element.texts("x-enum-varnames")) ?? []
        var texts: [Text] = []
        for (index, value) in values.enumerated() where !value.isNull {
            let name = names.indices.contains(index) ? names[index] : nil
            switch (value.node.content, type) {
            case (.text(let text), "string"), (.text(let text), nil): texts.append(Text(value: text, name: name))
            case (.number(let digits), "string"): texts.append(Text(value: digits, name: name))
            case (.boolean(let flag), "string"): texts.append(Text(value: "\(flag)"))
            case (.number, nil): return .number
            case (.boolean, nil): return .boolean
            default: return nil
            }
        }
        return kind(ofTexts: texts, for: element)
    }

    /// The kind for the texts of an enum: a constant for a single text without a name of its own, otherwise a model.
    func kind(ofTexts texts: [Text], for element: Element) -> Schema.Kind {
        var values: Set<String> = []
        var differentTexts: [Text] = []
        for text in texts where values.insert(text.value).inserted { differentTexts.append(text) }
        guard let first = differentTexts.first else { return .any }
        if differentTexts.count == 1, element.componentName == nil { return .constant(first.value) }
        return addModel(.texts(differentTexts), describedBy: element)
    }
}

extension Element {
    var isNull: Bool { node.content == .null }

    /// The title, if it can serve as a type's name: at most four words of letters and numbers.
    var title: String? {
        guard let title = prose("title"), title.first?.isLetter == true else { return nil }
        if Words(title).words.count > 4 { return nil }
        let isName = title.allSatisfy { $0.isLetter || $0.isNumber || " _-".contains($0) }
        return isName ? title : nil
    }

    /// The name of the schema's component, or of its file if the file holds a single schema. Nil if the schema is
    /// described where it is used.
    var componentName: String? {
        let keys = path.split(separator: "/").map(Reference.unescaped)
        // `user` for `models/user.yaml`
        let fileName = file.split(separator: "/").last?.split(separator: ".").first.map(String.init)
        // The schema is the whole file.
        guard let last = keys.last else { return fileName }
        if Self.isComponent(keys) { return last }
        // The root of the file maps names to schemas, as in `models.yaml#/User`.
        let isRootMap = keys.count == 1 && !["items", "schema"].contains(last)
        if isRootMap { return last }
        // A schema may have the name of the response that it is the only content of.
        guard last == "schema", let contentIndex = keys.lastIndex(of: "content") else { return nil }
        // The keys are `components/responses/NAME/content/MEDIA-TYPE/schema`.
        if contentIndex == 3, keys[0] == "components" { return keys[2] }
        // The file is a response.
        return contentIndex == 0 ? fileName : nil
    }

    /// Whether the keys lead to a named schema in a dictionary of schemas, such as `components/schemas` or `$defs`.
    private static func isComponent(_ keys: [String]) -> Bool {
        if keys.count == 3, keys[0] == "components", keys[1] == "schemas" { return true }
        guard keys.count > 1 else { return false }
        return ["components", "definitions", "$defs"].contains(keys[keys.count - 2])
    }
}
