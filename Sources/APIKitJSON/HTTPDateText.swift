/// Writes HTTP dates in the format that all senders use: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
package enum HTTPDateText {
    /// The text of a date, rounded down to a second; nil for a date outside the years 0 to 9999.
    package static func text(of date: Date) -> String? {
        guard let seconds = ISO8601.seconds(of: date) else { return nil }
        let secondsOfDay: Int64 = 86_400
        // Counting from the start of the year 0 avoids negative numbers, which division would round up.
        let secondsOfYears = seconds - ISO8601.secondsOfFourDigitYears.lowerBound
        let time = Int(secondsOfYears % secondsOfDay)
        let days = Int((seconds - Int64(time)) / secondsOfDay)
        let day = GregorianDay(daysSince1970: days)
        let name = weekdayNames[weekday(ofDaySince1970: days)]
        let date = "\(digits(day.day, 2)) \(monthNames[day.month - 1]) \(digits(day.year, 4))"
        let clock = "\(digits(time / 3600, 2)):\(digits(time / 60 % 60, 2)):\(digits(time % 60, 2))"
        return "\(name), \(date) \(clock) GMT"
    }

    /// The index of a day's weekday; 0 is Sunday.
    static func weekday(ofDaySince1970 days: Int) -> Int {
        // 1 January 1970 was a Thursday. Days before it are negative, and so is their remainder.
        let thursday = 4
        return (days % 7 + thursday + 7) % 7
    }

    /// A number with leading zeros up to a count of digits.
    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: count - text.utf8.count) + text
    }

    private static let weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
