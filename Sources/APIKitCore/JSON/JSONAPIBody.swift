/// An Encodable value that ``RequestBody/json(_:encoder:)`` writes by its API's own encoder.
///
/// An API with conventions of its own (dates, key names) refines this protocol once and gives the ``encoder``, as it
/// refines ``JSONAPIResponse`` and gives the decoder:
///
/// ```swift
/// nonisolated protocol PayModel: JSONAPIResponse, JSONAPIBody {}
/// nonisolated extension PayModel {
///     static var decoder: any DataDecoder { payDecoder }
///     static var encoder: any DataEncoder { payEncoder }
/// }
/// ```
///
/// Arrays and dictionaries of such values are written by their values' encoder. Any other Encodable value needs no
/// conformance: ``StandardJSON`` writes it. Parameters follow the ``APIRequest/parameterStyle`` instead.
public protocol JSONAPIBody: Encodable, Sendable {
    /// What writes the value.
    static var encoder: any DataEncoder { get }
}

extension Array: JSONAPIBody where Element: JSONAPIBody {
    /// The elements' encoder.
    public static var encoder: any DataEncoder { Element.encoder }
}

extension Dictionary: JSONAPIBody where Key == String, Value: JSONAPIBody {
    /// The values' encoder.
    public static var encoder: any DataEncoder { Value.encoder }
}
