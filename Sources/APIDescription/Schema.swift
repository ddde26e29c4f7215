import APIKitCore
import APIKitTesting

extension Node {
    /// The schemas that a value has to fit too: those of `allOf`, and a reference with members beside it.
    var allOf: [Node] {
        var schemas = list("allOf")
        if let reference { schemas.append(reference) }
        return schemas
    }

    /// The schema itself, and all that it is composed of; a part of them if there are very many.
    var parts: [Node] {
        var found = [self]
        var seen: Set = [pointer]
        var next = 0
        while next < found.count, found.count < 1_000 {
            let part = found[next]
            let inner = part.allOf + part.list("oneOf") + part.list("anyOf")
            found += inner.filter { seen.insert($0.pointer).inserted }
            next += 1
        }
        return found
    }

    /// The types that the schema names itself; empty if any are allowed.
    var types: [String] {
        if let type = self["type"]?.string { return [type] }
        return list("type").compactMap(\.string)
    }

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
        guard let values = self["enum"] else { return nil }
        return ("enum", values.elements)
    }

    /// The names of an object's members, in whichever part.
    var propertyNames: Set<String> {
        var names: Set<String> = []
        for part in parts { names.formUnion(part.value["properties"]?.names ?? []) }
        return names
    }

    /// The schema of a member, whichever part has it.
    func property(_ name: String) -> Node? {
        for part in parts {
            if let property = part["properties"]?[name] { return property }
        }
        return nil
    }

    /// The schema of a member, whose name a decoder may have converted.
    func property(decodedAs name: String) -> Node? {
        if let property = property(name) { return property }
        let path = SampleValue.path(of: [name])
        guard let own = propertyNames.first(where: { SampleValue.path(of: [$0]) == path }) else { return nil }
        return property(own)
    }

    /// The schema of the element at an index of a list, whichever part has it.
    func element(at index: Int) -> Node? {
        for part in parts {
            let first = part.list("prefixItems")
            let element = index < first.count ? first[index] : part["items"]
            if let element { return element }
        }
        return nil
    }

    /// The names of the members that the schema itself requires.
    var required: [String] { list("required").compactMap(\.string) }

    /// Whether null is allowed, as OpenAPI 3.0 and 3.1 write that.
    var allowsNull: Bool {
        if isTrue("nullable") { return true }
        let choices = list("oneOf") + list("anyOf")
        return types.contains("null") || choices.contains { $0.types.contains("null") }
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
