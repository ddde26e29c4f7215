import APIKitSupport

extension JSONDocument {
    private func isNumber(_ place: JSONPlace) -> Bool {
        let kind = kind(of: place)
        return kind.isDigit || kind == .minus
    }

    // MARK: - Integers

    // Integers may be written as `1.0` or `1e2`. Only the conversion to a type is generic, since a generic function is
    // compiled once for each type, and is slow in debug builds. That of the most frequent type is not generic.

    func integer(_ place: JSONPlace) throws -> Int {
        guard let value = Int(exactly: try signedInteger(place, Int.self)) else {
            throw notRepresentable(Int.self, place)
        }
        return value
    }

    func integer<T: FixedWidthInteger & SignedInteger>(_ place: JSONPlace) throws -> T {
        guard let value = T(exactly: try signedInteger(place, T.self)) else { throw notRepresentable(T.self, place) }
        return value
    }

    func integer<T: FixedWidthInteger & UnsignedInteger>(_ place: JSONPlace) throws -> T {
        guard let value = T(exactly: try unsignedInteger(place, T.self)) else { throw notRepresentable(T.self, place) }
        return value
    }

    /// Decodes an integer of a type with 128 bits.
    func longInteger<T: FixedWidthInteger>(_ place: JSONPlace) throws -> T {
        guard let value = T(exactly: try wholeNumber(place, T.self)) else { throw notRepresentable(T.self, place) }
        return value
    }

    /// Reads an integer that the caller converts to `type`, which has up to 64 bits. Here the type is only named in
    /// errors.
    private func signedInteger(_ place: JSONPlace, _ type: Any.Type) throws -> Int64 {
        guard let value = try wholeNumber(place, type).signed else { throw notRepresentable(type, place) }
        return value
    }

    /// Reads an integer that the caller converts to `type`, which has no sign and up to 64 bits.
    private func unsignedInteger(_ place: JSONPlace, _ type: Any.Type) throws -> UInt64 {
        guard let value = try wholeNumber(place, type).unsigned else { throw notRepresentable(type, place) }
        return value
    }

    /// Reads a whole number of up to 128 bits. The type is only named in errors.
    private func wholeNumber(_ place: JSONPlace, _ type: Any.Type) throws -> JSONInteger {
        guard isNumber(place) else { throw mismatch(type, place) }
        var index = start(of: place.cell)
        let isNegative = text.bytes[index] == .minus
        if isNegative { index += 1 }
        var magnitude: UInt64 = 0
        let digitCount = text.readDigits(at: &index, into: &magnitude)
        // There is a byte after the digits even at the end of the text, since the text is followed by zeros.
        let hasOnlyDigits = text.bytes[index] != .point && !text.bytes[index].isExponentSign
        // Nearly all numbers have up to 18 digits, and fit into 64 bits with or without a sign. The magnitude of a
        // longer one may have overflowed.
        if hasOnlyDigits, digitCount <= 18 { return JSONInteger(isNegative: isNegative, low: magnitude) }
        guard let number = unusualWholeNumber(place) else { throw notRepresentable(type, place) }
        return number
    }

    /// Reads a whole number that has more than 18 digits, a fraction or an exponent. Tries one way of reading after the
    /// other, the fastest one first.
    ///
    /// - Returns: The number; nil if it is not whole or needs more than 128 bits.
    @inline(never)
    private func unusualWholeNumber(_ place: JSONPlace) -> JSONInteger? {
        // 12.0: few digits and no exponent, which is the most frequent form.
        if let decimal = ShortDecimal(text, at: start(of: place.cell)),
            decimal.double.magnitude < Self.limitOfExactDoubles
        {
            return JSONInteger(decimal.double)
        }
        let digits = number(place.cell)
        // 12345678901234567890: only digits.
        if let integer = JSONInteger(digits) { return integer }
        // 1.2e3
        if let integer = smallWholeNumber(digits) { return integer }
        // 1e18
        return largeWholeNumber(digits)
    }

    /// 2 to the power of 53. Below it, every whole number has a `Double`.
    private static var limitOfExactDoubles: Double { 0x1p53 }

    /// Reads a number below ``limitOfExactDoubles`` by rounding it to the nearest `Double`, as `JSONDecoder` does. So
    /// `0.99999999999999999999` is read as 1.
    ///
    /// - Returns: The rounded number; nil if it is not whole or not below the limit.
    private func smallWholeNumber(_ number: String) -> JSONInteger? {
        guard let double = Double(number), double.magnitude < Self.limitOfExactDoubles else { return nil }
        return JSONInteger(double)
    }

    /// Reads a number by its decimal digits, since not every number from ``limitOfExactDoubles`` on has a `Double`.
    ///
    /// - Returns: The number; nil if it is not whole.
    private func largeWholeNumber(_ number: String) -> JSONInteger? {
        guard let decimal = Decimal(string: number) else { return nil }
        // The description of 1e18 is `1000000000000000000`. That of 15.5e0 is `15.5`, which `JSONInteger` rejects.
        return JSONInteger(decimal.description)
    }

    // MARK: - Fractions

    /// Decodes a `Double`, correctly rounded. A string may stand for infinity or NaN if the reader has such strings.
    func floatingPoint(_ place: JSONPlace) throws -> Double {
        guard isNumber(place) else { return try nonConforming(place, Double.self) }
        if let decimal = ShortDecimal(text, at: start(of: place.cell)) { return decimal.double }
        return try fraction(place)
    }

    /// Decodes a `Float`, correctly rounded.
    func float(_ place: JSONPlace) throws -> Float {
        guard isNumber(place) else { return Float(try nonConforming(place, Float.self)) }
        return try fraction(place)
    }

    /// Converts a number by the standard library, correctly rounded.
    ///
    /// The library returns infinity for a number that is too large for the type, and zero for one that is too small,
    /// such as `1e-999`. Both are errors here.
    private func fraction<T: BinaryFloatingPoint & LosslessStringConvertible>(_ place: JSONPlace) throws -> T {
        let digits = number(place.cell)
        guard let value = T(digits), value.isFinite else { throw notRepresentable(T.self, place) }
        let wasTooSmall = value == 0 && !isZero(digits)
        if wasTooSmall { throw notRepresentable(T.self, place) }
        return value
    }

    /// Whether all digits of a number before its exponent are zeros.
    private func isZero(_ number: String) -> Bool {
        let digits = number.utf8.prefix { !$0.isExponentSign }
        return !digits.contains { $0.isDigit && $0 != .zero }
    }

    /// Decodes a `Decimal`.
    func decimal(_ place: JSONPlace) throws -> Decimal {
        guard isNumber(place) else { throw mismatch(Decimal.self, place) }
        guard let value = Decimal(string: number(place.cell)) else { throw notRepresentable(Decimal.self, place) }
        return value
    }

    /// Decodes infinity or NaN from a string, if the reader has strings for them; throws an error for any other value.
    private func nonConforming(_ place: JSONPlace, _ type: Any.Type) throws -> Double {
        guard case .convertFromString(let infinity, let negativeInfinity, let nan) = reader.nonConformingFloats,
            kind(of: place) == .quote
        else { throw mismatch(type, place) }
        // As with `JSONDecoder`, a string with escapes is not recognized.
        if isEscaped(place.cell) { throw mismatch(type, place) }
        switch string(place.cell) {
        case infinity: return .infinity
        case negativeInfinity: return -.infinity
        case nan: return .nan
        default: throw mismatch(type, place)
        }
    }
}
