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

/// An open file, which is closed when the last reference to this object is released. FoundationEssentials has no
/// `FileHandle`.
package final class OpenFile: Sendable {
    /// An operation that can fail, as error messages name it.
    package enum Operation: String {
        case read = "read the file"
        case create = "create the file"
        case write = "write the file"
        case move = "move the file to"
        case lock = "lock the file"
    }

    package let url: URL
    package let descriptor: Int32

    /// Opens a file for reading.
    package static func reading(_ url: URL) throws(TransportError) -> OpenFile {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        try OpenFile(url, .read, O_RDONLY | O_NONBLOCK)
    }

    /// Creates a file that only this user may read, and opens it for writing. The file must not exist.
    package static func creating(_ url: URL) throws(TransportError) -> OpenFile {
        try OpenFile(url, .create, O_WRONLY | O_CREAT | O_EXCL)
    }

    /// Opens a file, or creates it if the flags say so.
    ///
    /// If `isPrivate` is true, only this user may read a created file. Otherwise it has the permissions of any new
    /// file.
    package init(_ url: URL, _ operation: OpenFile.Operation, _ flags: Int32, isPrivate: Bool = true)
        throws(TransportError)
    {
        guard url.isPath else { throw TransportError(operation, url, errno: EINVAL) }
        self.url = url
        let permissions: mode_t = isPrivate ? 0o600 : 0o666
        descriptor = open(url.path, flags | O_CLOEXEC, permissions)
        try check(descriptor >= 0, operation)
    }

    deinit {
        guard descriptor >= 0 else { return }
        // A process that is being started has a copy of the descriptor until it runs its program, and with it the lock.
        _ = flock(descriptor, LOCK_UN)
        _ = close(descriptor)
    }

    /// Returns the next bytes, at most the given number; empty at the end of the file.
    package func read(upTo count: Int) throws(TransportError) -> Data {
        var data = Data(count: count)
        let readCount = data.withUnsafeMutableBytes { buffer in
            retryingInterrupted { systemRead(descriptor, buffer.baseAddress, buffer.count) }
        }
        try check(readCount >= 0, .read)
        data.count = readCount
        return data
    }

    /// Makes the next read begin at an offset, which is not negative.
    package func seek(to offset: Int) throws(TransportError) {
        try check(lseek(descriptor, off_t(offset), SEEK_SET) >= 0, .read)
    }

    /// Writes all of the bytes.
    @inline(never)
    package func write(_ data: Data) throws(TransportError) {
        let isWritten = data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = retryingInterrupted { systemWrite(descriptor, part.baseAddress, part.count) }
                guard count >= 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
        try check(isWritten, .write)
    }

    /// Throws an error if writes were lost, which a network volume may report only when a file is closed.
    ///
    /// The file stays open. On Linux, closing any descriptor of the file reports lost writes, so this closes a copy. On
    /// Apple's platforms only closing the last descriptor does, so this writes the file out to its volume instead,
    /// which takes longer. So it does on Linux if no descriptor is free for a copy.
    ///
    /// - Parameter close: Closes a descriptor; a test makes it fail.
    /// - Throws: ``TransportError`` with the code `fileFailed` and the volume's error.
    package func flush(closing close: (Int32) -> Int32 = systemClose) throws(TransportError) {
        #if canImport(Darwin)
        let result = fsync(descriptor)
        #else
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        let hasCopy = copy >= 0
        let result = hasCopy ? close(copy) : fsync(descriptor)
        #endif
        try check(result == 0, .write)
    }

    /// Throws the error of the system's last call if that failed.
    func check(_ isSuccess: Bool, _ operation: OpenFile.Operation) throws(TransportError) {
        if !isSuccess { throw TransportError(operation, url, errno: errno) }
    }

    /// Calls a function of the system again as long as a signal interrupts it (`EINTR`).
    private func retryingInterrupted(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            let isInterrupted = result < 0 && errno == EINTR
            if !isInterrupted { return result }
        }
    }
}

// Within `OpenFile`, its methods of the same names hide these functions of the system.
private let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = read
private let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = write
private let systemClose: @Sendable (Int32) -> Int32 = close

