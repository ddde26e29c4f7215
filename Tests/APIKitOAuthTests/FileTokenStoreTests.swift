import APIKitCore
import Foundation
import Testing

@testable import APIKitOAuth

@Suite(.timeLimit(.minutes(10))) final class FileTokenStoreTests: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tokens-\(UUID())")
    private let url: URL
    private let store: FileTokenStore

    init() {
        url = folder.appending(path: "inner/tokens.json")
        store = FileTokenStore(url)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test func keepsAccounts() async throws { try await TokenStoreChecks.keepsAccounts(store, .file(url)) }

    @Test func savesInCancelledTasks() async throws { try await TokenStoreChecks.savesInCancelledTasks(store) }

    @Test func excludes() async throws { try await TokenStoreChecks.excludes(store, .file(url)) }

    @Test func cancelsWaiting() async throws { try await TokenStoreChecks.cancelsWaiting(store, .file(url)) }

    @Test func locksOnlyOneKey() async throws { try await TokenStoreChecks.locksOnlyOneKey(store, .file(url)) }

    /// Each save reads and writes the whole file.
    @Test func concurrentSavesLoseNothing() async throws {
        let keys = (0..<12).map { "key \($0)" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for key in keys {
                group.addTask { [url] in try await FileTokenStore(url).save(.sample(key), for: key) }
            }
            try await group.waitForAll()
        }
        for key in keys { #expect(try await store.load(for: key) == .sample(key)) }
    }

    @Test func onlyThisUserCanReadTheFiles() async throws {
        try await store.withLock(for: "https://auth.example.com") {
            try await store.save(.sample("1"), for: "https://auth.example.com")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
        #expect(names.count == 3)
        for name in names { #expect(try permissions(url.deletingLastPathComponent().appending(path: name)) == 0o600) }
        #expect(try permissions(url.deletingLastPathComponent()) == 0o700)
    }

    @Test func permissionsOfAnExistingFolderStay() async throws {
        let inner = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: inner, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        try await store.save(.sample("1"), for: "a")
        #expect(try permissions(inner) == 0o755)
    }

    // MARK: - Files that are not used

    @Test func symbolicLinkIsRefused() async throws {
        try await store.save(.sample("1"), for: "a")
        let target = folder.appending(path: "target.json")
        try FileManager.default.moveItem(at: url, to: target)
        try FileManager.default.createSymbolicLink(at: url, withDestinationURL: target)
        try await expectFailure(keeping: target)
    }

    @Test func hardLinkIsRefused() async throws {
        try await store.save(.sample("1"), for: "a")
        try FileManager.default.linkItem(at: url, to: folder.appending(path: "target.json"))
        try await expectFailure(keeping: url)
    }

    @Test func linkInPlaceOfALockIsRefused() async throws {
        try await store.save(.sample("1"), for: "a")
        let lock = url.appendingPathExtension("lock")
        try FileManager.default.removeItem(at: lock)
        try FileManager.default.createSymbolicLink(at: lock, withDestinationURL: folder.appending(path: "target"))
        let error = await #expect(throws: OAuthError.self) { try await self.store.save(.sample("2"), for: "a") }
        #expect(error?.code == .storeFailed)
        #expect(try await store.load(for: "a") == .sample("1"))
    }

    @Test(arguments: [0o666, 0o644, 0o620, 0o602, 0o604]) func fileOfOthersIsRefused(permissions: Int) async throws {
        try await store.save(.sample("1"), for: "a")
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: url.path)
        try await expectFailure(keeping: url)
        let error = await #expect(throws: OAuthError.self) { try await self.store.load(for: "a") }
        #expect(error?.message.contains("chmod 600") == true)
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: url.path)
        #expect(try await store.load(for: "a") == .sample("1"))
    }

    /// Opening one would wait for a writer.
    @Test func pipeIsRefused() async throws {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        #expect(mkfifo(url.path, 0o600) == 0)
        let error = await #expect(throws: OAuthError.self) { try await self.store.load(for: "a") }
        #expect(error?.code == .storeFailed)
    }

    @Test(arguments: ["", "{", "[]", #"{"a": {"tokens": {"accessToken": "hidden", "scopes": 1}}}"#])
    func damagedFileIsRefused(contents: String) async throws {
        try await store.save(.sample("1"), for: "a")
        try Data(contents.utf8).write(to: url)
        try await expectFailure(keeping: url)
    }

    @Test func largeFileIsRefused() async throws {
        let store = FileTokenStore(url, sizeLimit: 10_000)
        try await store.save(.sample("1"), for: "a")
        let contents = try Data(contentsOf: url) + Data(repeating: UInt8(ascii: " "), count: 10_000)
        try contents.write(to: url)
        let errors = [
            await #expect(throws: OAuthError.self) { try await store.load(for: "a") },
            await #expect(throws: OAuthError.self) { try await store.save(.sample("2"), for: "a") },
        ]
        for error in errors { #expect(error?.code == .storeFailed) }
        #expect(try Data(contentsOf: url) == contents)
    }

    @Test func accountThatIsTooLargeIsRefused() async throws {
        try await store.save(.sample("1"), for: "a")
        let large = StoredAccount.sample(String(repeating: "x", count: 128 << 10))
        for key in ["a", "b"] {
            let error = await #expect(throws: OAuthError.self) { try await self.store.save(large, for: key) }
            #expect(error?.code == .storeFailed)
        }
        #expect(try await store.load(for: "a") == .sample("1"))
    }

    /// However many accounts there are, the new tokens of one can be saved.
    @Test func fullFileHasRoomForTheAccountsInIt() async throws {
        let store = FileTokenStore(url, sizeLimit: 8_000)
        let failedKey = try #require(try await firstFailedKey(store))
        #expect(try Data(contentsOf: url).count < 4_000)
        let grown = StoredAccount.sample(String(repeating: "x", count: 2_000))
        try await store.save(grown, for: "key 1")
        try await store.save(.sample("2"), for: "key 0")
        #expect(try await store.load(for: "key 1") == grown)
        #expect(try await store.load(for: failedKey) == nil)
        // There is room again.
        try await store.save(nil, for: "key 1")
        try await store.save(.sample("1"), for: failedKey)
    }

    /// Saves accounts until there is no room, and returns the key of the first one that could not be saved.
    private func firstFailedKey(_ store: FileTokenStore) async throws -> String? {
        for number in 0..<100 {
            do {
                try await store.save(.sample("1"), for: "key \(number)")
            } catch let error as OAuthError where error.code == .storeFailed {
                return "key \(number)"
            }
        }
        return nil
    }

    @Test func filesOfEarlierVersionsAreRead() async throws {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let secret = String(repeating: "s", count: 255_000)
        let json = """
            {"a": {"client": {"authenticationMethod": "client_secret_post", "id": "app", "secret": "\(secret)"}},
            "b": {"tokens": {"accessToken": "t", "expires": 1800000000.5, "refreshToken": "r", "scopes": ["a"],
            "tokenType": "Bearer"}}}
            """
        try Data(json.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        #expect(try await store.load(for: "a")?.client?.secret == secret)
        let tokens = try #require(try await store.load(for: "b")?.tokens)
        #expect(tokens.refreshToken == "r" && tokens.requestedScopes == nil && tokens.additionalParameters == [:])
        try await store.save(.sample("2"), for: "b")
        #expect(try await store.load(for: "a")?.client?.secret == secret)
    }

    /// Neither a load nor a save uses the file, and both leave it as it is.
    private func expectFailure(keeping kept: URL) async throws {
        let contents = try Data(contentsOf: kept)
        let errors = [
            await #expect(throws: OAuthError.self) { try await self.store.load(for: "a") },
            await #expect(throws: OAuthError.self) { try await self.store.save(.sample("2"), for: "b") },
        ]
        for error in errors {
            #expect(error?.code == .storeFailed)
            #expect(error?.message.contains(url.path) == true)
            #expect(error.map { "\($0)" }?.contains("hidden") == false)
        }
        #expect(try Data(contentsOf: kept) == contents)
    }

    // MARK: - Crashes

    /// The file is never written in place, where a crash would leave a part of it.
    @Test func openFileKeepsItsContents() async throws {
        try await store.save(.sample("1"), for: "a")
        let contents = try Data(contentsOf: url)
        let open = try FileHandle(forReadingFrom: url)
        try await store.save(.sample("2"), for: "a")
        #expect(try open.readToEnd() == contents)
        #expect(try await store.load(for: "a") == .sample("2"))
    }

    @Test func temporaryFileOfACrashIsReplaced() async throws {
        try await store.save(.sample("1"), for: "a")
        let temporary = url.appendingPathExtension("new")
        try Data("{".utf8).write(to: temporary)
        #expect(try await store.load(for: "a") == .sample("1"))
        try await store.save(.sample("2"), for: "a")
        #expect(try await store.load(for: "a") == .sample("2"))
        #expect(!FileManager.default.fileExists(atPath: temporary.path))
    }

    #if os(macOS) || os(Linux)
    /// A process that is killed while it writes leaves a complete file, and no lock.
    @Test func killedProcessLeavesACompleteFile() async throws {
        try await store.save(.sample("0"), for: "other")
        try await store.save(.sample("0"), for: "a")
        for _ in 0..<3 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [url = url as URL] in
                let store = FileTokenStore(url)
                let temporary = url.appendingPathExtension("new")
                Thread.detachNewThread {
                    while access(temporary.path, F_OK) != 0 {}
                    kill(getpid(), SIGKILL)
                }
                let long = String(repeating: "long", count: 30_000)
                while true {
                    try await store.withLock(for: "a") { try await store.save(.sample(long), for: "a") }
                }
            }
            #expect(try await store.load(for: "other") == .sample("0"))
            let token = try #require(try await store.load(for: "a")?.tokens?.accessToken)
            #expect(token == "0" || token.count == 120_000)
        }
        #expect(try await store.withLock(for: "a") { true })
        try await store.save(.sample("1"), for: "a")
        #expect(try await store.load(for: "a") == .sample("1"))
    }
    #endif

    private func permissions(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }
}
