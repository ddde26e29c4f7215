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

/// The file of a download, which others may replace, move or plant.
extension OpenFile {
    /// Opens a file for reading, if it is a regular file of this user with this one name: a symbolic link is not
    /// followed.
    package static func readingPlainFile(_ url: URL) throws(TransportError) -> OpenFile {
        let file = try OpenFile(url, .read, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
        guard file.isPlain() else { throw TransportError(.read, url, errno: EINVAL) }
        return file
    }

    /// Opens a file for appending, or creates it, and locks it until this is released or the process ends.
    ///
    /// Only a regular file of this user with this one name is written to, since others can create files in a shared
    /// folder. A symbolic link, a hard link, a pipe or another user's file is replaced; the target of a link stays as
    /// it is.
    ///
    /// - Throws: ``TransportError`` with the code `fileInUse` if the file is locked already.
    package static func locking(_ url: URL) throws(TransportError) -> OpenFile {
        // A few attempts, since others may replace the file meanwhile.
        for _ in 0..<16 {
            guard let candidate = try LockCandidate(url) else {
                url.removeFile()
                continue
            }
            try candidate.file.lock()
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

        /// Whether it is a regular file of this user with one name. One that was created here is this user's, though
        /// some volumes report another owner.
        var mayBeWritten: Bool { file.isPlain(ofAnyUser: isCreated) }
    }

    /// Opens a file for reading and writing, or creates it, and waits until no one else has it open in this way.
    package static func updating(_ url: URL) throws(TransportError) -> OpenFile {
        // Without O_NONBLOCK, opening a pipe could wait.
        let file = try OpenFile(url, .write, O_RDWR | O_CREAT | O_NONBLOCK)
        try file.lock(waiting: true)
        return file
    }

    /// The bytes of a part of the file, fewer if it ends before.
    package func read(_ range: Range<Int>) throws(TransportError) -> Data {
        try check(lseek(descriptor, off_t(range.lowerBound), SEEK_SET) >= 0, .read)
        var data = Data()
        while data.count < range.count {
            let piece = try read(upTo: min(range.count - data.count, 1 << 20))
            if piece.isEmpty { break }
            data.append(piece)
        }
        return data
    }

    /// Removes everything from an offset on, where the next bytes are written.
    package func truncate(to offset: Int = 0) throws(TransportError) {
        let isDone = ftruncate(descriptor, off_t(offset)) == 0 && lseek(descriptor, off_t(offset), SEEK_SET) >= 0
        try check(isDone, .write)
    }

    /// Moves the file in one step, replacing an existing file.
    package func move(to destination: URL) throws(TransportError) {
        // Another process may be writing a file that has taken its place.
        guard isInPlace else { throw TransportError(.move, destination, errno: ENOENT) }
        try url.moveFile(to: destination)
    }

    /// Locks the file, unless its volume has no locks.
    private func lock(waiting: Bool = false) throws(TransportError) {
        let operation = waiting ? LOCK_EX : LOCK_EX | LOCK_NB
        while flock(descriptor, operation) != 0 {
            switch errno {
            case EWOULDBLOCK: throw TransportError(.fileInUse, "another download uses the file \(url.path)")
            case EINTR: continue
            default: return
            }
        }
    }
}
