/// A day of the Gregorian calendar, which is also used for dates before its introduction in 1582, unlike in Foundation.
///
/// The algorithms are those of H. Hinnant, *chrono-Compatible Low-Level Date Algorithms*. Years start in March, so that
/// a leap day is the last day of its year. Years are grouped into eras of 400 years, which all have the same number of
/// days.
package struct GregorianDay {
    package let year: Int
    package let month: Int
    package let day: Int

    private static let daysOfEra = 146_097
    private static let yearsOfEra = 400
    /// The number of days from 1 March of the year 0 to 1 January 1970.
    private static let daysUntil1970 = 719_468

    /// Creates a day from the number of days since 1 January 1970. The year must not be negative.
    package init(daysSince1970 days: Int) {
        // January and February of the year 0 belong to the previous era, so counting starts with that era.
        let daysSinceFirstEra = days + Self.daysUntil1970 + Self.daysOfEra
        let era = daysSinceFirstEra / Self.daysOfEra - 1
        let dayOfEra = daysSinceFirstEra % Self.daysOfEra
        // The number of the day without the leap days before it. There is a leap day every 4 years, except every 100
        // years, except every 400 years.
        let dayOfCommonYears = dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096
        let yearOfEra = dayOfCommonYears / 365
        let dayOfYear = dayOfEra - Self.days(beforeYear: yearOfEra)
        let monthOfYear = (5 * dayOfYear + 2) / 153
        day = dayOfYear - Self.days(beforeMonth: monthOfYear) + 1
        month = monthOfYear < 10 ? monthOfYear + 3 : monthOfYear - 9
        let yearOfMarch = era * Self.yearsOfEra + yearOfEra
        year = month > 2 ? yearOfMarch : yearOfMarch + 1
    }

    /// Creates a day of a year that is not negative; nil if there is no such month or no such day in it.
    package init?(year: Int, month: Int, day: Int) {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard 1...12 ~= month, 1...days[month - 1] ~= day else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The number of days since 1 January 1970.
    package var daysSince1970: Int {
        let isAfterFebruary = month > 2
        // January and February of the year 0 belong to the previous era, so an era is added to avoid negative numbers.
        let yearOfMarch = Self.yearsOfEra + (isAfterFebruary ? year : year - 1)
        let monthOfYear = isAfterFebruary ? month - 3 : month + 9
        let dayOfYear = Self.days(beforeMonth: monthOfYear) + day - 1
        let leapDays = yearOfMarch / 4 - yearOfMarch / 100 + yearOfMarch / 400
        let daysSinceFirstEra = yearOfMarch * 365 + leapDays + dayOfYear
        return daysSinceFirstEra - Self.daysUntil1970 - Self.daysOfEra
    }

    /// The number of days in an era before one of its years.
    private static func days(beforeYear year: Int) -> Int {
        365 * year + year / 4 - year / 100
    }

    /// The number of days from 1 March to the first day of a month. The number of March is 0.
    private static func days(beforeMonth month: Int) -> Int {
        // From March and from August, five months have 153 days. Rounding distributes them over the months.
        (153 * month + 2) / 5
    }
}
