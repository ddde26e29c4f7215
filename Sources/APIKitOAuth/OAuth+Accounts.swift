import APIKitClients
import APIKitCore

/// What is loaded from the store, and saved there.
extension OAuth {
    /// Returns the account in the store. If the store has failed after a server had issued tokens, first saves those:
    /// with rotation, the ones in the store are no longer valid.
    ///
    /// - Throws: The errors of the store.
    func account(at key: String) async throws -> StoredAccount {
        let stored = try await storedAccount(at: key)
        guard let unsaved = state.withLock({ $0.unsaved[key] }) else { return stored }
        // Otherwise, another process has signed in or out meanwhile.
        let isStillMissing = stored.tokens == unsaved.replaced
        if isStillMissing { try await save(unsaved.account, at: key) }
        state.withLock { $0.unsaved[key] = nil }
        return isStillMissing ? unsaved.account : stored
    }

    /// The account in the store. A registration that is too large is left out, as if there were none: it is from a
    /// version without limits, and no tokens could be saved beside it.
    private func storedAccount(at key: String) async throws -> StoredAccount {
        var account = try await store.load(for: key) ?? StoredAccount()
        if account.client?.isTooLarge == true { account.client = nil }
        return account
    }

    /// Stores tokens, and sends them from now on. In this order: tokens that are used but not stored would be lost if
    /// the process ended, and with rotation the old ones would be invalid.
    ///
    /// - Throws: ``OAuthError`` with the code `badResponse` if the server has issued more than is stored; the errors of
    ///   the store.
    func storeAndUse(_ tokens: OAuthTokens, _ account: StoredAccount, at target: Target) async throws -> Credential {
        var new = account
        new.tokens = tokens
        if try new.isTooLarge {
            throw OAuthError(.badResponse, "the tokens and the registration are larger than 128 KiB together")
        }
        let unsaved = UnsavedAccount(account: new, replaced: account.tokens)
        state.withLock { $0.unsaved[target.key] = unsaved }
        try await save(new, replacing: account, at: target)
        state.withLock { $0.unsaved[target.key] = nil }
        return use(tokens)
    }

    /// Saves an account that replaces another one. One that is new is put on the list of its API before.
    ///
    /// - Throws: The errors of the store.
    func save(_ account: StoredAccount, replacing old: StoredAccount, at target: Target) async throws {
        if old.isEmpty, let listKey = target.listKey { try await list(target.key, at: listKey) }
        try await save(account, at: target.key)
    }

    /// Saves an account, even if the current task is cancelled.
    ///
    /// - Throws: The errors of the store.
    func save(_ account: StoredAccount?, at key: String) async throws {
        try await uncancelled { [store] in try await store.save(account, for: key) }
    }

    /// Puts an account on the list of its API, and removes those that are too many: an API could name a new server at
    /// each refusal, whose registrations and tokens would fill the store.
    ///
    /// The list has no lock of its own. If two processes change it at the same time, one of their accounts may be
    /// missing there, which is then not removed.
    private func list(_ key: String, at listKey: String) async throws {
        let keys = try await store.load(for: listKey)?.accountKeys ?? []
        if keys.contains(key) { return }
        var keysWithTokens: Set<String> = []
        for key in keys where try await store.load(for: key)?.tokens != nil { keysWithTokens.insert(key) }
        let list = Self.list(keys, adding: key, keysWithTokens: keysWithTokens)
        for key in list.removed { try await save(nil, at: key) }
        try await save(StoredAccount(accountKeys: list.kept), at: listKey)
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
    static func list(_ keys: [String], adding key: String, keysWithTokens: Set<String>) -> AccountList {
        var list = AccountList(kept: keys)
        while list.kept.count >= StorageLimits.accountsOfAPI {
            let index = list.kept.firstIndex { !keysWithTokens.contains($0) } ?? 0
            list.removed.append(list.kept.remove(at: index))
        }
        list.kept.append(key)
        return list
    }
}

extension RegisteredClient {
    /// Whether its ID or its secret is longer than what is stored today.
    fileprivate var isTooLarge: Bool {
        max(id.utf8.count, secret?.utf8.count ?? 0) > StorageLimits.text
    }
}
