/// The clients that this task works for. What is sent on behalf of a request, such as a token's refresh, must not wait
/// for what that request keeps: a place, a shared transfer, or the refresh itself.
enum Circle {
    @TaskLocal private static var objects: [ObjectIdentifier] = []

    /// Whether this task works for an object.
    static func contains(_ object: AnyObject) -> Bool { objects.contains(ObjectIdentifier(object)) }

    /// Does work for an object.
    static func work<Value>(for object: AnyObject, _ work: () async throws -> Value) async rethrows -> Value {
        try await $objects.withValue(objects + [ObjectIdentifier(object)], operation: work)
    }
}
