#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A file among the parameters of a request, or in a ``MultipartForm``.
///
/// ```swift
/// var parameters: Parameters { ["caption": caption, "photo": FilePart(jpeg, filename: "beach.jpg")] }
/// ```
///
/// A file among the parameters of an ``APIRequest`` makes its body `multipart/form-data`.
public struct FilePart: Sendable, Hashable, ParameterValue {
    /// The file's bytes.
    public var data: Data
    /// The file's name, as the server is told; nil tells none.
    public var filename: String?
    /// The file's type.
    public var contentType: MIMEType

    /// Makes a file of its bytes; its type is guessed from the name's extension unless given.
    public init(_ data: Data, filename: String?, contentType: MIMEType? = nil) {
        self.data = data
        self.filename = filename
        self.contentType = contentType ?? filename.map(MIMEType.init(filename:)) ?? .octetStream
    }

    /// This file.
    public var parameterNode: ParameterNode { ParameterNode(.file(self)) }
}
