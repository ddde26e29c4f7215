/// A body that a cache keeps, together with the models that response types have read from it.
///
/// A model is kept only by the default ``APIResponse/process(response:)``, which sees nothing but these bytes. So it
/// remains valid when a 304 changes headers. A client that replaces the body discards the models.
package final class CachedBody: Sendable {
    package let data: Data
    private let models = Locked<[ObjectIdentifier: any Sendable]>([:])

    package init(_ data: Data) {
        self.data = data
    }

    /// The model that a response type reads from the bytes, which it does the first time.
    package func model<Model: Sendable>(of type: any Any.Type, _ read: (Data) throws -> Model) throws -> Model {
        let key = ObjectIdentifier(type)
        // In two steps: a missing value, cast to a model that is an optional, would be a model that is nil.
        if let kept = models.withLock({ $0[key] }), let model = kept as? Model { return model }
        let model = try read(data)
        models.withLock { $0[key] = model }
        return model
    }
}
