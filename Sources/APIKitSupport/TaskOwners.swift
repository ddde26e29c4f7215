/// The objects on whose behalf the current task works.
///
/// A request that is sent while another one is performed, such as the refresh of a token, must not wait for something
/// that the other request holds: a place in a limited client, a shared transfer, the refresh itself, or the lock of a
/// store of tokens. Each would wait for the other forever.
///
/// Child tasks and tasks of `Task.init` work on behalf of the same objects. A detached task works on behalf of none.
package enum TaskOwners {
    // They are retained: the identifier of an object that no longer exists could be that of a later one.
    @TaskLocal private static var owners: [any AnyObject & Sendable] = []

    /// Whether the current task works on behalf of an object.
    package static func contains(_ object: AnyObject) -> Bool { owners.contains { $0 === object } }

    /// Whether the current task works on behalf of any object of a class.
    package static func containsAny<Owner: AnyObject>(_ type: Owner.Type) -> Bool { owners.contains { $0 is Owner } }

    /// Performs work on behalf of an object, in addition to the objects so far.
    package static func adding<Value>(
        _ object: any AnyObject & Sendable, to work: () async throws -> Value
    ) async rethrows -> Value {
        try await $owners.withValue(owners + [object], operation: work)
    }
}
