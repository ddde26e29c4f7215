import OpenAPIRules

/// Reads what extensions and a behavior model say of operations: retries, idempotency and pages.
///
/// A behavior model takes precedence over the extensions of an operation, and these over the extensions at the root,
/// which are about all operations. Extensions of the API's own name come before those that are meant for the generators
/// of Fern, Microsoft and Speakeasy.
final class BehaviorReader {
    private let schemas: SchemaReader
    private let root: Element
    private let model: BehaviorModel?
    /// The members of the model's operations, by the operations' names.
    private let modelMembers: [String: [(name: String, value: Element)]]
    /// The names of the operations that were read.
    private var readOperations: Set<String> = []
    /// The identifiers of the extensions that were read, by which the others are found.
    private(set) var usedIDs: Set<String> = []

    /// Creates a reader for a description, and for its model if it has one.
    ///
    /// - Throws: ``DescriptionError`` if an operation of the model is not an object.
    init(_ schemas: SchemaReader, root: Element, model: BehaviorModel?) throws {
        self.schemas = schemas
        self.root = root
        self.model = model
        var modelMembers: [String: [(name: String, value: Element)]] = [:]
        for (name, value) in model?.operations ?? [] { modelMembers[name] = try value.members() }
        self.modelMembers = modelMembers
    }

    /// Reads what is said of an operation.
    func behavior(of operation: Element, name: String?) -> Behavior {
        var statements = statements(inModelOf: name)
        statements += Self.extensions(of: operation)
        let rootStatements = Self.extensions(of: root)
        var behavior = Behavior()
        behavior.retries = first(of: .retries, statements + rootStatements) { $0.retries() } ?? Behavior.Retries()
        let headers = idempotencyHeaders()
        let idempotency = first(of: .idempotency, statements) { $0.idempotency(headers: headers) }
        let onlyReads = statements.contains { $0.topic == .readOnly && $0.flag == true }
        behavior.isIdempotent = idempotency == .natural || onlyReads
        behavior.knowsIdempotencyKeys = idempotency == .byKey
        let pageStatements = statements.filter { $0.topic == .pages }.map(withContent)
        behavior.paging = first(of: .pages, pageStatements) { $0.paging() }
        // A behavior model does not name the header with the total, which the extension beside it may do.
        let totalHeader = pageStatements.lazy.compactMap(Self.totalHeader).first
        if behavior.paging?.totalHeader == nil { behavior.paging?.totalHeader = totalHeader }
        return behavior
    }

    /// The first value that a statement about a topic has. All statements that can be read count as used: if there are
    /// several, they are meant to say the same to different generators.
    private func first<Value>(
        of topic: Statement.Topic, _ statements: [Statement], read: (inout Statement) -> Value?
    ) -> Value? {
        var first: Value?
        for var statement in statements where statement.topic == topic {
            guard let value = read(&statement) else { continue }
            usedIDs.insert(statement.element.id)
            guard first == nil else { continue }
            first = value
            noteUnreadMembers(of: statement)
        }
        return first
    }

    private func noteUnreadMembers(of statement: Statement) {
        let names = statement.unreadNames
        if names.isEmpty { return }
        let list = names.joined(separator: ", ")
        schemas.note(
            .simplified, "\(exact: statement.shownName) is read without \(exact: list)",
            at: statement.element.shownPlace)
    }

    // MARK: - Statements

    /// The vendors whose generators have extensions of their own.
    private static let vendors = ["x-fern-", "x-ms-", "x-speakeasy-"]

    /// The statements of an object's extensions, sorted by name, those of vendors last.
    private static func extensions(of owner: Element) -> [Statement] {
        guard let members = owner.node.members else { return [] }
        let names = members.keys.filter { $0.hasPrefix("x-") }.sorted()
        let own = names.filter { name in !vendors.contains { name.hasPrefix($0) } }
        let ofVendors = names.filter { name in vendors.contains { name.hasPrefix($0) } }
        return (own + ofVendors).compactMap { name in
            owner.child(name).flatMap { Statement(extension: name, $0) }
        }
    }

    /// The statements of the behavior model about an operation.
    private func statements(inModelOf name: String?) -> [Statement] {
        guard let name, let members = modelMembers[name] else { return [] }
        readOperations.insert(name)
        return members.compactMap { Statement(modelMember: $0.name, $0.value) }
    }

    /// The statement itself, or the one at the root that an operation refers to by `true`:
    /// `x-fern-pagination: true`.
    private func withContent(_ statement: Statement) -> Statement {
        guard statement.flag == true, let content = root.child(statement.name) else { return statement }
        usedIDs.insert(statement.element.id)
        return Statement(extension: statement.name, content) ?? statement
    }

    /// The header with the number of items on all pages that a statement names.
    private static func totalHeader(in statement: Statement) -> String? {
        var statement = statement
        return statement.totalHeader()
    }

    /// The headers that the description names for Fern's generators, which idempotent operations accept.
    private func idempotencyHeaders() -> [String] {
        guard let extensionElement = root.child("x-fern-idempotency-headers") else { return [] }
        usedIDs.insert(extensionElement.id)
        return extensionElement.node.elements?.compactMap { $0["header"]?.string } ?? []
    }

    // MARK: - The rest of the model

    /// Adds notes for what the behavior model says and the code does not have: members that are about something else,
    /// values that are not understood, and operations that the description does not have.
    func noteUnusedPartsOfModel() {
        guard let model else { return }
        for (name, value) in model.otherMembers { noteUnused(name, value) }
        for (operation, value) in model.operations {
            guard readOperations.contains(operation) else {
                schemas.note(
                    .skipped, "operation \(operation) of the behavior model, which the description does not have",
                    at: value.place)
                continue
            }
            for (name, value) in modelMembers[operation] ?? [] where !isUsed(name, value) { noteUnused(name, value) }
        }
    }

    /// Whether a member of an operation in the model was read. A Boolean about reading is always understood.
    private func isUsed(_ name: String, _ value: Element) -> Bool {
        if name == "readonly", value.node.bool != nil { return true }
        return usedIDs.contains(value.id)
    }

    private func noteUnused(_ name: String, _ value: Element) {
        schemas.note(.unused, NoteText(Statement.shownName(ofModelMember: name, value)), at: value.place)
    }
}
