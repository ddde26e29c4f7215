// Dates whose format differs from the one of the API's other dates, for which a decoder has a single strategy.

/// A date that is a number of seconds since 1970 in JSON and parameters, whatever the API's other dates are.
///
/// ```swift
/// struct Item: JSONResponse {
///     let created: Date  // 2026-11-20T18:30:00Z, as the decoder reads dates
///     let expires: UnixDate  // 1795199400
/// }
/// ```
public struct UnixDate: Sendable, Hashable {
    /// The date.
    public var date: Date

    /// Creates a value.
    public init(_ date: Date) {
        self.date = date
    }
}

extension UnixDate: Codable, ParameterValue {
    /// Reads a number of seconds, which may have a fraction.
    public init(from decoder: any Decoder) throws {
        date = Date(timeIntervalSince1970: try decoder.singleValueContainer().decode(Double.self))
    }

    /// Writes the whole seconds, or the seconds with their fraction if there is one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let seconds = date.timeIntervalSince1970
        if let whole = Int64(exactly: seconds) {
            try container.encode(whole)
        } else {
            try container.encode(seconds)
        }
    }

    /// The whole seconds.
    public var parameterNode: Parameters.Node { .date(date, as: .secondsSince1970) }
}

/// A date that is text in the format of HTTP in JSON and parameters, whatever the API's other dates are:
/// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
public struct HTTPDate: Sendable, Hashable {
    /// The date.
    public var date: Date

    /// Creates a value.
    public init(_ date: Date) {
        self.date = date
    }
}

extension HTTPDate: Codable, ParameterValue {
    /// Reads a string with a date in one of the three formats of HTTP.
    public init(from decoder: any Decoder) throws {
        date = try decoder.textValue("an HTTP date, such as Sun, 06 Nov 1994 08:49:37 GMT") { Date(httpDate: $0) }
    }

    /// Writes a string.
    ///
    /// - Throws: `EncodingError` for a date outside the years 0 to 9999.
    public func encode(to encoder: any Encoder) throws {
        try encoder.encode(date, as: HTTPDateText.text)
    }

    /// The text.
    public var parameterNode: Parameters.Node { .date(date, as: .httpDate) }
}

/// A date that is text in ISO 8601 in JSON and parameters, whatever the API's other dates are: `2026-11-20T18:30:00Z`
/// (RFC 3339, section 5.6).
public struct ISO8601Date: Sendable, Hashable {
    /// The date.
    public var date: Date

    /// Creates a value.
    public init(_ date: Date) {
        self.date = date
    }
}

extension ISO8601Date: Codable, ParameterValue {
    /// Reads a string with a date and time, with or without fractions of a second, with any offset from UTC.
    public init(from decoder: any Decoder) throws {
        date = try decoder.textValue(
            "a date and time with an offset, such as 2026-11-20T18:30:00Z", ISO8601.date)
    }

    /// Writes a string in whole seconds, UTC.
    ///
    /// - Throws: `EncodingError` for a date outside the years 0 to 9999.
    public func encode(to encoder: any Encoder) throws {
        try encoder.encode(date, as: ISO8601.text)
    }

    /// The text.
    public var parameterNode: Parameters.Node { .date(date, as: .iso8601) }
}

extension Decoder {
    /// Reads a string, and converts it to a value.
    ///
    /// - Parameters:
    ///   - expected: What the text should be, for the error.
    ///   - convert: Converts the text; nil if it is something else.
    /// - Returns: The value.
    /// - Throws: `DecodingError` if this is not a string, or if it is something else.
    func textValue<Value>(_ expected: String, _ convert: (String) -> Value?) throws -> Value {
        let container = try singleValueContainer()
        guard let value = convert(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected \(expected)")
        }
        return value
    }
}

extension Encoder {
    /// Writes a date as the text that a function returns; nil is an error.
    ///
    /// - Throws: `EncodingError` if there is no text, since the date is outside the years 0 to 9999.
    func encode(_ date: Date, as text: (Date) -> String?) throws {
        guard let dateText = text(date) else {
            let problem = "the date is outside the years 0 to 9999"
            let context = EncodingError.Context(codingPath: codingPath, debugDescription: problem)
            // The value is the number of seconds, since printing the `Date` itself ends the process if it is far from
            // today or not a number.
            throw EncodingError.invalidValue(date.timeIntervalSince1970, context)
        }
        var container = singleValueContainer()
        try container.encode(dateText)
    }
}
