extension StandardJSON {
    /// The decoder of a model, also if the type wraps the model, as `[Item?]` and an envelope do.
    package static func decoder(for type: Any.Type) -> any DataDecoder {
        if let model = type as? any JSONResponse.Type { return checked(model.decoder) }
        if let envelope = type as? any JSONEnvelope.Type { return decoder(for: content(of: envelope)) }
        return (type as? any WrappingType.Type).map { decoder(for: $0.wrapped) } ?? decoder
    }

    private static func content<Envelope: JSONEnvelope>(of type: Envelope.Type) -> Any.Type { Envelope.Content.self }

    /// A model's decoder as a ``DataDecoder``, or an ``InvalidCoder``.
    package static func checked(_ decoder: Any) -> any DataDecoder {
        decoder as? any DataDecoder ?? InvalidCoder(type: type(of: decoder))
    }
}
