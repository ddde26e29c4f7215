import APIKitCore
import APIKitSupport
import APIKitTesting

extension JSONValue {
    /// The name of the value's type, as messages and schemas write it, except that `list` stands for `array`.
    var kind: String {
        switch self {
        case .object: "object"
        case .array: "list"
        case .string: "string"
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        }
    }

    /// Whether the value has a type of JSON Schema, whose `array` is the `list` of ``kind``.
    func hasType(_ type: String) -> Bool {
        switch type {
        case "array": kind == "list"
        case "integer": isWholeNumber
        default: kind == type
        }
    }

    /// Whether the value is a number without a fraction. JSON Schema treats 1.0 as an integer.
    private var isWholeNumber: Bool {
        guard let number = number?.double else { return false }
        return number == number.rounded()
    }

    /// Whether the value contains a masked text.
    var holdsMask: Bool { text().contains(Masking.mask) }

    /// Bytes that are the same for values that are equal in JSON Schema.
    ///
    /// Numbers are equal if their values are, and the order of an object's members does not matter. Bytes are compared,
    /// not strings, since Swift treats different spellings of a character as equal.
    var canonicalBytes: [UInt8] { Array(normalized.text().utf8) }

    /// Returns a number in one spelling: `1.0` becomes `1`. A very long number has no decimal, and stays as it is.
    private static func normalized(_ number: Number) -> Number {
        guard let decimal = number.decimal, let numberInOneSpelling = Number(decimal) else { return number }
        return numberInOneSpelling
    }

    /// The value with each number in one spelling, so that `1.0` becomes `1`, and with members sorted by name.
    private var normalized: JSONValue {
        switch self {
        case .null, .bool, .string: self
        case .number(let number): .number(Self.normalized(number))
        case .array(let values): .array(values.map(\.normalized))
        case .object(let members): .object(Object(Self.normalized(Array(members))))
        }
    }

    private static func normalized(_ members: [Object.Member]) -> [Object.Member] {
        let sortedMembers = members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return sortedMembers.map { (name: $0.name, value: $0.value.normalized) }
    }
}

extension String {
    /// The name of a type with its article: `a list`, `an object`, but `null`.
    var withArticle: String {
        if self == "null" { return self }
        let article = "aeio".contains(prefix(1)) ? "an" : "a"
        return "\(article) \(self)"
    }
}
