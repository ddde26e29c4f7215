/// A file among the parameters of a request, or in a ``MultipartForm``.
///
/// ```swift
/// var parameters: Parameters { ["caption": caption, "photo": FilePart(jpeg, filename: "beach.jpg")] }
/// ```
///
/// A file among the parameters of an ``APIRequest`` makes its body `multipart/form-data`.
public struct FilePart: Sendable, Equatable {
    /// The file's bytes and their type, which is never nil here.
    public let body: RequestBody
    /// The file's name as sent to the server, if any.
    public let filename: String?

    /// Creates a file from bytes in memory. By default its type follows from the name's extension.
    public init(_ data: Data, filename: String?, contentType: MIMEType? = nil) {
        self.init(.data(data, contentType: contentType), filename: filename)
    }

    /// Creates a file from one on disk, of any size, which is not read into memory. By default it keeps its name, and
    /// its type follows from the name's extension.
    public init(_ file: URL, filename: String? = nil, contentType: MIMEType? = nil) {
        let filename = filename ?? file.lastPathComponent
        self.init(.file(file, contentType: contentType ?? MIMEType(filename: filename)), filename: filename)
    }

    /// Creates a file from any kind of body, such as a stream. If the body has no type, it follows from the name's
    /// extension.
    public init(_ body: RequestBody, filename: String?) {
        let type = body.contentType ?? filename.map(MIMEType.init(filename:)) ?? .octetStream
        self.body = RequestBody(contentType: type, content: body.content)
        self.filename = filename
    }
}
