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

// What the file system knows of a file. An app must state a reason to Apple for `stat`, even if only a library calls
// it, so FileManager and an extended attribute replace it on Apple's platforms.
extension OpenFile {
    /// Returns the size of the file in bytes.
    ///
    /// - Throws: ``FileError`` for anything that is not a regular file, such as a folder or a device.
    package func size() throws(FileError) -> Int {
        #if canImport(Darwin)
        if let type = attributes?[.type] as? FileAttributeType, type != .typeRegular {
            throw FileError(.cannotRead, url, errno: type == .typeDirectory ? EISDIR : EINVAL)
        }
        // The size of this file, even if its path has been removed or names another one.
        let (offset, size) = (lseek(descriptor, 0, SEEK_CUR), lseek(descriptor, 0, SEEK_END))
        guard offset >= 0, size >= 0, lseek(descriptor, offset, SEEK_SET) >= 0 else {
            throw FileError(.cannotRead, url, errno: errno)
        }
        return try Self.size(Int64(size), url)
        #else
        guard let status else { throw FileError(.cannotRead, url, errno: errno) }
        return try Self.size(status, url)
        #endif
    }

    /// Returns the size of a file that can be read; except on Apple's platforms, without opening it.
    ///
    /// - Throws: ``FileError`` for anything that is not a regular file, and for a file that cannot be read.
    package static func size(of url: URL) throws(FileError) -> Int {
        #if canImport(Darwin)
        return try reading(url).size()
        #else
        guard url.isPath else { throw FileError(.cannotRead, url, errno: EINVAL) }
        var status = stat()
        guard stat(url.path, &status) == 0, access(url.path, R_OK) == 0 else {
            throw FileError(.cannotRead, url, errno: errno)
        }
        return try size(status, url)
        #endif
    }

    /// Whether the URL still names this file, which is open for writing, and neither another one nor a link. Only the
    /// one that holds the file's lock may ask.
    package var isInPlace: Bool {
        #if canImport(Darwin)
        // A mark on this file must show at the URL.
        let (name, mark) = ("APIKit.place", Array(UUID().uuidString.utf8))
        guard fsetxattr(descriptor, name, mark, mark.count, 0, 0) == 0 else {
            // A volume without extended attributes.
            return access(url.path, F_OK) == 0
        }
        defer { _ = fremovexattr(descriptor, name, 0) }
        var found = [UInt8](repeating: 0, count: mark.count)
        return getxattr(url.path, name, &found, found.count, 0, XATTR_NOFOLLOW) == mark.count && found == mark
        #else
        var found = stat()
        guard let status, lstat(url.path, &found) == 0 else { return false }
        return status.st_dev == found.st_dev && status.st_ino == found.st_ino
        #endif
    }

    /// Whether this is a regular file with one name that this user owns.
    package func isPlain(ofAnyUser: Bool = false) -> Bool {
        #if canImport(Darwin)
        guard let attributes, attributes[.type] as? FileAttributeType == .typeRegular,
            attributes[.referenceCount] as? Int == 1
        else { return false }
        return ofAnyUser || (attributes[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid()
        #else
        guard let status else { return false }
        return status.isRegular && status.st_nlink == 1 && (ofAnyUser || status.st_uid == geteuid())
        #endif
    }

    /// Who may read and write the file.
    var permissions: mode_t? {
        #if canImport(Darwin)
        return (attributes?[.posixPermissions] as? NSNumber).map { mode_t($0.uint16Value) }
        #else
        return status.map { $0.st_mode & 0o777 }
        #endif
    }

    /// A size as an `Int`, which on some platforms ends at 2 GB.
    static func size(_ size: Int64, _ url: URL) throws(FileError) -> Int {
        guard let size = Int(exactly: size) else { throw FileError(.cannotRead, url, errno: EOVERFLOW) }
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
    private static func size(_ status: stat, _ url: URL) throws(FileError) -> Int {
        guard status.isRegular else {
            throw FileError(.cannotRead, url, errno: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
        }
        return try size(Int64(status.st_size), url)
    }

    private var status: stat? {
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
