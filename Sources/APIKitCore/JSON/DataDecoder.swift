/// A decoder of bytes, such as `JSONReader`, `JSONDecoder` or `PropertyListDecoder`. Conform another decoder to it to
/// use it here.
public protocol DataDecoder: Sendable {
    /// Decodes a value of the given type.
    func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T
}

extension DataDecoder {
    /// Decodes a value from a part of an array, which `JSONReader` reads in place.
    package func decode<T: Decodable>(_ type: T.Type, from bytes: ArraySlice<UInt8>) throws -> T {
        try (self as? JSONReader)?.decode(type, from: bytes) ?? decode(type, from: Data(bytes))
    }
}

extension JSONReader: DataDecoder {}
extension JSONDecoder: DataDecoder {}
extension PropertyListDecoder: DataDecoder {}
