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

    /// Keeps the model of a response type, unless another task that has read the same body has kept it before.
    func keep(_ model: any Sendable, of type: any Any.Type) {
        let key = ObjectIdentifier(type)
        models.withLock { models in
            let isKept = models.contains { $0.type == key }
            if !isKept { models.append((key, model)) }
        }
    }
}
