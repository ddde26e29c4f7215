/// Reads a date, of ISO 8601 or HTTP, from the start of a text.
package struct DateReader {
    /// The bytes that have not been read.
    package var rest: ArraySlice<UInt8>

    package init(_ text: String) {
        rest = Array(text.utf8)[...]
    }

    // MARK: - ISO 8601

    /// The date and time of ISO 8601 that the text spells, nil if it is anything else.
    mutating func iso8601Date() -> Date? {
        guard let day = day(), skip("Tt "), let time = timeOfDay(), let offset = offset(), rest.isEmpty else {
            return nil
        }
        // A leap second is the last one of a day in UTC. As Date has none, it is the first of the next day.
        let isStartOfDay = (time.second - offset) % 86_400 == 0
        if time.isLeapSecond, !isStartOfDay { return nil }
        // Added in Foundation's order, for the same rounding: a `Date` equals the one that `JSONDecoder` reads.
        let daysSince2001 = day.daysSince1970 - 11_323
        let seconds = Double(daysSince2001) * 86_400 + (Double(time.second) + time.fraction) - Double(offset)
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    private struct TimeOfDay {
        /// The second of the day.
        let second: Int
        /// The rest of the second.
        let fraction: Double
        let isLeapSecond: Bool
    }

    /// `2026-11-20`.
    private mutating func day() -> GregorianDay? {
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2) else {
            return nil
        }
        return GregorianDay(year: year, month: month, day: day)
    }

    /// `18:30`, `18:30:00` or `18:30:00.25`.
    private mutating func timeOfDay() -> TimeOfDay? {
        guard let hour = number(2, below: 24), skip(":"), let minute = number(2, below: 60) else { return nil }
        var second = 0
        var fraction = 0.0
        if skip(":") {
            guard let digits = number(2, below: 61) else { return nil }
            second = digits
            if skip(".,") {
                guard let digits = self.fraction() else { return nil }
                fraction = digits
            }
        }
        let secondOfDay = hour * 3600 + minute * 60 + second
        return TimeOfDay(second: secondOfDay, fraction: fraction, isLeapSecond: second == 60)
    }

    /// The digits after the point, as a fraction of a second.
    private mutating func fraction() -> Double? {
        let digits = rest.prefix(while: \.isDigit)
        if digits.isEmpty { return nil }
        rest = rest[digits.endIndex...]
        var value = 0.0
        var scale = 1.0
        for digit in digits.prefix(9) {
            value = value * 10 + Double(digit.digitValue)
            scale *= 10
        }
        return value / scale
    }

    /// The offset from UTC in seconds: `Z`, `+02:00`, `+0200` or `+02`.
    private mutating func offset() -> Int? {
        if skip("Zz") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = number(2, below: 24) else { return nil }
        var minutes = 0
        if !rest.isEmpty {
            _ = skip(":")
            guard let digits = number(2, below: 60) else { return nil }
            minutes = digits
        }
        let seconds = (hours * 60 + minutes) * 60
        return isWest ? -seconds : seconds
    }

    // MARK: - Parts

    /// A number of exactly that many digits, if it is below a limit.
    private mutating func number(_ count: Int, below limit: Int) -> Int? {
        guard let number = number(count), number < limit else { return nil }
        return number
    }

    /// A number of exactly that many digits.
    package mutating func number(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let digit = rest.popFirst(), digit.isDigit else { return nil }
            value = value * 10 + Int(digit.digitValue)
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
