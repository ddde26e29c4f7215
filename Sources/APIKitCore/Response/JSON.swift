/// A Decodable type that you do not own, read from JSON by ``StandardJSON/decoder``:
/// `typealias Response = JSON<[String]>`.
///
/// A type of your own conforms to ``JSONAPIResponse`` instead, and can name its API's decoder.
public enum JSON<Value: Decodable & Sendable>: APIResponse {
    /// The value itself.
    public typealias Model = Value

    /// JSON.
    public static var acceptedTypes: [MIMEType] { [.json] }

    /// Decodes the value.
    ///
    /// - Throws: a `DecodingError` with the coding path where the JSON has another shape.
    public static func process(data: Data) throws -> Value {
        try StandardJSON.decoder.decode(Value.self, from: data)
    }
}
