import OpenAPIRules

/// What an extension, or a member of a behavior model, says of an operation.
///
/// It is read member by member, and remembers which ones were read: a note names the others.
struct Statement {
    /// What statements are about.
    enum Topic {
        case retries
        case idempotency
        case pages
        /// Whether an operation only reads, as behavior models say of each one.
        case readOnly
    }

    /// The name of the extension or the member.
    let name: String
    /// The name as notes show it: a member of a behavior model is shown with the file.
    let shownName: String
    let element: Element
    let topic: Topic
    /// The names of the members that were read.
    private var readNames: Set<String> = []

    /// Creates a statement of an extension. Nil if its name says that it is about something else:
    ///
    ///     x-retry, x-shop-retry, x-speakeasy-retries       how often a request is sent
    ///     x-shop-idempotent, x-shop-idempotency            whether a request may be sent again
    ///     x-shop-pagination, x-ms-pageable                 how pages follow each other
    init?(extension name: String, _ element: Element) {
        guard name.hasPrefix("x-"), let lastWord = name.split(separator: "-").last else { return nil }
        switch lastWord.lowercased() {
        case "retry", "retries": topic = .retries
        case "idempotent", "idempotency": topic = .idempotency
        case "pagination": topic = .pages
        default:
            guard name == "x-ms-pageable" else { return nil }
            topic = .pages
        }
        self.name = name
        shownName = name
        self.element = element
    }

    /// Creates a statement of a member that a behavior model has for an operation; nil if it is about something else.
    init?(modelMember name: String, _ element: Element) {
        switch name {
        case "retry": topic = .retries
        case "idempotent": topic = .idempotency
        case "pagination": topic = .pages
        case "readonly": topic = .readOnly
        default: return nil
        }
        self.name = name
        shownName = Self.shownName(ofModelMember: name, element)
        self.element = element
    }

    /// The name of a behavior model's member as notes show it: `retry in behavior-model.json`.
    static func shownName(ofModelMember name: String, _ element: Element) -> String { "\(name) in \(element.file)" }

    /// Whether the value is a Boolean, and which one.
    var flag: Bool? { element.node.bool }
    /// Whether the value is an object.
    var isObject: Bool { element.node.members != nil }

    /// The names of the members that were not read, sorted.
    var unreadNames: [String] {
        guard let members = element.node.members else { return [] }
        return members.keys.filter { !readNames.contains($0) }.sorted()
    }

    // MARK: - Members

    /// The value of the first of some members that exists; nil if there is none.
    mutating func value(_ names: String...) -> Node? { firstValue(names) { $0 } }

    /// The value of the first of some members that exists, as a closure reads it; nil if there is none, or if the
    /// closure cannot read it. It then counts as a member that was not read.
    mutating func value<Value>(_ names: String..., as read: (Node) -> Value?) -> Value? { firstValue(names, as: read) }

    /// The text of the first of some members that exists; nil if there is none, or if it is not a text.
    mutating func text(_ names: String...) -> String? { firstValue(names, as: \.string) }

    /// The Boolean of the first of some members that exists; nil if there is none, or if it is not a Boolean.
    mutating func flag(_ names: String...) -> Bool? { firstValue(names, as: \.bool) }

    /// The whole number of the first of some members that exists; nil if there is none, or if it is not one.
    mutating func number(_ names: String...) -> Int? {
        firstValue(names) { node in
            guard case .number(let text) = node.content else { return nil }
            return Int(text)
        }
    }

    private mutating func firstValue<Value>(_ names: [String], as read: (Node) -> Value?) -> Value? {
        for name in names {
            guard let node = element.node[name] else { continue }
            guard let value = read(node) else { return nil }
            readNames.insert(name)
            return value
        }
        return nil
    }
}
