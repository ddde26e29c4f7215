/// A Decodable model that is read from JSON: `struct User: JSONAPIResponse { let id: Int; let login: String }`.
///
/// An API with conventions of its own (dates, key names) refines this protocol once and gives the ``decoder``:
///
/// ```swift
/// nonisolated protocol GitHubModel: JSONAPIResponse {}
/// nonisolated extension GitHubModel { static var decoder: any DataDecoder { githubDecoder } }
/// ```
///
/// ``JSONAPIBody`` is the same for what is sent. Arrays and dictionaries of models are read by their models' decoder:
/// `typealias Response = [User]`.
public protocol JSONAPIResponse: APIResponse, Decodable where Model == Self {
    /// What reads the model; ``StandardJSON/decoder`` unless the type says otherwise.
    static var decoder: any DataDecoder { get }
}

extension JSONAPIResponse {
    /// ``StandardJSON/decoder``: `JSONDecoder` with its usual conventions, but dates in ISO 8601.
    public static var decoder: any DataDecoder { StandardJSON.decoder }
    /// JSON.
    public static var acceptedTypes: [MIMEType] { [.json] }

    /// Decodes the model.
    ///
    /// - Throws: what the decoder throws, a `DecodingError` with the coding path where the JSON has another shape.
    public static func process(data: Data) throws -> Self {
        try decoder.decode(Self.self, from: data)
    }
}

extension Array: APIResponse where Element: JSONAPIResponse {}
extension Array: JSONAPIResponse where Element: JSONAPIResponse {
    /// The elements' decoder.
    public static var decoder: any DataDecoder { Element.decoder }
    /// What the elements are read from.
    public static var acceptedTypes: [MIMEType] { Element.acceptedTypes }
}

extension Dictionary: APIResponse where Key == String, Value: JSONAPIResponse {}
extension Dictionary: JSONAPIResponse where Key == String, Value: JSONAPIResponse {
    /// The values' decoder.
    public static var decoder: any DataDecoder { Value.decoder }
    /// What the values are read from.
    public static var acceptedTypes: [MIMEType] { Value.acceptedTypes }
}
