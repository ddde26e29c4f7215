/// Reads a date, of ISO 8601 or HTTP, from the start of a text.
package struct DateReader {
    package var rest: ArraySlice<UInt8>

    package init(_ text: String) {
        rest = Array(text.utf8)[...]
    }

    /// The date and time of ISO 8601 that the text spells, nil if it is anything else.
    mutating func iso8601Date() -> Date? {
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
            let date = GregorianDay(year: year, month: month, day: day), skip("Tt "),
            let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60
        else { return nil }
        var second = 0
        var fraction = 0.0
        if skip(":") {
            guard let digits = number(2), digits <= 60 else { return nil }
            second = digits
            if skip(".,") {
                guard let digits = self.fraction() else { return nil }
                fraction = digits
            }
        }
        guard let offset = offset(), rest.isEmpty else { return nil }
        let secondOfDay = hour * 3600 + minute * 60 + second
        // A leap second is the last one of a day in UTC; as Date has none, it is the first of the next day.
        guard second < 60 || (secondOfDay - offset) % 86_400 == 0 else { return nil }
        // Added in Foundation's order, for the same rounding: a `Date` equals the one that `JSONDecoder` reads.
        let daysSince2001 = date.daysSince1970 - 11_323
        let time = Double(daysSince2001) * 86_400 + (Double(secondOfDay) + fraction) - Double(offset)
        return Date(timeIntervalSinceReferenceDate: time)
    }

    /// The offset from UTC in seconds.
    private mutating func offset() -> Int? {
        if skip("Zz") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = number(2), hours < 24 else { return nil }
        var minutes = 0
        if !rest.isEmpty {
            _ = skip(":")
            guard let digits = number(2), digits < 60 else { return nil }
            minutes = digits
        }
        return (isWest ? -60 : 60) * (hours * 60 + minutes)
    }

    /// The digits after the point, as a fraction of a second.
    private mutating func fraction() -> Double? {
        let digits = rest.prefix(while: \.isDigit)
        rest = rest[digits.endIndex...]
        var value = 0.0
        var scale = 1.0
        for digit in digits.prefix(9) {
            value = value * 10 + Double(digit - UInt8(ascii: "0"))
            scale *= 10
        }
        return digits.isEmpty ? nil : value / scale
    }

    /// A number of exactly that many digits.
    package mutating func number(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let digit = rest.popFirst(), digit.isDigit else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }

    /// Skips one of some characters, if it is next.
    package mutating func skip(_ characters: String) -> Bool {
        guard let first = rest.first, characters.utf8.contains(first) else { return false }
        rest.removeFirst()
        return true
    }
}
