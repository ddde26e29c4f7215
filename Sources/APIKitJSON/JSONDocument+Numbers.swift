extension JSONDocument {
    func isNumber(_ cell: Int) -> Bool {
        let kind = kind(of: cell)
        return kind.isDigit || kind == UInt8(ascii: "-")
    }

    /// An integer, also one that is written as `1.0` or `1e2`.
    @inline(__always)
    func integer<T: FixedWidthInteger>(_ cell: Int) throws -> T {
        guard isNumber(cell) else { throw mismatch(T.self, cell) }
        var index = start(of: cell)
        let isNegative = text[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let first = index
        var magnitude: UInt64 = 0
        while text[index].isDigit {
            magnitude = magnitude.times(10) &+ UInt64(text[index] &- UInt8(ascii: "0"))
            index += 1
        }
        // What has more digits may have overflowed.
        if index - first <= 18, text[index] != UInt8(ascii: "."), text[index] | 0x20 != UInt8(ascii: "e") {
            let value = isNegative ? -Int64(truncatingIfNeeded: magnitude) : Int64(truncatingIfNeeded: magnitude)
            if let exact = T(exactly: value) { return exact }
            throw notRepresentable(T.self, cell)
        }
        return try longInteger(cell)
    }

    @inline(never)
    private func longInteger<T: FixedWidthInteger>(_ cell: Int) throws -> T {
        let number = number(cell)
        if let value = T(number) { return value }
        // As `JSONDecoder`: exact below 2 to the power of 53, otherwise by decimal digits.
        if let double = Double(number), double.magnitude < 9_007_199_254_740_992, let value = T(exactly: double) {
            return value
        }
        if let decimal = Decimal(string: number), let value = T("\(decimal)") { return value }
        throw notRepresentable(T.self, cell)
    }

    /// A `Double`, correctly rounded.
    func floatingPoint(_ cell: Int) throws -> Double {
        guard isNumber(cell) else { return try nonConforming(cell) }
        if let value = shortDecimal(from: start(of: cell)) { return value }
        guard let value = Double(number(cell)), value.isFinite, value != 0 || isZero(cell) else {
            throw notRepresentable(Double.self, cell)
        }
        return value
    }

    /// A `Float`, correctly rounded.
    func float(_ cell: Int) throws -> Float {
        guard isNumber(cell) else { return Float(try nonConforming(cell, Float.self)) }
        guard let value = Float(number(cell)), value.isFinite, value != 0 || isZero(cell) else {
            throw notRepresentable(Float.self, cell)
        }
        return value
    }

    /// Whether a number has no digit but zeros before its exponent.
    private func isZero(_ cell: Int) -> Bool {
        !number(cell).utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.contains { $0.isDigit && $0 != UInt8(ascii: "0") }
    }

    private func nonConforming(_ cell: Int, _ type: Any.Type = Double.self) throws -> Double {
        // As with `JSONDecoder`, a string with escapes is not one of them.
        guard kind(of: cell) == UInt8(ascii: "\""), !isEscaped(cell), let strings = reader.nonConformingFloats else {
            throw mismatch(type, cell)
        }
        switch string(cell) {
        case strings.positiveInfinity: return .infinity
        case strings.negativeInfinity: return -.infinity
        case strings.nan: return .nan
        default: throw mismatch(type, cell)
        }
    }

    /// A number of at most 19 digits without an exponent, nil for any other.
    ///
    /// Its digits are an integer, divided by a power of ten: the quotient of 128 by 64 bits and the remainder say all
    /// that rounding needs.
    private func shortDecimal(from start: Int) -> Double? {
        var index = start
        let isNegative = text[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        var (digits, places, mantissa) = (0, 0, UInt64(0))
        while text[index].isDigit {
            mantissa = mantissa.times(10) &+ UInt64(text[index] &- UInt8(ascii: "0"))
            (index, digits) = (index + 1, digits + 1)
        }
        if text[index] == UInt8(ascii: ".") {
            index += 1
            let point = index
            while text[index].isDigit {
                mantissa = mantissa.times(10) &+ UInt64(text[index] &- UInt8(ascii: "0"))
                index += 1
            }
            places = index - point
        }
        guard digits + places <= 19, text[index] | 0x20 != UInt8(ascii: "e") else { return nil }
        let value: Double
        if places == 0 {
            value = Double(mantissa)
        } else if mantissa < 1 << 53, places <= 22 {
            // Both are exact, so the quotient is rounded once.
            value = Double(mantissa) / Self.powersOfTen[places]
        } else {
            value = Self.quotient(mantissa, tenTo: places)
        }
        return isNegative ? -value : value
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
    ]

    /// A mantissa of more than 53 bits, divided by a power of ten of at most 19 places, correctly rounded.
    private static func quotient(_ mantissa: UInt64, tenTo places: Int) -> Double {
        let power = UInt64(powersOfTen[places])
        // With both at the top of their words, the quotient of the halved dividend has 63 or 64 bits.
        let (shift, powerShift) = (mantissa.leadingZeroBitCount, power.leadingZeroBitCount)
        let (dividend, divisor) = (mantissa << shift, power << powerShift)
        let (quotient, remainder) = divisor.dividingFullWidth((dividend >> 1, dividend << 63))
        // A remainder only matters at a tie, which its bit then breaks.
        let exact = quotient | (remainder == 0 ? 0 : 1)
        return Double(sign: .plus, exponent: powerShift - shift - 63, significand: Double(exact))
    }
}
