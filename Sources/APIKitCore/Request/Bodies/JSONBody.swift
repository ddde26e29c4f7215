/// A value that is sent as JSON: ``RequestBody/json(_:)`` writes it with its API's own encoder.
///
/// ```swift
/// nonisolated struct NewIssue: JSONBody { let title: String }
///
/// struct NewIssueRequest: APIRequest {
///     typealias Response = NoContent
///     var title: String
///     var base: APIBase { "https://api.github.com" }
///     var method: HTTPMethod { .post }
///     var path: URLPath { "issues" }
///     var body: RequestBody? { .json(NewIssue(title: title)) }
/// }
/// ```
///
/// An API with its own conventions (dates, key names) refines this protocol once and returns its ``encoder``, as it
/// refines ``JSONResponse`` and returns its decoder:
///
/// ```swift
/// nonisolated protocol PayModel: JSONResponse, JSONBody {}
/// nonisolated extension PayModel {
///     static var decoder: JSONReader { JSONReader(dates: .secondsSince1970) }
///     static var encoder: JSONEncoder { payEncoder }
/// }
/// ```
///
/// Arrays and dictionaries of such values, and optional ones, are written with their values' encoder. Any other
/// Encodable value is sent with ``RequestBody/json(_:encoder:)``, which names an encoder. Parameters follow the
/// ``APIBase/parameterStyle`` instead.
///
/// If the value is nil, `var body: RequestBody? { .json(change) }` sends no body. The body `null` is
/// `RequestBody.json(change)`, which names the type.
public protocol JSONBody: Encodable, Sendable {
    /// The type of the ``encoder``, which is `JSONEncoder`. With another one, ``RequestBody/json(_:)`` does not
    /// compile.
    associatedtype BodyEncoder = JSONEncoder

    /// The encoder of the API; by default `JSONEncoder.api`, which writes dates in ISO 8601 and sorts members by key.
    static var encoder: BodyEncoder { get }
}

extension JSONBody where BodyEncoder == JSONEncoder {
    /// `JSONEncoder.api`.
    public static var encoder: JSONEncoder { .api }
}

extension Optional: JSONBody where Wrapped: JSONBody, Wrapped.BodyEncoder == JSONEncoder {
    /// The wrapped type's encoder.
    public static var encoder: JSONEncoder { Wrapped.encoder }
}

extension Array: JSONBody where Element: JSONBody, Element.BodyEncoder == JSONEncoder {
    /// The elements' encoder.
    public static var encoder: JSONEncoder { Element.encoder }
}

extension Dictionary: JSONBody where Key == String, Value: JSONBody, Value.BodyEncoder == JSONEncoder {
    /// The values' encoder.
    public static var encoder: JSONEncoder { Value.encoder }
}

extension RequestBody {
    /// A value as JSON, written with the encoder of its API.
    public static func json<Value: JSONBody>(_ value: Value) -> RequestBody where Value.BodyEncoder == JSONEncoder {
        json(value, encoder: Value.encoder)
    }

    /// A value as JSON, written with the given encoder: `.json(value, encoder: .api)`.
    public static func json(_ value: some Encodable, encoder: JSONEncoder) -> RequestBody {
        RequestBody(contentType: .json) { () throws(RequestError) in
            do {
                return try encoder.encode(value)
            } catch {
                throw RequestError(.body, "\(type(of: value)) could not be encoded: \(ErrorText.of(error))")
            }
        }
    }
}

extension Optional where Wrapped == RequestBody {
    /// A value as JSON, written with the encoder of its API; nil is no body.
    public static func json<Value: JSONBody>(_ value: Value?) -> RequestBody? where Value.BodyEncoder == JSONEncoder {
        value.map { RequestBody.json($0) }
    }

    /// A value as JSON, written with the given encoder; nil is no body.
    public static func json<Value: Encodable>(_ value: Value?, encoder: JSONEncoder) -> RequestBody? {
        value.map { RequestBody.json($0, encoder: encoder) }
    }
}
