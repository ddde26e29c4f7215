import APIKitSupport

/// A time of day without a date, such as when a shop opens: `08:30:00` in JSON, parameters and paths (RFC 3339,
/// `partial-time`).
public struct TimeOnly: Sendable, Hashable {
    /// The hour, from 0 to 23.
    public let hour: Int
    /// The minute, from 0 to 59.
    public let minute: Int
    /// The second, from 0 to 59.
    public let second: Int
    /// The nanoseconds after the second.
    public let nanosecond: Int

    /// Creates a time of day; nil if there is no such time.
    public init?(hour: Int, minute: Int, second: Int = 0, nanosecond: Int = 0) {
        guard 0..<24 ~= hour, 0..<60 ~= minute, 0..<60 ~= second, 0..<1_000_000_000 ~= nanosecond else { return nil }
        self.hour = hour
        self.minute = minute
        self.second = second
        self.nanosecond = nanosecond
    }
}

extension TimeOnly: LosslessStringConvertible {
    /// Reads `08:30:00`, `08:30` or `08:30:00.25`; nil for any other text. Of a fraction, nine digits count.
    public init?(_ text: String) {
        var reader = DateReader(text)
        guard let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2) else { return nil }
        var second = 0
        var nanosecond = 0
        if reader.skip(":") {
            guard let number = reader.number(2) else { return nil }
            second = number
            if reader.skip(".") {
                guard !reader.rest.isEmpty, reader.rest.allSatisfy(\.isDigit) else { return nil }
                let digits = String(decoding: reader.rest.prefix(9), as: UTF8.self)
                nanosecond = Int(digits + String(repeating: "0", count: 9 - digits.utf8.count)) ?? 0
                reader.rest = []
            }
        }
        guard reader.rest.isEmpty else { return nil }
        self.init(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
    }

    /// The time as `08:30:00`, with the digits of a fraction that are needed: `08:30:00.25`.
    public var description: String {
        let time = "\(hour.padded(to: 2)):\(minute.padded(to: 2)):\(second.padded(to: 2))"
        if nanosecond == 0 { return time }
        var fraction = nanosecond.padded(to: 9)
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(time).\(fraction)"
    }
}

extension TimeOnly: Comparable {
    /// Whether one time is before another one on the same day.
    public static func < (left: TimeOnly, right: TimeOnly) -> Bool {
        (left.hour, left.minute, left.second, left.nanosecond)
            < (right.hour, right.minute, right.second, right.nanosecond)
    }
}

extension TimeOnly: Codable, ParameterValue {
    /// Reads a string with a time of day, such as 08:30:00.
    ///
    /// - Throws: `DecodingError` for any other text.
    public init(from decoder: any Decoder) throws {
        self = try decoder.textValue("a time of day, such as 08:30:00", Self.init)
    }

    /// Writes a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// The text.
    public var parameterNode: Parameters.Node { description.parameterNode }
}
