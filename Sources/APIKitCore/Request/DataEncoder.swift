#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What turns a value into bytes: what `JSONEncoder` and `PropertyListEncoder` are already. Another encoder plugs in
/// here.
public protocol DataEncoder: Sendable {
    /// Encodes a value.
    func encode<T: Encodable>(_ value: T) throws -> Data
}

extension JSONEncoder: DataEncoder {}
extension PropertyListEncoder: DataEncoder {}

/// The JSON coders that are used where an API names none of its own: Foundation's conventions, made once.
public enum StandardJSON {
    /// Writes members sorted by key and slashes as they are, so that the wire is the same each time.
    public static let encoder: any DataEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    /// Reads JSON by Foundation's conventions.
    public static let decoder: any DataDecoder = JSONDecoder()

    /// A type's own decoder, where it names one.
    static func decoder(for type: any Decodable.Type) -> any DataDecoder {
        (type as? any JSONAPIResponse.Type)?.decoder ?? decoder
    }
}
