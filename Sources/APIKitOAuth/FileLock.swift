import APIKitCore

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

/// A lock between processes, which is the lock of a file. The system releases it when the process ends.
enum FileLock {
    private static let firstPause = Duration.milliseconds(10)
    private static let longestPause = Duration.milliseconds(100)

    /// Runs `body` while it holds the lock of a file, which is created if it is missing, and never removed: another
    /// process could hold the lock of a removed file.
    ///
    /// - Throws: What `body` throws; `CancellationError` if the task is cancelled while it waits; ``OAuthError`` with
    ///   the code `storeFailed` if the file cannot be locked.
    static func withLock<Value: Sendable>(
        at url: URL, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        let file = try open(url)
        // The lock is released when the file is closed.
        defer { withExtendedLifetime(file) {} }
        var pause = firstPause
        // Waiting in `flock` would occupy a thread, perhaps for minutes, and could not be cancelled.
        while try !lock(file) {
            try await Task.sleep(for: pause)
            pause = min(pause * 2, longestPause)
        }
        try Task.checkCancellation()
        return try await body()
    }

    private static func open(_ url: URL) throws -> OpenFile {
        do throws(TransportError) {
            let file = try OpenFile(url, .write, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
            guard file.isPlain() else { throw TransportError(.write, url, errno: EINVAL) }
            return file
        } catch {
            throw OAuthError(storeError: error)
        }
    }

    /// Takes the lock.
    ///
    /// - Returns: False if somebody else has it.
    private static func lock(_ file: OpenFile) throws -> Bool {
        do throws(TransportError) {
            return try file.lock(waiting: false)
        } catch {
            throw OAuthError(storeError: error)
        }
    }
}
