/// A decoder of bytes, such as `JSONReader`, `JSONDecoder` or `PropertyListDecoder`. Conform another decoder to it to
/// use it here.
public protocol DataDecoder: Sendable {
    /// Decodes a value of the given type.
    func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T
}

extension DataDecoder {
    /// Decodes a value from a part of an array, which `JSONReader` reads in place.
    package func decode<T: Decodable>(_ type: T.Type, from bytes: ArraySlice<UInt8>) throws -> T {
        guard let reader = self as? JSONReader else { return try decode(type, from: Data(bytes)) }
        return try reader.decode(type, from: bytes)
    }
}

extension JSONReader: DataDecoder {}
extension JSONDecoder: DataDecoder {}
extension PropertyListDecoder: DataDecoder {}

/// Finds the decoder or encoder of a type at run time.
package enum StandardJSON {
    static let decoder = JSONReader()

    /// Returns the encoder of a ``JSONBody``; `JSONEncoder.api` for any other type.
    package static func encoder(for type: Any.Type) -> JSONEncoder {
        (type as? any JSONBody.Type)?.jsonEncoder ?? .api
    }

    /// Returns the decoder of a model. If the type wraps a model, as `[Item?]` and an envelope do, it is the decoder of
    /// that model.
    package static func decoder(for type: Any.Type) -> any DataDecoder {
        if let model = type as? any JSONResponse.Type { return model.dataDecoder }
        if let envelope = type as? any JSONEnvelope.Type { return decoder(for: content(of: envelope)) }
        if let wrapping = type as? any WrappingType.Type { return decoder(for: wrapping.wrapped) }
        return decoder
    }

    private static func content<Envelope: JSONEnvelope>(of type: Envelope.Type) -> Any.Type { Envelope.Content.self }
}

/// A type that wraps values of another type and is read with that type's decoder.
///
/// The conformances to ``JSONResponse`` do not suffice to find that decoder: an Optional does not conform, and so
/// neither does an array or a dictionary of Optionals.
protocol WrappingType {
    static var wrapped: Any.Type { get }
}

extension Optional: WrappingType {
    static var wrapped: Any.Type { Wrapped.self }
}

extension Array: WrappingType {
    static var wrapped: Any.Type { Element.self }
}

extension Dictionary: WrappingType {
    static var wrapped: Any.Type { Value.self }
}
