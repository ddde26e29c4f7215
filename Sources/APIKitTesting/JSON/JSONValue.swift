package import APIKitCore
@_spi(Tools) import APIKitJSON

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
    /// own line, which begins with it; an element itself stays on one line.
    package func text(indent: String? = nil) -> String {
        var writer = JSONWriter(indentation: indent ?? "")
        write(to: &writer, indent == nil ? .spaced : .lines)
        return writer.text
    }

    /// Writes the value. The elements of a list stay on one line, in any layout.
    private func write(to writer: inout JSONWriter, _ layout: JSONWriter.Layout) {
        switch self {
        case .string(let text):
            writer.string(text)
        case .literal(let text):
            writer.literal(text)
        case .list(let values):
            writer.beginArray(layout)
            for value in values { value.write(to: &writer, .spaced) }
            writer.end()
        case .object(let members):
            writer.beginObject(layout)
            for member in members {
                writer.name(member.name)
                member.value.write(to: &writer, layout)
            }
            writer.end()
        }
    }

    // MARK: - Comparing

    /// Whether both are strings of the same bytes, numbers of the same value, or the same literal.
    func isSameScalar(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.string(let text), .string(let other)): return text.utf8.elementsEqual(other.utf8)
        case (.literal(let text), .literal(let other)):
            if text == other { return true }
            guard let number = self.exactNumber, let otherNumber = JSONValue.literal(other).exactNumber else {
                return false
            }
            return number == otherNumber
        default: return false
        }
    }

    /// The value of a number; nil for other values, and if a `Decimal` may not represent it exactly.
    package var exactNumber: Decimal? {
        // A `Decimal` has 38 digits.
        guard let literal, literal.utf8.count <= 38, let number = Decimal(string: literal) else { return nil }
        return number.isNaN ? nil : number
    }
}

extension JSONValue {
    /// Reads a text (RFC 8259); nil if it is not JSON, is nested more than 100 levels deep, or names a member twice.
    package init?(_ data: Data) {
        guard let document = try? JSONReader().document(data) else { return nil }
        // The first cell is that of the top-level value.
        self.init(document, 0, remainingDepth: 100)
    }

    /// Reads the value that a cell of a document describes; nil if there are more levels within it than remain, or if
    /// it names a member twice.
    private init?(_ document: JSONDocument, _ cell: JSONCell, remainingDepth: Int) {
        guard remainingDepth > 0 else { return nil }
        // The first byte of a value shows its type.
        switch document.kind(of: cell) {
        case UInt8(ascii: "\""): self = .string(document.string(cell))
        case UInt8(ascii: "t"): self = .literal("true")
        case UInt8(ascii: "f"): self = .literal("false")
        case UInt8(ascii: "n"): self = .literal("null")
        case UInt8(ascii: "["):
            guard let values = Self.elements(document, cell, remainingDepth: remainingDepth - 1) else { return nil }
            self = .list(values)
        case UInt8(ascii: "{"):
            guard let members = Self.members(document, cell, remainingDepth: remainingDepth - 1) else { return nil }
            self = .object(members)
        default: self = .literal(document.number(cell))
        }
    }

    /// Reads the elements of an array of a document; nil if one of them cannot be read.
    private static func elements(_ document: JSONDocument, _ array: JSONCell, remainingDepth: Int) -> [JSONValue]? {
        var values: [JSONValue] = []
        let contents = document.contents(of: array)
        var element = contents.lowerBound
        while element < contents.upperBound {
            guard let value = JSONValue(document, element, remainingDepth: remainingDepth) else { return nil }
            values.append(value)
            element = document.cell(after: element)
        }
        return values
    }

    /// Reads the members of an object of a document; nil if a name appears twice, or if a value cannot be read.
    private static func members(_ document: JSONDocument, _ object: JSONCell, remainingDepth: Int) -> [Member]? {
        var members: [Member] = []
        // Names are compared by their bytes, since Swift considers the two spellings of é equal.
        var names: Set<[UInt8]> = []
        let contents = document.contents(of: object)
        var nameCell = contents.lowerBound
        while nameCell < contents.upperBound {
            let name = document.string(nameCell)
            guard names.insert(Array(name.utf8)).inserted else { return nil }
            // The cell of a name is followed by that of its value.
            let valueCell = nameCell + 1
            guard let value = JSONValue(document, valueCell, remainingDepth: remainingDepth) else { return nil }
            members.append((name, value))
            nameCell = document.cell(after: valueCell)
        }
        return members
    }
}
