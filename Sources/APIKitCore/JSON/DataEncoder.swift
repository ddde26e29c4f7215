/// An encoder that writes bytes, such as `JSONEncoder` or `PropertyListEncoder`. Conform another encoder to it to use
/// it here.
public protocol DataEncoder: Sendable {
    /// Encodes a value.
    func encode<T: Encodable>(_ value: T) throws -> Data
}

extension JSONEncoder: DataEncoder {}
extension PropertyListEncoder: DataEncoder {}
