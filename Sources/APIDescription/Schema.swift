import APIKitCore
import APIKitTesting

// The generator in `Tools` reads the keywords of schemas by itself: it looks for the one Swift type that a schema
// stands for, and stops at the first keyword that decides it. A check needs all keywords, since a value has to fit each
// of them.

extension Definition {
    /// The other schemas that a value has to fit: those in `allOf`, and the target of a `$ref` that has members beside
    /// it.
    var allOf: [Definition] {
        var schemas = list("allOf")
        if let reference { schemas.append(reference) }
        return schemas
    }

    /// The schema itself, and all schemas that it is composed of by `allOf`, `oneOf` and `anyOf`, at any depth. If
    /// there are very many, only about the first thousand, so that the search stays short.
    var parts: [Definition] {
        var found = [self]
        var seen: Set = [path]
        var next = 0
        while next < found.count, found.count < 1_000 {
            let part = found[next]
            for inner in part.allOf + part.list("oneOf") + part.list("anyOf") {
                let isNew = seen.insert(inner.path).inserted
                if isNew { found.append(inner) }
            }
            next += 1
        }
        return found
    }

    /// The types that the schema's own `type` names; empty if it allows any type.
    var types: [String] {
        if let type = self["type"]?.string { return [type] }
        return list("type").compactMap(\.string)
    }

    /// The types that values of the schema may have, including those that keywords such as `properties` imply; empty if
    /// unknown.
    var kinds: Set<String> {
        var kinds: Set<String> = []
        for part in parts {
            kinds.formUnion(part.types)
            if part["properties"] != nil || part["additionalProperties"] != nil { kinds.insert("object") }
            if part["items"] != nil || part["prefixItems"] != nil { kinds.insert("array") }
        }
        return kinds
    }

    /// The values of `const` or `enum`, and that keyword; nil if the schema has neither.
    var constants: (keyword: String, values: [Definition])? {
        if let constant = self["const"] { return ("const", [constant]) }
        guard let values = self["enum"] else { return nil }
        return ("enum", values.elements)
    }

    /// The names of an object's members that any part of the schema describes.
    var propertyNames: Set<String> {
        var names: Set<String> = []
        for part in parts { names.formUnion(part["properties"]?.names ?? []) }
        return names
    }

    /// The schema of a member, from the first of the ``parts`` that describes it.
    func property(_ name: String) -> Definition? {
        for part in parts {
            if let property = part["properties"]?[name] { return property }
        }
        return nil
    }

    /// The schema of a member by a name that a key strategy may have converted, such as `avatarUrl` for `avatar_url`.
    func property(decodedAs name: String) -> Definition? {
        if let property = property(name) { return property }
        let path = SampleValue.path(of: [name])
        // Paths are compared, since they are equal for `avatarUrl` and `avatar_url`.
        guard let describedName = propertyNames.first(where: { SampleValue.path(of: [$0]) == path }) else { return nil }
        return property(describedName)
    }

    /// The schema of the element at an index of a list, from the first of the ``parts`` that describes it.
    func element(at index: Int) -> Definition? {
        for part in parts {
            let prefix = part.list("prefixItems")
            let element = index < prefix.count ? prefix[index] : part["items"]
            if let element { return element }
        }
        return nil
    }

    /// The names in the schema's own `required`.
    var required: [String] { list("required").compactMap(\.string) }

    /// Whether null is allowed: by `nullable` in OpenAPI 3.0; by the type `null` in 3.1, also in one of several
    /// alternatives.
    var allowsNull: Bool {
        if isTrue("nullable") { return true }
        let choices = list("oneOf") + list("anyOf")
        return types.contains("null") || choices.contains { $0.types.contains("null") }
    }

    /// Whether a text has the schema's format. True for formats that are not checked.
    func hasFormat(of text: String) -> Bool {
        switch self["format"]?.string {
        case "date-time": ISO8601.date(text) != nil
        case "date": text.wholeMatch(of: /\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])/) != nil
        case "uuid": UUID(uuidString: text) != nil
        default: true
        }
    }
}
