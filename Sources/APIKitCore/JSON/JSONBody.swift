/// An Encodable value that ``RequestBody/json(_:encoder:)`` writes with its API's own encoder.
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
/// Arrays and dictionaries of such values are written with their values' encoder. Any other Encodable value needs no
/// conformance and is written with `JSONEncoder.api`. Parameters follow the ``APIBase/parameterStyle`` instead.
public protocol JSONBody: Encodable, Sendable {
    /// The encoder of the API.
    static var encoder: JSONEncoder { get }
}

extension Array: JSONBody where Element: JSONBody {
    /// The elements' encoder.
    public static var encoder: JSONEncoder { Element.encoder }
}

extension Dictionary: JSONBody where Key == String, Value: JSONBody {
    /// The values' encoder.
    public static var encoder: JSONEncoder { Value.encoder }
}
