/// Keeps tokens and registrations: ``MemoryTokenStore``, ``FileTokenStore``, the keychain, or a store of yours.
///
/// A key is text that begins with the issuer or, for a server that is known by its URLs, with its token endpoint,
/// so that the tokens of one authorization server are never sent to another. Keys contain no secrets. For an API that
/// names its authorization server, there is another key with the list of the API's accounts, of which there are at most
/// four. Store every member of an account, for example as JSON.
///
/// If several processes share a store of yours, implement ``withLock(for:_:)`` too. Otherwise, two of them may use the
/// same refresh token, which many servers treat as a stolen token.
///
/// No store can keep tokens that it was never given: if a process is killed after the server has replaced a refresh
/// token and before ``save(_:for:)`` has returned, the user has to sign in again, unless the server accepts the old
/// refresh token until a new one is used.
public protocol TokenStore: Sendable {
    /// Returns what was saved last for a key; nil if there is nothing.
    ///
    /// - Throws: Any error if the store cannot be read. The user is not asked to sign in then.
    func load(for key: String) async throws -> StoredAccount?

    /// Saves an account for a key, and replaces the one before; nil removes it.
    ///
    /// When this returns, the account must survive a crash. Save it even if the task is cancelled: the server may have
    /// replaced the refresh token that was saved before.
    ///
    /// - Throws: Any error if the account cannot be saved.
    func save(_ account: StoredAccount?, for key: String) async throws

    /// Runs `body` while no other user of the store, in this process or another one, is within it for the same key.
    ///
    /// It is held during a refresh, and while the user signs in. By default, it excludes other tasks of this process
    /// only. `body` never asks for the lock of the same key again.
    ///
    /// - Throws: What `body` throws; `CancellationError` if the task is cancelled while it waits.
    func withLock<Value: Sendable>(
        for key: String, _ body: @Sendable () async throws -> Value
    ) async throws -> Value
}

// MARK: - Default implementations

extension TokenStore {
    /// Runs `body` while no other task of this process is within it for the same key of a store of the same type.
    public func withLock<Value: Sendable>(
        for key: String, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await ProcessLock.withLock(for: key, of: Self.self, body)
    }
}
