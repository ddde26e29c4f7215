/// Dates as text, by the rules that the internet takes from ISO 8601 (RFC 3339), in the Gregorian calendar for all
/// times; Foundation changes calendars in 1582.
enum ISO8601 {
    /// The seconds since 1970 of the years 0 to 9999, which four digits can name.
    static let years = -62_167_219_200..<253_402_300_800

    /// `2026-11-20T18:30:00Z`, nil for a date outside the years 0 to 9999.
    static func text(of date: Date) -> String? {
        let time = date.timeIntervalSince1970
        guard time >= Double(years.lowerBound), time < Double(years.upperBound) else { return nil }
        return dayAndTime(Int(time.rounded(.down)))
    }

    /// `2026-11-20`, of a second since 1970 within ``years``.
    static func day(_ seconds: Int) -> String {
        text { append(day: seconds, to: &$0) }
    }

    /// `2026-11-20T18:30:00Z`, of a second since 1970 within ``years``.
    static func dayAndTime(_ seconds: Int) -> String {
        text {
            append(day: seconds, to: &$0)
            append(time: seconds, to: &$0)
            $0.append(UInt8(ascii: "Z"))
        }
    }

    /// `2026-11-20T18:30:00.250Z`, of a millisecond since 1970 within ``years``.
    static func dayAndTime(milliseconds: Int) -> String {
        let start = years.lowerBound
        let (passed, fraction) = (milliseconds - start * 1000).quotientAndRemainder(dividingBy: 1000)
        return text {
            append(day: start + passed, to: &$0)
            append(time: start + passed, to: &$0)
            $0.append(UInt8(ascii: "."))
            append(fraction, digits: 3, to: &$0)
            $0.append(UInt8(ascii: "Z"))
        }
    }

    private static func text(_ write: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        write(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(day seconds: Int, to bytes: inout [UInt8]) {
        // Days since 1 March of the year 0, since a leap day then ends its year; 400 years have 146,097 days.
        let shifted = (seconds - years.lowerBound) / 86_400 - 60 + 146_097
        let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        append(yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0), digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(month, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(dayOfYear - (153 * marchMonth + 2) / 5 + 1, digits: 2, to: &bytes)
    }

    private static func append(time seconds: Int, to bytes: inout [UInt8]) {
        let time = (seconds - years.lowerBound) % 86_400
        bytes.append(UInt8(ascii: "T"))
        append(time / 3600, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(time / 60 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(time % 60, digits: 2, to: &bytes)
    }

    private static func append(_ number: Int, digits: Int, to bytes: inout [UInt8]) {
        var scale = digits == 4 ? 1000 : digits == 3 ? 100 : 10
        while scale > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / scale % 10))
            scale /= 10
        }
    }

    /// Reads a date and time of RFC 3339, section 5.6, with any offset and any number of fractional digits, of which
    /// the first nine count. Beyond the RFC, the seconds may be missing, and an offset may be `+0200` or `+02`.
    ///
    /// - Returns: The date; nil if the text is anything else, such as a time without an offset.
    static func date(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { bytes in
            var reader = ISO8601Reader(bytes: bytes)
            return reader.date()
        }
    }
}
