/// A change to one field of a resource: leave it as it is, set it, or clear it.
///
/// An optional has only two states: a value and nil. As a parameter and in an `Encodable` body, `keep` is left out,
/// `set` is the value, and `clear` is null:
///
/// ```swift
/// struct EditTicketRequest: JSONRequest {
///     typealias Response = Ticket
///     let number: Int
///     var title: Patch<String> = .keep
///     var milestone: Patch<Int> = .keep
///     var base: APIBase { "https://api.example.com" }
///     var path: URLPath { "tickets/\(number)" }
///     var method: HTTPMethod { .patch }
///     var parameters: Parameters { ["title": title, "milestone": milestone] }
/// }
/// ```
///
/// ```swift
/// // Sends {"milestone":null}:
/// try await client.send(EditTicketRequest(number: 7, milestone: .clear))
/// ```
///
/// In a list or a dictionary, `keep` is left out of parameters, and cannot be encoded.
public enum Patch<Value> {
    /// Leaves the field as it is.
    case keep
    /// Sets the field.
    case set(Value)
    /// Clears the field.
    case clear
}

extension Patch: Sendable where Value: Sendable {}
extension Patch: Equatable where Value: Equatable {}
extension Patch: Hashable where Value: Hashable {}

extension Patch: ParameterValue where Value: ParameterValue {
    /// The value's node, a null, or nothing.
    public var parameterNode: Parameters.Node {
        switch self {
        case .keep: Parameters.Node(.absent)
        case .set(let value): value.parameterNode
        case .clear: .null
        }
    }
}

extension Patch: Encodable where Value: Encodable {
    /// Encodes the value, or null.
    ///
    /// - Throws: `EncodingError` for `keep` in a list or a dictionary, which cannot omit an element.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .set(let value): try container.encode(value)
        case .clear: try container.encodeNil()
        case .keep:
            let context = EncodingError.Context(
                codingPath: encoder.codingPath, debugDescription: "only a property of a type can be left out")
            throw EncodingError.invalidValue(self, context)
        }
    }
}

extension KeyedEncodingContainer {
    /// Encodes a change to a field, and nothing for `keep`. The code that the compiler creates for `Encodable` types
    /// uses this too.
    public mutating func encode<Value: Encodable>(_ patch: Patch<Value>, forKey key: Key) throws {
        switch patch {
        case .keep: break
        case .set(let value): try encode(value, forKey: key)
        case .clear: try encodeNil(forKey: key)
        }
    }
}
