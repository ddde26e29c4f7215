import APIKitCore
import APIKitTesting

extension Parameter {
    /// A name and a value as they are sent: an item of a query or a form, a header, or a value in a path.
    struct Item {
        let name: String
        let text: String
    }

    /// The value of a parameter, read from the items that a request sends.
    struct Reading {
        let value: JSONValue
        /// How the written form differs from the style of the parameter; nil if it has that style.
        let fault: String?
    }

    /// An item that belongs to this parameter.
    private struct OwnItem {
        let name: String
        /// The keys in its name: `a` and `b` for `name[a][b]`.
        let keys: [String]
        let text: String
    }

    /// Splits a query or the body of a form into its items.
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

    /// Removes the items of this parameter from a list, and combines them into its value.
    ///
    /// - Parameters:
    ///   - items: The items, from which those of this parameter are removed.
    ///   - joinsLists: Whether the request joins the elements of lists with commas.
    /// - Returns: The value; nil if there are no items.
    func takeValue(from items: inout [Item], joinsLists: Bool) -> Reading? {
        let kinds = schema?.kinds ?? []
        // A value that may be a text or an object is read as a text.
        let isObject = kinds.contains("object") && !kinds.contains("string")
        var members: Set<String> = []
        if isObject, style == .form, explodes {
            // In this style, each member is sent as an item of its own, without the name of the parameter.
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

    /// Removes the items of this parameter from a list.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - members: The names of members that are sent as items of their own. If empty, items belong to this parameter
    ///     by its name.
    /// - Returns: The removed items.
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
        // The number of keys is limited, since `tree(of:)` recurses once for each key.
        return keys.split(separator: "][", maxSplits: 50, omittingEmptySubsequences: false).map(String.init)
    }

    // MARK: - Values

    /// Reads an object or a list whose parts are sent as separate items.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - isExpected: Whether the style is known to write members as separate items.
    /// - Returns: The value, and whether it has the style of the parameter.
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
        // A comma in a repeated item may belong to the element, unless the request is known to join lists.
        let isJoinedByMistake = joinsLists && texts[0].contains(",")
        let isJoined = texts.count == 1 && (!shouldRepeat || isJoinedByMistake)
        let elements = isJoined ? texts[0].components(separatedBy: style.separator) : texts
        var fault: String?
        if shouldRepeat, isJoined {
            fault = "is joined by commas"
        } else if !shouldRepeat, !isJoined {
            fault = "is repeated, not joined"
        } else if style == .deepObject {
            fault = "is not sent as \(name)[]"
        }
        return Reading(value: .list(elements.map(JSONValue.string)), fault: fault)
    }

    // MARK: - Trees

    /// The list or object that items with keys in their names represent, such as `a[b]=1` and `a[c]=2`.
    private static func tree(of items: [OwnItem]) -> JSONValue {
        let isList = items.allSatisfy { $0.keys == [""] }
        if isList { return .list(items.map { .string($0.text) }) }
        // An item without keys gives the whole value. If other items give parts of it, they contradict one another, and
        // the first item counts.
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
