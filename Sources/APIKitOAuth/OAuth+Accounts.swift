import APIKitClients
import APIKitCore
import APIKitSupport

/// What is loaded from the store, and saved there.
extension OAuth {
    /// Returns the account in the store. If the store has failed after a server had issued tokens, first saves those:
    /// with rotation, the ones in the store are no longer valid.
    ///
    /// - Throws: The errors of the store.
    func account(at key: String) async throws -> StoredAccount {
        let stored = try await storedAccount(at: key)
        guard let unsaved = state.withLock({ $0.unsaved[key] }) else { return stored }
        let isStillMissing = unsaved.isMissing(in: stored)
        if isStillMissing { try await save(unsaved.account, at: key) }
        state.withLock { $0.unsaved[key] = nil }
        return isStillMissing ? unsaved.account : stored
    }

    /// The account in the store. What is too large is left out, as if there were none: it is from a version without
    /// limits, and could not be saved again.
    private func storedAccount(at key: String) async throws -> StoredAccount {
        var account = try await store.load(for: key) ?? StoredAccount()
        if account.client?.isTooLarge == true { account.client = nil }
        return try account.isTooLarge ? StoredAccount(client: account.client) : account
    }

    /// Saves an account, even if the current task is cancelled.
    ///
    /// - Throws: The errors of the store.
    func save(_ account: StoredAccount?, at key: String) async throws {
        try await uncancelled { [store] in try await store.save(account, for: key) }
    }

    // MARK: - The list of an API

    /// Runs `body`, which may save an account, and keeps the account on the list of its API.
    ///
    /// - Throws: What `body` throws; the errors of the store.
    func keepingOnList<Value: Sendable>(
        _ target: Target, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let listKey = target.listKey else { return try await body() }
        // Before anything is saved, so that a process that is killed leaves no account that is not on the list.
        try await addToList(target.key, at: listKey)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        // Accounts of other servers may have taken its place on the list, before it was saved.
        try await uncancelled { try await self.addToList(target.key, at: listKey) }
        return try result.get()
    }

    /// Puts an account on the list of its API, and removes those that are too many: an API could name a new server at
    /// each refusal, whose registrations and tokens would fill the store.
    ///
    /// No other lock of the store is held meanwhile, since a store may have one lock for all keys.
    private func addToList(_ key: String, at listKey: String) async throws {
        if try await store.load(for: listKey)?.accountKeys?.contains(key) == true { return }
        try await store.withLock(for: listKey) {
            let keys = try await self.store.load(for: listKey)?.accountKeys ?? []
            if keys.contains(key) { return }
            var keysWithTokens: Set<String> = []
            for key in keys {
                let hasTokens = try await self.store.load(for: key)?.tokens != nil
                if hasTokens { keysWithTokens.insert(key) }
            }
            let accounts = Self.accounts(keys, adding: key, keysWithTokens: keysWithTokens)
            for key in accounts.removed { try await self.save(nil, at: key) }
            try await self.save(StoredAccount(accountKeys: accounts.kept), at: listKey)
        }
    }

    /// The accounts of an API after one more, and those that are removed for it.
    struct AccountList: Equatable {
        var kept: [String]
        var removed: [String] = []
    }

    /// Decides which accounts of an API are kept.
    ///
    /// | accounts | kept |
    /// | --- | --- |
    /// | up to four | all |
    /// | more, some without tokens | not the oldest of those without tokens |
    /// | more, all with tokens | not the oldest |
    /// | the new account | always |
    static func accounts(_ keys: [String], adding key: String, keysWithTokens: Set<String>) -> AccountList {
        var accounts = AccountList(kept: keys)
        while accounts.kept.count >= StorageLimits.accountsOfAPI {
            let index = accounts.kept.firstIndex { !keysWithTokens.contains($0) } ?? 0
            accounts.removed.append(accounts.kept.remove(at: index))
        }
        accounts.kept.append(key)
        return accounts
    }
}

extension OAuthTokens {
    /// Whether two are the same tokens, whatever else is stored with them: a process of an earlier version removes what
    /// it does not know from the file.
    static func areSame(_ left: OAuthTokens?, _ right: OAuthTokens?) -> Bool {
        left?.accessToken == right?.accessToken && left?.refreshToken == right?.refreshToken
    }
}

extension RegisteredClient {
    /// Whether its ID or its secret is longer than what is stored today.
    fileprivate var isTooLarge: Bool {
        max(id.utf8.count, secret?.utf8.count ?? 0) > StorageLimits.text
    }
}
