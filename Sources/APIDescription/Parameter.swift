import APIKitCore
import APIKitTesting

/// A parameter of an operation, or a field of a form.
struct Parameter: Sendable {
    typealias Item = (name: String, text: String)

    let node: Node
    let name: String
    let location: String
    let schema: Node?
    let style: String
    let explodes: Bool

    /// What distinguishes parameters. The names of headers ignore case.
    var key: [String] { [location, location == "header" ? name.lowercased() : name] }

    /// A parameter of an operation; nil without a name or a place.
    init?(_ node: Node) {
        guard let name = node["name"]?.string, let location = node["in"]?.string else { return nil }
        (self.node, self.name, self.location, schema) = (node, name, location, node["schema"])
        style = node["style"]?.string ?? (location == "query" || location == "cookie" ? "form" : "simple")
        explodes = node["explode"] == nil ? style == "form" : node.isTrue("explode")
    }

    /// A field of a form.
    init(field name: String, _ schema: Node, encoding: Node?) {
        (node, self.name, location, self.schema) = (schema, name, "body", schema)
        // Without an encoding, any style is accepted.
        style = encoding?["style"]?.string ?? (encoding?["explode"] == nil ? "" : "form")
        explodes = encoding?["explode"] == nil || encoding?.isTrue("explode") == true
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
        if style == "form", explodes, isObject, let names = schema?.propertyNames {
            let own = items.filter { names.contains($0.name) }
            items.removeAll { names.contains($0.name) }
            return own.isEmpty ? nil : (.object(own.map { ($0.name, .string($0.text)) }), nil)
        }
        let own = items.compactMap { item in keys(of: item.name).map { (keys: $0, item) } }
        guard let first = own.first?.1 else { return nil }
        items.removeAll { keys(of: $0.name) != nil }
        let texts = own.map(\.1.text)
        if own.contains(where: { !$0.keys.isEmpty }) {
            let isExpected = (style == "deepObject" || style.isEmpty) && !first.name.hasPrefix("\(name).")
            let fault = "is sent as \(first.name), not in the style \(style)\(explodes ? ", explode" : "")"
            return (Self.tree(own.map { ($0.keys, $0.1.text) }), isExpected ? nil : fault)
        }
        guard kinds.contains("array") else {
            let fault = texts.count > 1 ? "is sent \(texts.count) times" : nil
            return (.string(texts[0]), isObject && style == "deepObject" ? "is not sent as \(name)[…]" : fault)
        }
        let separator = style == "pipeDelimited" ? "|" : style == "spaceDelimited" ? " " : ","
        let isJoined = texts.count == 1 && joinsLists && texts[0].contains(",")
        let isRepeated = explodes || style.isEmpty
        let parts = isRepeated && !isJoined ? texts : texts.flatMap { $0.components(separatedBy: separator) }
        let fault =
            switch (isRepeated, isJoined, texts.count > 1) {
            case (true, true, _): "is joined by commas"
            case (true, _, _): style == "deepObject" ? "is not sent as \(name)[]" : nil
            case (false, _, let isRepeated): isRepeated ? "is repeated, not joined" : nil
            }
        return (.list(parts.map(JSONValue.string)), fault)
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
        let isList = items.allSatisfy { $0.keys[0].isEmpty || Int($0.keys[0]) != nil }
        if items.allSatisfy({ $0.keys == [""] }) { return .list(items.map { .string($0.text) }) }
        var names: [String] = []
        for item in items where !names.contains(item.keys[0]) { names.append(item.keys[0]) }
        let groups = Dictionary(grouping: items) { $0.keys[0] }
        let members: [JSONValue.Member] = names.map { name in
            (name, tree((groups[name] ?? []).map { (Array($0.keys.dropFirst()), $0.text) }))
        }
        return isList ? .list(members.map(\.value)) : .object(members)
    }
}
