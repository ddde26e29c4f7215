/// A file in the system's temporary folder, open for writing, that only the process's user may read.
///
/// It is removed with the last reference to its ``ownedFile``. Files that are left when the process ends are not
/// removed.
package final class TemporaryFile: Sendable {
    /// The location of the file.
    package var url: URL { ownedFile.url }
    /// Keeps the file from being removed. A reader holds only this, so that the descriptor for writing is closed.
    package let ownedFile: OwnedFile
    private let file: OpenFile

    /// Creates an empty file.
    package init() throws(TransportError) {
        // The process ID shows whether the process that created a file is still running.
        let name = "apikit-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)"
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        file = try OpenFile.creating(url)
        ownedFile = OwnedFile(url)
    }

    /// Appends bytes.
    package func write(_ data: Data) throws(TransportError) {
        try file.write(data)
    }

    /// Throws an error if the volume has lost writes, like ``OpenFile/flush(closing:)``. Call this after the last
    /// write.
    package func flush() throws(TransportError) {
        try file.flush()
    }
}

/// A file that is removed when the last reference to this object is released.
package final class OwnedFile: Sendable {
    package let url: URL

    package init(_ url: URL) {
        self.url = url
    }

    deinit {
        url.removeFile()
    }
}

extension OwnedFile: Equatable {
    package static func == (left: OwnedFile, right: OwnedFile) -> Bool { left === right }
}
