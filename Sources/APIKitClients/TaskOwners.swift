/// The clients on whose behalf the current task works.
///
/// A request that is sent while another one is performed, such as the refresh of a token, must not wait for something
/// that the other request holds: a place in a limited client, a shared transfer, or the refresh itself. Each would wait
/// for the other forever.
enum TaskOwners {
    @TaskLocal private static var owners: [ObjectIdentifier] = []

    /// Whether the current task works on behalf of an object.
    static func contains(_ object: AnyObject) -> Bool { owners.contains(ObjectIdentifier(object)) }

    /// Performs work on behalf of an object, in addition to the objects so far.
    static func adding<Value>(_ object: AnyObject, to work: () async throws -> Value) async rethrows -> Value {
        try await $owners.withValue(owners + [ObjectIdentifier(object)], operation: work)
    }
}
