import APIKitSupport

/// A decimal number with at most 19 digits and without an exponent, stored as an integer and a power of ten.
///
/// Most numbers in JSON are of this form, and are converted much faster than by the standard library. Any number with
/// up to 19 digits fits into 64 bits.
struct ShortDecimal {
    private let isNegative: Bool
    /// The digits before and after the point as one integer.
    private let mantissa: UInt64
    /// The number of digits after the point.
    private let places: Int

    /// Reads the number at an index of a text: `-12.50` has the mantissa 1250 and 2 places. Returns nil if the number
    /// has more than 19 digits or an exponent.
    init?(_ text: borrowing JSONText, at start: Int) {
        var index = start
        isNegative = text.bytes[index] == .minus
        if isNegative { index += 1 }
        var mantissa: UInt64 = 0
        let integralDigits = text.readDigits(at: &index, into: &mantissa)
        var places = 0
        if text.bytes[index] == .point {
            index += 1
            places = text.readDigits(at: &index, into: &mantissa)
        }
        guard integralDigits + places <= 19, !text.bytes[index].isExponentSign else { return nil }
        self.mantissa = mantissa
        self.places = places
    }

    /// The nearest `Double`.
    var double: Double { isNegative ? -magnitude : magnitude }

    /// The nearest `Double` to the number without its sign.
    private var magnitude: Double {
        if places == 0 { return Double(mantissa) }
        // Up to 53 bits, the mantissa is exact as a `Double`, as are all of the powers of ten. Dividing them rounds
        // only once, so the result is correct.
        let isExact = mantissa < 1 << 53
        return isExact ? Double(mantissa) / Self.powersOfTen[places] : quotient
    }

    /// The mantissa divided by the power of ten for its places, rounded to the nearest `Double`. For a mantissa with
    /// more than 53 bits, which a `Double` cannot represent itself.
    ///
    /// The mantissa is extended to 128 bits and divided by the power of ten in integers. The quotient then has more
    /// bits than a `Double`, and together with the remainder it decides how to round.
    private var quotient: Double {
        let divisor = UInt64(Self.powersOfTen[places])
        // Both numbers are shifted until their highest bit is set, and the dividend is halved. The quotient then has 63
        // or 64 bits, and cannot overflow.
        let shift = mantissa.leadingZeroBitCount
        let divisorShift = divisor.leadingZeroBitCount
        let dividend = mantissa << shift
        let halfDividend = (high: dividend >> 1, low: dividend << 63)
        let (result, remainder) = (divisor << divisorShift).dividingFullWidth(halfDividend)
        // The exact result is slightly larger than the quotient if there is a remainder. That only matters for rounding
        // if the quotient is halfway between two doubles; its lowest bit then records that the result is larger.
        let significand = remainder == 0 ? result : result | 1
        // The exponent undoes the shifts: the dividend was shifted by `shift + 63` bits, and the divisor by
        // `divisorShift`.
        return Double(sign: .plus, exponent: divisorShift - shift - 63, significand: Double(significand))
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
    ]
}

extension JSONText {
    /// Appends the digits at an index to a number, and moves the index after them. With the digits `25`, the number 1
    /// becomes 125.
    ///
    /// With more than 19 digits, the number is wrong, since its highest bits are lost. The caller checks the count.
    ///
    /// - Returns: How many digits there were at the index.
    @inline(__always)
    func readDigits(at index: inout Int, into number: inout UInt64) -> Int {
        let start = index
        while bytes[index].isDigit {
            // Both operations wrap around on overflow.
            number = number.times(10) &+ UInt64(bytes[index].digitValue)
            index += 1
        }
        return index - start
    }
}
