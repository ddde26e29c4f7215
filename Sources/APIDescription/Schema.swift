import APIKitCore
import APIKitTesting

extension Node {
    /// The schema itself, and all that it is composed of; a part of them if there are very many.
    var parts: [Node] {
        var (found, seen): ([Node], Set<String>) = ([self], [])
        var next = 0
        while next < found.count, found.count < 1_000 {
            let schema = found[next]
            next += 1
            guard seen.insert(schema.pointer).inserted else { continue }
            if let target = schema.target { found.append(target) }
            for keyword in ["allOf", "oneOf", "anyOf"] { found += schema[keyword]?.elements ?? [] }
        }
        return found
    }

    /// The types that the schema names itself; empty if any are allowed.
    var types: [String] {
        guard let type = self["type"] else { return [] }
        return type.string.map { [$0] } ?? type.elements.compactMap(\.string)
    }

    /// The types that values of the schema may have.
    var kinds: Set<String> {
        Set(parts.flatMap { $0.types + ($0["properties"] == nil ? [] : ["object"]) + ($0["items"] == nil ? [] : ["array"]) })
    }

    var propertyNames: Set<String> {
        Set(parts.flatMap { $0["properties"]?.members.map(\.name) ?? [] })
    }

    /// The schema of a member, whichever part has it.
    func property(_ name: String) -> Node? {
        parts.lazy.compactMap { $0["properties"]?[name] }.first
    }

    /// Whether null is allowed, as OpenAPI 3.0 and 3.1 write that.
    var allowsNull: Bool {
        let own = resolved
        return own["nullable"]?.isTrue == true || own.types.contains("null")
            || ["oneOf", "anyOf"].contains { own[$0]?.elements.contains { $0.resolved.types == ["null"] } ?? false }
    }

    /// Whether a text is in the schema's format, as far as formats are checked.
    func hasFormat(of text: String) -> Bool {
        switch self["format"]?.string {
        case "date-time": ISO8601.date(text) != nil
        case "date": text.wholeMatch(of: /\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])/) != nil
        case "uuid": UUID(uuidString: text) != nil
        default: true
        }
    }

    /// The limits of a number that its format and its schema set.
    var limits: (lowest: Double?, highest: Double?, excludesLowest: Bool, excludesHighest: Bool) {
        let format = self["format"]?.string
        let range: (Double?, Double?) =
            switch format {
            case "int32": (Double(Int32.min), Double(Int32.max))
            case "int64": (Double(Int64.min), Double(Int64.max))
            default: (nil, nil)
            }
        // In OpenAPI 3.0 a Bool beside the limit, in 3.1 a limit of its own.
        let (above, below) = (self["exclusiveMinimum"], self["exclusiveMaximum"])
        return (
            above?.number ?? self["minimum"]?.number ?? range.0, below?.number ?? self["maximum"]?.number ?? range.1,
            above?.number != nil || above?.isTrue == true, below?.number != nil || below?.isTrue == true
        )
    }
}
