/// What a server has stated about the sizes that it accepts. A size that is nil was not stated.
struct UploadLimits: Codable, Sendable, Equatable {
    /// The size that each chunk but the last must be a multiple of, in place of the protocol's own.
    var chunkMultiple: Int?
    /// The fewest bytes of each chunk but the last.
    var smallestChunk: Int?
    /// The most bytes of a chunk.
    var largestChunk: Int?
    /// The fewest bytes of a file.
    var smallestFile: Int?
    /// The most bytes of a file.
    var largestFile: Int?

    /// Returns why a file of a size is not accepted; nil if it is.
    func problem(withSize size: Int) -> String? {
        if largestChunk == 0, size > 0 { return "the server accepts no bytes in a request" }
        if let largestFile, size > largestFile {
            return "the file has \(size) bytes, but the server accepts at most \(largestFile)"
        }
        if let smallestFile, size < smallestFile {
            return "the file has \(size) bytes, but the server accepts no fewer than \(smallestFile)"
        }
        return nil
    }
}
