/// Converts dates to and from text in the profile of ISO 8601 that RFC 3339 defines.
package enum ISO8601 {
    /// The seconds since 1970 in the years 0 to 9999, which are those that four digits can represent. They have 64 bits
    /// on all platforms: 32 bits would only reach the year 2038.
    package static let secondsOfFourDigitYears: Range<Int64> = -62_167_219_200..<253_402_300_800

    /// `2026-11-20T18:30:00Z`, nil for a date outside the years 0 to 9999.
    package static func text(of date: Date) -> String? {
        guard let seconds = seconds(of: date) else { return nil }
        return dayAndTime(seconds)
    }

    /// Returns the whole seconds since 1970 at a date, rounded down; nil for a date outside the years 0 to 9999.
    package static func seconds(of date: Date) -> Int64? {
        let time = date.timeIntervalSince1970
        let years = secondsOfFourDigitYears
        guard time >= Double(years.lowerBound), time < Double(years.upperBound) else { return nil }
        return Int64(time.rounded(.down))
    }

    /// Writes the day of a second since 1970: `2026-11-20`. The year must have four digits.
    package static func day(_ seconds: Int64) -> String {
        String(decoding: bytes(of: seconds).prefix(10), as: UTF8.self)
    }

    /// Writes a second since 1970 as a date and time: `2026-11-20T18:30:00Z`. The year must have four digits.
    package static func dayAndTime(_ seconds: Int64) -> String {
        String(decoding: bytes(of: seconds) + "Z".utf8, as: UTF8.self)
    }

    /// Writes a millisecond since 1970 as a date and time: `2026-11-20T18:30:00.250Z`. The year must have four digits.
    package static func dayAndTime(milliseconds: Int64) -> String {
        // Counting from the start of the year 0 avoids negative numbers, which division would round up.
        let secondOfYear0 = secondsOfFourDigitYears.lowerBound
        let millisecondsSinceYear0 = milliseconds - secondOfYear0 * 1000
        var text = bytes(of: secondOfYear0 + millisecondsSinceYear0 / 1000)
        text.append(.point)
        text.append(Int(millisecondsSinceYear0 % 1000), digits: 3)
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// Writes a second since 1970 as a date and time in UTC, without an offset: `2026-11-20T18:30:00`. The year must
    /// have four digits.
    private static func bytes(of second: Int64) -> [UInt8] {
        // The year 0 begins a whole number of days before 1970. Counting from there avoids a negative remainder.
        let secondOfDay = Int((second - secondsOfFourDigitYears.lowerBound) % 86_400)
        let day = GregorianDay(daysSince1970: Int((second - Int64(secondOfDay)) / 86_400))
        var bytes: [UInt8] = []
        // Room for the milliseconds and the `Z` as well.
        bytes.reserveCapacity(24)
        bytes.append(day.year, digits: 4)
        bytes.append(.minus)
        bytes.append(day.month, digits: 2)
        bytes.append(.minus)
        bytes.append(day.day, digits: 2)
        bytes.append(UInt8(ascii: "T"))
        bytes.append(secondOfDay / 3600, digits: 2)
        bytes.append(.colon)
        bytes.append(secondOfDay / 60 % 60, digits: 2)
        bytes.append(.colon)
        bytes.append(secondOfDay % 60, digits: 2)
        return bytes
    }

    /// Reads a date and time of RFC 3339, section 5.6, with any offset and any number of fractional digits, of which
    /// the first nine count. Beyond the RFC, the seconds may be missing, and an offset may be `+0200` or `+02`.
    ///
    /// - Returns: The date; nil if the text is anything else, such as a time without an offset.
    package static func date(_ text: String) -> Date? {
        var reader = DateReader(text)
        return reader.iso8601Date()
    }
}

extension [UInt8] {
    /// Appends a number, with leading zeros up to the given count of digits.
    fileprivate mutating func append(_ number: Int, digits: Int) {
        let text = String(number).utf8
        append(contentsOf: repeatElement(.zero, count: digits - text.count))
        append(contentsOf: text)
    }
}
