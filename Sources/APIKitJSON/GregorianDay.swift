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
