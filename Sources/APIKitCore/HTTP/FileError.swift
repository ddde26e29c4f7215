#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Why a file could not be read, written or moved.
public struct FileError: Error, Sendable, Hashable {
    /// What was tried: `read`, `create`, `write`, `lock`, or `move`, of which the path is the new one.
    public let operation: String
    /// The file's path.
    public let path: String
    /// The system's number for what is wrong, such as `ENOSPC`.
    public let errno: Int32

    /// Makes an error of its parts.
    public init(_ operation: String, _ url: URL, errno: Int32) {
        self.operation = operation
        path = url.path
        self.errno = errno
    }
}

extension FileError: CustomStringConvertible, LocalizedError {
    /// One line: what was tried, on which file, and what the system says.
    public var description: String {
        let target = operation == "move" ? "the file to \(path)" : "the file \(path)"
        let system = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
        let reason = operation == "lock" && errno == EWOULDBLOCK ? "another download to it is under way" : system
        return "cannot \(operation) \(target): \(reason)"
    }

    /// The same line, for `localizedDescription`.
    public var errorDescription: String? { description }
}
