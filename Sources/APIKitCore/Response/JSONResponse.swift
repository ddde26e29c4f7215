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
    // Unconstrained, since a declared decoder of another type would otherwise be silently ignored. It fails to compile
    // for want of a `dataDecoder`.
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
