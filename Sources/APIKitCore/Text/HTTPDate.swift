extension Date {
    /// Reads an HTTP date in any of its three formats (RFC 9110, section 5.6.7), nil for any other text.
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT    IMF-fixdate
    ///     Sunday, 06-Nov-94 08:49:37 GMT   RFC 850
    ///     Sun Nov  6 08:49:37 1994         asctime
    ///
    /// - Parameters:
    ///   - text: The text, such as the value of `Last-Modified`.
    ///   - now: What decides on the century of a year of two digits, which is the last one that is at most 50 years
    ///     ahead.
    init?(httpDate text: String, now: Date = .now) {
        let fields = text.split { $0 == " " || $0 == "-" || $0 == "," }
        switch (fields.count, fields.last) {
        case (6, "GMT"): self.init(day: fields[1], month: fields[2], year: fields[3], time: fields[4], now)
        case (5, _): self.init(day: fields[2], month: fields[1], year: fields[4], time: fields[3], now)
        default: return nil
        }
    }

    private init?(day: Substring, month: Substring, year: Substring, time: Substring, _ now: Date) {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map(\.wholeNumber)
        guard let month = Self.months.firstIndex(of: month), let day = day.wholeNumber,
            let number = year.wholeNumber, year.count == 2 || year.count == 4,
            clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        func date(in year: Int) -> Date? {
            guard let date = GregorianDay(year: year, month: month + 1, day: day) else { return nil }
            let seconds = (hour * 60 + minute) * 60 + second
            return Date(timeIntervalSince1970: Double(date.daysSince1970) * 86_400 + Double(seconds))
        }
        var fullYear = number
        if year.count == 2 {
            // A time that no calendar has is as good as 1970.
            let days = now.timeIntervalSince1970 / 86_400
            let today = GregorianDay(daysSince1970: days.magnitude < 700_000 ? Int(days) : 0)
            fullYear += (today.year / 100 + 1) * 100
            while (fullYear - 50, month + 1, day) > (today.year, today.month, today.day) { fullYear -= 100 }
        }
        guard let date = date(in: fullYear) else { return nil }
        self = date
    }

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
