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
        encoder.dateEncodingStrategy = .custom { date, encoder in
            guard let text = ISO8601.text(of: date) else {
                let problem = "the date is outside the years 0 to 9999"
                let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: problem)
                throw EncodingError.invalidValue(date, context)
            }
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
        return encoder
    }
}
