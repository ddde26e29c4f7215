/// Writes HTTP dates in the format that all senders use: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
package enum HTTPDateText {
    /// Returns the text of a date, rounded down to a second; nil for a date outside the years 0 to 9999.
    package static func text(of date: Date) -> String? {
        guard let seconds = ISO8601.seconds(of: date) else { return nil }
        let secondsPerDay: Int64 = 86_400
        // The year 0 begins a whole number of days before 1970. Counting from there avoids a negative remainder.
        let secondsSinceYear0 = seconds - ISO8601.secondsOfFourDigitYears.lowerBound
        let secondOfDay = Int(secondsSinceYear0 % secondsPerDay)
        let daysSince1970 = Int((seconds - Int64(secondOfDay)) / secondsPerDay)
        let day = GregorianDay(daysSince1970: daysSince1970)
        let weekdayName = weekdayNames[weekday(ofDaySince1970: daysSince1970)]
        let date = "\(day.day.padded(to: 2)) \(monthNames[day.month - 1]) \(day.year.padded(to: 4))"
        let hour = (secondOfDay / 3600).padded(to: 2)
        let minute = (secondOfDay / 60 % 60).padded(to: 2)
        let second = (secondOfDay % 60).padded(to: 2)
        return "\(weekdayName), \(date) \(hour):\(minute):\(second) GMT"
    }

    /// Returns the index of a day's weekday; 0 is Sunday.
    static func weekday(ofDaySince1970 days: Int) -> Int {
        // 1 January 1970 was a Thursday. Days before it are negative, and so is their remainder.
        let thursday = 4
        return (days % 7 + thursday + 7) % 7
    }

    /// The short names of the days of a week, from Sunday on.
    static let weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    /// The short names of the months.
    static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

extension Int {
    /// Returns the digits of a number that is not negative, with leading zeros up to a count.
    package func padded(to count: Int) -> String {
        let digits = String(self)
        let missing = count - digits.utf8.count
        guard missing > 0 else { return digits }
        return String(repeating: "0", count: missing) + digits
    }
}
