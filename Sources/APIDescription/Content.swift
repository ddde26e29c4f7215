import APIKitCore
import APIKitTesting

// The object `content` of a request or a response, which has a media type object for each content type.
extension Definition {
    /// The media type object for a content type, given as its essence: the type without parameters, such as
    /// `text/plain`. An exact type takes precedence over a wildcard such as `text/*`.
    func media(_ essence: String) -> Definition? {
        let wildcard = "\(essence.prefix { $0 != "/" })/*"
        let contents = members
        for type in [essence, wildcard, "*/*"] {
            if let content = contents.first(where: { MIMEType(rawValue: $0.name).essence == type }) {
                return content.definition
            }
        }
        return nil
    }

    /// The problem of a body whose content type is not described.
    func unknownType(_ essence: String, _ member: String) -> APIDescription.Problem {
        let types = members.map(\.name).joined(separator: ", ")
        return .init(.contentType, member, "is \(essence), not \(types)", pointer)
    }

    /// The problems of JSON that should fit a schema. Called on the media type object, which is the place of the
    /// problem if the data is not JSON.
    func problems(
        with data: Data, _ schema: Definition?, at place: Place, _ direction: SchemaCheck.Direction
    ) -> [APIDescription.Problem] {
        guard let value = JSONValue(data) else { return [.init(.type, place.description, "is not JSON", pointer)] }
        guard let schema else { return [] }
        return SchemaCheck.problems(value, schema, at: place, direction)
    }

    /// The examples of a media type object; if it has none, the examples of its schema.
    var responseExamples: [Definition] {
        var examples = (self["examples"]?.members ?? []).compactMap { $0.definition["value"] }
        if let example = self["example"] { examples.append(example) }
        guard examples.isEmpty, let schema = self["schema"] else { return examples }
        if let example = schema["example"] { examples.append(example) }
        return examples + schema.list("examples")
    }
}

extension String {
    /// Whether this is a media range that includes a media type: `*/*` includes all, and `text/*` includes `text/csv`
    /// (RFC 9110, section 12.5.1).
    func matchesMediaType(_ type: String) -> Bool {
        if self == "*/*" { return true }
        guard hasSuffix("/*") else { return self == type }
        return type.hasPrefix(dropLast())
    }

    /// Whether a content type is JSON or has the suffix of a type based on JSON (RFC 6839, section 3.1).
    var isJSON: Bool { hasSuffix("/json") || hasSuffix("+json") }
}
