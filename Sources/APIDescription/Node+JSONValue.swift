import APIKitCore
import OpenAPIRules

extension Node {
    /// Creates the node of a value. Lines are unknown. Of several members of one name, the last one counts.
    init(json value: JSONValue) {
        switch value {
        case .null: self.init(.null)
        case .bool(let flag): self.init(.boolean(flag))
        case .number(let number): self.init(.number(number.description))
        case .string(let text): self.init(.text(text))
        case .array(let values): self.init(.list(values.map(Node.init(json:))))
        case .object(let object):
            var members: Members = [:]
            for (name, value) in object { members[name] = Node(json: value) }
            self.init(.object(members))
        }
    }
}

extension JSONValue {
    /// Creates the value of a node that was created from JSON.
    init(_ node: Node) {
        switch node.content {
        case .null: self = .null
        case .boolean(let flag): self = .bool(flag)
        case .number(let digits): self = .number(Number(digits: digits))
        case .text(let text): self = .string(text)
        case .list(let nodes): self = .array(nodes.map(JSONValue.init))
        case .object(let members): self = .object(Object(members.map { ($0.key, JSONValue($0.value)) }))
        }
    }
}
