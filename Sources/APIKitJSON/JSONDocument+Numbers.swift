extension JSONDocument {
    private func isNumber(_ place: JSONPlace) -> Bool {
        let kind = kind(of: place)
        return kind.isDigit || kind == UInt8(ascii: "-")
    }

    /// An integer, also one that is written as `1.0` or `1e2`.
    @inline(__always)
    func integer<T: FixedWidthInteger>(_ place: JSONPlace) throws -> T {
        guard let value = T(exactly: try wholeNumber(place, T.self)) else { throw notRepresentable(T.self, place) }
        return value
    }

    /// A whole number. The types of integers share this, since each of them would have code of its own.
    private func wholeNumber(_ place: JSONPlace, _ type: Any.Type) throws -> JSONInteger {
        guard isNumber(place) else { throw mismatch(type, place) }
        var index = start(of: place.cell)
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
            return JSONInteger(isNegative: isNegative, low: magnitude)
        }
        guard let number = longWholeNumber(place) else { throw notRepresentable(type, place) }
        return number
    }

    /// A whole number with more than 18 digits, a fraction or an exponent. As `JSONDecoder`: exact below 2 to the power
    /// of 53, otherwise by decimal digits.
    @inline(never)
    private func longWholeNumber(_ place: JSONPlace) -> JSONInteger? {
        if let double = shortDecimal(from: start(of: place.cell)), double.magnitude < 0x1p53 {
            return JSONInteger(double)
        }
        let number = number(place.cell)
        if let value = JSONInteger(number) { return value }
        if let double = Double(number), double.magnitude < 0x1p53, let value = JSONInteger(double) { return value }
        return Decimal(string: number).flatMap { JSONInteger("\($0)") }
    }

    /// A `Double`, correctly rounded.
    func floatingPoint(_ place: JSONPlace) throws -> Double {
        guard isNumber(place) else { return try nonConforming(place) }
        if let value = shortDecimal(from: start(of: place.cell)) { return value }
        guard let value = Double(number(place.cell)), value.isFinite, value != 0 || isZero(place.cell) else {
            throw notRepresentable(Double.self, place)
        }
        return value
    }

    /// A `Float`, correctly rounded.
    func float(_ place: JSONPlace) throws -> Float {
        guard isNumber(place) else { return Float(try nonConforming(place, Float.self)) }
        guard let value = Float(number(place.cell)), value.isFinite, value != 0 || isZero(place.cell) else {
            throw notRepresentable(Float.self, place)
        }
        return value
    }

    /// A `Decimal`.
    func decimal(_ place: JSONPlace) throws -> Decimal {
        guard isNumber(place) else { throw mismatch(Decimal.self, place) }
        guard let value = Decimal(string: number(place.cell)) else { throw notRepresentable(Decimal.self, place) }
        return value
    }

    /// Whether a number has no digit but zeros before its exponent.
    private func isZero(_ cell: Int) -> Bool {
        !number(cell).utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.contains { $0.isDigit && $0 != UInt8(ascii: "0") }
    }

    private func nonConforming(_ place: JSONPlace, _ type: Any.Type = Double.self) throws -> Double {
        // As with `JSONDecoder`, a string with escapes is not one of them.
        guard kind(of: place) == UInt8(ascii: "\""), !isEscaped(place.cell),
            case .convertFromString(let infinity, let negativeInfinity, let nan) = reader.nonConformingFloats
        else { throw mismatch(type, place) }
        switch string(place.cell) {
        case infinity: return .infinity
        case negativeInfinity: return -.infinity
        case nan: return .nan
        default: throw mismatch(type, place)
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
