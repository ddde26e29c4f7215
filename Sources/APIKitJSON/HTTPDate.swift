import APIKitSupport

extension Date {
    /// Reads an HTTP date in any of its three formats (RFC 9110, section 5.6.7), nil for any other text.
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT    IMF-fixdate
    ///     Sunday, 06-Nov-94 08:49:37 GMT   RFC 850
    ///     Sun Nov  6 08:49:37 1994         asctime
    ///
    /// Case is ignored, as RFC 9111, section 4.2, recommends. A year of two digits is the last one with these digits
    /// that is at most 50 years ahead.
    ///
    /// - Parameter text: The text, such as the value of `Last-Modified`.
    public init?(httpDate text: String) {
        self.init(httpDate: text, now: .now)
    }

    /// Reads an HTTP date at a given time, which decides about years of two digits.
    package init?(httpDate text: String, now: Date) {
        var reader = DateReader(text)
        guard let date = reader.httpDate(now: now) else { return nil }
        self = date
    }
}

extension DateReader {
    /// Reads the whole text as an HTTP date; nil if it has another format.
    ///
    /// | After the short name of a weekday | The format |
    /// | --- | --- |
    /// | a space | asctime |
    /// | the rest of its full name, as in `Sunday` | RFC 850 |
    /// | anything else, which must be a comma | IMF-fixdate |
    fileprivate mutating func httpDate(now: Date) -> Date? {
        rest = rest.map(\.lowercasedASCII)[...]
        guard let weekday = skipWord(of: Self.weekdays) else { return nil }
        if skip(" ") { return asctimeDate(on: weekday) }
        let isRFC850 = skip(word: Self.endsOfWeekdays[weekday])
        return isRFC850 ? rfc850Date(on: weekday, now: now) : fixedDate(on: weekday)
    }

    /// Reads the rest of an IMF-fixdate after its weekday: `, 06 Nov 1994 08:49:37 GMT`.
    private mutating func fixedDate(on weekday: Int) -> Date? {
        guard skip(word: ", "), let day = number(2),
            skip(" "), let month = month(),
            skip(" "), let year = number(4),
            skip(" "), let second = secondOfDay(), skip(word: " gmt")
        else { return nil }
        return date(year, month, day, second, weekday)
    }

    /// Reads the rest of an RFC 850 date after its weekday: `, 06-Nov-94 08:49:37 GMT`.
    private mutating func rfc850Date(on weekday: Int, now: Date) -> Date? {
        guard skip(word: ", "), let day = number(2),
            skip("-"), let month = month(),
            skip("-"), let year = number(2),
            skip(" "), let second = secondOfDay(), skip(word: " gmt")
        else { return nil }
        return date(Self.fullYear(year, month, day, now), month, day, second, weekday)
    }

    /// Reads the rest of an asctime date after its weekday and a space: `Nov  6 08:49:37 1994`. A day with one digit
    /// has a second space before it.
    private mutating func asctimeDate(on weekday: Int) -> Date? {
        guard let month = month(), skip(" ") else { return nil }
        let hasOneDigit = skip(" ")
        guard let day = number(hasOneDigit ? 1 : 2),
            skip(" "), let second = secondOfDay(),
            skip(" "), let year = number(4)
        else { return nil }
        return date(year, month, day, second, weekday)
    }

    /// Returns the date at the end of the text; nil if there is no such day, or it is another weekday.
    private func date(_ year: Int, _ month: Int, _ day: Int, _ second: Int, _ weekday: Int) -> Date? {
        guard rest.isEmpty, let days = GregorianDay(year: year, month: month, day: day)?.daysSince1970 else {
            return nil
        }
        guard HTTPDateText.weekday(ofDaySince1970: days) == weekday else { return nil }
        return Date(timeIntervalSince1970: Double(days) * 86_400 + Double(second))
    }

    /// Reads a time such as `08:49:37`. A leap second, `23:59:60`, counts as the first second of the next day.
    private mutating func secondOfDay() -> Int? {
        guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60, skip(":"),
            let second = number(2), second <= 60
        else { return nil }
        return (hour * 60 + minute) * 60 + second
    }

    /// Returns the year that two digits stand for: the last one with these digits in which the date is at most 50 years
    /// ahead. At the beginning of 2026, that is 2075 for `75`, and 1994 for `94`.
    ///
    /// - Parameters:
    ///   - digits: The year in its century.
    ///   - month: The number of the month; 1 is January.
    ///   - day: The day of the month.
    ///   - now: The current time.
    /// - Returns: The year.
    private static func fullYear(_ digits: Int, _ month: Int, _ day: Int, _ now: Date) -> Int {
        // The clock may be set to any time. A time that is more than 1,900 years from 1970 counts as 1970, so that the
        // conversion and the search below cannot fail.
        let days = now.timeIntervalSince1970 / 86_400
        let isInCalendar = days.magnitude < 700_000
        let today = GregorianDay(daysSince1970: isInCalendar ? Int(days) : 0)
        // Starts in the next century, and goes back by a century until the date is at most 50 years ahead.
        let nextCentury = (today.year / 100 + 1) * 100
        var year = nextCentury + digits
        while (year - 50, month, day) > (today.year, today.month, today.day) { year -= 100 }
        return year
    }

    /// Skips the word at this position if it is one of the given words, and returns its index among them.
    private mutating func skipWord(of words: [String]) -> Int? {
        words.firstIndex { skip(word: $0) }
    }

    private mutating func skip(word: String) -> Bool {
        guard rest.starts(with: word.utf8) else { return false }
        rest = rest.dropFirst(word.utf8.count)
        return true
    }

    private static let weekdays = HTTPDateText.weekdayNames.map { $0.lowercased() }
    /// What follows the short name in the full name of each weekday: `day` in `Sunday`, `sday` in `Tuesday`.
    private static let endsOfWeekdays = ["day", "day", "sday", "nesday", "rsday", "day", "urday"]
    private static let months = HTTPDateText.monthNames.map { $0.lowercased() }

    /// Reads the short name of a month, in any case, and returns the number of the month; nil if the text does not
    /// begin with one. Whatever follows the name is not read.
    package mutating func month() -> Int? {
        let name = rest.prefix(3).map(\.lowercasedASCII)
        guard let index = Self.months.firstIndex(where: { $0.utf8.elementsEqual(name) }) else { return nil }
        rest = rest.dropFirst(name.count)
        return index + 1
    }
}
