/// A file could not be read, written or moved.
public struct FileError: Error, Sendable, Hashable {
    /// What went wrong with a file.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code with the given name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The file could not be opened or read, or is not a regular file.
        public static let cannotRead = Code(rawValue: "cannotRead")
        /// The file could not be created, for example because its folder does not exist.
        public static let cannotCreate = Code(rawValue: "cannotCreate")
        /// The file could not be opened for writing, or written, for example because the volume is full.
        public static let cannotWrite = Code(rawValue: "cannotWrite")
        /// A file could not be moved to the path.
        public static let cannotMove = Code(rawValue: "cannotMove")
        /// Another download uses the file, in this process or another one.
        public static let inUse = Code(rawValue: "inUse")
    }

    /// What went wrong.
    public let code: Code
    /// The path of the file, or the destination of a move.
    public let path: String
    /// The system's error number, such as `ENOSPC` for a full volume.
    public let errno: Int32

    /// Creates an error about the file at a URL.
    public init(_ code: Code, _ url: URL, errno: Int32) {
        self.code = code
        path = url.path
        self.errno = errno
    }
}

extension FileError: CustomStringConvertible, LocalizedError {
    /// One line: what failed, for which path, and the system's reason.
    public var description: String {
        let reason = OpenFile.message(for: errno)
        return switch code {
        case .cannotRead: "cannot read the file \(path): \(reason)"
        case .cannotCreate: "cannot create the file \(path): \(reason)"
        case .cannotWrite: "cannot write the file \(path): \(reason)"
        case .cannotMove: "cannot move the file to \(path): \(reason)"
        case .inUse: "another download uses the file \(path)"
        default: "\(code.rawValue): \(path): \(reason)"
        }
    }

    /// The same line, for `localizedDescription`.
    public var errorDescription: String? { description }
}
