/// A type whose values can be ``Parameters``.
///
/// These are strings, numbers, Bool, Date, Data, URL, UUID, ``FilePart``, arrays and dictionaries of one such type, and
/// enums that declare it: `enum Sort: String, ParameterValue { case created, updated }`. Mixed values are `.list([1,
/// "a"])` and `.object(["name": "a", "age": 7])`; `.null` sends a null, while nil leaves the parameter out.
///
/// A type of your own conforms by returning the node of a simpler value:
///
/// ```swift
/// nonisolated extension Coordinate: ParameterValue {
///     var parameterNode: Parameters.Node { "\(latitude),\(longitude)".parameterNode }
/// }
/// ```
public protocol ParameterValue: Sendable {
    /// The value in the form that a query, a form or JSON is written from.
    var parameterNode: Parameters.Node { get }
}

// MARK: - Standard types

extension String: ParameterValue {
    /// The text.
    public var parameterNode: Parameters.Node { Parameters.Node(.text(self)) }
}

extension Substring: ParameterValue {
    /// The text.
    public var parameterNode: Parameters.Node { Parameters.Node(.text(String(self))) }
}

extension Bool: ParameterValue {
    /// `true` or `false`, unless ``ParameterStyle/booleans`` differs.
    public var parameterNode: Parameters.Node { Parameters.Node(.boolean(self)) }
}

extension ParameterValue where Self: BinaryInteger {
    /// The number's digits.
    public var parameterNode: Parameters.Node { Parameters.Node(.number(description)) }
}

extension Int: ParameterValue {}
extension Int8: ParameterValue {}
extension Int16: ParameterValue {}
extension Int32: ParameterValue {}
extension Int64: ParameterValue {}
extension UInt: ParameterValue {}
extension UInt8: ParameterValue {}
extension UInt16: ParameterValue {}
extension UInt32: ParameterValue {}
extension UInt64: ParameterValue {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, macCatalyst 18, *)
extension Int128: ParameterValue {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, macCatalyst 18, *)
extension UInt128: ParameterValue {}

extension ParameterValue where Self: BinaryFloatingPoint & CustomStringConvertible {
    /// The number's shortest exact digits, without a fraction if it is whole: `1` for 1.0, as `JSONEncoder` writes it.
    /// Infinity and NaN cause a ``RequestError``.
    public var parameterNode: Parameters.Node {
        guard isFinite else { return Parameters.Node(.invalid("the number is \(description), which cannot be sent")) }
        let fraction = ".0"
        let isWhole = description.hasSuffix(fraction)
        let digits = isWhole ? String(description.dropLast(fraction.count)) : description
        return Parameters.Node(.number(digits))
    }
}

extension Double: ParameterValue {}
extension Float: ParameterValue {}

extension Decimal: ParameterValue {
    /// The number's digits; NaN causes a ``RequestError``.
    public var parameterNode: Parameters.Node {
        guard !isNaN else { return Parameters.Node(.invalid("the number is NaN, which cannot be sent")) }
        return Parameters.Node(.number(description))
    }
}

extension Date: ParameterValue {
    /// ISO 8601 in whole seconds, UTC, unless ``ParameterStyle/dates`` differs.
    public var parameterNode: Parameters.Node { Parameters.Node(.date(self, nil)) }
}

extension URL: ParameterValue {
    /// The absolute URL.
    public var parameterNode: Parameters.Node { Parameters.Node(.text(absoluteString)) }
}

extension UUID: ParameterValue {
    /// The UUID in upper case, as Foundation writes it.
    public var parameterNode: Parameters.Node { Parameters.Node(.text(uuidString)) }
}

extension Data: ParameterValue {
    /// The bytes as Base64 (RFC 4648, section 4). An API with Base64 for URLs takes
    /// ``base64URLEncodedString()`` instead.
    public var parameterNode: Parameters.Node { Parameters.Node(.text(base64EncodedString())) }
}

extension FilePart: ParameterValue {
    /// The file.
    public var parameterNode: Parameters.Node { Parameters.Node(.file(self)) }
}

extension ParameterValue where Self: RawRepresentable, RawValue: ParameterValue {
    /// The raw value.
    public var parameterNode: Parameters.Node { rawValue.parameterNode }
}

extension Array: ParameterValue where Element: ParameterValue {
    /// A list of the elements.
    public var parameterNode: Parameters.Node { Parameters.Node(list: map(\.parameterNode)) }
}

extension Set: ParameterValue where Element: ParameterValue & Comparable {
    /// A list of the elements, sorted, so that the request is the same each time.
    public var parameterNode: Parameters.Node { Parameters.Node(.list(sorted().map(\.parameterNode), nil)) }
}

extension Dictionary: ParameterValue where Key == String, Value: ParameterValue {
    /// An object of the members, sorted by key, so that the request is the same each time.
    public var parameterNode: Parameters.Node {
        Parameters.Node(.object(Parameters(sorted { $0.key < $1.key }.map { ($0.key, $0.value) }), nil))
    }
}

@available(*, unavailable, message: "unwrap the optional; to leave a field out, set it or send null, use a Patch")
extension Optional: ParameterValue where Wrapped: ParameterValue {
    /// Not available: a ``Parameters`` literal takes optionals, and leaves out nil.
    public var parameterNode: Parameters.Node { self?.parameterNode ?? Parameters.Node(.null) }
}
