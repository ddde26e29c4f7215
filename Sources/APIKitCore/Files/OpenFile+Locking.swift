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

/// The file of a download. Other programs may replace, move or plant the file, so that it is checked before use.
extension OpenFile {
    /// Opens a file for reading, if it is a regular file that this user owns and that has no other hard link. A
    /// symbolic link is not followed.
    package static func readingPlainFile(_ url: URL) throws(TransportError) -> OpenFile {
        let file = try OpenFile(url, .read, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
        guard file.isPlain() else { throw TransportError(.read, url, errno: EINVAL) }
        return file
    }

    /// Opens a file for appending, or creates it, and locks it until the object is released or the process ends.
    ///
    /// Only a regular file that this user owns and that has no other hard link is written to, since other users can
    /// create files in a shared folder. A symbolic link, a hard link, a pipe or another user's file is replaced. The
    /// target of a link does not change.
    ///
    /// - Throws: ``TransportError`` with the code `fileInUse` if the file is locked already.
    package static func locking(_ url: URL) throws(TransportError) -> OpenFile {
        // Another program may replace the file between two steps, which is rare. More than a few times in a row can
        // only be on purpose, and must not keep this waiting forever.
        for _ in 0..<16 {
            guard let candidate = try LockCandidate(url) else {
                url.removeFile()
                continue
            }
            guard candidate.file.lockIfPossible(waiting: false) else {
                throw TransportError(.fileInUse, "another transfer uses the file \(url.path)")
            }
            // The previous holder of the lock may have moved or removed the file.
            guard candidate.file.isInPlace else { continue }
            if candidate.mayBeWritten { return candidate.file }
            url.removeFile()
        }
        throw TransportError(.write, url, errno: ELOOP)
    }

    /// A file that is open for appending, before it is locked.
    private struct LockCandidate {
        let file: OpenFile
        private let isCreated: Bool

        /// Creates a file or opens an existing one; nil if there is a symbolic link instead.
        init?(_ url: URL) throws(TransportError) {
            let flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK
            if let created = try Self.open(url, flags | O_EXCL, unless: EEXIST) {
                file = created
                isCreated = true
            } else if let existing = try Self.open(url, flags, unless: ELOOP) {
                file = existing
                isCreated = false
            } else {
                return nil
            }
        }

        /// Opens a file; nil if that fails with the given error of the system.
        private static func open(_ url: URL, _ flags: Int32, unless expected: Int32) throws(TransportError) -> OpenFile?
        {
            do throws(TransportError) {
                return try OpenFile(url, .write, flags)
            } catch {
                guard error.errno == expected else { throw error }
                return nil
            }
        }

        /// Whether this is a regular file that this user owns and that has no other hard link. The owner of a file that
        /// was created here is not checked, since some volumes report another one.
        var mayBeWritten: Bool { file.isPlain(ofAnyUser: isCreated) }
    }

    /// Opens a file for reading and writing, or creates it, and waits until no one else holds its lock.
    package static func updating(_ url: URL) throws(TransportError) -> OpenFile {
        // Without O_NONBLOCK, opening a pipe could wait.
        let file = try OpenFile(url, .write, O_RDWR | O_CREAT | O_NONBLOCK)
        _ = file.lockIfPossible(waiting: true)
        return file
    }

    /// Reads a range of the file's bytes, or fewer if the file ends before.
    package func read(_ range: Range<Int>) throws(TransportError) -> Data {
        try seek(to: range.lowerBound)
        var data = Data()
        while data.count < range.count {
            // At most 1 MiB at a time, since the memory is allocated before it is known how long the file is.
            let piece = try read(upTo: min(range.count - data.count, 1 << 20))
            if piece.isEmpty { break }
            data.append(piece)
        }
        return data
    }

    /// Removes all bytes from an offset on. The next bytes are written there.
    package func truncate(to offset: Int = 0) throws(TransportError) {
        let isDone = ftruncate(descriptor, off_t(offset)) == 0 && lseek(descriptor, off_t(offset), SEEK_SET) >= 0
        try check(isDone, .write)
    }

    /// Moves the file in one step, replacing an existing file.
    package func move(to destination: URL) throws(TransportError) {
        // If another file has taken the place of this one, another process may be writing it.
        guard isInPlace else { throw TransportError(.move, destination, errno: ENOENT) }
        try url.moveFile(to: destination)
    }

    /// Locks the file like ``lock(waiting:)``, but counts it as locked if its volume has no locks.
    private func lockIfPossible(waiting: Bool) -> Bool {
        do throws(TransportError) { return try lock(waiting: waiting) } catch { return true }
    }

    /// Takes the lock of the file (`flock`), which excludes other processes and other users in this one. The system
    /// releases it when the file is closed or the process ends.
    ///
    /// - Parameter waiting: Whether to wait, which occupies the thread, while somebody else has the lock.
    /// - Returns: False if somebody else has the lock.
    /// - Throws: ``TransportError`` if the file cannot be locked, for example on a volume without locks.
    package func lock(waiting: Bool) throws(TransportError) -> Bool {
        let operation = waiting ? LOCK_EX : LOCK_EX | LOCK_NB
        while flock(descriptor, operation) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return false
            default: throw TransportError(.lock, url, errno: errno)
            }
        }
        return true
    }
}
