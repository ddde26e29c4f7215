import APIKitCore
import APIKitTesting

extension Parameter {
    /// An item of a query or a form, a header or a value in a path.
    struct Item {
        let name: String
        let text: String
    }

    /// The value of a parameter as it was sent.
    struct Reading {
        let value: JSONValue
        /// What is wrong with how the value is written; nil if it has the style of the parameter.
        let fault: String?
    }

    /// An item of this parameter.
    private struct OwnItem {
        let name: String
        /// The keys in its name: `a` and `b` for `name[a][b]`.
        let keys: [String]
        let text: String
    }

    /// The items of a query or a form.
    static func items(_ text: String) -> [Item] {
        text.split(separator: "&").map { item in
            let name = item.prefix { $0 != "=" }
            let value = item.dropFirst(name.count + 1)
            return Item(name: formDecoded(name), text: formDecoded(value))
        }
    }

    private static func formDecoded(_ text: Substring) -> String {
        text.replacing("+", with: " ").percentDecoded
    }

    // MARK: - Reading

    /// Takes the items of this parameter and creates its value of them.
    ///
    /// - Parameters:
    ///   - items: The items, from which those of this parameter are removed.
    ///   - joinsLists: Whether the request joins the elements of lists by commas.
    /// - Returns: The value; nil if there are no items.
    func takeValue(from items: inout [Item], joinsLists: Bool) -> Reading? {
        let kinds = schema?.kinds ?? []
        // What may be a text, too, is read as one.
        let isObject = kinds.contains("object") && !kinds.contains("string")
        var members: Set<String> = []
        if isObject, style == .form, explodes {
            // Each member is an item with the member's own name.
            members = schema?.propertyNames ?? []
        }
        let own = takeItems(from: &items, members: members)
        guard !own.isEmpty else { return nil }

        if own.contains(where: { !$0.keys.isEmpty }) {
            return readTree(own, isExpected: !members.isEmpty)
        }
        let texts = own.map(\.text)
        if kinds.contains("array") { return readList(texts, joinsLists: joinsLists) }
        return readSingle(texts, isObject: isObject)
    }

    /// Takes the items whose names are those of members or, if there are none, that of this parameter.
    private func takeItems(from items: inout [Item], members: Set<String>) -> [OwnItem] {
        var own: [OwnItem] = []
        var others: [Item] = []
        for item in items {
            if members.contains(item.name) {
                own.append(OwnItem(name: item.name, keys: [item.name], text: item.text))
            } else if members.isEmpty, let keys = keys(of: item.name) {
                own.append(OwnItem(name: item.name, keys: keys, text: item.text))
            } else {
                others.append(item)
            }
        }
        items = others
        return own
    }

    /// The keys in the name of an item, `a` and `b` for `name[a][b]`; nil if it is not an item of this parameter.
    private func keys(of item: String) -> [String]? {
        if item == name { return [] }
        guard item.hasPrefix(name) else { return nil }
        let rest = item.dropFirst(name.count)
        if rest.hasPrefix(".") { return rest.split(separator: ".").map(String.init) }
        guard rest.hasPrefix("["), rest.hasSuffix("]") else { return nil }
        let keys = rest.dropFirst().dropLast()
        return keys.split(separator: "][", maxSplits: 50, omittingEmptySubsequences: false).map(String.init)
    }

    // MARK: - Values

    /// Reads a value whose parts are items of their own, which the style of the parameter may expect.
    private func readTree(_ items: [OwnItem], isExpected: Bool) -> Reading {
        let first = items[0].name
        let isDotted = first.hasPrefix("\(name).")
        let mayHaveKeys = style == .deepObject || style == .any
        var fault: String?
        if !isExpected, isDotted || !mayHaveKeys {
            let explode = explodes ? ", explode" : ""
            fault = "is sent as \(first), not in the style \(style.rawValue)\(explode)"
        }
        return Reading(value: Self.tree(of: items), fault: fault)
    }

    private func readSingle(_ texts: [String], isObject: Bool) -> Reading {
        var fault: String?
        if isObject, style == .deepObject {
            fault = "is not sent as \(name)[…]"
        } else if texts.count > 1 {
            fault = "is sent \(texts.count) times"
        }
        return Reading(value: .string(texts[0]), fault: fault)
    }

    private func readList(_ texts: [String], joinsLists: Bool) -> Reading {
        let shouldRepeat = explodes || style == .any
        let holdsList = texts.count == 1 && (!shouldRepeat || (joinsLists && texts[0].contains(",")))
        let elements = holdsList ? texts[0].components(separatedBy: style.separator) : texts
        var fault: String?
        if shouldRepeat, holdsList {
            fault = "is joined by commas"
        } else if !shouldRepeat, !holdsList {
            fault = "is repeated, not joined"
        } else if style == .deepObject {
            fault = "is not sent as \(name)[]"
        }
        return Reading(value: .list(elements.map(JSONValue.string)), fault: fault)
    }

    // MARK: - Trees

    /// The list or object that names with keys write.
    private static func tree(of items: [OwnItem]) -> JSONValue {
        let isList = items.allSatisfy { $0.keys == [""] }
        if isList { return .list(items.map { .string($0.text) }) }
        // One item gives the whole value, and others give parts of it: the first one counts.
        guard items.allSatisfy({ !$0.keys.isEmpty }) else { return .string(items[0].text) }

        var names: [String] = []
        var parts: [String: [OwnItem]] = [:]
        for item in items {
            let name = item.keys[0]
            if parts[name] == nil { names.append(name) }
            let part = OwnItem(name: item.name, keys: Array(item.keys.dropFirst()), text: item.text)
            parts[name, default: []].append(part)
        }
        let values = names.map { tree(of: parts[$0] ?? []) }
        let areIndexes = names.allSatisfy { $0.isEmpty || Int($0) != nil }
        return areIndexes ? .list(values) : .object(zip(names, values).map { ($0, $1) })
    }
}
