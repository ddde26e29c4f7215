#if canImport(Security)
import APIKitCore
import Foundation
import Security

/// Keeps accounts in the keychain of this device, readable after its first unlock, and not part of backups for other
/// devices.
///
/// Its lock excludes tasks of the same process only. If an app and its extension share an account, implement a store
/// that wraps this one and has a lock of its own.
///
/// On macOS, the program must be signed as an app with a keychain access group. A command-line program usually is not;
/// use ``FileTokenStore`` there.
public struct KeychainTokenStore: TokenStore, Hashable {
    /// The service of the keychain's items. Their accounts are the store's keys.
    public let service: String

    /// Creates a store of the items with a service.
    public init(service: String) {
        self.service = service
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
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return nil }
        try check(status)
        guard let data = result as? Data, let account = try? JSONDecoder().decode(StoredAccount.self, from: data) else {
            throw OAuthError(.storeFailed, "the keychain's item of the service \(service) does not contain an account")
        }
        return account
    }

    /// Saves an account for a key; nil removes it.
    ///
    /// - Throws: ``OAuthError`` with the code `storeFailed` if the keychain cannot be written.
    @concurrent
    public func save(_ account: StoredAccount?, for key: String) async throws {
        let item = item(for: key)
        guard let account else {
            let status = SecItemDelete(item as CFDictionary)
            if status != errSecItemNotFound { try check(status) }
            return
        }
        let attributes: [CFString: Any] = [
            kSecValueData: try JSONEncoder().encode(account),
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        var status = SecItemUpdate(item as CFDictionary, attributes as CFDictionary)
        if status == errSecItemNotFound {
            let newItem = item.merging(attributes) { _, new in new }
            status = SecItemAdd(newItem as CFDictionary, nil)
        }
        try check(status)
    }

    /// The attributes that identify an item.
    private func item(for key: String) -> [CFString: Any] {
        [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: service,
            kSecAttrAccount: key,
            // On macOS, this is the keychain that the other systems have.
            kSecUseDataProtectionKeychain: true,
        ]
    }

    private func check(_ status: OSStatus) throws {
        guard status != errSecSuccess else { return }
        let reason = SecCopyErrorMessageString(status, nil) as String?
        throw OAuthError(
            .storeFailed, "the keychain cannot be used: \(reason ?? "error \(status)")",
            underlying: NSError(domain: NSOSStatusErrorDomain, code: Int(status)))
    }
}

extension TokenStore where Self == KeychainTokenStore {
    /// A store in the keychain of this device, in the items with a service, such as your program's name.
    public static func keychain(_ service: String) -> KeychainTokenStore { KeychainTokenStore(service: service) }
}
#endif
