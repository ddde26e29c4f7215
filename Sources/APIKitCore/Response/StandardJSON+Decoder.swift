extension StandardJSON {
    /// The decoder of a model, also if the type wraps the model, as `[Item?]` does.
    static func decoder(for type: Any.Type) -> any DataDecoder {
        if let model = type as? any JSONAPIResponse.Type { return model.decoder }
        return (type as? any WrappingType.Type).map { decoder(for: $0.wrapped) } ?? decoder
    }
}
