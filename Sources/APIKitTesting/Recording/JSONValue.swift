/// Any JSON value: to write one with its members in order, and to compare two.
enum JSONValue: Sendable {
    case string(String)
    /// A number, `true`, `false` or `null`, as it is written.
    case literal(String)
    case list([JSONValue])
    case object([(name: String, value: JSONValue)])

    static func number(_ number: Int) -> JSONValue { .literal(String(number)) }

    /// A number of milliseconds, to the microsecond.
    static func milliseconds(_ duration: Duration) -> JSONValue {
        let (seconds, attoseconds) = duration.components
        let microseconds = Double(seconds) * 1e6 + (Double(attoseconds) / 1e12).rounded()
        return .literal(String(Swift.max(microseconds, 0) / 1e3))
    }

    // MARK: - Writing

    /// Appends the value: one member of an object per line, and an object in a list on one line.
    func append(to text: inout String, indent: String = "", onOneLine: Bool = false) {
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

extension JSONValue: Decodable {
    /// Nested deeper than this, values are not compared as JSON, since that would take a stack of any size.
    private static let depthLimit = 100

    /// Reads a value; nil if the bytes are not JSON, or are nested too deeply.
    init?(_ data: Data) {
        var depth = 0
        for token in JSONTokens(Array(data)) {
            if token.kind == .open { depth += 1 }
            if token.kind == .close { depth -= 1 }
            if depth > Self.depthLimit { return nil }
        }
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: data) else { return nil }
        self = value
    }

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Name.self) {
            self = .object(
                try members.allKeys.sorted { $0.stringValue < $1.stringValue }.map {
                    ($0.stringValue, try members.decode(JSONValue.self, forKey: $0))
                })
            return
        }
        if var values = try? decoder.unkeyedContainer() {
            var list: [JSONValue] = []
            while !values.isAtEnd { list.append(try values.decode(JSONValue.self)) }
            self = .list(list)
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .literal("null")
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let truth = try? value.decode(Bool.self) {
            self = .literal(String(truth))
        } else if let integer = try? value.decode(Int64.self) {
            self = .literal(String(integer))
        } else {
            self = .literal(String(try value.decode(Double.self)))
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Whether a value is the same as this recorded one, whose masks stand for any value. The order of members does not
    /// matter.
    func matches(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.string(Masking.mask), _): true
        case (.string(let text), .string(let other)): text.utf8.elementsEqual(other.utf8)
        case (.literal(let text), .literal(let other)): text == other
        case (.list(let values), .list(let others)):
            values.count == others.count && zip(values, others).allSatisfy { $0.matches($1) }
        case (.object(let members), .object(let others)):
            members.count == others.count
                && zip(members, others).allSatisfy {
                    $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.matches($1.value)
                }
        default: false
        }
    }
}
