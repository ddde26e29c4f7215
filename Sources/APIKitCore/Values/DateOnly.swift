/// A day without a time, such as a birthday: `2026-11-20` in JSON, parameters and paths (RFC 3339, `full-date`).
///
/// A `Date` is a moment, which is another day in another time zone. ``date(in:)`` is the moment at which the day
/// begins.
public struct DateOnly: Sendable, Hashable {
    /// The year, from 0 to 9999.
    public let year: Int
    /// The month, from 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// Creates a day of the Gregorian calendar; nil if there is no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year), GregorianDay(year: year, month: month, day: day) != nil else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates the day of a date in a time zone; nil if the date is outside the years 0 to 9999.
    public init?(_ date: Date, in zone: TimeZone) {
        guard let text = try? ParameterStyle.Dates.dateOnly(in: zone).text(of: date, named: "") else { return nil }
        self.init(text)
    }

    /// The moment at which the day begins in a time zone: midnight or, if the clocks go forward then, a later time.
    public func date(in zone: TimeZone) -> Date {
        let days = GregorianDay(year: year, month: month, day: day)?.daysSince1970 ?? 0
        let midnightInUTC = Date(timeIntervalSince1970: Double(days) * 86_400)
        // The offset from UTC may change on the day, so the offsets of the days around it are tried as well. Of the
        // moments that are on this day, the first one is its beginning.
        let moments = [-86_400.0, 0, 86_400].map { seconds in
            let offset = zone.secondsFromGMT(for: midnightInUTC.addingTimeInterval(seconds))
            return midnightInUTC.addingTimeInterval(-Double(offset))
        }
        var beginning: Date?
        for moment in moments where DateOnly(moment, in: zone) == self { beginning = min(beginning ?? moment, moment) }
        // A day that a time zone has skipped has no beginning. Midnight by one of its offsets stands in for it.
        return beginning ?? moments[1]
    }
}

extension DateOnly: LosslessStringConvertible {
    /// Reads `2026-11-20`; nil for any other text, and a day that does not exist.
    public init?(_ text: String) {
        var reader = DateReader(text)
        guard let day = reader.day(), reader.rest.isEmpty else { return nil }
        self.init(year: day.year, month: day.month, day: day.day)
    }

    /// The day as `2026-11-20`.
    public var description: String {
        ISO8601.day(Int64(GregorianDay(year: year, month: month, day: day)?.daysSince1970 ?? 0) * 86_400)
    }
}

extension DateOnly: Comparable {
    /// Whether one day is before another one.
    public static func < (left: DateOnly, right: DateOnly) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension DateOnly: Codable, ParameterValue {
    /// Reads a string with a day, such as 2026-11-20.
    ///
    /// - Throws: `DecodingError` for any other text.
    public init(from decoder: any Decoder) throws {
        self = try decoder.textValue("a day, such as 2026-11-20", Self.init)
    }

    /// Writes a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// The text.
    public var parameterNode: Parameters.Node { description.parameterNode }
}
