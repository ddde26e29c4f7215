import APIKitSupport

extension ParameterStyle.Dates {
    /// Whether dates are numbers, which JSON writes without quotes.
    var isNumber: Bool {
        switch self {
        case .iso8601, .iso8601WithFractionalSeconds, .dateOnly, .httpDate: false
        case .secondsSince1970, .millisecondsSince1970: true
        }
    }

    /// Returns the text of a date in this style.
    ///
    /// - Throws: ``RequestError`` for a date outside the years 0 to 9999, which has no agreed text.
    func text(of date: Date, named name: String) throws(RequestError) -> String {
        guard let text = text(of: date) else {
            var shown = "the date"
            let seconds = Int64(exactly: date.timeIntervalSince1970.rounded())
            // A date with the name of a secret is not shown.
            if let seconds, !SecretNames.contains(name) { shown += " (\(seconds) seconds after 1970)" }
            throw RequestError(.parameters, "\(name.debugDescription): \(shown) is outside the years 0 to 9999")
        }
        return text
    }

    /// Returns the text of a date in this style; nil outside the years 0 to 9999.
    private func text(of date: Date) -> String? {
        guard let seconds = ISO8601.seconds(of: date) else { return nil }
        // Rounded, because most milliseconds are not exact as a Double. The last half millisecond of the year 9999 must
        // not be rounded up to the year 10000.
        let nearest = Int64((date.timeIntervalSince1970 * 1000).rounded())
        let milliseconds = min(nearest, ISO8601.secondsOfFourDigitYears.upperBound * 1000 - 1)
        switch self {
        case .iso8601: return ISO8601.dayAndTime(seconds)
        case .iso8601WithFractionalSeconds: return ISO8601.dayAndTime(milliseconds: milliseconds)
        case .dateOnly(let zone):
            let local = seconds + Int64(zone.secondsFromGMT(for: date))
            guard ISO8601.secondsOfFourDigitYears.contains(local) else { return nil }
            return ISO8601.day(local)
        case .httpDate: return HTTPDateText.text(of: date)
        case .secondsSince1970: return seconds.description
        case .millisecondsSince1970: return milliseconds.description
        }
    }
}
