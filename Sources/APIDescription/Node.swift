import APIKitCore
import APIKitTesting

/// A value of a description, with its place. References are resolved.
struct Node: Sendable {
    /// What all values of a description have in common.
    struct Document: Sendable {
        /// The values that references lead to, by the text of the reference.
        let targets: [String: Target]
        /// Whether members beside a `$ref` count, as in OpenAPI 3.1.
        let readsSiblings: Bool

        /// What a value refers to; nil if it is not a reference.
        func target(of value: JSONValue) -> Target? {
            guard let reference = value["$ref"]?.string else { return nil }
            return targets[reference]
        }
    }

    /// What a reference leads to: a value that is not itself a reference, and its place.
    struct Target: Sendable {
        let value: JSONValue
        let pointer: String
    }

    let value: JSONValue
    /// The place as a JSON pointer in a URI fragment (RFC 6901, section 6), without its percent-encoding.
    let pointer: String
    private let document: Document

    init(_ value: JSONValue, _ pointer: String, _ document: Document) {
        self.document = document
        // With other members beside it, a reference is only a part of the schema.
        let isWhole = !document.readsSiblings || !value.hasMembersBesideReference
        if isWhole, let target = document.target(of: value) {
            self.value = target.value
            self.pointer = target.pointer
        } else {
            self.value = value
            self.pointer = pointer
        }
    }

    /// What a reference with members beside it leads to; nil for other values.
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
        guard case .list(let values) = value else { return [] }
        return values.enumerated().map { index, element in Node(element, "\(pointer)/\(index)", document) }
    }

    /// The elements of a list that is a member.
    func list(_ name: String) -> [Node] { self[name]?.elements ?? [] }

    /// Whether a member is `true`.
    func isTrue(_ name: String) -> Bool { value[name]?.literal == "true" }

    var string: String? { value.string }
    var number: Double? { value.number }

    static func pointer(_ parent: String, _ name: String) -> String {
        "\(parent)/\(name.replacing("~", with: "~0").replacing("/", with: "~1"))"
    }
}

extension JSONValue {
    /// Whether an object has members that say something about a value; texts about a reference do not.
    fileprivate var hasMembersBesideReference: Bool {
        names.contains { !["$ref", "summary", "description"].contains($0) }
    }

    var isNull: Bool { literal == "null" }

    var kind: String {
        switch self {
        case .object: "object"
        case .list: "list"
        case .string: "string"
        case .literal("null"): "null"
        case .literal("true"), .literal("false"): "boolean"
        case .literal: "number"
        }
    }
}

extension String {
    /// `a list`, `an object`; `null` stays as it is.
    var withArticle: String {
        if self == "null" { return self }
        let article = "aeio".contains(prefix(1)) ? "an" : "a"
        return "\(article) \(self)"
    }
}
