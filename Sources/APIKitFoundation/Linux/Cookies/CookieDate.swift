#if os(Linux)
import APIKitCore
import Foundation

/// Reads the dates of cookies, which servers write in many formats (RFC 6265, section 5.1.1).
enum CookieDate {
    /// Returns the date in a text such as `Thu, 26 Nov 2026 07:00:00 GMT`; nil if it has no complete and valid date.
    ///
    /// As the RFC says, the text is split into tokens, whose order is arbitrary and whose form decides what they mean.
    /// Tokens that mean nothing are skipped, such as the name of the day.
    static func date(_ text: [UInt8]) -> Date? {
        var fields = Fields()
        for token in text.split(whereSeparator: isDelimiter) { fields.add(token) }
        return fields.date
    }

    /// Whether a byte separates tokens: a tab, a space or punctuation, but not a colon.
    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// The fields of a date that were found so far. A field is the first token that has its form, even if its value is
    /// invalid and a later token has a valid one.
    private struct Fields {
        private var time: Time?
        private var day: Int?
        private var month: Int?
        private var year: Int?

        /// Sets the first field that is still missing and has the form of a token. Otherwise the token is ignored.
        mutating func add(_ token: ArraySlice<UInt8>) {
            // Whatever follows a number or the name of a month is ignored. Each attempt begins with the whole token.
            if time == nil, let time = Time(token) {
                self.time = time
            } else if day == nil, let day = DateReader.read(token, { $0.number(1...2) }) {
                self.day = day
            } else if month == nil, let month = DateReader.read(token, { $0.month() }) {
                self.month = month
            } else if year == nil, let year = DateReader.read(token, { $0.number(2...4) }) {
                self.year = Self.fullYear(year)
            }
        }

        /// Returns the year for a year of two digits; other years stay as they are.
        private static func fullYear(_ year: Int) -> Int {
            switch year {
            case 70...99: 1900 + year
            case 0...69: 2000 + year
            default: year
            }
        }

        /// The date, if all fields were found. Years before 1601 are invalid by the RFC.
        var date: Date? {
            guard let secondOfDay = time?.secondOfDay, let day, let month, let year, year >= 1601 else { return nil }
            guard let days = GregorianDay(year: year, month: month, day: day)?.daysSince1970 else { return nil }
            return Date(timeIntervalSince1970: Double(days) * 86_400 + Double(secondOfDay))
        }
    }

    private struct Time {
        private let hour: Int
        private let minute: Int
        private let second: Int

        /// Reads a time such as `07:00:00`. Whatever follows the seconds is ignored. Returns nil for any other token,
        /// but not for a time that does not exist.
        init?(_ token: ArraySlice<UInt8>) {
            var reader = DateReader(token)
            guard let hour = reader.number(1...2), reader.skip(":"),
                let minute = reader.number(1...2), reader.skip(":"),
                let second = reader.number(1...2)
            else { return nil }
            self.hour = hour
            self.minute = minute
            self.second = second
        }

        /// The number of seconds since midnight; nil if the time does not exist, such as `24:00:00`.
        var secondOfDay: Int? {
            guard hour <= 23, minute <= 59, second <= 59 else { return nil }
            return (hour * 60 + minute) * 60 + second
        }
    }
}

extension DateReader {
    /// Reads a part at the start of a token.
    fileprivate static func read(_ token: ArraySlice<UInt8>, _ part: (inout DateReader) -> Int?) -> Int? {
        var reader = DateReader(token)
        return part(&reader)
    }
}
#endif
