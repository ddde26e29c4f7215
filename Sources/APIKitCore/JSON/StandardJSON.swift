/// The JSON coders of APIs without their own, shared because they are never changed.
package enum StandardJSON {
    static let encoder = JSONEncoder.api
    static let decoder = JSONDecoder.api

    /// The encoder of a type or, for a type made of another one such as `[Item?]`, the encoder of that one.
    package static func encoder(for type: Any.Type) -> any DataEncoder {
        if let body = type as? any JSONBody.Type {
            let encoder: Any = body.encoder
            return encoder as? any DataEncoder ?? InvalidCoder(type: Swift.type(of: encoder))
        }
        return (type as? any WrappingType.Type).map { encoder(for: $0.wrapped) } ?? encoder
    }
}

/// Replaces a declared coder that is neither a ``DataDecoder`` nor a ``DataEncoder``.
struct InvalidCoder: DataDecoder, DataEncoder {
    let type: Any.Type

    func decode<T: Decodable>(_ model: T.Type, from data: Data) throws -> T {
        let problem = "`decoder` of \(model) is a \(type), which is not a DataDecoder"
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: problem))
    }

    func encode<T: Encodable>(_ value: T) throws -> Data {
        let problem = "`encoder` of \(T.self) is a \(type), which is not a DataEncoder"
        throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: problem))
    }
}
