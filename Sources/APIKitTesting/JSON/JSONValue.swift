package import APIKitCore

/// Any JSON value (RFC 8259): to write one with its members in order, and to compare two.
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
        case .list(let values): Int(name).flatMap { values.indices.contains($0) ? values[$0] : nil }
        default: nil
        }
    }

    // MARK: - Writing

    /// The value on one line or, with an indentation, with each member of an object on a line of its own, except those
    /// of objects in a list.
    package func text(indent: String? = nil) -> String {
        let inner = indent.map { "\($0)  " }
        let (items, open, close): ([String], String, String)
        switch self {
        case .string(let value): return Self.quoted(value)
        case .literal(let value): return value
        case .list(let values): (items, open, close) = (values.map { $0.text() }, "[", "]")
        case .object(let members):
            items = members.map { "\(Self.quoted($0.name)): \($0.value.text(indent: inner))" }
            (open, close) = ("{", "}")
        }
        guard let indent, let inner, !items.isEmpty else { return open + items.joined(separator: ", ") + close }
        return "\(open)\n\(inner)\(items.joined(separator: ",\n\(inner)"))\n\(indent)\(close)"
    }

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

    private init?(_ document: JSONDocument, _ cell: Int, depth: Int) {
        guard depth > 0 else { return nil }
        switch document.kind(of: cell) {
        case UInt8(ascii: "\""): self = .string(document.string(cell))
        case UInt8(ascii: "t"): self = .literal("true")
        case UInt8(ascii: "f"): self = .literal("false")
        case UInt8(ascii: "n"): self = .literal("null")
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            let isObject = document.kind(of: cell) == UInt8(ascii: "{")
            let contents = document.contents(of: cell)
            var (members, next): ([Member], Int) = ([], contents.lowerBound)
            while next < contents.upperBound {
                let name = isObject ? document.string(next) : ""
                if isObject { next += 1 }
                guard let value = JSONValue(document, next, depth: depth - 1) else { return nil }
                members.append((name, value))
                next = document.cell(after: next)
            }
            if isObject, Set(members.map { Array($0.name.utf8) }).count < members.count { return nil }
            self = isObject ? .object(members) : .list(members.map(\.value))
        default: self = .literal(document.number(cell))
        }
    }
}
