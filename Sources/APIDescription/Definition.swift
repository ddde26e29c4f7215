import APIKitCore
import OpenAPIRules

/// A value of a description and its place. A reference is replaced by its target.
///
/// No error can occur, since ``DescriptionReader`` has followed all references once. The generator in `Tools` follows
/// each of them where it reads it, so that a mistake only costs the operations that refer to it.
struct Definition: Sendable {
    /// What all values of a description share. It is a class, since recursive functions have many definitions on the
    /// stack.
    final class Document: Sendable {
        /// The targets of references, by the text of the reference. ``DescriptionReader`` has collected all of them.
        let targets: [String: Element]
        /// Whether members beside a `$ref` have a meaning, as in OpenAPI 3.1. In OpenAPI 3.0, they are ignored.
        let readsSiblings: Bool

        init(targets: [String: Element], readsSiblings: Bool) {
            self.targets = targets
            self.readsSiblings = readsSiblings
        }

        /// The target of a value; nil if the value is not a reference.
        func target(of node: Node) -> Element? {
            guard let reference = node["$ref"]?.string else { return nil }
            return targets[reference]
        }
    }

    /// The value. If it is a reference, its own members have a meaning besides the target's meaning: see ``reference``.
    let element: Element
    private let document: Document

    /// Creates the definition that a value is, or that is at the end of its references.
    ///
    /// A reference is followed if it stands alone. In OpenAPI 3.1, members beside a `$ref` are rules of their own:
    /// `{"$ref": "#/a", "minimum": 1}`. The definition is then this value, and ``reference`` has the target.
    init(_ element: Element, _ document: Document) {
        self.document = document
        let hasOwnRules = document.readsSiblings && element.node.hasMembersBesideReference
        if !hasOwnRules, let target = document.target(of: element.node) {
            self.element = target
        } else {
            self.element = element
        }
    }

    /// The target of a reference with members beside it; nil for other values.
    var reference: Definition? { document.target(of: node).map { Definition($0, document) } }

    // MARK: - Place

    /// The place as a JSON pointer (RFC 6901). It identifies the value.
    var path: String { element.path }
    /// The place as a JSON pointer in a URI fragment (RFC 6901, section 6), without its percent-encoding.
    var pointer: String { Self.pointer(element.path) }

    /// The pointer to a member, whether or not it exists.
    func pointer(to name: String) -> String { Reference.pointer(pointer, name) }

    /// The pointer of the value with a path.
    static func pointer(_ path: String) -> String { "#\(path)" }

    // MARK: - Contents

    var node: Node { element.node }
    /// The value as JSON, to compare it with others or to show it.
    var value: JSONValue { JSONValue(node) }

    /// A member of an object; nil for other values.
    subscript(name: String) -> Definition? {
        node[name].map { Definition(element.inner($0, at: name), document) }
    }

    /// The names of an object's members; empty for other values.
    var names: [String] { node.members?.keys ?? [] }

    /// The members of an object; empty for other values.
    var members: [(name: String, definition: Definition)] {
        guard let members = node.members else { return [] }
        return members.map { ($0.key, Definition(element.inner($0.value, at: $0.key), document)) }
    }

    /// The elements of a list; empty for other values.
    var elements: [Definition] {
        guard let elements = node.elements else { return [] }
        return elements.enumerated().map { index, node in Definition(element.inner(node, at: "\(index)"), document) }
    }

    /// The elements of a member that is a list; empty if there is no such member.
    func list(_ name: String) -> [Definition] { self[name]?.elements ?? [] }

    /// Whether a member is `true`.
    func isTrue(_ name: String) -> Bool { node[name]?.bool == true }

    var string: String? { node.string }
    var bool: Bool? { node.bool }

    var number: Double? {
        guard case .number(let text) = node.content else { return nil }
        return Double(text)
    }
}

extension Node {
    /// Whether an object has members beside its `$ref` that a check needs. A summary and a description are not needed.
    fileprivate var hasMembersBesideReference: Bool {
        guard let members else { return false }
        return members.contains { !["$ref", "summary", "description"].contains($0.key) }
    }
}
