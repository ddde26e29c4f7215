extension JSONDecoder {
    /// A new decoder with the conventions of ``JSONResponse``, to change before use:
    ///
    /// ```swift
    /// let decoder = JSONDecoder.api
    /// decoder.keyDecodingStrategy = .convertFromSnakeCase
    /// ```
    ///
    /// Dates have the strategy `.rfc3339`; everything else is as in `JSONDecoder()`.
    public static var api: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .rfc3339
        return decoder
    }
}

extension JSONDecoder.DateDecodingStrategy {
    /// Reads dates as in RFC 3339, section 5.6: `2026-11-20T18:30:00Z`, with or without fractions of a second, with any
    /// offset from UTC.
    ///
    /// Unlike Foundation's `.iso8601` it accepts fractions on every version of the systems. A leap second counts as the
    /// second after it. A time without an offset and a date without a time are errors, since the moment they mean is
    /// unknown.
    public static var rfc3339: Self {
        .custom { decoder in
            let text: String
            do {
                text = try decoder.singleValueContainer().decode(String.self)
            } catch DecodingError.typeMismatch(_, let context) {
                throw DecodingError.typeMismatch(Date.self, context)
            }
            if let date = ISO8601.date(text) { return date }
            let problem = "expected a date and time with an offset, such as 2026-11-20T18:30:00Z"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: problem))
        }
    }
}

extension JSONEncoder {
    /// A new encoder with the conventions of ``RequestBody/json(_:encoder:)``, to change before use:
    ///
    /// ```swift
    /// let encoder = JSONEncoder.api
    /// encoder.keyEncodingStrategy = .convertToSnakeCase
    /// ```
    ///
    /// Members are sorted by key and slashes are not escaped, so that the request is the same each time. Dates are
    /// `2026-11-20T18:30:00Z`: whole seconds in UTC, as in parameters. One outside the years 0 to 9999 cannot be
    /// encoded.
    public static var api: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .rfc3339
        return encoder
    }
}

extension JSONEncoder.DateEncodingStrategy {
    /// Writes dates as `2026-11-20T18:30:00Z`: whole seconds in UTC. One outside the years 0 to 9999 cannot be encoded.
    public static var rfc3339: Self { .writing(ISO8601.text) }

    /// Writes dates as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7). One outside the years 0 to 9999
    /// cannot be encoded.
    public static var httpDate: Self { .writing(HTTPDateText.text) }

    /// Writes the text that a function returns for a date; nil is an error.
    private static func writing(_ text: @escaping @Sendable (Date) -> String?) -> Self {
        .custom { date, encoder in try encoder.encode(date, as: text) }
    }
}
