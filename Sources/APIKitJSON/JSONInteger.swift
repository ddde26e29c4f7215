/// A whole number of up to 128 bits and a sign.
struct JSONInteger {
    let isNegative: Bool
    private(set) var high: UInt64 = 0
    private(set) var low: UInt64

    @inline(__always)
    init(isNegative: Bool, low: UInt64) {
        self.isNegative = isNegative
        self.low = low
    }

    /// A whole number below 2 to the power of 64; nil for another one.
    init?(_ number: Double) {
        guard let magnitude = UInt64(exactly: number.magnitude) else { return nil }
        self.init(isNegative: number < 0, low: magnitude)
    }

    /// The number of decimal digits, with a sign before them or not; nil for another text, or a number of more bits.
    init?(_ text: String) {
        let isNegative = text.utf8.first == .minus
        self.init(isNegative: isNegative, low: 0)
        for byte in text.utf8.dropFirst(isNegative ? 1 : 0) {
            guard byte.isDigit, append(byte.digitValue) else { return nil }
        }
    }

    /// Appends a decimal digit; false if the number then has too many bits.
    private mutating func append(_ digit: UInt8) -> Bool {
        let lowProduct = low.multipliedFullWidth(by: 10)
        let newLow = lowProduct.low.addingReportingOverflow(UInt64(digit))
        let carry = newLow.overflow ? lowProduct.high + 1 : lowProduct.high
        let highProduct = high.multipliedReportingOverflow(by: 10)
        let newHigh = highProduct.partialValue.addingReportingOverflow(carry)
        if highProduct.overflow || newHigh.overflow { return false }
        low = newLow.partialValue
        high = newHigh.partialValue
        return true
    }
}

extension FixedWidthInteger {
    /// The number, if this type has it.
    @inline(__always)
    init?(exactly number: JSONInteger) {
        // Truncated to the type's bits, and then compared with the number.
        let magnitude = Self(truncatingIfNeeded: number.high) << 64 | Self(truncatingIfNeeded: number.low)
        self = number.isNegative ? 0 &- magnitude : magnitude
        let found = self.magnitude
        let hasMagnitude =
            UInt64(truncatingIfNeeded: found) == number.low && UInt64(truncatingIfNeeded: found >> 64) == number.high
        let hasSign = self == 0 || (self < 0) == number.isNegative
        guard hasMagnitude, hasSign else { return nil }
    }
}
