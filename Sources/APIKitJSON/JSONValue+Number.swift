extension JSONValue {
    /// A number of JSON (RFC 8259, section 6), with all of its digits: `.number(7)`, `.number(2.5)`.
    ///
    /// Numbers of the same value are equal, however they are written: `1.0`, `1` and `10e-1`.
    public struct Number: Sendable {
        /// The digits as they are written, such as `-1.5e3`.
        public let description: String

        /// Creates an integer.
        public init(_ value: some BinaryInteger) {
            description = String(value)
        }

        /// Creates a number; nil for infinity and NaN, which JSON does not have.
        public init?(_ value: Double) {
            guard value.isFinite else { return nil }
            description = value.description
        }

        /// Creates a number; nil for NaN, which JSON does not have.
        public init?(_ value: Decimal) {
            guard !value.isNaN else { return nil }
            description = value.description
        }

        /// Creates a number that is written as a text.
        ///
        /// - Parameter digits: A valid number of JSON.
        package init(digits: String) {
            description = digits
        }

        /// The number as an Int; nil if it has a fraction or is too large.
        public var int: Int? { parts?.integer }

        /// The number as a Double, rounded to the nearest one; infinity if it is too large.
        public var double: Double {
            // Every number of JSON is one of Swift's, too.
            Double(description) ?? .nan
        }

        /// The number as a Decimal, which has 38 digits; nil if it has more, or is too large.
        public var decimal: Decimal? {
            guard let parts, parts.digits.utf8.count <= 38, let decimal = Decimal(string: description) else {
                return nil
            }
            return decimal.isNaN ? nil : decimal
        }
    }
}

// MARK: - Value

extension JSONValue.Number {
    /// The parts of a number, the same ones for numbers of the same value: for both `1500` and `1.5e3`, the digits `15`
    /// and the exponent 2. Zero has no digits.
    private struct Parts: Hashable {
        var isNegative: Bool
        /// The significant digits, without zeros before and after them.
        var digits: String
        /// The power of ten by which the digits are multiplied.
        var exponent: Int

        /// The value as an Int; nil if it has a fraction or does not fit.
        var integer: Int? {
            if digits.isEmpty { return 0 }
            // An Int has up to 19 digits.
            guard (0..<20).contains(exponent) else { return nil }
            let sign = isNegative ? "-" : ""
            return Int(sign + digits + String(repeating: "0", count: exponent))
        }
    }

    /// The parts of this number; nil if its exponent is too large to be an Int.
    ///
    /// For `-12.50e3`, the digits are `125` without the last zero. The exponent is 2: 3 less the two digits after the
    /// point, and one more for the zero.
    private var parts: Parts? {
        let isNegative = description.utf8.first == UInt8(ascii: "-")
        let unsigned = description.utf8.drop { $0 == UInt8(ascii: "-") }
        // In `-12.50e3`, the mantissa is `12.50`, made of the whole `12` and the fraction `50`.
        let mantissa = unsigned.prefix { !$0.isExponentSign }
        let whole = mantissa.prefix { $0 != .point }
        let fraction = mantissa.dropFirst(whole.count + 1)
        var digits = Array(whole) + Array(fraction)
        let zeroCount = digits.reversed().prefix { $0 == .zero }.count
        digits.removeLast(zeroCount)
        let significant = digits.drop { $0 == .zero }
        // All zeros are equal, whatever their sign and exponent.
        if significant.isEmpty { return Parts(isNegative: false, digits: "", exponent: 0) }
        let exponentText = unsigned.dropFirst(mantissa.count + 1)
        var exponent = 0
        if !exponentText.isEmpty {
            guard let value = Int(Substring(exponentText)) else { return nil }
            exponent = value
        }
        let (shifted, overflow) = exponent.addingReportingOverflow(zeroCount - fraction.count)
        if overflow { return nil }
        let text = String(decoding: significant, as: UTF8.self)
        return Parts(isNegative: isNegative, digits: text, exponent: shifted)
    }
}

extension JSONValue.Number: Hashable {
    /// Whether both have exactly the same value.
    public static func == (left: JSONValue.Number, right: JSONValue.Number) -> Bool {
        if left.description == right.description { return true }
        guard let leftParts = left.parts, let rightParts = right.parts else { return false }
        return leftParts == rightParts
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        if let parts {
            hasher.combine(parts)
        } else {
            hasher.combine(description)
        }
    }
}

extension JSONValue.Number: CustomStringConvertible {}

extension JSONValue.Number: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Creates an integer.
    public init(integerLiteral value: Int) { self.init(value) }

    /// Creates a number. A literal that is too large for a Double becomes the greatest one.
    public init(floatLiteral value: Double) {
        let limit = Double.greatestFiniteMagnitude
        description = min(max(value, -limit), limit).description
    }
}
