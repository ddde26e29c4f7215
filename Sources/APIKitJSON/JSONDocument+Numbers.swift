extension JSONDocument {
    private func isNumber(_ place: JSONPlace) -> Bool {
        let kind = kind(of: place)
        return kind.isDigit || kind == .minus
    }

    // MARK: - Integers

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
        let isNegative = text[index] == .minus
        if isNegative { index += 1 }
        var magnitude: UInt64 = 0
        let digits = text.readDigits(at: &index, into: &magnitude)
        let isPlain = text[index] != .point && !text[index].isExponentSign
        // A number with more digits may have overflowed.
        if isPlain, digits <= 18 { return JSONInteger(isNegative: isNegative, low: magnitude) }
        guard let number = longWholeNumber(place) else { throw notRepresentable(type, place) }
        return number
    }

    /// A whole number with more than 18 digits, a fraction or an exponent; nil for another number, or one that is too
    /// long.
    ///
    /// As with `JSONDecoder`, the nearest `Double` is the number if it is below 2 to the power of 53, where each whole
    /// number has one; otherwise the decimal digits are.
    @inline(never)
    private func longWholeNumber(_ place: JSONPlace) -> JSONInteger? {
        let limit = 0x1p53
        if let decimal = ShortDecimal(text, at: start(of: place.cell)), decimal.double.magnitude < limit {
            return JSONInteger(decimal.double)
        }
        let number = number(place.cell)
        if let integer = JSONInteger(number) { return integer }
        if let double = Double(number), double.magnitude < limit, let integer = JSONInteger(double) {
            return integer
        }
        guard let decimal = Decimal(string: number) else { return nil }
        return JSONInteger(decimal.description)
    }

    // MARK: - Fractions

    /// A `Double`, correctly rounded.
    func floatingPoint(_ place: JSONPlace) throws -> Double {
        guard isNumber(place) else { return try nonConforming(place, Double.self) }
        if let decimal = ShortDecimal(text, at: start(of: place.cell)) { return decimal.double }
        return try fraction(place)
    }

    /// A `Float`, correctly rounded.
    func float(_ place: JSONPlace) throws -> Float {
        guard isNumber(place) else { return Float(try nonConforming(place, Float.self)) }
        return try fraction(place)
    }

    /// A number by the standard library's conversion, which becomes infinite or zero if the type cannot hold it.
    private func fraction<T: BinaryFloatingPoint & LosslessStringConvertible>(_ place: JSONPlace) throws -> T {
        let number = number(place.cell)
        guard let value = T(number), value.isFinite, value != 0 || isZero(number) else {
            throw notRepresentable(T.self, place)
        }
        return value
    }

    /// Whether a number has no digit but zeros before its exponent.
    private func isZero(_ number: String) -> Bool {
        let digits = number.utf8.prefix { !$0.isExponentSign }
        return !digits.contains { $0.isDigit && $0 != .zero }
    }

    /// A `Decimal`.
    func decimal(_ place: JSONPlace) throws -> Decimal {
        guard isNumber(place) else { throw mismatch(Decimal.self, place) }
        guard let value = Decimal(string: number(place.cell)) else { throw notRepresentable(Decimal.self, place) }
        return value
    }

    /// Infinity or NaN, for a string that stands for it.
    private func nonConforming(_ place: JSONPlace, _ type: Any.Type) throws -> Double {
        guard case .convertFromString(let infinity, let negativeInfinity, let nan) = reader.nonConformingFloats,
            kind(of: place) == .quote
        else { throw mismatch(type, place) }
        // As with `JSONDecoder`, a string with escapes does not stand for anything.
        if isEscaped(place.cell) { throw mismatch(type, place) }
        switch string(place.cell) {
        case infinity: return .infinity
        case negativeInfinity: return -.infinity
        case nan: return .nan
        default: throw mismatch(type, place)
        }
    }
}
