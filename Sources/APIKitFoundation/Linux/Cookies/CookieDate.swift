#if os(Linux)
import APIKitCore
import Foundation

/// Reads the dates of cookies, which servers write in many formats (RFC 6265, section 5.1.1).
enum CookieDate {
    /// Returns the date in a text; nil if it has no complete and valid date.
    static func date(_ text: [UInt8]) -> Date? {
        var fields = Fields()
        for token in text.split(whereSeparator: isDelimiter) { fields.add(token) }
        return fields.date
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// The fields of a date that were found so far. A field is the first token that has its form.
    private struct Fields {
        private var time: Time?
        private var day: Int?
        private var month: Int?
        private var year: Int?

        private static let months = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ]

        mutating func add(_ token: ArraySlice<UInt8>) {
            if time == nil, let time = Time(token) {
                self.time = time
            } else if day == nil, let day = CookieDate.number(at: token, digits: 1...2) {
                self.day = day
            } else if month == nil, let index = Self.months.firstIndex(of: Self.start(of: token)) {
                month = index + 1
            } else if year == nil, let year = CookieDate.number(at: token, digits: 2...4) {
                self.year = Self.fullYear(year)
            }
        }

        private static func start(of token: ArraySlice<UInt8>) -> String {
            String(decoding: token.prefix(3), as: UTF8.self).lowercased()
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
            guard let time, let day, let month, let year, year >= 1601 else { return nil }
            guard let days = GregorianDay(year: year, month: month, day: day)?.daysSince1970 else { return nil }
            return Date(timeIntervalSince1970: Double(days) * 86_400 + Double(time.secondOfDay))
        }
    }

    private struct Time {
        let secondOfDay: Int

        init?(_ token: ArraySlice<UInt8>) {
            let parts = token.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard parts.count >= 3,
                let hour = CookieDate.number(parts[0], digits: 1...2), hour <= 23,
                let minute = CookieDate.number(parts[1], digits: 1...2), minute <= 59,
                let second = CookieDate.number(at: parts[2], digits: 1...2), second <= 59
            else { return nil }
            secondOfDay = (hour * 60 + minute) * 60 + second
        }
    }

    /// Returns the number that a text begins with; nil if it has fewer or more digits than allowed.
    private static func number(at text: ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int? {
        number(text.prefix(while: \.isDigit), digits: digits)
    }

    private static func number(_ text: ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.count), text.allSatisfy(\.isDigit) else { return nil }
        return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
#endif
