import APIKitCore
import APIKitTesting

extension Node {
    /// The schema itself, and all that it is composed of; a part of them if there are very many.
    var parts: [Node] {
        var (found, seen, next): ([Node], Set<String>, Int) = ([self], [], 0)
        while next < found.count, found.count < 1_000 {
            let schema = found[next]
            next += 1
            guard seen.insert(schema.pointer).inserted else { continue }
            found += [schema.target].compactMap(\.self)
            for keyword in ["allOf", "oneOf", "anyOf"] { found += schema.list(keyword) }
        }
        return found
    }

    /// The types that the schema names itself; empty if any are allowed.
    var types: [String] { self["type"].map { $0.string.map { [$0] } ?? $0.elements.compactMap(\.string) } ?? [] }

    /// The types that values of the schema may have.
    var kinds: Set<String> {
        let shapes = [("properties", "object"), ("additionalProperties", "object"), ("items", "array")]
        return Set(parts.flatMap { part in part.types + shapes.filter { part[$0.0] != nil }.map(\.1) })
    }

    var propertyNames: Set<String> { Set(parts.flatMap { $0["properties"]?.members.map(\.name) ?? [] }) }

    /// The schema of a member, whichever part has it.
    func property(_ name: String) -> Node? { parts.lazy.compactMap { $0["properties"]?[name] }.first }

    /// Whether null is allowed, as OpenAPI 3.0 and 3.1 write that.
    var allowsNull: Bool {
        let choices = resolved.list("oneOf") + resolved.list("anyOf")
        return resolved.isTrue("nullable") || resolved.types.contains("null")
            || choices.contains { $0.resolved.types == ["null"] }
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
}
