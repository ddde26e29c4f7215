/// A whole number of up to 128 bits and a sign.
struct JSONInteger {
    let isNegative: Bool
    private(set) var high: UInt64 = 0
    private(set) var low: UInt64

    @inline(__always)
    init(isNegative: Bool, low: UInt64) {
        (self.isNegative, self.low) = (isNegative, low)
    }

    /// A whole number below 2 to the power of 64; nil for another one.
    init?(_ number: Double) {
        guard let magnitude = UInt64(exactly: number.magnitude) else { return nil }
        self.init(isNegative: number < 0, low: magnitude)
    }

    /// The number of decimal digits, with a sign before them or not; nil for another text, or a number of more bits.
    init?(_ text: String) {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        self.init(isNegative: digits.count < text.utf8.count, low: 0)
        for digit in digits {
            guard digit.isDigit else { return nil }
            let (carry, product) = low.multipliedFullWidth(by: 10)
            let (sum, overflow) = product.addingReportingOverflow(UInt64(digit - UInt8(ascii: "0")))
            let shifted = high.multipliedReportingOverflow(by: 10)
            let upper = shifted.partialValue.addingReportingOverflow(carry + (overflow ? 1 : 0))
            guard !shifted.overflow, !upper.overflow else { return nil }
            (high, low) = (upper.partialValue, sum)
        }
    }
}

extension FixedWidthInteger {
    /// The number, if this type has it.
    @inline(__always)
    init?(exactly number: JSONInteger) {
        // Built from the upper half, then compared with the number, since the type may have fewer bits.
        let magnitude = Self(truncatingIfNeeded: number.high) << 64 | Self(truncatingIfNeeded: number.low)
        self = number.isNegative ? 0 &- magnitude : magnitude
        let found = self.magnitude
        guard UInt64(truncatingIfNeeded: found) == number.low, UInt64(truncatingIfNeeded: found >> 64) == number.high,
            (self < 0) == number.isNegative || self == 0
        else { return nil }
    }
}
