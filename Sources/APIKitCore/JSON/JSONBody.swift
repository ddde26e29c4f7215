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
    /// The type of the encoder: a ``DataEncoder``, or `any DataEncoder`.
    associatedtype BodyEncoder

    /// The encoder of the API.
    static var encoder: BodyEncoder { get }

    /// The ``encoder``, for types that hold such values. There is no need to implement it.
    static var dataEncoder: any DataEncoder { get }
}

extension JSONBody where BodyEncoder: DataEncoder {
    /// The encoder of the API.
    public static var dataEncoder: any DataEncoder { encoder }
}

extension JSONBody where BodyEncoder == any DataEncoder {
    /// The encoder of the API.
    public static var dataEncoder: any DataEncoder { encoder }
}

extension JSONBody {
    /// Not available: makes the compiler say what is wrong with an ``encoder`` of another type.
    @available(*, unavailable, message: "`encoder` must be a DataEncoder")
    public static var dataEncoder: any DataEncoder { StandardJSON.encoder }
}

extension Array: JSONBody where Element: JSONBody {
    /// The elements' encoder.
    public static var encoder: any DataEncoder { Element.dataEncoder }
}

extension Dictionary: JSONBody where Key == String, Value: JSONBody {
    /// The values' encoder.
    public static var encoder: any DataEncoder { Value.dataEncoder }
}
