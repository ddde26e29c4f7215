/// Reads a date and time of ISO 8601 byte by byte.
struct ISO8601Reader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The date that all of the bytes spell, nil if they are not a date.
    mutating func date() -> Date? {
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
            1...12 ~= month, 1...Self.days(in: month, of: year) ~= day, skip("Tt "),
            let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60
        else { return nil }
        var second = 0
        var fraction = 0.0
        if skip(":") {
            guard let digits = number(2), digits <= 60 else { return nil }
            second = digits
            if skip(".,") {
                guard let digits = self.fraction() else { return nil }
                fraction = digits
            }
        }
        guard let offset = offset(), position == bytes.count else { return nil }
        let whole = Self.days(until: year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
        // A leap second is the last one of a day in UTC; without one in Date, it is the first of the next day.
        guard second < 60 || whole % 86_400 == 0 else { return nil }
        return Date(timeIntervalSince1970: Double(whole) + fraction)
    }

    /// The offset from UTC in seconds.
    private mutating func offset() -> Int? {
        if skip("Zz") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = number(2), hours < 24 else { return nil }
        var minutes = 0
        if position < bytes.count {
            _ = skip(":")
            guard let digits = number(2), digits < 60 else { return nil }
            minutes = digits
        }
        return (isWest ? -60 : 60) * (hours * 60 + minutes)
    }

    /// The digits after the point, as a fraction of a second.
    private mutating func fraction() -> Double? {
        var value = 0.0
        var scale = 1.0
        let start = position
        while let digit = digit() {
            guard position - start <= 9 else { continue }
            value = value * 10 + Double(digit)
            scale *= 10
        }
        return position > start ? value / scale : nil
    }

    /// A number of exactly that many digits.
    private mutating func number(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    private mutating func digit() -> Int? {
        guard position < bytes.count, case 0x30...0x39 = bytes[position] else { return nil }
        defer { position += 1 }
        return Int(bytes[position] - 0x30)
    }

    /// Skips one of the characters, if it is next.
    private mutating func skip(_ characters: StaticString) -> Bool {
        guard position < bytes.count else { return false }
        let isNext = characters.withUTF8Buffer { $0.contains(bytes[position]) }
        if isNext { position += 1 }
        return isNext
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The days from 1 January 1970 until a date. Years are counted from March, so that a leap day ends its year.
    private static func days(until year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year + 400 : year + 399  // one cycle of 400 years later: never negative
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468 - 146_097
    }
}
