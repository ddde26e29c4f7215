/// A value that its copies share until one of them is changed, so that passing a large one along costs no more than a
/// reference.
///
/// Each client and each function that waits has a copy of the request. With plain copies, the code of all clients
/// together is 18 % larger and takes longer to compile.
struct CopiedOnWrite<Value: Sendable>: Sendable {
    /// `@unchecked Sendable`: the value is changed only through the one reference to it.
    private final class Storage: @unchecked Sendable {
        /// Unchecked, since the compiler checks each access to the one reference.
        @exclusivity(unchecked) var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var storage: Storage

    init(_ value: Value) {
        storage = Storage(value)
    }

    var value: Value {
        get { storage.value }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }
}
