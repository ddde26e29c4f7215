import APIKitCore
import APIKitTesting
import OpenAPIRules

extension Parameter {
    /// A name and a value as they are sent: an item of a query or a form, a header, or a value in a path.
    typealias Item = QueryItem

    /// The value of a parameter, read from the items that a request sends.
    struct Reading {
        let value: JSONValue
        /// How the written form differs from the style of the parameter; nil if it has that style.
        let fault: String?
    }

    /// An item that belongs to this parameter.
    private struct OwnItem {
        let name: String
        /// The keys in its name, which lead to a part of the value: `a` and `b` for `name[a][b]`. Empty for the whole
        /// value.
        let keys: [String]
        let text: String
    }

    /// Splits a query or the body of a form into its items.
    static func items(_ text: String) -> [Item] { QueryItem.items(of: text) }

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
        if isObject, let serialization, serialization.style == .form, serialization.explodes {
            // In this style, each member is sent as an item of its own, without the name of the parameter.
            members = schema?.propertyNames ?? []
        }
        let own = takeItems(from: &items, members: members)
        guard !own.isEmpty else { return nil }

        // Items with keys in their names, such as `name[a]`, are parts of an object or a list.
        let hasParts = own.contains { !$0.keys.isEmpty }
        if hasParts { return readTree(own, isExpected: !members.isEmpty) }
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
    /// - Returns: The removed items, each with the keys that lead to its part of the value.
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

    /// The greatest number of keys in the name of an item: ``tree(of:)`` recurses once for each key.
    private static let maximumKeys = 50

    /// The keys in the name of an item: `a` and `b` for `name[a][b]` and for `name.a.b`, and none for `name` alone. Nil
    /// if it is not an item of this parameter.
    ///
    /// If there are very many keys, the last one contains the rest of the name.
    private func keys(of item: String) -> [String]? {
        if item == name { return [] }
        guard item.hasPrefix(name) else { return nil }
        let rest = item.dropFirst(name.count)
        if rest.hasPrefix(".") {
            return rest.split(separator: ".", maxSplits: Self.maximumKeys).map(String.init)
        }
        guard rest.hasPrefix("["), rest.hasSuffix("]") else { return nil }
        let keys = rest.dropFirst().dropLast()
        return keys.split(separator: "][", maxSplits: Self.maximumKeys, omittingEmptySubsequences: false)
            .map(String.init)
    }

    // MARK: - Values

    /// Reads an object or a list whose parts are sent as separate items.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - isExpected: Whether the parameter is described as one that sends members as separate items.
    /// - Returns: The value, with a fault if the parts should be written in another way.
    private func readTree(_ items: [OwnItem], isExpected: Bool) -> Reading {
        let value = Self.tree(of: items)
        let first = items[0].name
        // `name[a]` is in the style `deepObject`. No style writes `name.a`.
        let isDotted = first.hasPrefix("\(name).")
        let mayHaveBrackets = serialization == nil || serialization?.style == .deepObject
        let isAsDescribed = isExpected || (mayHaveBrackets && !isDotted)
        if isAsDescribed { return Reading(value: value, fault: nil) }
        guard let serialization else {
            return Reading(value: value, fault: "is sent as \(first), which is not a style of OpenAPI")
        }
        let explode = serialization.explodes ? ", explode" : ""
        let style = "\(serialization.style.rawValue)\(explode)"
        return Reading(value: value, fault: "is sent as \(first), not in the style \(style)")
    }

    /// Reads a value that is sent as a single item. An object is not taken apart: its text is the value.
    private func readSingle(_ texts: [String], isObject: Bool) -> Reading {
        var fault: String?
        if isObject, serialization?.style == .deepObject {
            fault = "is not sent as \(name)[…]"
        } else if texts.count > 1 {
            fault = "is sent \(texts.count) times"
        }
        return Reading(value: .string(texts[0]), fault: fault)
    }

    /// Reads a list, whose elements are either sent as repeated items, `ids=1&ids=2`, or joined as one, `ids=1,2`.
    ///
    /// - Returns: The elements, with a fault if the description wants the other form.
    private func readList(_ texts: [String], joinsLists: Bool) -> Reading {
        let shouldRepeat = serialization?.explodes ?? true
        let isDeepObject = serialization?.style == .deepObject
        var elements = texts
        var fault = isDeepObject ? "is not sent as \(name)[]" : nil
        if shouldRepeat {
            // A comma in a single item may belong to the element, unless the request is known to join lists.
            let isJoined = texts.count == 1 && joinsLists && texts[0].contains(",")
            if isJoined {
                elements = texts[0].components(separatedBy: ",")
                fault = "is joined by commas"
            }
        } else if texts.count == 1 {
            elements = texts[0].components(separatedBy: serialization?.style.separator ?? ",")
        } else {
            fault = "is repeated, not joined"
        }
        return Reading(value: .list(elements.map(JSONValue.string)), fault: fault)
    }

    // MARK: - Trees

    /// Builds the list or the object that items with keys in their names represent.
    ///
    /// Items with the same first key are parts of the same value: `a[b]=1` and `a[c]=2` become `{"b": "1", "c": "2"}`.
    /// If all keys are indexes or empty, the value is a list, in the order of the items: `a[0][b]=1` becomes
    /// `[{"b": "1"}]`.
    private static func tree(of items: [OwnItem]) -> JSONValue {
        let isListOfTexts = items.allSatisfy { $0.keys == [""] }
        if isListOfTexts { return .list(items.map { .string($0.text) }) }
        // An item without keys gives the whole value. If other items give parts of it, they contradict one another, and
        // the first item counts.
        let haveKeys = items.allSatisfy { !$0.keys.isEmpty }
        guard haveKeys else { return .string(items[0].text) }

        var firstKeys: [String] = []
        var parts: [String: [OwnItem]] = [:]
        for item in items {
            let key = item.keys[0]
            if parts[key] == nil { firstKeys.append(key) }
            let part = OwnItem(name: item.name, keys: Array(item.keys.dropFirst()), text: item.text)
            parts[key, default: []].append(part)
        }
        let members = firstKeys.map { key in (name: key, value: tree(of: parts[key] ?? [])) }
        let areIndexes = firstKeys.allSatisfy { $0.isEmpty || Int($0) != nil }
        return areIndexes ? .list(members.map(\.value)) : .object(members)
    }
}