extension URL {
    /// Moves a file of this user in one step, replacing an existing file, and gives it the permissions of a new file.
    func moveFile(to destination: URL) throws(TransportError) {
        guard destination.isPath else { throw TransportError(.move, destination, errno: EINVAL) }
        if rename(path, destination.path) != 0 {
            let isOnAnotherVolume = errno == EXDEV
            guard isOnAnotherVolume else { throw TransportError(.move, destination, errno: errno) }
            try moveFile(acrossVolumesTo: destination)
        }
        if let permissions = destination.permissionsOfNewSibling { _ = chmod(destination.path, permissions) }
    }

    /// Copies the file into the destination's folder and renames the copy, since a rename within one volume is one
    /// step. If that fails, the file stays where it was, and the copy is removed.
    private func moveFile(acrossVolumesTo destination: URL) throws(TransportError) {
        let copy = destination.newSibling
        do throws(TransportError) {
            try copyFile(to: copy)
            guard rename(copy.path, destination.path) == 0 else {
                throw TransportError(.move, destination, errno: errno)
            }
        } catch {
            copy.removeFile()
            throw error
        }
        removeFile()
    }

    /// Copies the file to a location where none exists.
    private func copyFile(to copy: URL) throws(TransportError) {
        let target = try OpenFile.creating(copy)
        let source = try OpenFile.reading(self)
        // Large enough that system calls take little time, and small in memory.
        let pieceSize = 256 << 10
        while true {
            let piece = try source.read(upTo: pieceSize)
            if piece.isEmpty { break }
            try target.write(piece)
        }
        try target.flush()
    }

    /// The permissions that the system gives to a new file beside this one; nil if none can be created there.
    ///
    /// They are read from a file that is created for this. The alternative, `umask`, cannot read the process's mask
    /// without changing it for all threads.
    private var permissionsOfNewSibling: mode_t? {
        let sibling = newSibling
        guard let file = try? OpenFile(sibling, .create, O_WRONLY | O_CREAT | O_EXCL, isPrivate: false) else {
            return nil
        }
        defer { sibling.removeFile() }
        return file.permissions
    }

    private var newSibling: URL {
        deletingLastPathComponent().appendingPathComponent(".apikit-\(UUID().uuidString)")
    }

    /// Removes a file, if it exists.
    package func removeFile() {
        if isPath { _ = unlink(path) }
    }

    /// Whether the system's functions read the whole path of this file URL; they would stop at a NUL.
    var isPath: Bool { isFileURL && !path.utf8.contains(0) }
}

extension TransportError {
    /// Creates an error about the file at a URL, or about the destination of a move.
    package init(_ operation: OpenFile.Operation, _ url: URL, errno: Int32) {
        var reason = "error \(errno)"
        if let text = strerror(errno) { reason = String(cString: text) }
        let underlying = POSIXError.Code(rawValue: errno).map { POSIXError($0) }
        self.init(.fileFailed, "cannot \(operation.rawValue) \(url.path): \(reason)", underlying: underlying)
    }

    /// The system's error number, of an error about a file.
    package var errno: Int32? { (underlying as? POSIXError)?.code.rawValue }
}

// MARK: - Status

// The attributes of a file. An app must state a reason to Apple for `stat`, even if only a library calls
// it, so FileManager and an extended attribute replace it on Apple's platforms.
extension OpenFile {
    /// Returns the size of the file in bytes.
    ///
    /// - Throws: ``TransportError`` with the code `fileFailed`, also for anything that is not a regular file, such as a
    ///   folder or a device.
    package func size() throws(TransportError) -> Int {
        #if canImport(Darwin)
        if let type = attributes?[.type] as? FileAttributeType, type != .typeRegular {
            throw TransportError(.read, url, errno: type == .typeDirectory ? EISDIR : EINVAL)
        }
        // The size of this file, even if its path has been removed or names another one.
        let offset = lseek(descriptor, 0, SEEK_CUR)
        let size = lseek(descriptor, 0, SEEK_END)
        guard offset >= 0, size >= 0, lseek(descriptor, offset, SEEK_SET) >= 0 else {
            throw TransportError(.read, url, errno: errno)
        }
        return try Self.size(Int64(size), url)
        #else
        guard let status else { throw TransportError(.read, url, errno: errno) }
        return try Self.size(status, url)
        #endif
    }

