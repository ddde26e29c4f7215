/// A number or a Bool that an API writes as a string in JSON, such as the 64-bit integers of Google's APIs.
///
/// ```swift
/// struct Video: JSONResponse { let viewCount: Quoted<Int64> }
/// ```
///
/// `{"viewCount": "10000000000"}` is read as a video whose `viewCount.value` is the number 10,000,000,000.
///
/// It reads the value with and without quotes, and writes it with quotes. As a parameter it is the text of the value. A
/// Bool may be in capitals, such as the `True` of .NET.
public struct Quoted<Value: LosslessStringConvertible & Sendable>: Sendable {
    /// The value.
    public var value: Value

    /// Creates a value.
    public init(_ value: Value) {
        self.value = value
    }
}

extension Quoted: Equatable where Value: Equatable {}
extension Quoted: Hashable where Value: Hashable {}

extension Quoted: Decodable where Value: Decodable {
    /// Reads a string with the value, or the value itself.
    ///
    /// - Throws: `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Without a string, it must be the value without quotes. If it is not, that error is thrown.
        guard let text = try? container.decode(String.self) else {
            value = try container.decode(Value.self)
            return
        }
        // The text of a Bool is in lower case in Swift.
        let canBeInCapitals = Value.self == Bool.self
        guard let value = Value(canBeInCapitals ? text.lowercased() : text), Self.isFinite(value) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected a string with a value of the type \(Value.self)")
        }
        self.value = value
    }
}

extension Quoted: Encodable {
    /// Writes a string with the value.
    ///
    /// - Throws: `EncodingError` for infinity and NaN.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard Self.isFinite(value) else {
            let problem = "the number is \(value), which cannot be sent"
            throw EncodingError.invalidValue(value, .init(codingPath: encoder.codingPath, debugDescription: problem))
        }
        try container.encode(value.description)
    }
}

extension Quoted: ParameterValue {
    /// The text of the value; infinity and NaN cause a ``RequestError``.
    public var parameterNode: Parameters.Node {
        guard Self.isFinite(value) else {
            return Parameters.Node(.invalid("the number is \(value), which cannot be sent"))
        }
        return value.description.parameterNode
    }
}

extension Quoted: CustomStringConvertible {
    /// The text of the value.
    public var description: String { value.description }
}

extension Quoted: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral {
    /// Creates a value.
    public init(integerLiteral value: Value.IntegerLiteralType) {
        self.value = Value(integerLiteral: value)
    }
}

extension Quoted: ExpressibleByBooleanLiteral where Value: ExpressibleByBooleanLiteral {
    /// Creates a value.
    public init(booleanLiteral value: Value.BooleanLiteralType) {
        self.value = Value(booleanLiteral: value)
    }
}

extension Quoted {
    /// Whether a value is not infinity or NaN, for which JSON has no number.
    fileprivate static func isFinite(_ value: Value) -> Bool {
        guard let number = value as? any FloatingPoint else { return true }
        return number.isFinite
    }
}
