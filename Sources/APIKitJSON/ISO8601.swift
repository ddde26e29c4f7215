/// Dates as text, by the rules that the internet takes from ISO 8601 (RFC 3339).
package enum ISO8601 {
    /// The seconds since 1970 of the years 0 to 9999, which four digits can name. On some platforms, an `Int` ends in
    /// 2038.
    package static let years: Range<Int64> = -62_167_219_200..<253_402_300_800

    /// `2026-11-20T18:30:00Z`, nil for a date outside the years 0 to 9999.
    package static func text(of date: Date) -> String? {
        guard let seconds = seconds(of: date) else { return nil }
        return dayAndTime(seconds)
    }

    /// The whole seconds since 1970 at a date, rounded down; nil for a date outside the years 0 to 9999.
    package static func seconds(of date: Date) -> Int64? {
        let time = date.timeIntervalSince1970
        guard time >= Double(years.lowerBound), time < Double(years.upperBound) else { return nil }
        return Int64(time.rounded(.down))
    }

    /// `2026-11-20`, of a second since 1970 within ``years``.
    package static func day(_ seconds: Int64) -> String {
        String(decoding: bytes(of: seconds).prefix(10), as: UTF8.self)
    }

    /// `2026-11-20T18:30:00Z`, of a second since 1970 within ``years``.
    package static func dayAndTime(_ seconds: Int64) -> String {
        String(decoding: bytes(of: seconds) + "Z".utf8, as: UTF8.self)
    }

    /// `2026-11-20T18:30:00.250Z`, of a millisecond since 1970 within ``years``.
    package static func dayAndTime(milliseconds: Int64) -> String {
        let start = years.lowerBound
        let (seconds, fraction) = (milliseconds - start * 1000).quotientAndRemainder(dividingBy: 1000)
        var text = bytes(of: start + seconds)
        text.append(UInt8(ascii: "."))
        text.append(Int(fraction), digits: 3)
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// `2026-11-20T18:30:00`.
    private static func bytes(of seconds: Int64) -> [UInt8] {
        let time = Int((seconds - years.lowerBound) % 86_400)
        let day = GregorianDay(daysSince1970: Int((seconds - Int64(time)) / 86_400))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        bytes.append(day.year, digits: 4)
        for (separator, number) in [
            ("-", day.month), ("-", day.day), ("T", time / 3600), (":", time / 60 % 60), (":", time % 60),
        ] as [(Unicode.Scalar, Int)] {
            bytes.append(UInt8(ascii: separator))
            bytes.append(number, digits: 2)
        }
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
    fileprivate mutating func append(_ number: Int, digits: Int) {
        let text = String(number).utf8
        append(contentsOf: repeatElement(UInt8(ascii: "0"), count: digits - text.count))
        append(contentsOf: text)
    }
}
/// A day of the Gregorian calendar, which here is used for all times; Foundation changes calendars in 1582.
///
/// Years are counted from March, so that a leap day is the last one of its year, and in eras of 400 years, which all
/// have the same number of days.
package struct GregorianDay {
    package let year: Int
    package let month: Int
    package let day: Int

    private static let daysOfEra = 146_097
    /// The days from 1 March of the year 0 to 1 January 1970.
    private static let daysUntil1970 = 719_468

    /// The day so many days after 1 January 1970, of a year from 0.
    package init(daysSince1970 days: Int) {
        // The first two months of the year 0 belong to the era before it.
        let (era, dayOfEra) = (days + Self.daysUntil1970 + Self.daysOfEra).quotientAndRemainder(
            dividingBy: Self.daysOfEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthOfYear = (5 * dayOfYear + 2) / 153
        day = dayOfYear - Self.days(beforeMonth: monthOfYear) + 1
        month = monthOfYear < 10 ? monthOfYear + 3 : monthOfYear - 9
        year = (era - 1) * 400 + yearOfEra + (month > 2 ? 0 : 1)
    }

    /// A day of a year from 0, nil if the month does not have it.
    package init?(year: Int, month: Int, day: Int) {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard days.indices.contains(month - 1), 1...days[month - 1] ~= day else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The days from 1 January 1970.
    package var daysSince1970: Int {
        let year = month > 2 ? year + 400 : year + 399
        let dayOfYear = Self.days(beforeMonth: month > 2 ? month - 3 : month + 9) + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - Self.daysUntil1970 - Self.daysOfEra
    }

    /// The days from 1 March to the first of a month, of which March is 0.
    private static func days(beforeMonth month: Int) -> Int {
        (153 * month + 2) / 5
    }
}
