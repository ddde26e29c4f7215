import APIKitClients
import APIKitCore
import APIKitSupport

extension OAuth {
    /// Runs `body` while it holds the store's lock.
    ///
    /// - Throws: What `body` throws; the errors of the lock; ``OAuthError`` with the code `signInRequired` if the task
    ///   holds a lock of this source already.
    func withStoreLock<Value: Sendable>(
        for key: String, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try checkThatNoLockIsHeld()
        let section = LockedSection()
        state.withLock { $0.lockedSections.append(section) }
        defer { state.withLock { $0.lockedSections.removeAll { $0 === section } } }
        return try await TaskOwners.adding(section) { try await store.withLock(for: key, body) }
    }

    /// Checks that the task does not hold a lock of this source. It would wait for itself forever.
    ///
    /// - Throws: ``OAuthError`` with the code `signInRequired`, since what presents the sign-in needs its tokens.
    func checkThatNoLockIsHeld() throws(OAuthError) {
        let sections = state.withLock { $0.lockedSections }
        if sections.contains(where: { TaskOwners.contains($0) }) {
            throw OAuthError(.signInRequired, "what presents the sign-in needs the tokens of this sign-in")
        }
    }
}

/// Stands for the work that is done while a lock of the store is held. A task that was started within it and outlives
/// it may take the lock again.
final class LockedSection: Sendable {}
