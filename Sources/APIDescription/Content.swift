import APIKitCore
import APIKitTesting

// The object `content` of a request or a response, and what it has for each type.
extension Node {
    /// What there is for a type, the exact one first.
    func media(_ essence: String) -> Node? {
        let wildcard = "\(essence.prefix { $0 != "/" })/*"
        let contents = members
        for type in [essence, wildcard, "*/*"] {
            if let content = contents.first(where: { MIMEType(rawValue: $0.name).essence == type }) {
                return content.node
            }
        }
        return nil
    }

    func unknownType(_ essence: String, _ member: String) -> APIDescription.Problem {
        let types = members.map(\.name).joined(separator: ", ")
        return .init(.contentType, member, "is \(essence), not \(types)", pointer)
    }

    /// What is wrong with JSON of a type, or of a part of it.
    func problems(
        with data: Data, _ schema: Node?, at place: Place, _ direction: SchemaCheck.Direction
    ) -> [APIDescription.Problem] {
        guard let value = JSONValue(data) else { return [.init(.type, place.description, "is not JSON", pointer)] }
        guard let schema else { return [] }
        return SchemaCheck.problems(value, schema, at: place, direction)
    }

    /// The examples of a type or, without any, those of its schema.
    var responseExamples: [Node] {
        var examples = (self["examples"]?.members ?? []).compactMap { $0.node["value"] }
        if let example = self["example"] { examples.append(example) }
        guard examples.isEmpty, let schema = self["schema"] else { return examples }
        if let example = schema["example"] { examples.append(example) }
        return examples + schema.list("examples")
    }
}

extension String {
    /// Whether a content type is JSON, or one that is based on it (RFC 6839, section 3.1).
    var isJSON: Bool { hasSuffix("/json") || hasSuffix("+json") }
}
