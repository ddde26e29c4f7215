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

/// The file of a download, which others may replace, move or plant.
extension OpenFile {
    /// Opens a file for reading, if it is a regular file of this user with this one name: a symbolic link is not
    /// followed.
    static func readingPlainFile(_ url: URL) throws(FileError) -> OpenFile {
        let file = try OpenFile(url, .cannotRead, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
        guard file.isPlain() else { throw FileError(.cannotRead, url, errno: EINVAL) }
        return file
    }

    /// Opens a file for appending, or creates it, and locks it until this is released or the process ends.
    ///
    /// Only a regular file of this user with this one name is written to, since others can create files in a shared
    /// folder. A symbolic link, a hard link, a pipe or another user's file is replaced; the target of a link stays as
    /// it is.
    ///
    /// - Throws: ``FileError`` with the code `inUse` if the file is locked already.
    static func locking(_ url: URL) throws(FileError) -> OpenFile {
        let flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK
        // A file that is created here is this user's, though some volumes report another owner.
        var isNew = false
        for _ in 0..<16 {
            let file: OpenFile
            do throws(FileError) {
                file = try OpenFile(url, .cannotWrite, isNew ? flags | O_EXCL : flags)
            } catch {
                guard error.errno == (isNew ? EEXIST : ELOOP) else { throw error }
                if !isNew { url.removeFile() }
                isNew.toggle()
                continue
            }
            try file.lock()
            // The previous holder of the lock may have moved or removed the file.
            guard file.isInPlace else {
                isNew = false
                continue
            }
            if file.isPlain(ofAnyUser: isNew) { return file }
            url.removeFile()
            isNew = true
        }
        throw FileError(.cannotWrite, url, errno: ELOOP)
    }

    /// Removes the contents of the file.
    func truncate() throws(FileError) {
        guard ftruncate(descriptor, 0) == 0 else { throw FileError(.cannotWrite, url, errno: errno) }
    }

    /// Moves the file in one step, replacing an existing file.
    func move(to destination: URL) throws(FileError) {
        // Another process may be writing a file that has taken its place.
        guard isInPlace else { throw FileError(.cannotMove, destination, errno: ENOENT) }
        try url.moveFile(to: destination)
    }

    /// Locks the file, unless its volume has no locks.
    private func lock() throws(FileError) {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EINTR else {
                if errno == EWOULDBLOCK { throw FileError(.inUse, url, errno: errno) }
                return
            }
        }
    }
}
