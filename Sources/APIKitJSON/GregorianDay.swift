/// A day of the Gregorian calendar, which here is used for all times; Foundation changes calendars in 1582.
///
/// Years are counted from March, so that a leap day is the last one of its year, and in eras of 400 years, which all
/// have the same number of days (H. Hinnant, *chrono-Compatible Low-Level Date Algorithms*).
package struct GregorianDay {
    package let year: Int
    package let month: Int
    package let day: Int

    private static let daysOfEra = 146_097
    private static let yearsOfEra = 400
    /// The days from 1 March of the year 0 to 1 January 1970.
    private static let daysUntil1970 = 719_468

    /// The day so many days after 1 January 1970, of a year from 0.
    package init(daysSince1970 days: Int) {
        // The first two months of the year 0 belong to the era before it, which is counted as well.
        let daysSinceFirstEra = days + Self.daysUntil1970 + Self.daysOfEra
        let era = daysSinceFirstEra / Self.daysOfEra - 1
        let dayOfEra = daysSinceFirstEra % Self.daysOfEra
        // The day without the leap days before it: one in 4 years, but not in 100, but in 400.
        let dayOfCommonYears = dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096
        let yearOfEra = dayOfCommonYears / 365
        let dayOfYear = dayOfEra - Self.days(beforeYear: yearOfEra)
        let monthOfYear = (5 * dayOfYear + 2) / 153
        day = dayOfYear - Self.days(beforeMonth: monthOfYear) + 1
        month = monthOfYear < 10 ? monthOfYear + 3 : monthOfYear - 9
        let yearOfMarch = era * Self.yearsOfEra + yearOfEra
        year = month > 2 ? yearOfMarch : yearOfMarch + 1
    }

    /// A day of a year from 0, nil if the month does not have it.
    package init?(year: Int, month: Int, day: Int) {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard 1...12 ~= month, 1...days[month - 1] ~= day else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The days from 1 January 1970.
    package var daysSince1970: Int {
        let isAfterFebruary = month > 2
        // An era is added, to which the first two months of the year 0 belong.
        let yearOfMarch = Self.yearsOfEra + (isAfterFebruary ? year : year - 1)
        let monthOfYear = isAfterFebruary ? month - 3 : month + 9
        let dayOfYear = Self.days(beforeMonth: monthOfYear) + day - 1
        let leapDays = yearOfMarch / 4 - yearOfMarch / 100 + yearOfMarch / 400
        let daysSinceFirstEra = yearOfMarch * 365 + leapDays + dayOfYear
        return daysSinceFirstEra - Self.daysUntil1970 - Self.daysOfEra
    }

    /// The days of an era before one of its years.
    private static func days(beforeYear year: Int) -> Int {
        365 * year + year / 4 - year / 100
    }

    /// The days from 1 March to the first of a month, of which March is 0.
    private static func days(beforeMonth month: Int) -> Int {
        // Five months from March or August have 153 days.
        (153 * month + 2) / 5
    }
}
