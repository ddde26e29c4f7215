/// A result of the keychain's functions (`OSStatus`).
///
/// It is declared for all platforms, so that what depends on it can be tested where there is no keychain.
struct KeychainStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32

    /// `errSecSuccess`
    static let success = KeychainStatus(rawValue: 0)
    /// `errSecItemNotFound`
    static let itemNotFound = KeychainStatus(rawValue: -25_300)
    /// `errSecDuplicateItem`
    static let duplicateItem = KeychainStatus(rawValue: -25_299)
}

extension KeychainStatus {
    /// Saves an item, which may exist or not. Another process may add or remove it between two steps.
    ///
    /// | update | then add | then update again | result |
    /// | --- | --- | --- | --- |
    /// | success, or an error | – | – | that of the update |
    /// | not found | success, or an error | – | that of adding |
    /// | not found | duplicate: another process has added it | any | that of the second update |
    ///
    /// - Parameters:
    ///   - update: Replaces the contents of the item (`SecItemUpdate`).
    ///   - add: Adds the item (`SecItemAdd`).
    /// - Returns: The result.
    static func ofSaving(update: () -> KeychainStatus, add: () -> KeychainStatus) -> KeychainStatus {
        let firstUpdate = update()
        guard firstUpdate == .itemNotFound else { return firstUpdate }
        let addition = add()
        guard addition == .duplicateItem else { return addition }
        return update()
    }

    /// The result of removing an item: one that does not exist need not be removed.
    static func ofRemoving(delete: () -> KeychainStatus) -> KeychainStatus {
        let status = delete()
        return status == .itemNotFound ? .success : status
    }
}
