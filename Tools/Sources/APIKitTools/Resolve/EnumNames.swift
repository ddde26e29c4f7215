import OpenAPIRules

/// The names and descriptions that extensions of OpenAPI give to the values of an enum. They appear in code only as
/// words of names, and in comments.
struct EnumNames {
    private let names: [String?]
    private let descriptions: [String?]

    /// Reads the names and descriptions of an enum. There may be fewer of them than values.
    init(_ element: Element) {
        let microsoftValues = (try? element.child("x-ms-enum")?.list("values")) ?? []
        let values = (try? element.list("enum")) ?? []
        names =
            Self.texts(["x-enum-varnames", "x-enumNames"], of: element, values: values)
            ?? microsoftValues.map { $0.prose("name") }
        descriptions =
            Self.texts(["x-enum-descriptions", "x-enumDescriptions"], of: element, values: values)
            ?? microsoftValues.map { $0.prose("description") }
    }

    /// Reads the texts that an extension gives to the values of an enum. The extension is the first of some members
    /// that exists. It is a list of texts in the order of the values, or an object with the values as the names of
    /// members:
    ///
    ///     x-enum-varnames: [low, high]
    ///     x-enum-varnames: { 1: low, 2: high }
    ///
    /// - Returns: A text for each value, or nil in its place; nil if none of the members exists.
    private static func texts(_ keys: [String], of element: Element, values: [Element]) -> [String?]? {
        guard let key = keys.first(where: element.has), let member = element.child(key) else { return nil }
        if let list = try? element.list(key) {
            return list.map { item in
                if case .text(let text) = item.node.content { text } else { nil }
            }
        }
        return values.map { value in
            switch value.node.content {
            case .text(let name), .number(let name): member.prose(name)
            default: nil
            }
        }
    }

    /// The value at a position of the enum, with its name and description.
    func text(_ value: String, at index: Int) -> Text {
        let name = names.indices.contains(index) ? names[index] : nil
        let documentation = descriptions.indices.contains(index) ? descriptions[index] : nil
        return Text(value: value, name: name, documentation: documentation)
    }
}
