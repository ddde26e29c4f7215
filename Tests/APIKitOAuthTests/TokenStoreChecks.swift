import APIKitCore
import APIKitSupport
import Testing

@testable import APIKitOAuth

extension StoredAccount {
    /// An account with an access token.
    static func sample(_ token: String) -> StoredAccount {
        StoredAccount(
            tokens: OAuthTokens(accessToken: token, expires: Date(timeIntervalSince1970: 1_800_000_000), scopes: ["a"]),
            client: RegisteredClient(id: "app", secret: "s"))
    }
}

/// What every store must do. The stores share their accounts; there may be only one.
enum TokenStoreChecks {
    static func keepsAccounts(_ stores: any TokenStore...) async throws {
        for (writer, reader) in zip(stores, stores.reversed()) {
            #expect(try await reader.load(for: "a") == nil)
            try await writer.save(.sample("1"), for: "a")
            try await writer.save(.sample("2"), for: "b")
            try await writer.save(.sample("3"), for: "a")
            #expect(try await reader.load(for: "a") == .sample("3"))
            #expect(try await reader.load(for: "b") == .sample("2"))
            try await writer.save(nil, for: "a")
            #expect(try await reader.load(for: "a") == nil)
            #expect(try await reader.load(for: "b") == .sample("2"))
            try await writer.save(nil, for: "b")
        }
    }

    /// A cancelled task saves all the same, also if others are saving.
    static func savesInCancelledTasks(_ store: any TokenStore) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for key in ["a", "b", "c"] {
                group.addTask {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await store.save(.sample(key), for: key)
                }
            }
            try await group.waitForAll()
        }
        for key in ["a", "b", "c"] { #expect(try await store.load(for: key) == .sample(key)) }
    }

    /// Several tasks enter the lock of one key again and again, and never two at once.
    static func excludes(_ stores: any TokenStore...) async throws {
        struct Count: Sendable {
            var inside = 0
            var most = 0
            var total = 0
        }
        let count = LockedBox(Count())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                let store = stores[task % stores.count]
                group.addTask {
                    for _ in 0..<5 {
                        try await store.withLock(for: "key") {
                            count.update {
                                $0.inside += 1
                                $0.most = max($0.most, $0.inside)
                            }
                            for _ in 0..<5 { await Task.yield() }
                            count.update {
                                $0.inside -= 1
                                $0.total += 1
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(count.value.most == 1)
        #expect(count.value.total == 20)
    }

    /// A task that waits for a lock stops waiting when it is cancelled, and the lock can be taken afterwards.
    static func cancelsWaiting(_ holder: any TokenStore, _ waiter: any TokenStore) async throws {
        try await holder.withLock(for: "key") {
            let waiting = Task { try await waiter.withLock(for: "key") { Issue.record("not excluded") } }
            for _ in 0..<5 { await Task.yield() }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        #expect(try await waiter.withLock(for: "key") { true })
    }

    /// The lock of one key does not hold up other keys, nor saves, and an error releases it.
    static func locksOnlyOneKey(_ store: any TokenStore, _ other: any TokenStore) async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            try await store.withLock(for: "key") {
                try await other.withLock(for: "other") {
                    try await other.save(.sample("1"), for: "key")
                    throw Failure()
                }
            }
        }
        #expect(try await other.withLock(for: "key") { try await store.load(for: "key") } == .sample("1"))
    }
}

/// A value that several tasks change.
final class LockedBox<Value: Sendable>: Sendable {
    private let storage: Locked<Value>

    init(_ value: Value) { storage = Locked(value) }

    var value: Value { storage.withLock { $0 } }

    func update(_ change: (inout Value) -> Void) { storage.withLock { change(&$0) } }
}
