/// What turns a value into bytes: what `JSONEncoder` and `PropertyListEncoder` are already. Another encoder plugs in
/// here.
public protocol DataEncoder: Sendable {
    /// Encodes a value.
    func encode<T: Encodable>(_ value: T) throws -> Data
}

extension JSONEncoder: DataEncoder {}
extension PropertyListEncoder: DataEncoder {}
