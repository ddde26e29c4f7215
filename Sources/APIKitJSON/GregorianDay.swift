/// A day of the Gregorian calendar, which is also used for dates before its introduction in 1582, unlike in Foundation.
///
/// The algorithms are those of H. Hinnant, *chrono-Compatible Low-Level Date Algorithms*. Within them, a year starts on
/// 1 March and ends with February, so that a leap day is the last day of its year. Years are grouped into eras of 400
/// years, which all have the same number of days.
package struct GregorianDay {
    package let year: Int
    package let month: Int
    package let day: Int

    private static let yearsOfEra = 400
    private static let daysOfEra = 146_097
    private static let daysOfFourYears = 1461
    private static let daysOfHundredYears = 36_524
    private static let daysFromMarchOfYear0To1970 = 719_468

    /// Creates a day from the number of days since 1 January 1970. The year must not be negative.
    ///
    /// First it finds the era of 400 years, then the year in the era, then the month in the year. All eras have the
    /// same number of days. A year starts on 1 March here, so that a leap day is the last day of its year.
    package init(daysSince1970 days: Int) {
        let (era, dayOfEra) = Self.era(ofDay: days + Self.daysFromMarchOfYear0To1970)
        let yearOfEra = Self.yearOfEra(ofDay: dayOfEra)
        let dayOfYear = dayOfEra - Self.days(beforeYear: yearOfEra)
        let monthSinceMarch = Self.monthSinceMarch(ofDay: dayOfYear)
        day = dayOfYear - Self.days(beforeMonth: monthSinceMarch) + 1
        // January and February, which are months 10 and 11 here, belong to the next calendar year.
        let yearStartedInMarch = era * Self.yearsOfEra + yearOfEra
        let isAfterDecember = monthSinceMarch >= 10
        month = isAfterDecember ? monthSinceMarch - 9 : monthSinceMarch + 3
        year = isAfterDecember ? yearStartedInMarch + 1 : yearStartedInMarch
    }

    /// Returns the number of the era to which a day belongs, and the number of the day in that era.
    ///
    /// Days are counted from 1 March of the year 0, when the era 0 starts. January and February of the year 0 are in
    /// the era before, and their days have negative numbers.
    private static func era(ofDay day: Int) -> (era: Int, dayOfEra: Int) {
        let quotient = day / daysOfEra
        let remainder = day % daysOfEra
        // Division rounds toward zero: day -1 gets the era 0 and the remainder -1, but is the last day of the era -1.
        if remainder < 0 { return (quotient - 1, remainder + daysOfEra) }
        return (quotient, remainder)
    }

    /// Returns the number of the year to which a day of an era belongs; both numbers start at 0.
    private static func yearOfEra(ofDay dayOfEra: Int) -> Int {
        // Without leap days, each year would have 365 days. So the leap days before the day are subtracted: there is
        // one at the end of every 4 years, except every 100 years, except every 400 years. A leap day is the last day
        // of its 4 or 400 years and belongs to them, hence the two subtractions of 1.
        let leapDays =
            dayOfEra / (daysOfFourYears - 1) - dayOfEra / daysOfHundredYears + dayOfEra / (daysOfEra - 1)
        return (dayOfEra - leapDays) / 365
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
    ///
    /// Years are counted from 1 March, so that a leap day is the last day of its year.
    package var daysSince1970: Int {
        let isBeforeMarch = month <= 2
        let yearStartedInMarch = isBeforeMarch ? year - 1 : year
        let monthSinceMarch = isBeforeMarch ? month + 9 : month - 3
        let dayOfYear = Self.days(beforeMonth: monthSinceMarch) + day - 1
        // January and February of the year 0 belong to the year -1, which division would round up. So counting starts
        // an era of 400 years earlier.
        let yearSinceFirstEra = yearStartedInMarch + Self.yearsOfEra
        let leapDays = yearSinceFirstEra / 4 - yearSinceFirstEra / 100 + yearSinceFirstEra / 400
        let daysSinceFirstEra = yearSinceFirstEra * 365 + leapDays + dayOfYear
        return daysSinceFirstEra - Self.daysFromMarchOfYear0To1970 - Self.daysOfEra
    }

    /// Returns the number of days in an era before one of its years.
    private static func days(beforeYear year: Int) -> Int {
        365 * year + year / 4 - year / 100
    }

    /// Returns the number of days from 1 March to the first day of a month; the number of March is 0, of February 11.
    private static func days(beforeMonth month: Int) -> Int {
        // From March and from August, five months have 153 days. Rounding distributes them over the months.
        (153 * month + 2) / 5
    }

    /// Returns the number of the month to which a day belongs, counted from March: 0 for March, 11 for February. The
    /// days are counted from 1 March, which has the number 0.
    private static func monthSinceMarch(ofDay dayOfYear: Int) -> Int {
        // Five months have 153 days, so day `d` is about in month `5 * d / 153`. The 2 corrects the rounding: without
        // it, day 61, which is 1 May, would still be in April.
        (5 * dayOfYear + 2) / 153
    }
}
