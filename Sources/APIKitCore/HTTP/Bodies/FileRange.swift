/// A range of a file's bytes, as a body or a part of one.
struct FileRange: Sendable, Equatable {
    let url: URL
    /// The offsets of the bytes, which are not negative.
    let bytes: Range<Int>
    /// The version that the file must have while it is read; nil if any version may be sent.
    let version: FileVersion?

    /// Opens the file at the first byte of the range.
    ///
    /// - Throws: ``TransportError`` with the code `requestBodyFailed` if the file has changed or is too short, and
    ///   `fileFailed` if it cannot be read.
    func open() throws(TransportError) -> OpenFile {
        let file = try OpenFile.reading(url)
        if let version { try file.check(version) }
        if let problem = problem(inFileOfSize: try file.size()) { throw TransportError(.requestBodyFailed, problem) }
        try file.seek(to: bytes.lowerBound)
        return file
    }

    /// Returns why a file of the given size does not have all of the bytes; nil if it has them.
    func problem(inFileOfSize size: Int) -> String? {
        guard size < bytes.upperBound else { return nil }
        return "the file \(url.path) has \(size) bytes, fewer than the \(bytes.upperBound) that the range needs"
    }
}

extension FileRange: CustomStringConvertible {
    /// The offsets of the first and the last byte, and the path of the file.
    var description: String {
        guard let last = bytes.last else { return "(no bytes of the file \(url.path))" }
        return "(bytes \(bytes.lowerBound) to \(last) of the file \(url.path))"
    }
}

extension OpenFile {
    /// Throws an error unless the file still has a version.
    func check(_ version: FileVersion) throws(TransportError) {
        if try self.version() != version {
            throw TransportError(.requestBodyFailed, "the file \(url.path) has changed since its upload began")
        }
    }
}
