import APIKitCore
import TestTraits
import Testing

@testable import APIKitOAuth

@Suite(.timeLimit(.minutes(10))) struct MemoryTokenStoreTests {
    @Test func keepsAccounts() async throws { try await TokenStoreChecks.keepsAccounts(.memory) }

    @Test func savesInCancelledTasks() async throws { try await TokenStoreChecks.savesInCancelledTasks(.memory) }

    @Test func excludes() async throws { try await TokenStoreChecks.excludes(.memory) }

    @Test func cancelsWaiting() async throws {
        let store = MemoryTokenStore()
        try await TokenStoreChecks.cancelsWaiting(store, store)
    }

    @Test func locksOnlyOneKey() async throws {
        let store = MemoryTokenStore()
        try await TokenStoreChecks.locksOnlyOneKey(store, store)
    }

    @Test func eachUseIsAStoreOfItsOwn() async throws {
        let (first, second): (MemoryTokenStore, MemoryTokenStore) = (.memory, .memory)
        await first.save(.sample("1"), for: "a")
        #expect(await second.load(for: "a") == nil)
    }

    /// A task that is cancelled while it is given the lock passes it on.
    @Test func lockSurvivesCancellationAtAnyMoment() async throws {
        let store = MemoryTokenStore()
        for _ in 0..<Effort.rounds(300, thorough: 30_000) {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let waiting = Task { try await store.withLock(for: "key") { await Task.yield() } }
                        await Task.yield()
                        waiting.cancel()
                        _ = await waiting.result
                    }
                }
            }
            #expect(try await store.withLock(for: "key") { true })
        }
    }

    /// A store that implements only what it must.
    private struct PlainStore: TokenStore {
        let memory = MemoryTokenStore()

        func load(for key: String) async throws -> StoredAccount? { await memory.load(for: key) }

        func save(_ account: StoredAccount?, for key: String) async throws { await memory.save(account, for: key) }
    }

    @Test func defaultLockExcludesWithinTheProcess() async throws {
        let store = PlainStore()
        try await TokenStoreChecks.excludes(store)
        try await TokenStoreChecks.cancelsWaiting(store, store)
        try await TokenStoreChecks.locksOnlyOneKey(store, store)
    }
}
