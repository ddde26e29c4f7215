extension StandardJSON {
    /// The decoder of a type or, if the type is made of another one (`[Item?]`), of that one.
    static func decoder(for type: Any.Type) -> any DataDecoder {
        if let model = type as? any JSONAPIResponse.Type { return model.decoder }
        return (type as? any WrappingType.Type).map { decoder(for: $0.wrapped) } ?? decoder
    }
}
