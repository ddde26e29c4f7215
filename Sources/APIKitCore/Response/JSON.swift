/// A Decodable type that you do not own: `typealias Response = JSON<[String]>`.
///
/// It is read with `JSONReader()`, or with the decoder of the models that it is made of. A type of your own conforms to
/// ``JSONResponse`` instead, which lets it name a decoder.
public enum JSON<Value: Decodable & Sendable>: APIResponse {
    /// The value itself.
    public typealias Model = Value

    /// `application/json`.
    public static var acceptedTypes: [MIMEType] { [.json] }

    /// Decodes the value.
    ///
    /// - Throws: A `DecodingError` with the coding path, if the JSON has another structure.
    public static func process(data: Data) throws -> Value {
        try StandardJSON.decoder(for: Value.self).decode(Value.self, from: data)
    }
}
