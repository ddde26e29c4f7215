package import APIKitCore

/// Any JSON value (RFC 8259). It keeps the order of members when it is written, and can be compared exactly.
package enum JSONValue: Sendable {
    case string(String)
    /// A number, `true`, `false` or `null`, as it is written.
    case literal(String)
    case list([JSONValue])
    case object([Member])

    package typealias Member = (name: String, value: JSONValue)

    /// The text of a string; nil for other values.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package static func number(_ number: Int) -> JSONValue { .literal(String(number)) }

    // MARK: - Contents

    /// The text of a number, `true`, `false` or `null`; nil for other values.
    package var literal: String? {
        if case .literal(let text) = self { text } else { nil }
    }

    /// The value of a number; nil for other values.
    package var number: Double? { literal.flatMap(Double.init) }

    /// The names of an object's members; empty for other values.
    package var names: [String] {
        if case .object(let members) = self { members.map(\.name) } else { [] }
    }

    /// A member of an object, or an element of a list by its index; nil for other values.
    package subscript(name: String) -> JSONValue? {
        switch self {
        case .object(let members): members.first { $0.name == name }?.value
        case .list(let values):
            if let index = Int(name), values.indices.contains(index) { values[index] } else { nil }
        case .string, .literal: nil
        }
    }

    // MARK: - Writing

    /// Returns the value as JSON.
    ///
    /// Without an indentation, it is on one line. With one, each member of an object and each element of a list has its
    /// own line; an element itself stays on one line.
    package func text(indent: String? = nil) -> String {
        switch self {
        case .string(let value):
            return Self.quoted(value)
        case .literal(let value):
            return value
        case .list(let values):
            return Self.text(of: values.map { $0.text() }, in: ("[", "]"), indent: indent)
        case .object(let members):
            let innerIndent = indent.map(Self.indented)
            let texts = members.map { "\(Self.quoted($0.name)): \($0.value.text(indent: innerIndent))" }
            return Self.text(of: texts, in: ("{", "}"), indent: indent)
        }
    }

    private static func text(of items: [String], in braces: (open: String, close: String), indent: String?) -> String {
        guard let indent, !items.isEmpty else { return braces.open + items.joined(separator: ", ") + braces.close }
        let lines = items.joined(separator: ",\n\(indented(indent))")
        return "\(braces.open)\n\(indented(indent))\(lines)\n\(indent)\(braces.close)"
    }

    private static func indented(_ indent: String) -> String { "\(indent)  " }

    private static func quoted(_ text: String) -> String {
        var quoted: [UInt8] = []
        quoted.append(jsonString: text)
        return String(decoding: quoted, as: UTF8.self)
    }

    // MARK: - Comparing

    /// Whether both are strings of the same bytes, numbers of the same value, or the same literal.
    func isSameScalar(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.string(let text), .string(let other)): return text.utf8.elementsEqual(other.utf8)
        case (.literal(let text), .literal(let other)):
            guard text != other else { return true }
            return self.exactNumber.map { $0 == JSONValue.literal(other).exactNumber } ?? false
        default: return false
        }
    }

    /// The value of a number; nil for other values, and if a `Decimal` may not represent it exactly.
    package var exactNumber: Decimal? {
        guard let literal, literal.utf8.count <= 38, let number = Decimal(string: literal) else { return nil }
        return number.isNaN ? nil : number
    }
}

extension JSONValue {
    /// Reads a text (RFC 8259); nil if it is not JSON, is nested more than 100 levels deep, or names a member twice.
    package init?(_ data: Data) {
        guard let document = try? JSONReader().document(data) else { return nil }
        self.init(document, 0, depth: 100)
    }

    /// Reads the value of a cell, the place of a value in a document; nil if more than `depth` values are nested in it,
    /// or if an object names a member twice.
    private init?(_ document: JSONDocument, _ cell: Int, depth: Int) {
        guard depth > 0 else { return nil }
        switch document.kind(of: cell) {
        case UInt8(ascii: "\""): self = .string(document.string(cell))
        case UInt8(ascii: "t"): self = .literal("true")
        case UInt8(ascii: "f"): self = .literal("false")
        case UInt8(ascii: "n"): self = .literal("null")
        case UInt8(ascii: "["):
            guard let values = Self.elements(document, cell, depth: depth) else { return nil }
            self = .list(values)
        case UInt8(ascii: "{"):
            guard let members = Self.members(document, cell, depth: depth) else { return nil }
            self = .object(members)
        default: self = .literal(document.number(cell))
        }
    }

    /// Reads the elements of a list.
    private static func elements(_ document: JSONDocument, _ list: Int, depth: Int) -> [JSONValue]? {
        var values: [JSONValue] = []
        let contents = document.contents(of: list)
        var cell = contents.lowerBound
        while cell < contents.upperBound {
            guard let value = JSONValue(document, cell, depth: depth - 1) else { return nil }
            values.append(value)
            cell = document.cell(after: cell)
        }
        return values
    }

    /// Reads the members of an object; nil if two have the same name.
    private static func members(_ document: JSONDocument, _ object: Int, depth: Int) -> [Member]? {
        var members: [Member] = []
        var names: Set<[UInt8]> = []
        let contents = document.contents(of: object)
        // Each name is followed by its value.
        var cell = contents.lowerBound
        while cell < contents.upperBound {
            let name = document.string(cell)
            guard names.insert(Array(name.utf8)).inserted else { return nil }
            guard let value = JSONValue(document, cell + 1, depth: depth - 1) else { return nil }
            members.append((name, value))
            cell = document.cell(after: cell + 1)
        }
        return members
    }
}
