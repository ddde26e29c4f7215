import APIKitCore
import APIKitTesting

/// A parameter of an operation, or a field of a form.
struct Parameter: Sendable {
    typealias Item = (name: String, text: String)

    let node: Node
    let name: String
    let location: String
    let isRequired: Bool
    let schema: Node?
    let style: String
    let explodes: Bool

    /// What distinguishes parameters. The names of headers ignore case.
    var key: String { "\(location) \(location == "header" ? name.lowercased() : name)" }

    /// A parameter of an operation; nil without a name or a place.
    init?(_ node: Node) {
        guard let name = node["name"]?.string, let location = node["in"]?.string else { return nil }
        self.node = node
        self.name = name
        self.location = location
        isRequired = node["required"]?.isTrue ?? false
        schema = node["schema"]
        style = node["style"]?.string ?? (location == "query" || location == "cookie" ? "form" : "simple")
        explodes = node["explode"].map(\.isTrue) ?? (style == "form")
    }

    /// A field of a form.
    init(field name: String, schema: Node, encoding: Node?) {
        node = schema
        self.name = name
        location = "body"
        isRequired = false
        self.schema = schema
        // Without an encoding, any style of the form is accepted.
        style = encoding?["style"]?.string ?? (encoding?["explode"] == nil ? "" : "form")
        explodes = encoding?["explode"].map(\.isTrue) ?? true
    }

    /// Takes the items of this parameter and creates its value of them; nil if there are none.
    ///
    /// - Parameters:
    ///   - items: The items, from which those of this parameter are removed.
    ///   - joinsLists: Whether the request joins the elements of lists by commas.
    /// - Returns: The value, and what is wrong with how it is written.
    func takeValue(from items: inout [Item], joinsLists: Bool) -> (value: JSONValue, fault: String?)? {
        let kinds = schema?.kinds ?? []
        let isObject = kinds.contains("object") && !kinds.contains("string")
        if style == "form", explodes, isObject, let schema {
            let names = schema.propertyNames
            let own = items.filter { names.contains($0.name) }
            items.removeAll { names.contains($0.name) }
            return own.isEmpty ? nil : (.object(own.map { ($0.name, .string($0.text)) }), nil)
        }
        let own = items.filter { keys(of: $0.name) != nil }
        guard !own.isEmpty else { return nil }
        items.removeAll { keys(of: $0.name) != nil }
        let values = own.map { (keys: keys(of: $0.name) ?? [], text: $0.text) }
        let isPlain = values.allSatisfy { $0.keys.isEmpty }
        let isList = kinds.contains("array")
        if !isPlain {
            let isExpected = (style == "deepObject" || style.isEmpty) && !own.contains { $0.name.hasPrefix("\(name).") }
            return (Self.tree(values[...]), isExpected ? nil : "is sent as \(own[0].name), not in the style \(styleName)")
        }
        let texts = values.map(\.text)
        guard isList else {
            guard texts.count == 1 else { return (.string(texts[0]), "is sent \(texts.count) times") }
            return (.string(texts[0]), isObject && style == "deepObject" ? "is not sent as \(name)[…]" : nil)
        }
        let separator = style == "pipeDelimited" ? "|" : style == "spaceDelimited" ? " " : ","
        if explodes || style.isEmpty {
            let isJoined = texts.count == 1 && joinsLists && texts[0].contains(",")
            let parts = isJoined ? texts[0].split(separator: ",").map(String.init) : texts
            let fault = style == "deepObject" ? "is not sent as \(name)[]" : isJoined ? "is joined by commas" : nil
            return (.list(parts.map(JSONValue.string)), fault)
        }
        let parts = texts.flatMap { $0.split(separator: Character(separator), omittingEmptySubsequences: false) }
        return (.list(parts.map { .string(String($0)) }), texts.count > 1 ? "is repeated, not joined" : nil)
    }

    /// The style as a text for a message.
    private var styleName: String { "\(style)\(explodes ? ", explode" : "")" }

    /// The keys in the name of an item, `a` and `b` for `name[a][b]`; nil if it is not an item of this parameter.
    private func keys(of item: String) -> [String]? {
        guard item.hasPrefix(name), !item.utf8.elementsEqual(name.utf8) else { return item == name ? [] : nil }
        let rest = item.dropFirst(name.count)
        if rest.hasPrefix(".") { return rest.split(separator: ".").map(String.init) }
        guard rest.hasPrefix("["), rest.hasSuffix("]") else { return nil }
        return rest.dropFirst().dropLast().split(separator: "][", maxSplits: 50, omittingEmptySubsequences: false)
            .map(String.init)
    }

    /// The list or object that names with keys write.
    private static func tree(_ items: ArraySlice<(keys: [String], text: String)>) -> JSONValue {
        guard let first = items.first, !first.keys.isEmpty else { return .string(items.last?.text ?? "") }
        let isList = items.allSatisfy { $0.keys.first.map { $0.isEmpty || Int($0) != nil } ?? true }
        if isList, items.allSatisfy({ $0.keys == [""] }) { return .list(items.map { .string($0.text) }) }
        var (names, groups): ([String], [String: [(keys: [String], text: String)]]) = ([], [:])
        for item in items {
            let name = item.keys.first ?? ""
            if groups[name] == nil { names.append(name) }
            groups[name, default: []].append((Array(item.keys.dropFirst()), item.text))
        }
        let members: [JSONValue.Member] = names.map { ($0, tree((groups[$0] ?? [])[...])) }
        return isList ? .list(members.map(\.value)) : .object(members)
    }
}
