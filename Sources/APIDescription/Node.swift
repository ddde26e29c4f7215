import APIKitCore
import APIKitTesting
import OpenAPIRules

/// A value in a description, with its place. A reference is replaced by its target.
struct Node: Sendable {
    /// The properties that all values of a description share.
    struct Document: Sendable {
        /// The targets of references, by the text of the reference. ``DescriptionReader`` has collected all of them.
        let targets: [String: Target]
        /// Whether members beside a `$ref` have a meaning, as in OpenAPI 3.1. In OpenAPI 3.0, they are ignored.
        let readsSiblings: Bool

        /// The target of a value; nil if the value is not a reference.
        func target(of value: JSONValue) -> Target? {
            guard let reference = value["$ref"]?.string else { return nil }
            return targets[reference]
        }
    }

    /// The value at the end of a chain of references, and its place.
    struct Target: Sendable {
        let value: JSONValue
        let pointer: String
    }

    /// The value. If it is a reference, its own members have a meaning besides the target's meaning: see ``reference``.
    let value: JSONValue
    /// The place as a JSON pointer in a URI fragment (RFC 6901, section 6), without its percent-encoding.
    let pointer: String
    private let document: Document

    /// Creates the node of a value, or of the value at the end of its references.
    ///
    /// A reference is followed if it stands alone. In OpenAPI 3.1, members beside a `$ref` are rules of their own:
    /// `{"$ref": "#/a", "minimum": 1}`. The node then stays at this value, and ``reference`` has the target.
    init(_ value: JSONValue, _ pointer: String, _ document: Document) {
        self.document = document
        let hasOwnRules = document.readsSiblings && value.hasMembersBesideReference
        if !hasOwnRules, let target = document.target(of: value) {
            self.value = target.value
            self.pointer = target.pointer
        } else {
            self.value = value
            self.pointer = pointer
        }
    }

    /// The target of a reference with members beside it; nil for other values.
    var reference: Node? { document.target(of: value).map { Node($0.value, $0.pointer, document) } }

    /// A member of an object; nil for other values.
    subscript(name: String) -> Node? {
        value[name].map { Node($0, Self.pointer(pointer, name), document) }
    }

    /// The members of an object; empty for other values.
    var members: [(name: String, node: Node)] {
        guard case .object(let members) = value else { return [] }
        return members.map { ($0.name, Node($0.value, Self.pointer(pointer, $0.name), document)) }
    }

    /// The elements of a list; empty for other values.
    var elements: [Node] {
        guard case .array(let values) = value else { return [] }
        return values.enumerated().map { index, element in Node(element, "\(pointer)/\(index)", document) }
    }

    /// The elements of a member that is a list; empty if there is no such member.
    func list(_ name: String) -> [Node] { self[name]?.elements ?? [] }

    /// Whether a member is `true`.
    func isTrue(_ name: String) -> Bool { value[name]?.bool == true }

    var string: String? { value.string }
    var number: Double? { value.number?.double }

    /// The JSON pointer to a member of the value at a pointer.
    static func pointer(_ parent: String, _ name: String) -> String {
        Reference.pointer(parent, name)
    }
}

extension JSONValue {
    /// Whether an object has members beside its `$ref` that a check needs. A summary and a description are not needed.
    fileprivate var hasMembersBesideReference: Bool {
        names.contains { !["$ref", "summary", "description"].contains($0) }
    }

    /// The name of the value's type, as messages and schemas write it, except that `list` stands for `array`.
    var kind: String {
        switch self {
        case .object: "object"
        case .array: "list"
        case .string: "string"
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        }
    }
}

extension String {
    /// The name of a type with its article: `a list`, `an object`, but `null`.
    var withArticle: String {
        if self == "null" { return self }
        let article = "aeio".contains(prefix(1)) ? "an" : "a"
        return "\(article) \(self)"
    }
}
