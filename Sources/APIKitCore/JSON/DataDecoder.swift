/// What turns bytes into a value: what `JSONDecoder` and `PropertyListDecoder` are already. Another decoder plugs in
/// here.
public protocol DataDecoder: Sendable {
    /// Decodes a value.
    func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T
}

extension JSONDecoder: DataDecoder {}
extension PropertyListDecoder: DataDecoder {}
