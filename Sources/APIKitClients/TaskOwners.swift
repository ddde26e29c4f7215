/// The objects that this task works for.
///
/// What is sent on behalf of a request, such as a token's refresh, must not wait for what that request holds: a place
/// in a limited client, a shared transfer, or the refresh itself.
enum TaskOwners {
    @TaskLocal private static var owners: [ObjectIdentifier] = []

    /// Whether this task works for an object.
    static func contains(_ object: AnyObject) -> Bool { owners.contains(ObjectIdentifier(object)) }

    /// Does work for an object too.
    static func adding<Value>(_ object: AnyObject, to work: () async throws -> Value) async rethrows -> Value {
        try await $owners.withValue(owners + [ObjectIdentifier(object)], operation: work)
    }
}
