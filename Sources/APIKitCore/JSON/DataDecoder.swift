/// A decoder of bytes, such as `JSONReader`, `JSONDecoder` or `PropertyListDecoder`. Conform another decoder to it to use it here.
public protocol DataDecoder: Sendable {
    /// Decodes a value of the given type.
    func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T
}

extension JSONReader: DataDecoder {}
extension JSONDecoder: DataDecoder {}
extension PropertyListDecoder: DataDecoder {}