    /// Returns the size of a file that can be read; except on Apple's platforms, without opening it.
    ///
    /// - Throws: ``TransportError`` with the code `fileFailed`, also for anything that is not a regular file.
    package static func size(of url: URL) throws(TransportError) -> Int {
        #if canImport(Darwin)
        return try reading(url).size()
        #else
        guard url.isPath else { throw TransportError(.read, url, errno: EINVAL) }
        var status = stat()
        guard stat(url.path, &status) == 0, access(url.path, R_OK) == 0 else {
            throw TransportError(.read, url, errno: errno)
        }
        return try size(status, url)
        #endif
    }

    /// Whether the URL still names this file, and neither another file nor a link.
    ///
    /// The file must be open for writing, and the caller must hold its lock, since on Apple's platforms this writes to
    /// the file's attributes.
    package var isInPlace: Bool {
        #if canImport(Darwin)
        // Writes a random mark to the attributes of the open file, and looks for it at the URL.
        let name = "APIKit.place"
        let mark = Array(UUID().uuidString.utf8)
        guard fsetxattr(descriptor, name, mark, mark.count, 0, 0) == 0 else {
            // The volume has no extended attributes. Then any file at the URL is taken for this one.
            return access(url.path, F_OK) == 0
        }
        defer { _ = fremovexattr(descriptor, name, 0) }
        var found = [UInt8](repeating: 0, count: mark.count)
        let count = getxattr(url.path, name, &found, found.count, 0, XATTR_NOFOLLOW)
        return count == mark.count && found == mark
        #else
        var found = stat()
        guard let status, lstat(url.path, &found) == 0 else { return false }
        return status.st_dev == found.st_dev && status.st_ino == found.st_ino
        #endif
    }

    /// Whether this is a regular file that this user owns, or any user if `ofAnyUser` is true, and that has no other
    /// hard link. If its status cannot be read, it is not.
    package func isPlain(ofAnyUser: Bool = false) -> Bool {
        #if canImport(Darwin)
        guard let attributes, attributes[.type] as? FileAttributeType == .typeRegular,
            attributes[.referenceCount] as? Int == 1
        else { return false }
        return ofAnyUser || (attributes[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid()
        #else
        guard let status else { return false }
        let isOwn = ofAnyUser || status.st_uid == geteuid()
        return isOwn && status.isRegular && status.st_nlink == 1
        #endif
    }

    /// Whether no other user may read or write the file.
    package var isPrivate: Bool {
        guard let permissions else { return false }
        return permissions & 0o077 == 0
    }

    /// The permission bits of the file.
    var permissions: mode_t? {
        #if canImport(Darwin)
        return (attributes?[.posixPermissions] as? NSNumber).map { mode_t($0.uint16Value) }
        #else
        return status.map { $0.st_mode & 0o777 }
        #endif
    }

    /// Converts a size to an `Int`, which on 32-bit platforms ends at 2 GB.
    static func size(_ size: Int64, _ url: URL) throws(TransportError) -> Int {
        guard let size = Int(exactly: size) else { throw TransportError(.read, url, errno: EOVERFLOW) }
        return size
    }

    #if canImport(Darwin)
    /// The attributes at the file's current path; nil if it has none.
    private var attributes: [FileAttributeKey: Any]? {
        var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
        guard fcntl(descriptor, F_GETPATH, &path) == 0 else { return nil }
        return try? FileManager.default.attributesOfItem(
            atPath: String(decoding: path.prefix { $0 != 0 }, as: UTF8.self))
    }
    #else
    static func size(_ status: stat, _ url: URL) throws(TransportError) -> Int {
        guard status.isRegular else {
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            throw TransportError(.read, url, errno: isFolder ? EISDIR : EINVAL)
        }
        return try size(Int64(status.st_size), url)
    }

    var status: stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }
    #endif
}

#if !canImport(Darwin)
extension stat {
    fileprivate var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
}
#endif
