import APIKitClients
import APIKitCore
import Foundation
import TestSupport
import Testing

@testable import APIKitOAuth

@Suite(.timeLimit(.minutes(10))) struct OAuthLockTests {
    private let account = OAuth(issuer: "https://auth.example.com", clientID: "app", flow: .clientCredentials)

    @Test(arguments: ["key", "other"]) func aTaskThatHoldsALockCannotTakeOne(key: String) async throws {
        let error = try await account.withStoreLock(for: "key") {
            await oauthError { try await account.withStoreLock(for: key) {} }
        }
        #expect(error?.code == .signInRequired)
        // The lock of another source is free.
        let other = OAuth(issuer: "https://auth.example.com", clientID: "app", flow: .clientCredentials)
        #expect(try await account.withStoreLock(for: key) { try await other.withStoreLock(for: key) { 1 } } == 1)
    }

    @Test func aTaskThatOutlivesTheLockCanTakeItAgain() async throws {
        let isReleased = Hold()
        let task = try await account.withStoreLock(for: "key") {
            Task {
                await isReleased.wait()
                return try await account.withStoreLock(for: "key") { 1 }
            }
        }
        isReleased.release()
        #expect(try await task.value == 1)
    }
}
