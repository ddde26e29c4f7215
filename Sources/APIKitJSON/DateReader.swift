import APIKitSupport

/// Reads the parts of a date in the format of ISO 8601 or HTTP, from the start of a text on.
package struct DateReader {
    /// The bytes that were not read yet.
    package var rest: ArraySlice<UInt8>

    package init(_ text: String) {
        rest = Array(text.utf8)[...]
    }

    package init(_ text: ArraySlice<UInt8>) {
        rest = text
    }

    // MARK: - ISO 8601

    /// Reads the whole text as a date and time of ISO 8601, such as `2026-11-20T18:30:00Z`; nil if the text has
    /// another format.
    mutating func iso8601Date() -> Date? {
        guard let day = day(), skipOne(of: "Tt "), let time = timeOfDay(), let offset = offset(), rest.isEmpty else {
            return nil
        }
        // A leap second is only added at the end of a day in UTC, as `23:59:60Z`. `Date` has no leap seconds, so it
        // counts as the second after it, which is the first second of the next day.
        let secondOfDayInUTC = time.secondOfDay - offset
        let isFirstSecondOfDayInUTC = secondOfDayInUTC % Self.secondsPerDay == 0
        if time.isLeapSecond, !isFirstSecondOfDayInUTC { return nil }
        // A `Date` counts from 1 January 2001, which is 11,323 days after 1 January 1970. The terms are added in the
        // same order as in Foundation, so that rounding gives the same `Date` as `JSONDecoder`.
        let daysSince2001 = day.daysSince1970 - 11_323
        let secondsOfDays = Double(daysSince2001) * Double(Self.secondsPerDay)
        let seconds = secondsOfDays + (Double(time.secondOfDay) + time.fraction) - Double(offset)
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    private static let secondsPerDay = 86_400

    private struct TimeOfDay {
        /// The number of seconds since the start of the day. At a leap second, `23:59:60`, it is a whole day.
        let secondOfDay: Int
        /// The fraction of a second to add.
        let fraction: Double
        let isLeapSecond: Bool
    }

    /// Reads a day such as `2026-11-20`.
    package mutating func day() -> GregorianDay? {
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2) else {
            return nil
        }
        return GregorianDay(year: year, month: month, day: day)
    }

    /// Reads a time such as `18:30`, `18:30:00` or `18:30:00.25`; nil if the text does not begin with a time.
    private mutating func timeOfDay() -> TimeOfDay? {
        guard let hour = number(2, below: 24), skip(":"), let minute = number(2, below: 60) else { return nil }
        var second = 0
        var fraction = 0.0
        if skip(":") {
            // A leap second is written as 60.
            guard let digits = number(2, below: 61) else { return nil }
            second = digits
            if skipOne(of: ".,") {
                guard let value = self.fraction() else { return nil }
                fraction = value
            }
        }
        let secondOfDay = hour * 3600 + minute * 60 + second
        return TimeOfDay(secondOfDay: secondOfDay, fraction: fraction, isLeapSecond: second == 60)
    }

    /// Reads the digits after the point as a fraction of a second, `25` as 0.25; nil if there is no digit.
    private mutating func fraction() -> Double? {
        let digits = rest.prefix(while: \.isDigit)
        if digits.isEmpty { return nil }
        rest = rest[digits.endIndex...]
        var value = 0.0
        var scale = 1.0
        // Further digits are below a nanosecond, and finer than the precision of a `Date`.
        for digit in digits.prefix(9) {
            value = value * 10 + Double(digit.digitValue)
            scale *= 10
        }
        return value / scale
    }

    /// Reads an offset from UTC, such as `Z`, `+02:00`, `+0200` or `+02`, and returns it in seconds; nil if the text
    /// continues otherwise.
    private mutating func offset() -> Int? {
        if skipOne(of: "Zz") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = number(2, below: 24) else { return nil }
        var minutes = 0
        // The minutes are optional, and so is the colon before them.
        if !rest.isEmpty {
            _ = skip(":")
            guard let digits = number(2, below: 60) else { return nil }
            minutes = digits
        }
        let seconds = (hours * 60 + minutes) * 60
        return isWest ? -seconds : seconds
    }

    // MARK: - Parts

    /// Reads a number with exactly the given count of digits; nil if there is no such number or it is not below a
    /// limit.
    private mutating func number(_ count: Int, below limit: Int) -> Int? {
        guard let number = number(count), number < limit else { return nil }
        return number
    }

    /// Reads a number with exactly the given count of digits; nil if there is no such number.
    package mutating func number(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let digit = rest.popFirst(), digit.isDigit else { return nil }
            value = value * 10 + Int(digit.digitValue)
        }
        return value
    }

    /// Reads a number with all of its digits; nil if it has fewer or more digits than allowed.
    package mutating func number(_ counts: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix(while: \.isDigit)
        return counts.contains(digits.count) ? number(digits.count) : nil
    }

    /// Skips the next character if it is the given one.
    ///
    /// - Returns: Whether it was skipped.
    package mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Skips the next character if it is one of the given ones.
    ///
    /// - Returns: Whether a character was skipped.
    private mutating func skipOne(of characters: String) -> Bool {
        guard let first = rest.first, characters.utf8.contains(first) else { return false }
        rest.removeFirst()
        return true
    }
}
