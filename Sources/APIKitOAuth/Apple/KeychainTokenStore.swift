#if canImport(Security)
import APIKitCore
import Foundation
import Security

/// Keeps accounts in the keychain of this device, readable after its first unlock, and not part of backups for other
/// devices.
///
/// An app and its extension share accounts with an ``accessGroup``. The lock of this store excludes tasks of the same
/// process only: if both obtain tokens, implement a store that wraps this one and has a lock of its own.
///
/// On macOS, the program must be signed as an app with a keychain access group. A command-line program usually is not;
/// use ``FileTokenStore`` there.
public struct KeychainTokenStore: TokenStore, Hashable {
    /// The service of the keychain's items. Their accounts are the store's keys.
    public let service: String
    /// The access group of the items, with the prefix of the team, such as `AB12CD34EF.com.example.shared`; nil for the
    /// program's default group. The groups of a program are in its entitlements.
    public let accessGroup: String?

    /// Creates a store of the items with a service.
    ///
    /// - Parameters:
    ///   - service: The service, such as your program's name.
    ///   - accessGroup: The access group of apps and extensions that share the items; nil for the program's default
    ///     group, in which new items are created. Items are then found in all groups of the program.
    public init(service: String, accessGroup: String? = nil) {
        self.service = service
        self.accessGroup = accessGroup
    }

    /// Returns what was saved last for a key; nil if there is nothing.
    ///
    /// - Throws: ``OAuthError`` with the code `storeFailed` if the keychain cannot be read, for example before the
    ///   first unlock.
    @concurrent
    public func load(for key: String) async throws -> StoredAccount? {
        var query = item(for: key)
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = KeychainStatus(rawValue: SecItemCopyMatching(query as CFDictionary, &result))
        if status == .itemNotFound { return nil }
        try check(status)
        guard let data = result as? Data, let account = try? JSONDecoder().decode(StoredAccount.self, from: data) else {
            throw OAuthError(.storeFailed, "the keychain's item of the service \(service) does not contain an account")
        }
        return account
    }

    /// Saves an account for a key; nil removes it.
    ///
    /// - Throws: ``OAuthError`` with the code `storeFailed` if the keychain cannot be written, or if the program has no
    ///   entitlement for the access group.
    @concurrent
    public func save(_ account: StoredAccount?, for key: String) async throws {
        let item = item(for: key)
        guard let account else {
            try check(
                .ofRemoving {
                    KeychainStatus(rawValue: SecItemDelete(item as CFDictionary))
                })
            return
        }
        let attributes: [CFString: Any] = [
            kSecValueData: try JSONEncoder().encode(account),
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        let newItem = item.merging(attributes) { _, new in new }
        try check(
            .ofSaving {
                KeychainStatus(rawValue: SecItemUpdate(item as CFDictionary, attributes as CFDictionary))
            } add: {
                KeychainStatus(rawValue: SecItemAdd(newItem as CFDictionary, nil))
            })
    }

    /// The attributes that identify an item.
    private func item(for key: String) -> [CFString: Any] {
        var item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: service,
            kSecAttrAccount: key,
            // On macOS, this is the keychain that the other systems have.
            kSecUseDataProtectionKeychain: true,
        ]
        if let accessGroup { item[kSecAttrAccessGroup] = accessGroup }
        return item
    }

    private func check(_ status: KeychainStatus) throws {
        guard status != .success else { return }
        let reason = SecCopyErrorMessageString(status.rawValue, nil) as String?
        throw OAuthError(
            .storeFailed, "the keychain cannot be used: \(reason ?? "error \(status.rawValue)")",
            underlying: NSError(domain: NSOSStatusErrorDomain, code: Int(status.rawValue)))
    }
}

extension TokenStore where Self == KeychainTokenStore {
    /// A store in the keychain of this device, in the items with a service, such as your program's name.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - accessGroup: The access group of apps and extensions that share the items; nil for the program's default
    ///     group.
    /// - Returns: The store.
    public static func keychain(_ service: String, accessGroup: String? = nil) -> KeychainTokenStore {
        KeychainTokenStore(service: service, accessGroup: accessGroup)
    }
}
#endif
