extension TemporaryFile {
    /// Writes a stream to a file.
    ///
    /// - Throws: ``TransportError`` with the code `fileFailed` if the file cannot be written; the stream's own
    ///   errors.
    @concurrent
    package convenience init(of bytes: ByteStream) async throws {
        try self.init()
        for try await piece in bytes { try write(piece) }
        try flush()
    }
}
