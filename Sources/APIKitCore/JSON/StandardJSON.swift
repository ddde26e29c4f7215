/// The JSON coders for APIs that do not name their own: Foundation's conventions, but for dates, which are ISO 8601.
public enum StandardJSON {
    /// Writes members sorted by key and slashes as they are, so that the wire is the same each time, and dates as
    /// `2026-11-20T18:30:00Z`: whole seconds in UTC, as parameters do.
    ///
    /// A date outside the years 0 to 9999 cannot be encoded.
    public static let encoder: any DataEncoder = {
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
    }()

    /// Reads JSON by Foundation's conventions, and dates with or without fractions of a second, with any offset, as the
    /// date decoding strategy `.rfc3339` does.
    public static let decoder: any DataDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .rfc3339
        return decoder
    }()

    /// The encoder of a type or, if the type is made of another one (`[Item?]`), of that one.
    static func encoder(for type: Any.Type) -> any DataEncoder {
        if let body = type as? any JSONAPIBody.Type { return body.encoder }
        return (type as? any WrappingType.Type).map { encoder(for: $0.wrapped) } ?? encoder
    }
}
