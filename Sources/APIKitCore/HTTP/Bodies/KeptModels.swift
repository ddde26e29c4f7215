import APIKitSupport

/// The models that were read from a cached body, so that each is read only once.
package final class KeptModels: Sendable {
    private let models = Locked<[(type: ObjectIdentifier, model: any Sendable)]>([])

    init() {}

    private func kept(as type: ObjectIdentifier) -> (any Sendable)? {
        models.withLock { $0.first { $0.type == type }?.model }
    }

    /// Returns the model of a response type, and reads it the first time.
    func model<Model: Sendable>(of type: any Any.Type, _ read: () throws -> Model) throws -> Model {
        let key = ObjectIdentifier(type)
        // Unwrapped before the cast: if the model is an optional, a missing value could be cast to it, as nil.
        if let kept = kept(as: key), let model = kept as? Model { return model }
        let model = try read()
        models.withLock { $0.append((key, model)) }
        return model
    }
}
