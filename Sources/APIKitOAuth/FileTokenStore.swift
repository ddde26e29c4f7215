public import APIKitCore
import APIKitSupport

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(WASILibc)
import WASILibc
#endif

/// Keeps accounts in a JSON file that only this user can read, and that several processes may share.
///
/// A missing folder is created, for this user only. The file is replaced in one step, so that it is complete even after
/// a crash.
///
/// A file is only used if it is a regular file of this user, to which no other user has access. A symbolic link, a
/// damaged file, one of more than 64 MiB or one that others may read or write is an error and stays as it is: to start
/// over, remove it.
///
/// No account costs another one: each has at most 128 KiB, and new ones may fill only half of the file, so that those
/// that are there can still be saved.
///
/// On iOS, iPadOS, tvOS, watchOS and visionOS, keep the file in the container of the app, and not in one that it shares
/// with an extension: the system ends an app that is suspended while it holds the lock of a file in a shared container
/// (`0xdead10cc`). This store holds one while it obtains tokens, which includes a sign-in of the user. Use the keychain
/// there, with an access group for the extension.
///
/// Beside the file `tokens.json`, this store creates `tokens.json.lock` and, for each key, another file that ends in
/// `.lock`. They are empty, and may be removed only while no process uses the store.
public struct FileTokenStore: TokenStore, Hashable {
    /// The location of the file.
    public let url: URL

    /// The maximum size of the file in bytes.
    private let sizeLimit: Int
    /// The maximum size in bytes with a new account. The rest is for accounts that grow: otherwise, the new tokens of
    /// one could not be saved, after its server has made the old ones invalid.
    private var sizeLimitForNewAccounts: Int { sizeLimit / 2 }

    /// Creates a store at the URL of a file, which need not exist yet.
    public init(_ url: URL) {
        self.init(url, sizeLimit: 64 << 20)
    }

    /// Creates a store with another limit, for tests.
    init(_ url: URL, sizeLimit: Int) {
        self.url = url
        self.sizeLimit = sizeLimit
    }

    /// Returns what was saved last for a key; nil if there is nothing.
    ///
    /// - Throws: ``OAuthError`` with the code `storeFailed` if the file cannot be read.
    @concurrent
    public func load(for key: String) async throws -> StoredAccount? {
        try accounts()[key]
    }

    /// Saves an account for a key; nil removes it. Other keys keep their accounts.
    ///
    /// The account is also saved if the task is cancelled.
    ///
    /// - Throws: ``OAuthError`` with the code `storeFailed` if the file cannot be read or written, or if there is no
    ///   room for the account. Then it stays as it was.
    @concurrent
    public func save(_ account: StoredAccount?, for key: String) async throws {
        if try account?.isTooLarge == true {
            throw OAuthError(.storeFailed, "an account in \(url.path) would be larger than 128 KiB")
        }
        try createFolder()
        // A server that has replaced a refresh token will not accept the old one again.
        try await uncancelled {
            // A lock of its own, so that the account of one key can be saved while the lock of another key is held.
            try await FileLock.withLock(at: url.appendingPathExtension("lock")) {
                var accounts = try accounts()
                let isNew = accounts[key] == nil && account != nil
                accounts[key] = account
                try write(accounts, sizeLimit: isNew ? sizeLimitForNewAccounts : sizeLimit)
            }
        }
    }

    /// Runs `body` while no other user of the file, in this process or another one, is within it for the same key.
    ///
    /// The system releases the lock if the process ends, however it ends. Each key has a lock of its own, since one
    /// user's sign-in, which can take minutes, must not delay the refresh of another account. On iOS, the file must not
    /// be in a shared container: the system ends an app that is suspended while it holds the lock.
    ///
    /// - Throws: What `body` throws; `CancellationError` if the task is cancelled while it waits; ``OAuthError`` with
    ///   the code `storeFailed` if the file's volume has no locks.
    @concurrent
    public func withLock<Value: Sendable>(
        for key: String, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try createFolder()
        return try await FileLock.withLock(at: lockFile(for: key), body)
    }

    /// The file that is locked for a key. Its name has a hash, since a key contains a URL.
    private func lockFile(for key: String) -> URL {
        let hash = Data(key.utf8).sha256.prefix(12).base64URLEncodedString()
        return url.appendingPathExtension(hash).appendingPathExtension("lock")
    }

    // MARK: - The file

    /// The accounts in the file by their keys; empty if there is no file.
    private func accounts() throws -> [String: StoredAccount] {
        guard let data = try contents() else { return [:] }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        do {
            return try decoder.decode([String: StoredAccount].self, from: data)
        } catch {
            // The decoder's error is left out, since it might quote a token.
            throw OAuthError(
                .storeFailed, "\(url.path) does not contain accounts; if it is no longer needed, remove the file")
        }
    }

    /// The bytes of the file; nil if there is no file.
    private func contents() throws -> Data? {
        let data: Data
        let isPrivate: Bool
        do throws(TransportError) {
            let file = try OpenFile.readingPlainFile(url)
            data = try file.read(0..<(sizeLimit + 1))
            isPrivate = file.isPrivate
        } catch {
            if error.errno == ENOENT { return nil }
            throw OAuthError(storeError: error)
        }
        // Others could have read the tokens, or have written the account of an attacker.
        guard isPrivate else {
            throw OAuthError(
                .storeFailed,
                "other users may read or write \(url.path): if its contents can be trusted, run chmod 600 on it, and "
                    + "otherwise remove it")
        }
        guard data.count <= sizeLimit else {
            throw OAuthError(.storeFailed, "\(url.path) is larger than \(sizeLimit >> 20) MiB")
        }
        return data
    }

    /// Replaces the file. The caller holds the lock of the file.
    ///
    /// A crash between the steps leaves a temporary file, which the next call removes.
    private func write(_ accounts: [String: StoredAccount], sizeLimit: Int) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(accounts)
        guard data.count <= sizeLimit else {
            throw OAuthError(.storeFailed, "\(url.path) would become larger than \(sizeLimit >> 20) MiB")
        }
        let temporary = url.appendingPathExtension("new")
        temporary.removeFile()
        do throws(TransportError) {
            let file = try OpenFile.creating(temporary)
            try file.write(data)
            guard fsync(file.descriptor) == 0 else { throw TransportError(.write, temporary, errno: errno) }
            guard rename(temporary.path, url.path) == 0 else { throw TransportError(.move, url, errno: errno) }
            try syncFolder()
        } catch {
            temporary.removeFile()
            throw OAuthError(storeError: error)
        }
    }

    // MARK: - The folder

    private var folder: URL { url.deletingLastPathComponent() }

    /// Writes the new name of the file to the disk.
    private func syncFolder() throws(TransportError) {
        let folder = try OpenFile.reading(folder)
        // Some volumes cannot do this for a folder. The file's contents are on the disk in any case.
        _ = fsync(folder.descriptor)
    }

    /// Creates the folder of the file, if it is missing, for this user only.
    private func createFolder() throws {
        guard access(folder.path, F_OK) != 0 else { return }
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw OAuthError(.storeFailed, "cannot create the folder \(folder.path)", underlying: error)
        }
    }
}

extension TokenStore where Self == FileTokenStore {
    /// A store in a JSON file that only this user can read, and that several processes may share.
    public static func file(_ url: URL) -> FileTokenStore { FileTokenStore(url) }
}

extension OAuthError {
    /// Creates an error of a store from one about a file.
    init(storeError error: TransportError) {
        self.init(.storeFailed, error.message ?? "the file cannot be used", underlying: error.underlying)
    }
}
