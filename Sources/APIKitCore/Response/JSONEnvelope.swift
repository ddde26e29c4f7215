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
