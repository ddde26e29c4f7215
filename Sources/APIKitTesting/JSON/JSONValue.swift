import APIKitCore

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

    /// A number of milliseconds, to the microsecond.
    package static func milliseconds(_ duration: Duration) -> JSONValue {
        let (seconds, attoseconds) = duration.components
        let microseconds = Double(seconds) * 1e6 + (Double(attoseconds) / 1e12).rounded()
        return .literal(String(Swift.max(microseconds, 0) / 1e3))
    }

    // MARK: - Writing

    /// The value on one line.
    package var text: String {
        var text = ""
        append(to: &text, onOneLine: true)
        return text
    }

    /// Appends the value: one member of an object per line, and an object in a list on one line.
    package func append(to text: inout String, indent: String = "", onOneLine: Bool = false) {
        let (open, separator, close) =
            onOneLine ? ("", ", ", "") : ("\n\(indent)  ", ",\n\(indent)  ", "\n\(indent)")
        switch self {
        case .string(let value): Self.append(value, to: &text)
        case .literal(let value): text += value
        case .list(let values):
            for (index, value) in values.enumerated() {
                text += index == 0 ? "[\(open)" : separator
                value.append(to: &text, indent: "\(indent)  ", onOneLine: true)
            }
            text += values.isEmpty ? "[]" : "\(close)]"
        case .object(let members):
            for (index, member) in members.enumerated() {
                text += index == 0 ? "{\(open)" : separator
                Self.append(member.name, to: &text)
                text += ": "
                member.value.append(to: &text, indent: "\(indent)  ", onOneLine: onOneLine)
            }
            text += members.isEmpty ? "{}" : "\(close)}"
        }
    }

    private static func append(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..<" ": text += "\\u00\(scalar.value < 0x10 ? "0" : "")\(String(scalar.value, radix: 16))"
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

// MARK: - Comparing

extension JSONValue {
    /// Whether a value is the same as this recorded one, whose masks stand for any value. The order of members does not
    /// matter.
    package func matches(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.string(Masking.mask), _): true
        case (.list(let values), .list(let others)):
            values.count == others.count && zip(values, others).allSatisfy { $0.matches($1) }
        case (.object(let members), .object(let others)):
            members.count == others.count
                && zip(members, others).allSatisfy {
                    $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.matches($1.value)
                }
        default: isSameScalar(as: other)
        }
    }

    /// Whether both are strings of the same bytes, numbers of the same value, or the same literal.
    package func isSameScalar(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.string(let text), .string(let other)): text.utf8.elementsEqual(other.utf8)
        case (.literal(let text), .literal(let other)):
            text == other || Self.normalForm(text).map { $0 == Self.normalForm(other) } ?? false
        default: false
        }
    }

    /// A number of any size in the one spelling that each value has: `12e-1` for `1.20`. Nil for other literals, and if
    /// the exponent is out of range.
    private static func normalForm(_ literal: String) -> String? {
        let parts = literal.split { $0 == "e" || $0 == "E" }
        let mantissa = parts[0].split(separator: ".")
        guard mantissa.joined().allSatisfy({ $0.isNumber || $0 == "-" }),
            var exponent = parts.count > 1 ? Int32(parts[1]).map(Int.init) : 0
        else { return nil }
        exponent -= mantissa.count > 1 ? mantissa[1].count : 0
        var digits = Substring(mantissa.joined()).drop { $0 == "-" || $0 == "0" }
        if digits.isEmpty { return "0" }
        while digits.last == "0" {
            digits.removeLast()
            exponent += 1
        }
        return "\(literal.hasPrefix("-") ? "-" : "")\(digits)e\(exponent)"
    }
}
