/// The JSON coders of APIs without their own, shared because they are never changed.
enum StandardJSON {
    static let encoder = JSONEncoder.api
    static let decoder = JSONDecoder.api

    /// The encoder of a type or, for a type made of another one such as `[Item?]`, the encoder of that one.
    static func encoder(for type: Any.Type) -> any DataEncoder {
        if let body = type as? any JSONAPIBody.Type { return body.encoder }
        return (type as? any WrappingType.Type).map { encoder(for: $0.wrapped) } ?? encoder
    }
}
