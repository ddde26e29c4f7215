/// A Decodable type that you do not own, read from JSON with `JSONDecoder.api`:
/// `typealias Response = JSON<[String]>`.
///
/// A type of your own conforms to ``JSONAPIResponse`` instead, which lets it name a decoder.
public enum JSON<Value: Decodable & Sendable>: APIResponse {
    /// The value itself.
    public typealias Model = Value

    /// `application/json`.
    public static var acceptedTypes: [MIMEType] { [.json] }

    /// Decodes the value.
    ///
    /// - Throws: A `DecodingError` with the coding path, if the JSON has another structure.
    public static func process(data: Data) throws -> Value {
        try StandardJSON.decoder.decode(Value.self, from: data)
    }
}
