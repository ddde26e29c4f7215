import APIKitCore
import APIKitTesting
import OpenAPIRules

extension Field {
    /// The value of a field, read from the items that a request sends.
    struct Reading {
        let value: JSONValue
        /// How the written form differs from the style of the field; nil if it has that style.
        let fault: String?
    }

    /// An item that belongs to this field.
    private struct OwnItem {
        let name: String
        /// The keys in its name, which lead to a part of the value: `a` and `b` for `name[a][b]`. Empty for the whole
        /// value.
        let keys: [String]
        let text: String
    }

    // MARK: - Reading

    /// Removes the items of this field from a list, and combines them into its value.
    ///
    /// - Parameters:
    ///   - items: The items, from which those of this field are removed.
    ///   - joinsLists: Whether the request joins the elements of lists with commas.
    /// - Returns: The value; nil if there are no items.
    func takeValue(from items: inout [QueryItem], joinsLists: Bool) -> Reading? {
        let kinds = schema?.kinds ?? []
        // A value that may be a text or an object is read as a text.
        let isObject = kinds.contains("object") && !kinds.contains("string")
        let members = isObject ? membersSentAlone : []
        let own = takeItems(from: &items, members: members)
        guard let first = own.first else { return nil }

        // Items with keys, such as `name[a]`, are parts of an object or a list.
        let hasParts = own.contains { !$0.keys.isEmpty }
        if hasParts {
            let naming = members.isEmpty ? partNaming(in: first.name) : .memberAlone
            return Reading(value: Self.tree(of: own), fault: faultOfParts(naming, example: first.name))
        }
        let texts = own.map(\.text)
        if kinds.contains("array") { return readList(texts, joinsLists: joinsLists) }
        return readSingle(texts, isObject: isObject)
    }

    /// The names of the members that are sent as items of their own, without the name of the field: `role=admin`
    /// for the member `role` of the field `filter`. Empty unless its style is `form` with `explode`.
    private var membersSentAlone: Set<String> {
        guard let serialization, serialization.style == .form, serialization.explodes else { return [] }
        return schema?.propertyNames ?? []
    }

    /// Removes the items of this field from a list: those with the names of its members, such as `role=admin`, if
    /// these are sent as items of their own, and otherwise those with the name of the field, such as `ids=1` or
    /// `filter[role]=admin`.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - members: The names of the members that are sent as items of their own; empty if none are.
    /// - Returns: The removed items, each with the keys that lead to its part of the value.
    private func takeItems(from items: inout [QueryItem], members: Set<String>) -> [OwnItem] {
        var own: [OwnItem] = []
        var others: [QueryItem] = []
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
    /// if it is not an item of this field.
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
        // The key in `name[]` is empty.
        let keys = rest.dropFirst().dropLast()
        return keys.split(separator: "][", maxSplits: Self.maximumKeys, omittingEmptySubsequences: false)
            .map(String.init)
    }

    // MARK: - Values

    /// How a request names the item that sends the part `a` of a field `name`.
    private enum PartNaming {
        /// `a`, the exploded style `form`.
        case memberAlone
        /// `name[a]`, the style `deepObject`.
        case brackets
        /// `name.a`, which is not a style of OpenAPI.
        case dots
    }

    /// Returns how a part is named in an item whose name begins with that of the field.
    private func partNaming(in item: String) -> PartNaming {
        item.hasPrefix("\(name).") ? .dots : .brackets
    }

    /// Says how the names of items differ from the names in the field's style.
    ///
    /// - Parameters:
    ///   - naming: How the request names the items for parts of the value.
    ///   - item: The name of the first item, which the message shows.
    /// - Returns: The fault; nil if the names are those of the style.
    private func faultOfParts(_ naming: PartNaming, example item: String) -> String? {
        switch naming {
        case .memberAlone:
            // These items are found only if the style is this one, so the names are right.
            return nil
        case .brackets:
            // A form's field for which the description names no style may be written in any style of OpenAPI, and so in
            // this one. Dots are not a style.
            guard let serialization, serialization.style != .deepObject else { return nil }
            return "is sent as \(item), not in the style \(Self.text(of: serialization))"
        case .dots:
            guard let serialization else { return "is sent as \(item), which is not a style of OpenAPI" }
            return "is sent as \(item), not in the style \(Self.text(of: serialization))"
        }
    }

    /// The style for a message: `form, explode`.
    private static func text(of serialization: ParameterSerialization) -> String {
        let style = serialization.style.rawValue
        return serialization.explodes ? "\(style), explode" : style
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

    /// Reads a list from the texts of its items: `1` and `2` for `ids=1&ids=2`, and `1,2` for `ids=1,2`.
    ///
    /// The description says which of the two forms the list should have. Without a description, it should have the
    /// first one, as is OpenAPI's default for a query and for a form.
    private func readList(_ texts: [String], joinsLists: Bool) -> Reading {
        guard let serialization, !serialization.explodes else {
            return readRepeatedList(texts, joinsLists: joinsLists)
        }
        return readJoinedList(texts, separator: serialization.style.separator)
    }

    /// Reads a list whose elements should be sent as repeated items, `ids=1&ids=2`.
    ///
    /// - Parameters:
    ///   - texts: The texts of the items, at least one.
    ///   - joinsLists: Whether the request joins the elements of lists with commas. If it does not, a comma belongs to
    ///     an element.
    /// - Returns: The elements, with a fault if they are joined as one item.
    private func readRepeatedList(_ texts: [String], joinsLists: Bool) -> Reading {
        if joinsLists, texts.count == 1, texts[0].contains(",") {
            return Self.list(texts[0].components(separatedBy: ","), fault: "is joined by commas")
        }
        return Self.list(texts, fault: faultOfMissingBrackets)
    }

    /// Reads a list whose elements should be sent as one item, `ids=1,2`.
    ///
    /// - Parameters:
    ///   - texts: The texts of the items, at least one.
    ///   - separator: The separator between elements.
    /// - Returns: The elements, with a fault if they are sent as repeated items.
    private func readJoinedList(_ texts: [String], separator: String) -> Reading {
        let isRepeated = texts.count > 1
        if isRepeated { return Self.list(texts, fault: faultOfMissingBrackets ?? "is repeated, not joined") }
        return Self.list(texts[0].components(separatedBy: separator), fault: faultOfMissingBrackets)
    }

    private static func list(_ elements: [String], fault: String?) -> Reading {
        Reading(value: .array(elements.map(JSONValue.string)), fault: fault)
    }

    /// The fault of a list whose items do not have brackets in their names. Only the style `deepObject` wants them.
    private var faultOfMissingBrackets: String? {
        serialization?.style == .deepObject ? "is not sent as \(name)[]" : nil
    }

    // MARK: - Trees

    /// Builds the list or the object that items with keys in their names represent.
    ///
    /// Items with the same first key are parts of the same value: `a[b]=1` and `a[c]=2` become `{"b": "1", "c": "2"}`.
    /// If all keys are indexes or empty, the value is a list, in the order of the items: `a[0][b]=1` becomes
    /// `[{"b": "1"}]`.
    private static func tree(of items: [OwnItem]) -> JSONValue {
        let isListOfTexts = items.allSatisfy { $0.keys == [""] }
        if isListOfTexts { return .array(items.map { .string($0.text) }) }
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
        return areIndexes ? .array(members.map(\.value)) : .object(JSONValue.Object(members))
    }
}
