import APIKitSupport

/// A whole number with a sign and a magnitude of up to 128 bits.
struct JSONInteger {
    let isNegative: Bool
    /// The upper 64 bits of the magnitude.
    private(set) var high: UInt64 = 0
    /// The lower 64 bits of the magnitude.
    private(set) var low: UInt64

    @inline(__always)
    init(isNegative: Bool, low: UInt64) {
        self.isNegative = isNegative
        self.low = low
    }

    /// Creates an integer from a `Double`; nil if the number is not whole, or if its magnitude needs more than 64 bits.
    init?(_ number: Double) {
        guard let magnitude = UInt64(exactly: number.magnitude) else { return nil }
        self.init(isNegative: number < 0, low: magnitude)
    }

    /// Reads decimal digits, which a minus sign may precede; nil for another text, or if the magnitude needs more than
    /// 128 bits.
    init?(_ text: String) {
        let isNegative = text.utf8.first == .minus
        self.init(isNegative: isNegative, low: 0)
        for byte in text.utf8.dropFirst(isNegative ? 1 : 0) {
            guard byte.isDigit, append(byte.digitValue) else { return nil }
        }
    }

    /// Appends a decimal digit: multiplies the magnitude by ten and adds the digit.
    ///
    /// - Returns: False if the new magnitude needs more than 128 bits; the number is then unchanged.
    private mutating func append(_ digit: UInt8) -> Bool {
        let lowProduct = low.multipliedFullWidth(by: 10)
        let newLow = lowProduct.low.addingReportingOverflow(UInt64(digit))
        // The carry is the upper half of the product, and 1 more if adding the digit overflowed. Ten times 64 bits have
        // an upper half of at most 9, so this sum cannot overflow.
        let carry = newLow.overflow ? lowProduct.high + 1 : lowProduct.high
        let highProduct = high.multipliedReportingOverflow(by: 10)
        let newHigh = highProduct.partialValue.addingReportingOverflow(carry)
        if highProduct.overflow || newHigh.overflow { return false }
        low = newLow.partialValue
        high = newHigh.partialValue
        return true
    }
}

extension JSONInteger {
    /// The integer as an `Int64`; nil if it does not fit.
    var signed: Int64? {
        guard high == 0 else { return nil }
        if !isNegative { return Int64(exactly: low) }
        // The least `Int64` has a greater magnitude than the greatest one.
        return low <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- low) : nil
    }

    /// The integer as a `UInt64`; nil if it does not fit. `-0` does.
    var unsigned: UInt64? {
        guard high == 0 else { return nil }
        return isNegative && low > 0 ? nil : low
    }
}

extension FixedWidthInteger {
    /// Converts an integer to this type; nil if the type cannot represent it.
    init?(exactly number: JSONInteger) {
        // The number is truncated to the bits of the type. If it does not fit, the result differs from it. In a type of
        // at most 64 bits, shifting by 64 gives 0.
        let truncated = (Self(truncatingIfNeeded: number.high) << 64) | Self(truncatingIfNeeded: number.low)
        self = number.isNegative ? 0 &- truncated : truncated
        let resultLow = UInt64(truncatingIfNeeded: self.magnitude)
        let resultHigh = UInt64(truncatingIfNeeded: self.magnitude >> 64)
        // The sign is compared as well: 128 is truncated to -128 in an `Int8`, which has the same magnitude.
        let hasSameMagnitude = resultLow == number.low && resultHigh == number.high
        let hasSameSign = self == 0 || (self < 0) == number.isNegative
        guard hasSameMagnitude, hasSameSign else { return nil }
    }
}
