/// A Decodable model in JSON: `struct User: JSONResponse { let id: Int; let login: String }`.
///
/// For an API with conventions of its own, such as dates and key names, refine this protocol once and implement
/// ``decoder``:
///
/// ```swift
/// nonisolated protocol GitHubModel: JSONResponse {}
/// nonisolated extension GitHubModel {
///     static var decoder: JSONReader { JSONReader(keys: .convertFromSnakeCase) }
/// }
/// ```
///
/// Whatever holds models uses their decoder: arrays, dictionaries, ``JSON``, a ``JSONEnvelope``, ``JSONLines`` and
/// events. ``JSONBody`` is the counterpart for request bodies.
public protocol JSONResponse: APIResponse, Decodable where Model == Self {
    // Without a constraint here, a decoder of a wrong type fails to compile, because it has no `dataDecoder`. With a
    // constraint, the compiler would silently ignore that decoder and use the default.
    /// The type of the decoder: a ``DataDecoder``, or `any DataDecoder`; by default `JSONReader`.
    associatedtype ModelDecoder = JSONReader

    /// The decoder of the model; by default `JSONReader()`.
    static var decoder: ModelDecoder { get }

    /// The ``decoder``, for types that hold such models. There is no need to implement it.
    static var dataDecoder: any DataDecoder { get }
}

extension JSONResponse where ModelDecoder: DataDecoder {
    /// The decoder of the model.
    public static var dataDecoder: any DataDecoder { decoder }
}

extension JSONResponse where ModelDecoder == any DataDecoder {
    /// The decoder of the model.
    public static var dataDecoder: any DataDecoder { decoder }
}

extension JSONResponse {
    /// Not available: makes the compiler say what is wrong with a ``decoder`` of another type.
    @available(*, unavailable, message: "`decoder` must be a DataDecoder")
    public static var dataDecoder: any DataDecoder { StandardJSON.decoder }
}

extension JSONResponse where ModelDecoder == JSONReader {
    /// Reads names as they are and dates in ISO 8601 (RFC 3339).
    public static var decoder: JSONReader { StandardJSON.decoder }
}

extension JSONResponse {
    /// `application/json`.
    public static var acceptedTypes: [MIMEType] { [.json] }

    /// Decodes the model.
    ///
    /// - Throws: The decoder's error: a `DecodingError` with the coding path, if the JSON has another structure.
    public static func process(data: Data) throws -> Self {
        try dataDecoder.decode(Self.self, from: data)
    }
}

extension Array: APIResponse where Element: JSONResponse {}
extension Array: JSONResponse where Element: JSONResponse {
    /// The elements' decoder.
    public static var decoder: any DataDecoder { Element.dataDecoder }
    /// The elements' types.
    public static var acceptedTypes: [MIMEType] { Element.acceptedTypes }
}

extension Dictionary: APIResponse where Key == String, Value: JSONResponse {}
extension Dictionary: JSONResponse where Key == String, Value: JSONResponse {
    /// The values' decoder.
    public static var decoder: any DataDecoder { Value.dataDecoder }
    /// The values' types.
    public static var acceptedTypes: [MIMEType] { Value.acceptedTypes }
}

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

/// A JSON object around the content that callers want, such as `{"result": {"items": […]}, "meta": {…}}`.
///
/// Declare it once per API, as a generic type that says where the content is, and use it as a response:
///
/// ```swift
/// nonisolated struct PayEnvelope<Content: Decodable & Sendable>: JSONEnvelope {
///     struct Result: Decodable, Sendable { let items: Content }
///     let result: Result
///     var content: Content { result.items }
/// }
/// ```
///
/// With `typealias Response = PayEnvelope<[Charge]>`, `send` returns `[Charge]`.
///
/// All of it is read with the content's own decoder (``JSONResponse/decoder``). For the other members, use
/// `JSON<PayEnvelope<[Charge]>>`, which returns the envelope itself. If ``content`` throws the endpoint's failure
/// model, because the envelope reports a failure under a 200, it arrives as ``APIError/rejected(_:_:)``.
public protocol JSONEnvelope<Content>: APIResponse, Decodable where Model == Content {
    /// The type of the content.
    associatedtype Content: Decodable & Sendable

    /// The content.
    var content: Content { get throws }
}

extension JSONEnvelope {
    /// The content's types, or `application/json`.
    public static var acceptedTypes: [MIMEType] {
        (Content.self as? any JSONResponse.Type)?.acceptedTypes ?? [.json]
    }

    /// Decodes the envelope and returns its content.
    ///
    /// - Throws: The decoder's error: a `DecodingError` with the coding path, if the JSON has another structure; what
    ///   ``content`` throws.
    public static func process(data: Data) throws -> Content {
        try JSON<Self>.process(data: data).content
    }
}
