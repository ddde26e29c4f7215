#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A file that is open for as long as this lives. FoundationEssentials has no such thing.
package final class OpenFile: Sendable {
    private let url: URL
    private let descriptor: Int32

    /// Opens a file to read it.
    package static func reading(_ url: URL) throws(FileError) -> OpenFile {
        // Not waiting for what is no file: a pipe opens once somebody writes.
        try OpenFile(url, "read", O_RDONLY | O_NONBLOCK)
    }

    /// Creates a file that must not exist yet, readable by this user only, and opens it for writing.
    static func creating(_ url: URL) throws(FileError) -> OpenFile {
        try OpenFile(url, "create", O_WRONLY | O_CREAT | O_EXCL)
    }

    /// Opens a file to write behind what it holds, or makes one.
    static func appending(to url: URL) throws(FileError) -> OpenFile {
        try OpenFile(url, "write", O_WRONLY | O_CREAT | O_APPEND)
    }

    /// Opens a file to read it, if it is a regular file of this user with this one name: a symbolic link is not
    /// followed.
    static func readingPlainFile(_ url: URL) throws(FileError) -> OpenFile {
        let file = try OpenFile(url, "read", O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
        guard file.isPlain() else { throw FileError("read", url, errno: EINVAL) }
        return file
    }

    /// Opens a file to append to it, or creates it, and locks it against every other caller until this is released or
    /// the process ends.
    ///
    /// Only a regular file with this one name is written to, and only this user's: nobody else can plant one in a shared
    /// folder. A symbolic link, a hard link, a pipe or another user's file in its place is removed, which leaves what it
    /// leads to as it is.
    ///
    /// - Throws: ``FileError`` with the operation `lock` if somebody else holds the lock.
    static func locking(_ url: URL) throws(FileError) -> OpenFile {
        let flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK
        // A file that was created here is ours, though some volumes name another owner.
        var isNew = false
        for _ in 0..<16 {
            let file: OpenFile
            do throws(FileError) {
                file = try OpenFile(url, "write", isNew ? flags | O_EXCL : flags)
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
            if file.isPlain(whoeverOwnsIt: isNew) { return file }
            url.removeFile()
            isNew = true
        }
        throw FileError("write", url, errno: ELOOP)
    }

    private init(_ url: URL, _ operation: String, _ flags: Int32) throws(FileError) {
        guard url.isPath else { throw FileError(operation, url, errno: EINVAL) }
        self.url = url
        descriptor = open(url.path, flags | O_CLOEXEC, 0o600 as mode_t)
        guard descriptor >= 0 else { throw FileError(operation, url, errno: errno) }
    }

    deinit {
        _ = close(descriptor)
    }

    /// How many bytes the file holds.
    ///
    /// - Throws: ``FileError`` for anything that is not a regular file.
    package func size() throws(FileError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError("read", url, errno: errno) }
        return try Self.size(status, url)
    }

    /// How many bytes a file holds that can be read, without opening it.
    ///
    /// - Throws: ``FileError`` for anything that is not a regular file, or cannot be read.
    package static func size(of url: URL) throws(FileError) -> Int {
        guard url.isPath else { throw FileError("read", url, errno: EINVAL) }
        var status = stat()
        guard stat(url.path, &status) == 0, access(url.path, R_OK) == 0 else {
            throw FileError("read", url, errno: errno)
        }
        return try size(status, url)
    }

    private static func size(_ status: stat, _ url: URL) throws(FileError) -> Int {
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileError("read", url, errno: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
        }
        return Int(status.st_size)
    }

    /// The next bytes, as many as asked for at the most; none at the end.
    func read(upTo count: Int) throws(FileError) -> Data {
        var data = Data(count: count)
        let got = data.withUnsafeMutableBytes(read(into:))
        guard got >= 0 else { throw FileError("read", url, errno: errno) }
        data.count = got
        return data
    }

    /// Reads the next bytes into a buffer.
    ///
    /// - Returns: How many bytes were read; 0 at the end, negative if reading failed.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        retryingInterrupted { systemRead(descriptor, buffer.baseAddress, buffer.count) }
    }

    /// Writes all of the bytes.
    func write(_ data: Data) throws(FileError) {
        let failure = data.withUnsafeBytes { bytes -> Int32? in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = retryingInterrupted { systemWrite(descriptor, part.baseAddress, part.count) }
                guard count >= 0 else { return errno }
                rest = rest.dropFirst(count)
            }
            return nil
        }
        if let failure { throw FileError("write", url, errno: failure) }
    }

    /// Empties the file.
    func truncate() throws(FileError) {
        guard ftruncate(descriptor, 0) == 0 else { throw FileError("write", url, errno: errno) }
    }

    /// Reports writes that the volume has lost, which a network volume may say only when a file is closed.
    ///
    /// The file stays open. Linux asks the volume whenever a descriptor is closed, even a copy; Apple's platforms ask
    /// only with the last one, so that there, and without a free descriptor, the file is written out instead.
    ///
    /// - Parameter close: Closes a descriptor; a test has it fail.
    /// - Throws: ``FileError`` with what the volume says.
    func flush(closing close: (Int32) -> Int32 = systemClose) throws(FileError) {
        #if canImport(Darwin)
        let result = fsync(descriptor)
        #else
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        let result = copy < 0 ? fsync(descriptor) : close(copy)
        #endif
        guard result == 0 else { throw FileError("write", url, errno: errno) }
    }

    /// Moves the file to a place in one step, replacing what is there.
    func move(to place: URL) throws(FileError) {
        // What has taken its place meanwhile may be a file that somebody else writes.
        guard isInPlace else { throw FileError("move", place, errno: ENOENT) }
        try url.moveFile(to: place)
    }

    /// Whether the URL still names this very file, and not another one or a link to it.
    var isInPlace: Bool {
        var (mine, found) = (stat(), stat())
        guard fstat(descriptor, &mine) == 0, lstat(url.path, &found) == 0 else { return false }
        return mine.st_dev == found.st_dev && mine.st_ino == found.st_ino
    }

    /// Whether this is a regular file with one name that this user owns.
    private func isPlain(whoeverOwnsIt: Bool = false) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
            && (whoeverOwnsIt || status.st_uid == geteuid())
    }

    /// Takes the file's lock, which goes with the descriptor. A volume without locks has none to take.
    private func lock() throws(FileError) {
        let result = retryingInterrupted { Int(flock(descriptor, LOCK_EX | LOCK_NB)) }
        if result != 0, errno == EWOULDBLOCK { throw FileError("lock", url, errno: errno) }
    }

    private func retryingInterrupted(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

// The methods of these names hide the system's functions.
private let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = read
private let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = write
private let systemClose: @Sendable (Int32) -> Int32 = close

extension URL {
    /// Moves a file to a place in one step, replacing what is there.
    func moveFile(to place: URL) throws(FileError) {
        guard place.isPath else { throw FileError("move", place, errno: EINVAL) }
        if rename(path, place.path) == 0 { return }
        guard errno == EXDEV else { throw FileError("move", place, errno: errno) }
        // Another volume: copied beside its place first, since only a rename is one step.
        let copy = place.deletingLastPathComponent().appendingPathComponent(".apikit-\(UUID().uuidString)")
        do throws(FileError) {
            let target = try OpenFile.creating(copy)
            let source = try OpenFile.reading(self)
            while case let piece = try source.read(upTo: 1 << 18), !piece.isEmpty { try target.write(piece) }
            try target.flush()
            guard rename(copy.path, place.path) == 0 else { throw FileError("move", place, errno: errno) }
        } catch {
            _ = unlink(copy.path)
            throw error
        }
        _ = unlink(path)
    }

    /// Removes a file, if it is there.
    func removeFile() {
        if isPath { _ = unlink(path) }
    }

    /// Whether this names a file, and all of its name: the system's functions end one at a NUL.
    fileprivate var isPath: Bool { isFileURL && !path.utf8.contains(0) }
}
