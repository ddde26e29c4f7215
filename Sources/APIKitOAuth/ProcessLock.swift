/// The locks of stores that have no lock of their own: one in this process for each key of all stores of a type.
enum ProcessLock {
    /// A key in all stores of one type.
    private struct StoreKey: Hashable, Sendable {
        let store: ObjectIdentifier
        let key: String
    }

    private static let locks = KeyedLock<StoreKey>()

    /// Runs `body` while it holds the lock of a key of the stores of a type.
    ///
    /// - Throws: What `body` throws; `CancellationError` if the task is cancelled while it waits.
    static func withLock<Store: TokenStore, Value: Sendable>(
        for key: String, of store: Store.Type, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await locks.withLock(for: StoreKey(store: ObjectIdentifier(store), key: key), body)
    }
}
