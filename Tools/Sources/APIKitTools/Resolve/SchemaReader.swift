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
    /// The named schemas that have a schema in their `allOf`, by the identifier of that schema.
    private(set) lazy var children = Self.children(in: documents, reader: self)
    /// The identifiers of the schemas that the variants of a union refer to, by the identifier of the union.
    var idsOfVariants: [String: Set<String>] = [:]
    /// Whether schemas allow null and nothing else, by the identifiers of their elements.
    private var knownNulls: [String: Bool] = [:]
    /// The unions that were read from a base and its children.
    var basesOfInheritance: Set<ModelID> = []

    /// The maximum depth of nested schemas, including references. It keeps the recursion from overflowing the stack.
    private static let maximumDepth = 300

    init(_ documents: Documents) { self.documents = documents }

    func note(_ kind: Note.Kind, _ text: NoteText, at place: Place) { notes.append(Note(kind, text, at: place)) }

    /// Reads a schema, or returns the result if it has been read before.
    ///
    /// A schema that contains itself, such as a category with a list of categories, is found again while it is being
    /// read. The inner one then refers to the model that the schema becomes.
    ///
    /// - Throws: ``DescriptionError`` for a reference that leads nowhere, or a member of the wrong kind.
    func schema(_ element: Element) throws -> Schema {
        // `true` allows any JSON. `false` allows no value, so it does not matter how one would be read.
        if case .boolean = element.node.content {
            return Schema(.any, place: element.place)
        }
        if element.has("$ref") { return try referenced(by: element) }
        let id = element.id
        if let schema = known[id] { return schema }
        if active.contains(id) {
            // The schema is found inside itself. The model does not exist yet: `described(by:)` makes sure that the
            // schema becomes one when it has been read.
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
        let referencedElement = try target(of: element)
        var schema: Schema
        if let original = originalOfNullableCopy(referencedElement) {
            // A copy such as `nullable-user` is read as the original `user`, or null.
            schema = try self.schema(original)
            schema.isNullable = true
        } else {
            schema = try self.schema(referencedElement)
        }
        if let kind = try onlyValue(besideOthersIn: element) { schema.kind = kind }
        // A model's documentation is written at its declaration, not at each use.
        if case .model = schema.kind { schema.documentation = nil }
        schema.documentation = element.prose("description") ?? schema.documentation
        if try element.flag("nullable") { schema.isNullable = true }
        return schema
    }

    /// Reads the kind, the description and the other traits of a schema that is not a reference. ``schema(_:)`` has
    /// added it to ``active``.
    private func described(by element: Element) throws -> Schema {
        // This may find the schema inside itself, and then adds it to `recursive`.
        var schema = Schema(try kind(of: element), place: element.place)
        noteIgnoredKeywords(of: element)
        schema.documentation = element.prose("description")
        schema.isDeprecated = try element.flag("deprecated")
        schema.isNullable = try allowsNull(element)
        if schema.isAny, let reason = reasonForAny(element) { note(.simplified, reason, at: element.place) }
        let isModel = schema.kind == .model(element.id)
        if recursive.contains(element.id), !isModel { schema.kind = wrappedInUnion(schema, describedBy: element) }
        return schema
    }

    /// Adds a union whose only variant is the schema, and returns the kind that refers to it.
    ///
    /// A schema that contains itself needs a named type, which the inner schema refers to. A list of itself, for
    /// example, is not a model and has none. The union provides that type.
    private func wrappedInUnion(_ schema: Schema, describedBy element: Element) -> Schema.Kind {
        let union = Union(variants: [Union.Variant(schema: schema)])
        return addModel(.union(union), describedBy: element)
    }

    /// Reads a schema; returns one of the given kind if there is none.
    func schema(_ element: Element?, or kind: Schema.Kind, at place: Place) throws -> Schema {
        guard let element else { return Schema(kind, place: place) }
        return try schema(element)
    }

    /// Finds the schema that a copy with `nullable-` in its name was made of: `user` for `nullable-user`. Nil if the
    /// schema has no such name, or if the two differ in more than texts and in whether null is allowed.
    ///
    /// Some descriptions, such as GitHub's, copy schemas in this way. Both are one model.
    private func originalOfNullableCopy(_ copy: Element) -> Element? {
        guard let slash = copy.path.lastIndex(of: "/") else { return nil }
        let folder = copy.path[...slash]
        let name = copy.path[slash...].dropFirst()
        guard name.hasPrefix("nullable-") else { return nil }
        let path = folder + name.dropFirst("nullable-".count)
        guard let original = try? documents.target(of: "#" + path, in: copy),
            case .object(var membersOfCopy) = copy.node.content,
            case .object(var membersOfOriginal) = original.node.content
        else { return nil }
        for name in ["title", "description", "nullable"] {
            membersOfCopy[name] = nil
            membersOfOriginal[name] = nil
        }
        return membersOfCopy == membersOfOriginal ? original : nil
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
        if hasListOfTypes(element) { return try element.texts("type").filter { $0 != "null" } }
        guard let type = try element.text("type") else { return [] }
        return [type]
    }

    /// Whether the `type` of a schema is a list such as `["string", "null"]`, which OpenAPI 3.1 allows.
    private func hasListOfTypes(_ element: Element) -> Bool {
        if case .list? = element.child("type")?.node.content { true } else { false }
    }

    /// Whether a schema allows null, in one of these ways:
    ///
    ///     nullable: true                   (OpenAPI 3.0)
    ///     type: [string, "null"]           (OpenAPI 3.1)
    ///     enum: [a, b, null]
    ///     oneOf: [{…}, {type: "null"}]     or another variant that allows null, also in `anyOf`
    ///     oneOf: [{…}, {nullable: true}]   as `schemars` writes it, although that variant allows any value
    ///     allOf: [{nullable: true}]        or another schema that allows null, if it is the only one
    ///     allOf: [{…}, {nullable: true}]
    private func allowsNull(_ element: Element) throws -> Bool {
        if try element.flag("nullable") { return true }
        if hasListOfTypes(element), try element.texts("type").contains("null") { return true }
        if let values = try element.list("enum"), values.contains(where: \.isNull) {
            return true
        }
        if let variants = try variantElements(of: element) {
            if try variants.contains(where: isNull) { return true }
            // The variants have been read before, unless they are too many. One that cannot be read is an error there.
            let areRead = variants.count <= Self.maximumVariants
            return areRead && variants.contains { (try? schema($0).isNullable) ?? false }
        }
        guard let parts = try element.list("allOf") else { return false }
        if parts.contains(where: \.onlySaysNullable) { return true }
        return try parts.count == 1 && schema(parts[0]).isNullable
    }

    /// The elements of `oneOf` or `anyOf`; nil if a schema has neither.
    func variantElements(of element: Element) throws -> [Element]? {
        try element.list("oneOf") ?? element.list("anyOf")
    }

    /// Whether a variant of a union allows null and nothing else, itself or through references.
    ///
    /// A variant that only says `nullable: true` allows any value. But it stands for null: otherwise, the other
    /// variants would have no meaning.
    func isNull(_ variant: Element) throws -> Bool {
        // A broken reference is an error where the schema is read.
        guard let element = try? target(of: variant) else { return false }
        if let known = knownNulls[element.id] { return known }
        // A union that contains itself is not null.
        knownNulls[element.id] = false
        let result = try isNullItself(element)
        knownNulls[element.id] = result
        return result
    }

    /// Decides ``isNull(_:)`` for a schema that is not a reference.
    private func isNullItself(_ element: Element) throws -> Bool {
        if element.onlySaysNullable { return true }
        if case .text("null")? = element.child("type")?.node.content { return true }
        if hasListOfTypes(element) { return try element.texts("type") == ["null"] }
        if let constant = element.child("const") { return constant.isNull }
        if let values = try element.list("enum") { return !values.isEmpty && values.allSatisfy(\.isNull) }
        let parts = try variantElements(of: element) ?? element.list("allOf") ?? []
        return try !parts.isEmpty && parts.allSatisfy(isNull)
    }

    /// Decides the kind of a schema that is not a reference, by the first of these keywords that it has:
    ///
    /// 1. `discriminator`, if other schemas have this one in their `allOf`,
    /// 2. `const` or an `enum` of one value, if `allOf`, `oneOf` or `anyOf` beside it describe what it is chosen from,
    /// 3. `properties` or `allOf`,
    /// 4. `oneOf` or `anyOf`,
    /// 5. `enum` or `const`,
    /// 6. `type`. A list of several types is a union.
    private func kind(of element: Element) throws -> Schema.Kind {
        if let kind = try inheritance(element) { return kind }
        if let kind = try onlyValue(besideOthersIn: element) { return kind }
        if element.hasAny(of: "allOf", "properties") { return try composed(element) }
        if let kind = try union(element, with: nil) { return kind }
        let types = try types(of: element)
        // Of several types, the values themselves say which ones they have.
        let typeOfEnum = types.count == 1 ? types.first : nil
        if let kind = try enumeration(element, type: typeOfEnum) { return kind }
        if types.count < 2 { return try plain(types.first, element) }
        let variants = try types.map { type in
            Union.Variant(schema: Schema(try plain(type, element), place: element.place))
        }
        return simplified(Union(variants: variants), for: element)
    }

    /// The kind of a schema with a single value beside keywords that describe its type in general, such as an enum:
    ///
    ///     { allOf: [{ $ref: ActionType }], enum: [1] }
    ///
    /// Nil if the schema has no such keyword, or may have several values.
    private func onlyValue(besideOthersIn element: Element) throws -> Schema.Kind? {
        guard element.hasAny(of: "allOf", "oneOf", "anyOf", "$ref"), !element.has("properties") else { return nil }
        var values = try element.list("enum") ?? []
        if let constant = element.child("const") { values = [constant] }
        guard values.count(where: { !$0.isNull }) == 1 else { return nil }
        return try enumeration(element, type: types(of: element).first)
    }

    /// Decides the kind of a schema by its type and `format`: a `string` with the format `date-time` is a date. The
    /// schema is neither an enum nor composed of others.
    ///
    /// - Parameters:
    ///   - type: Its type; nil if it has none.
    ///   - element: The schema.
    /// - Returns: The kind.
    /// - Throws: ``DescriptionError`` if OpenAPI has no such type, or if a schema within this one cannot be read.
    func plain(_ type: String?, _ element: Element) throws -> Schema.Kind {
        let format = element.prose("format") ?? ""
        switch type {
        case "string": return text(element, format: format)
        case "boolean": return .boolean
        // No standard defines these formats, but descriptions use them for a moment in seconds since 1970. `timestamp`
        // is less certain, and counts only for whole numbers.
        case "integer" where ["unix-time", "unixtime", "timestamp"].contains(format): return .unixTime
        case "integer": return .integer(IntegerType(format: format))
        case "number" where ["unix-time", "unixtime"].contains(format): return .unixTime
        case "number": return .number
        case "array":
            return .list(try schema(element.child("items"), or: .any, at: element.place))
        case "object":
            return .dictionary(try schema(element.schemaOfOtherMembers, or: .any, at: element.place))
        // Swift has no type for values that are always null.
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
        default: element.holdsBytes ? .bytes : .string
        }
    }

    /// A schema without `type`. Its other keywords may imply the type: only lists have `items`, for example.
    private func withoutType(_ element: Element, format: String) throws -> Schema.Kind {
        if element.has("items") { return try plain("array", element) }
        if element.has("additionalProperties") || element.schemaOfOtherMembers != nil {
            return try plain("object", element)
        }
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
}

// MARK: - Any JSON

extension SchemaReader {
    /// Why a schema that describes values became any JSON; nil if it describes nothing, or if another note says it.
    ///
    /// The code then has a `JSONValue`, which reads and sends all of the described values, but without their types.
    private func reasonForAny(_ element: Element) -> NoteText? {
        if (try? isNullItself(element)) == true {
            return element.onlySaysNullable ? nil : "a value that is always null is any JSON"
        }
        if let variants = try? variantElements(of: element), !variants.isEmpty {
            let hasNote = variants.count > Self.maximumVariants
            if hasNote || !variants.contains(where: describesValues) { return nil }
            return "a union is any JSON, since one of its variants allows any value"
        }
        if element.hasAny(of: "enum", "const") {
            let values = (try? element.list("enum")) ?? element.child("const").map { [$0] } ?? []
            let hasOthers = values.count <= Self.maximumValues && values.contains(where: \.isListOrObject)
            return hasOthers ? "an enum is any JSON, since it has lists or objects" : nil
        }
        guard let parts = try? element.list("allOf"), parts.contains(where: describesValues) else { return nil }
        return "an allOf is any JSON, since its parts do not say what the values are"
    }

    /// Whether a variant or a part says more of its values than texts, and is not null.
    private func describesValues(_ element: Element) -> Bool {
        guard let target = try? target(of: element), case .object = target.node.content else { return false }
        if (try? isNull(target)) == true { return false }
        return target.hasAny(
            of: "type", "properties", "items", "allOf", "oneOf", "anyOf", "enum", "const", "format",
            "additionalProperties")
    }
}

extension Element {
    var isNull: Bool { node.content == .null }

    /// Whether the value is a list or an object.
    fileprivate var isListOrObject: Bool {
        switch node.content {
        case .list, .object: true
        default: false
        }
    }

    /// Whether a schema says that null is allowed, and nothing else but texts.
    var onlySaysNullable: Bool {
        guard case .object(let members) = node.content, members["nullable"]?.content == .boolean(true) else {
            return false
        }
        let others = members.keys.filter { !["nullable", "title", "description", "example"].contains($0) }
        return others.allSatisfy { $0.hasPrefix("x-") }
    }

    /// Whether the texts of a schema are bytes that are not encoded as texts, as OpenAPI 3.1 describes them.
    fileprivate var holdsBytes: Bool {
        if prose("contentEncoding") == "binary" { return true }
        guard let mediaType = prose("contentMediaType"), !has("contentEncoding") else { return false }
        return ["application/octet-stream", "image/", "audio/", "video/"].contains(where: mediaType.hasPrefix)
    }

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
