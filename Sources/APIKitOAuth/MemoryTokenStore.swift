import APIKitCore
import APIKitSupport

/// Keeps accounts in memory, as long as the last reference to this object. After a restart of the process, users sign
/// in again.
public final class MemoryTokenStore: TokenStore {
    private let accounts = Locked<[String: StoredAccount]>([:])
    private let lock = KeyedLock<String>()

    /// Creates an empty store.
    public init() {}

    /// Returns what was saved last for a key; nil if there is nothing.
    public func load(for key: String) async -> StoredAccount? {
        accounts.withLock { $0[key] }
    }

    /// Saves an account for a key; nil removes it.
    public func save(_ account: StoredAccount?, for key: String) async {
        accounts.withLock { $0[key] = account }
    }

    /// Runs `body` while no other user of this object is within it for the same key.
    public func withLock<Value: Sendable>(
        for key: String, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await lock.withLock(for: key, body)
    }
}

extension TokenStore where Self == MemoryTokenStore {
    /// A new store in memory. Each use of this property creates one of its own: to share it, keep it in a constant.
    public static var memory: MemoryTokenStore { MemoryTokenStore() }
}
