/// A number of at most 19 digits without an exponent: an integer, divided by a power of ten.
struct ShortDecimal {
    private let isNegative: Bool
    /// All digits, as an integer.
    private let mantissa: UInt64
    /// How many of the digits are after the point.
    private let places: Int

    /// The number at an index of a text; nil if it is any other one.
    init?(_ text: JSONText, at start: Int) {
        var index = start
        isNegative = text[index] == .minus
        if isNegative { index += 1 }
        var mantissa: UInt64 = 0
        let integralDigits = text.readDigits(at: &index, into: &mantissa)
        var places = 0
        if text[index] == .point {
            index += 1
            places = text.readDigits(at: &index, into: &mantissa)
        }
        guard integralDigits + places <= 19, !text[index].isExponentSign else { return nil }
        self.mantissa = mantissa
        self.places = places
    }

    /// The number, correctly rounded.
    var double: Double { isNegative ? -magnitude : magnitude }

    private var magnitude: Double {
        if places == 0 { return Double(mantissa) }
        let isExact = mantissa < 1 << 53
        // If both are exact, the quotient is rounded once.
        return isExact ? Double(mantissa) / Self.powersOfTen[places] : quotient
    }

    /// The quotient for a mantissa of more than 53 bits: that of 128 by 64 bits and its remainder say all that rounding
    /// needs.
    private var quotient: Double {
        let divisor = UInt64(Self.powersOfTen[places])
        // Both are moved to the top of their words, and the dividend is halved, so that the quotient has 63 or 64 bits.
        let shift = mantissa.leadingZeroBitCount
        let divisorShift = divisor.leadingZeroBitCount
        let dividend = mantissa << shift
        let halfDividend = (high: dividend >> 1, low: dividend << 63)
        let (quotient, remainder) = (divisor << divisorShift).dividingFullWidth(halfDividend)
        // A remainder only matters if the quotient is halfway between two doubles: its last bit then makes it larger.
        let significand = remainder == 0 ? quotient : quotient | 1
        return Double(sign: .plus, exponent: divisorShift - shift - 63, significand: Double(significand))
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
    ]
}

extension JSONText {
    /// Appends the digits at an index to a number, which overflows if there are more than 19, and moves the index after
    /// them.
    ///
    /// - Returns: How many digits there are.
    @inline(__always)
    func readDigits(at index: inout Int, into number: inout UInt64) -> Int {
        let start = index
        while self[index].isDigit {
            number = number.times(10) &+ UInt64(self[index].digitValue)
            index += 1
        }
        return index - start
    }
}
