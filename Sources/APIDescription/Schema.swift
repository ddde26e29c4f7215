import APIKitCore
import APIKitTesting

extension Node {
    /// The schemas that a value has to fit too: those of `allOf`, and a reference with members beside it.
    var allOf: [Node] { list("allOf") + [reference].compactMap(\.self) }

    /// The schema itself, and all that it is composed of; a part of them if there are very many.
    var parts: [Node] {
        var (found, seen, next): ([Node], Set<String>, Int) = ([self], [pointer], 0)
        while next < found.count, found.count < 1_000 {
            let parts = found[next].allOf + found[next].list("oneOf") + found[next].list("anyOf")
            found += parts.filter { seen.insert($0.pointer).inserted }
            next += 1
        }
        return found
    }

    /// The types that the schema names itself; empty if any are allowed.
    var types: [String] { self["type"]?.string.map { [$0] } ?? list("type").compactMap(\.string) }

    /// The types that values of the schema may have.
    var kinds: Set<String> {
        var kinds: Set<String> = []
        for part in parts {
            kinds.formUnion(part.types)
            if part["properties"] != nil || part["additionalProperties"] != nil { kinds.insert("object") }
            if part["items"] != nil || part["prefixItems"] != nil { kinds.insert("array") }
        }
        return kinds
    }

    /// The only values that the schema allows, and the keyword that names them; nil if it allows others.
    var constants: (keyword: String, values: [Node])? {
        if let constant = self["const"] { return ("const", [constant]) }
        return self["enum"].map { _ in ("enum", list("enum")) }
    }

    /// The names of an object's members, in whichever part.
    var propertyNames: Set<String> { Set(parts.flatMap { $0.value["properties"]?.names ?? [] }) }

    /// The schema of a member, whichever part has it.
    func property(_ name: String) -> Node? { parts.lazy.compactMap { $0["properties"]?[name] }.first }

    /// The schema of a member, whose name a decoder may have converted.
    func property(decodedAs name: String) -> Node? {
        if let property = property(name) { return property }
        let path = SampleValue.path(of: [name])
        guard let own = propertyNames.first(where: { SampleValue.path(of: [$0]) == path }) else { return nil }
        return property(own)
    }

    /// The schema of the element at an index of a list, whichever part has it.
    func element(at index: Int) -> Node? {
        parts.lazy.compactMap { part in
            let first = part.list("prefixItems")
            return index < first.count ? first[index] : part["items"]
        }.first
    }

    /// The names of the members that the schema itself requires.
    var required: [String] { list("required").compactMap(\.string) }

    /// Whether null is allowed, as OpenAPI 3.0 and 3.1 write that.
    var allowsNull: Bool {
        isTrue("nullable") || ([self] + list("oneOf") + list("anyOf")).contains { $0.types.contains("null") }
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
