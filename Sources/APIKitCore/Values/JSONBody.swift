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
    // Without a constraint here, an encoder of a wrong type fails to compile, because it has no `jsonEncoder`. With a
    // constraint, the compiler would silently ignore that encoder and use the default.
    /// The type of the ``encoder``, which must be `JSONEncoder`.
    associatedtype BodyEncoder = JSONEncoder

    /// The encoder of the API; by default `JSONEncoder.api`, which writes dates in ISO 8601 and sorts members by key.
    static var encoder: BodyEncoder { get }

    /// The ``encoder``, for types that hold such values. There is no need to implement it.
    static var jsonEncoder: JSONEncoder { get }
}

extension JSONBody where BodyEncoder == JSONEncoder {
    /// `JSONEncoder.api`.
    public static var encoder: JSONEncoder { .api }
    /// The encoder of the API.
    public static var jsonEncoder: JSONEncoder { encoder }
}

extension JSONBody {
    /// Not available: makes the compiler say what is wrong with an ``encoder`` of another type.
    @available(*, unavailable, message: "`encoder` must be a JSONEncoder")
    public static var jsonEncoder: JSONEncoder { .api }
}

extension Optional: JSONBody where Wrapped: JSONBody {
    /// The wrapped type's encoder.
    public static var encoder: JSONEncoder { Wrapped.jsonEncoder }
}

extension Array: JSONBody where Element: JSONBody {
    /// The elements' encoder.
    public static var encoder: JSONEncoder { Element.jsonEncoder }
}

extension Dictionary: JSONBody where Key == String, Value: JSONBody {
    /// The values' encoder.
    public static var encoder: JSONEncoder { Value.jsonEncoder }
}

extension RequestBody {
    /// A value as JSON, written with the encoder of its API.
    public static func json<Value: JSONBody>(_ value: Value) -> RequestBody {
        json(value, encoder: Value.jsonEncoder)
    }

    /// A value as JSON, written with the given encoder: `.json(value, encoder: .api)`.
    public static func json(_ value: some Encodable, encoder: JSONEncoder) -> RequestBody {
        RequestBody(contentType: .json) { () throws(RequestError) in try encoded(value, encoder: encoder) }
    }

    private static func encoded(_ value: some Encodable, encoder: JSONEncoder) throws(RequestError) -> Data {
        do {
            return try encoder.encode(value)
        } catch {
            throw RequestError(.body, "\(type(of: value)) could not be encoded: \(ErrorText.of(error))")
        }
    }
}

extension Optional where Wrapped == RequestBody {
    /// A value as JSON, written with the encoder of its API; nil is no body.
    public static func json<Value: JSONBody>(_ value: Value?) -> RequestBody? {
        value.map { RequestBody.json($0) }
    }

    /// A value as JSON, written with the given encoder; nil is no body.
    public static func json<Value: Encodable>(_ value: Value?, encoder: JSONEncoder) -> RequestBody? {
        value.map { RequestBody.json($0, encoder: encoder) }
    }
}

extension RequestBody {
    /// Values as newline-delimited JSON, one per line, written with the encoder of their API.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - contentType: The type; some APIs call it `application/jsonl`.
    /// - Returns: The body.
    public static func jsonLines<Value: JSONBody>(
        _ values: some Sequence<Value>, contentType: MIMEType = .jsonLines
    ) -> RequestBody {
        RequestBody(contentType: contentType) { () throws(RequestError) in
            var lines = Data()
            for value in values { lines.append(try jsonLine(value)) }
            return lines
        }
    }

    /// Values as newline-delimited JSON, one per line, which are sent as they come. The body has no known length.
    ///
    /// - Parameters:
    ///   - contentType: The type; some APIs call it `application/jsonl`.
    ///   - open: Opens the values; called again if the request is sent again. An error of it, of its sequence or of the
    ///     encoder becomes the underlying error of a ``TransportError`` with the code `requestBodyFailed`.
    /// - Returns: The body.
    public static func jsonLines<Values: AsyncSequence & Sendable>(
        contentType: MIMEType = .jsonLines, _ open: @escaping @Sendable () async throws -> Values
    ) -> RequestBody where Values.Element: JSONBody {
        stream(length: nil, contentType: contentType) {
            try await open().map { value in try jsonLine(value) }
        }
    }

    private static func jsonLine(_ value: some JSONBody) throws(RequestError) -> Data {
        line(of: try encoded(value, encoder: type(of: value).jsonEncoder))
    }

    private static func line(of json: Data) -> Data {
        // An encoder that prints prettily breaks lines between values. Strings of JSON contain no line breaks.
        var line = json.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        line.append(UInt8(ascii: "\n"))
        return Data(line)
    }
}
