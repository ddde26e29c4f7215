/// A file of this process's own, which is removed when the last reference to it goes away; one that is still there when
/// the process ends stays.
///
/// An engine writes the body of a response to one where that is wanted. Nobody but the process's user may read it.
public final class TemporaryFile: Sendable {
    /// Where the file is, as long as this lives.
    public var url: URL { removal.url }
    /// What removes the file. A reader needs this alone, and so keeps nothing open.
    let removal: FileRemoval
    private let file: OpenFile

    /// Makes an empty file in the system's folder for temporary ones.
    ///
    /// - Throws: ``FileError`` where the system refuses it.
    public init() throws(FileError) {
        // The process's number tells whether a file that was left is anybody's.
        let name = "apikit-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)"
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        file = try OpenFile.creating(url)
        removal = FileRemoval(of: url)
    }

    /// Makes a file of a stream, which is read to its end.
    ///
    /// - Throws: ``TransportError`` with the code `other` where the system refuses the file; what reading throws.
    @concurrent
    public convenience init(of bytes: ByteStream) async throws {
        do {
            try self.init()
            for try await piece in bytes { try write(piece) }
            try flush()
        } catch let error as FileError {
            throw TransportError(.other, underlying: error)
        }
    }

    /// Writes bytes behind those that are there.
    ///
    /// - Throws: ``FileError``, for a full disk before all.
    public func write(_ data: Data) throws(FileError) {
        try file.write(data)
    }

    /// Reports writes that the volume has lost, which a network volume may say only when a file is closed. The file
    /// stays open.
    ///
    /// Call it after the last ``write(_:)``, before the file is handed to a reader.
    ///
    /// - Throws: ``FileError``, for example if the volume is full.
    public func flush() throws(FileError) {
        try file.flush()
    }

    /// How many bytes the file holds.
    ///
    /// - Throws: ``FileError`` where the system does not tell.
    public func size() throws(FileError) -> Int {
        try file.size()
    }
}

/// Removes a file with the last reference to this.
final class FileRemoval: Sendable {
    let url: URL

    init(of url: URL) {
        self.url = url
    }

    deinit {
        url.removeFile()
    }
}
