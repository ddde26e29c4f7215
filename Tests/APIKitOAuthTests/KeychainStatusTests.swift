import Testing

@testable import APIKitOAuth

#if canImport(Security)
import Security
#endif

@Suite struct KeychainStatusTests {
    /// An error that has no meaning of its own, such as that of a locked keychain.
    private static let failure = KeychainStatus(rawValue: -25_308)

    /// The results of updates and of adding, and what is expected.
    struct Case: Sendable {
        let updates: [KeychainStatus]
        let addition: KeychainStatus?
        let result: KeychainStatus
    }

    private static let cases: [Case] = [
        Case(updates: [.success], addition: nil, result: .success),
        Case(updates: [failure], addition: nil, result: failure),
        Case(updates: [.itemNotFound], addition: .success, result: .success),
        Case(updates: [.itemNotFound], addition: failure, result: failure),
        // Another process has added the item in between.
        Case(updates: [.itemNotFound, .success], addition: .duplicateItem, result: .success),
        Case(updates: [.itemNotFound, failure], addition: .duplicateItem, result: failure),
    ]

    @Test(arguments: cases) func savesAnItemThatMayExist(saved: Case) {
        var updates = saved.updates
        var addition = saved.addition
        let result = KeychainStatus.ofSaving {
            updates.removeFirst()
        } add: {
            let status = addition ?? .success
            addition = nil
            return status
        }
        #expect(result == saved.result)
        #expect(updates.isEmpty && addition == nil)
    }

    @Test func itemThatDoesNotExistIsRemoved() {
        #expect(KeychainStatus.ofRemoving { .itemNotFound } == .success)
        #expect(KeychainStatus.ofRemoving { .success } == .success)
        #expect(KeychainStatus.ofRemoving { Self.failure } == Self.failure)
    }

    #if canImport(Security)
    @Test func hasTheValuesOfTheSystem() {
        #expect(KeychainStatus.success.rawValue == errSecSuccess)
        #expect(KeychainStatus.itemNotFound.rawValue == errSecItemNotFound)
        #expect(KeychainStatus.duplicateItem.rawValue == errSecDuplicateItem)
    }
    #endif
}
