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
    var knownNulls: [String: Bool] = [:]
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

    /// The value at the end of a chain of references.
    func target(of element: Element) throws -> Element { try documents.target(of: element) }

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
