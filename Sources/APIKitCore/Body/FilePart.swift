/// A file among the parameters of a request, or in a ``MultipartForm``.
///
/// ```swift
/// var parameters: Parameters { ["caption": caption, "photo": FilePart(jpeg, filename: "beach.jpg")] }
/// ```
///
/// A file among the parameters of an ``APIRequest`` makes its body `multipart/form-data`.
public struct FilePart: Sendable, Hashable {
    /// The file's bytes.
    public var body: RequestBody
    /// The file's name, as the server is told; nil tells none.
    public var filename: String?
    /// The file's type.
    public var contentType: MIMEType

    /// Makes a file of bytes in memory; its type is guessed from the name's extension unless given.
    public init(_ data: Data, filename: String?, contentType: MIMEType? = nil) {
        self.init(.data(data, contentType: contentType), filename: filename)
    }

    /// Makes a file of one on disk, of any size, which is not read into memory; its name is the file's own unless
    /// given, and its type is guessed from the name's extension.
    public init(_ file: URL, filename: String? = nil, contentType: MIMEType? = nil) {
        let filename = filename ?? file.lastPathComponent
        self.init(.file(file, contentType: contentType ?? MIMEType(filename: filename)), filename: filename)
    }

    /// Makes a file of any kind of body, such as a stream; its type is guessed from the name's extension where the body
    /// has none.
    public init(_ body: RequestBody, filename: String?) {
        self.body = body
        self.filename = filename
        contentType = body.contentType ?? filename.map(MIMEType.init(filename:)) ?? .octetStream
    }
}
