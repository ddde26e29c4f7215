import APIKitSupport

/// The models that were read from a cached body, so that each is read only once.
package final class KeptModels: Sendable {
    private let models = Locked<[(type: ObjectIdentifier, model: any Sendable)]>([])

    init() {}

    /// Returns the model of a response type; nil if it was not read yet.
    func model(of type: any Any.Type) -> (any Sendable)? {
        let key = ObjectIdentifier(type)
        return models.withLock { $0.first { $0.type == key }?.model }
    }

    /// Keeps the model of a response type.
    func keep(_ model: any Sendable, of type: any Any.Type) {
        models.withLock { $0.append((ObjectIdentifier(type), model)) }
    }
}
