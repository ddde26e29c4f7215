import APIKitCore
import APIKitSupport

/// A lock for each key that is held across suspensions, and passed on in the order of arrival.
final class KeyedLock<Key: Hashable & Sendable>: Sendable {
    /// The tasks that wait for a lock, by key. A key is present while its lock is held.
    private let waiters = Locked<[Key: [Waiter<Void>]]>([:])

    /// Runs `body` while it holds the lock of a key. Within `body`, the same lock must not be taken again.
    ///
    /// - Throws: What `body` throws; `CancellationError` if the task is cancelled while it waits.
    func withLock<Value: Sendable>(
        for key: Key, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        try await lock(key)
        defer { unlock(key) }
        return try await body()
    }

    private func lock(_ key: Key) async throws {
        let waiter = Waiter<Void>()
        let isFree = waiters.withLock { waiters in
            if waiters[key] == nil {
                waiters[key] = []
                return true
            }
            waiters[key]?.append(waiter)
            return false
        }
        if isFree { return }
        try await waiter.value {
            waiters.withLock { $0[key]?.removeAll { $0 === waiter } }
        }
    }

    /// Passes the lock to the task that has waited longest.
    private func unlock(_ key: Key) {
        while let next = nextWaiter(key) {
            // A cancelled task does not take the lock.
            if next.resume(with: .success(())) { return }
        }
    }

    /// Removes the first waiter; without one, the key.
    private func nextWaiter(_ key: Key) -> Waiter<Void>? {
        waiters.withLock { waiters in
            guard let next = waiters[key]?.first else {
                waiters[key] = nil
                return nil
            }
            waiters[key]?.removeFirst()
            return next
        }
    }
}
