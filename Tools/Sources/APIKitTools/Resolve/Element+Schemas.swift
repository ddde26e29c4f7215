import OpenAPIRules

extension Element {
    var isNull: Bool { node.content == .null }

    /// Whether the value is a list or an object.
    var isListOrObject: Bool {
        switch node.content {
        case .list, .object: true
        default: false
        }
    }

    /// Whether a schema says that null is allowed, and nothing else but texts.
    var onlySaysNullable: Bool {
        guard case .object(let members) = node.content, members["nullable"]?.content == .boolean(true) else {
            return false
        }
        let others = members.keys.filter { !["nullable", "title", "description", "example"].contains($0) }
        return others.allSatisfy { $0.hasPrefix("x-") }
    }

    /// Whether the texts of a schema are bytes that are not encoded as texts, as OpenAPI 3.1 describes them.
    var holdsBytes: Bool {
        if prose("contentEncoding") == "binary" { return true }
        guard let mediaType = prose("contentMediaType"), !has("contentEncoding") else { return false }
        return ["application/octet-stream", "image/", "audio/", "video/"].contains(where: mediaType.hasPrefix)
    }

    /// The title, if it can serve as a type's name: at most four words of letters and numbers.
    var title: String? {
        guard let title = prose("title"), title.first?.isLetter == true else { return nil }
        if Words(title).words.count > 4 { return nil }
        let isName = title.allSatisfy { $0.isLetter || $0.isNumber || " _-".contains($0) }
        return isName ? title : nil
    }

    /// The name of the schema's component, or of its file if the file holds a single schema. The first row that applies
    /// decides:
    ///
    /// | the schema | name |
    /// | --- | --- |
    /// | `models/user.yaml` | `user` |
    /// | `#/components/schemas/User`, or a schema in `$defs` or `definitions` | `User` |
    /// | `models.yaml#/User` | `User` |
    /// | `#/components/responses/User/content/…/schema` | `User` |
    /// | `responses/user.yaml#/content/…/schema` | `user` |
    /// | any other is described where it is used | nil |
    var componentName: String? {
        let keys = path.split(separator: "/").map(Reference.unescaped)
        // `user` for `models/user.yaml`
        let fileName = file.split(separator: "/").last?.split(separator: ".").first.map(String.init)
        // The schema is the whole file.
        guard let last = keys.last else { return fileName }
        if Self.isComponent(keys) { return last }
        // The root of the file maps names to schemas, as in `models.yaml#/User`.
        let isRootMap = keys.count == 1 && !["items", "schema"].contains(last)
        if isRootMap { return last }
        // A schema may have the name of the response that it is the only content of.
        guard last == "schema", let contentIndex = keys.lastIndex(of: "content") else { return nil }
        // The keys are `components/responses/NAME/content/MEDIA-TYPE/schema`.
        if contentIndex == 3, keys[0] == "components" { return keys[2] }
        // The file is a response.
        return contentIndex == 0 ? fileName : nil
    }

    /// Whether the keys lead to a named schema in a dictionary of schemas, such as `components/schemas` or `$defs`.
    private static func isComponent(_ keys: [String]) -> Bool {
        if keys.count == 3, keys[0] == "components", keys[1] == "schemas" { return true }
        guard keys.count > 1 else { return false }
        return ["components", "definitions", "$defs"].contains(keys[keys.count - 2])
    }
}
