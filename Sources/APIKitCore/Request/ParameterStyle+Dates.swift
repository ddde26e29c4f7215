#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ParameterStyle.Dates {
    /// A date as text: digits, or ISO 8601.
    ///
    /// - Throws: ``RequestError`` for a date outside the years 0 to 9999: there is no agreed text for it.
    func text(of date: Date, named name: String) throws(RequestError) -> String {
        let seconds = date.timeIntervalSince1970
        guard seconds >= -62_167_219_200, seconds < 253_402_300_800 else {
            throw RequestError(.parameters, "\(name.debugDescription): the date is outside the years 0 to 9999")
        }
        return switch self {
        case .iso8601: Self.iso8601(Int(seconds.rounded(.down)))
        case .secondsSince1970: Int(seconds.rounded(.down)).description
        // A millisecond is no exact Double: the nearest one is meant.
        case .millisecondsSince1970: Int((seconds * 1000).rounded()).description
        }
    }

    /// `2026-11-20T18:30:00Z`, in the Gregorian calendar for all times; Foundation changes calendars in 1582.
    private static func iso8601(_ seconds: Int) -> String {
        let (days, time) = (seconds + 62_167_219_200).quotientAndRemainder(dividingBy: 86_400)
        // Days since 1 March of the year 0, since a leap day then ends its year; 400 years have 146,097 days.
        let shifted = days - 60 + 146_097
        let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0)
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        return "\(date)T\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = number.description
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
