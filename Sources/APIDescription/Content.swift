import APIKitCore
import APIKitTesting

// The object `content` of a request or a response, and what it has for each type.
extension Node {
    /// What there is for a type, the exact one first.
    func media(_ essence: String) -> Node? {
        [essence, "\(essence.prefix { $0 != "/" })/*", "*/*"].lazy.compactMap { type in
            members.first { MIMEType(rawValue: $0.name).essence == type }?.node
        }.first
    }

    func unknownType(_ essence: String, _ member: String) -> APIDescription.Problem {
        let types = members.map(\.name).joined(separator: ", ")
        return .init(.contentType, member, "is \(essence), not \(types)", pointer)
    }

    /// What is wrong with JSON of a type, or of a part of it.
    func problems(
        with data: Data, _ schema: Node?, _ member: String, _ direction: SchemaCheck.Direction
    ) -> [APIDescription.Problem] {
        guard let value = JSONValue(data) else { return [.init(.type, member, "is not JSON", pointer)] }
        return schema.map { SchemaCheck.problems(value, $0, member, direction) } ?? []
    }

    /// The examples of a type or, without any, those of its schema.
    var responseExamples: [Node] {
        let own = (self["examples"]?.members.map(\.node["value"]) ?? []) + [self["example"]]
        guard own.compactMap(\.self).isEmpty, let schema = self["schema"] else { return own.compactMap(\.self) }
        return [schema["example"]].compactMap(\.self) + schema.list("examples")
    }
}

extension String {
    /// Whether a content type is JSON, or one that is based on it (RFC 6839, section 3.1).
    var isJSON: Bool { hasSuffix("/json") || hasSuffix("+json") }
}
