import APIKitCore
import APIKitTesting

/// A parameter of an operation, or a field of a form.
struct Parameter: Sendable {
    typealias Item = (name: String, text: String)

    let node: Node
    let name: String
    let location: String
    let schema: Node?
    /// The style; empty for a field that may have any.
    let style: String
    let explodes: Bool

    /// What distinguishes parameters. The names of headers ignore case.
    var key: [String] { [location, location == "header" ? name.lowercased() : name] }

    /// A parameter of an operation; nil without a name or a place, and for headers that a description has elsewhere.
    init?(_ node: Node) {
        guard let name = node["name"]?.string, let location = node["in"]?.string else { return nil }
        if location == "header", ["accept", "content-type", "authorization"].contains(name.lowercased()) { return nil }
        (self.node, self.name, self.location, schema) = (node, name, location, node["schema"])
        style = node["style"]?.string ?? (location == "query" || location == "cookie" ? "form" : "simple")
        explodes = node["explode"] == nil ? style == "form" : node.isTrue("explode")
    }

    /// A field of a form.
    init(field name: String, _ schema: Node, encoding: Node?) {
        (node, self.name, location, self.schema) = (schema, name, "body", schema)
        style = encoding?["style"]?.string ?? (encoding?["explode"] == nil ? "" : "form")
        explodes = encoding?["explode"] == nil || encoding?.isTrue("explode") == true
    }

    /// The items of a query or a form.
    static func items(_ text: String) -> [Item] {
        text.split(separator: "&").map { item in
            let name = item.prefix { $0 != "=" }
            let texts = [String(name), String(item.dropFirst(name.count + 1))]
                .map { $0.replacing("+", with: " ").percentDecoded }
            return (texts[0], texts[1])
        }
    }

    // MARK: - Reading

    /// Takes the items of this parameter and creates its value of them; nil if there are none.
    ///
    /// - Parameters:
    ///   - items: The items, from which those of this parameter are removed.
    ///   - joinsLists: Whether the request joins the elements of lists by commas.
    /// - Returns: The value, and what is wrong with how it is written.
    func takeValue(from items: inout [Item], joinsLists: Bool) -> (value: JSONValue, fault: String?)? {
        let kinds = schema?.kinds ?? []
        let isObject = kinds.contains("object") && !kinds.contains("string")
        // The members of an exploded object are items of their own.
        let members = style == "form" && explodes && isObject ? schema?.propertyNames ?? [] : []
        let keys = items.map { members.isEmpty ? self.keys(of: $0.name) : members.contains($0.name) ? [$0.name] : nil }
        let own = zip(keys, items).compactMap { keys, item in keys.map { (keys: $0, text: item.text, name: item.name) }
        }
        items = zip(keys, items).filter { $0.0 == nil }.map(\.1)
        guard let first = own.first else { return nil }
        if own.contains(where: { !$0.keys.isEmpty }) {
            let isDotted = first.name.hasPrefix("\(name).")
            let isExpected = !members.isEmpty || ["deepObject", ""].contains(style) && !isDotted
            let fault = "is sent as \(first.name), not in the style \(style)\(explodes ? ", explode" : "")"
            return (Self.tree(own.map { ($0.keys, $0.text) }), isExpected ? nil : fault)
        }
        guard kinds.contains("array") else {
            let fault = own.count > 1 ? "is sent \(own.count) times" : nil
            return (.string(first.text), isObject && style == "deepObject" ? "is not sent as \(name)[…]" : fault)
        }
        let isRepeated = explodes || style.isEmpty
        let isJoined = own.count == 1 && (!isRepeated || joinsLists && first.text.contains(","))
        let separator = ["pipeDelimited": "|", "spaceDelimited": " "][style] ?? ","
        let texts = isJoined ? first.text.components(separatedBy: separator) : own.map(\.text)
        let fault = isRepeated ? "is joined by commas" : "is repeated, not joined"
        let keyFault = style == "deepObject" ? "is not sent as \(name)[]" : nil
        return (.list(texts.map(JSONValue.string)), isJoined == isRepeated ? fault : keyFault)
    }

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
    private static func tree(_ items: [(keys: [String], text: String)]) -> JSONValue {
        guard items.allSatisfy({ !$0.keys.isEmpty }) else { return .string(items[0].text) }
        if items.allSatisfy({ $0.keys == [""] }) { return .list(items.map { .string($0.text) }) }
        var names: [String] = []
        for item in items where !names.contains(item.keys[0]) { names.append(item.keys[0]) }
        let members: [JSONValue.Member] = names.map { name in
            (name, tree(items.filter { $0.keys[0] == name }.map { (Array($0.keys.dropFirst()), $0.text) }))
        }
        let isList = names.allSatisfy { $0.isEmpty || Int($0) != nil }
        return isList ? .list(members.map(\.value)) : .object(members)
    }
}
