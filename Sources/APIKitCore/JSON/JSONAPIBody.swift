/// An Encodable value that ``RequestBody/json(_:encoder:)`` writes with its API's own encoder.
///
/// An API with its own conventions (dates, key names) refines this protocol once and returns its ``encoder``, as it
/// refines ``JSONAPIResponse`` and returns its decoder:
///
/// ```swift
/// nonisolated protocol PayModel: JSONAPIResponse, JSONAPIBody {}
/// nonisolated extension PayModel {
///     static var decoder: JSONDecoder { payDecoder }
///     static var encoder: JSONEncoder { payEncoder }
/// }
/// ```
///
/// Arrays and dictionaries of such values are written with their values' encoder. Any other Encodable value needs no
/// conformance and is written with `JSONEncoder.api`. Parameters follow the ``APIRequest/parameterStyle`` instead.
public protocol JSONAPIBody: Encodable, Sendable {
    /// The type of the encoder: any ``DataEncoder``.
    associatedtype BodyEncoder

    /// The encoder of the API.
    static var encoder: BodyEncoder { get }
}

extension Array: JSONAPIBody where Element: JSONAPIBody {
    /// The elements' encoder.
    public static var encoder: Element.BodyEncoder { Element.encoder }
}

extension Dictionary: JSONAPIBody where Key == String, Value: JSONAPIBody {
    /// The values' encoder.
    public static var encoder: Value.BodyEncoder { Value.encoder }
}
