import APIKitClients
public import APIKitCore
import APIKitSupport

/// A file that a server has received, for protocols whose last response has no body.
///
/// ```swift
/// struct VideoUpload: ResumableUpload {
///     typealias Response = UploadedFile
///     var file: URL
///     var base: APIBase { .videos }
///     var path: URLPath { "files" }
///     var uploadProtocol: UploadProtocol { .tus }
/// }
/// ```
public struct UploadedFile: APIResponse, Hashable {
    /// The URL of the upload. Many APIs use it, or its last part, to identify the file afterwards.
    public let url: URL
    /// The headers of the last response.
    public let headers: HTTPHeaders

    /// Creates a value, for stubs and tests.
    public init(url: URL, headers: HTTPHeaders = [:]) {
        self.url = url
        self.headers = headers
    }

    /// Reads the URL and the headers.
    public static func process(response: HTTPResponse) async throws -> UploadedFile {
        let head = response.head
        // The response to the creation is the last one if it was sent all bytes: its URL is then the endpoint's, and
        // Location names the upload.
        let location = head.status == 201 ? head.headers[.location] : nil
        let upload = location.flatMap { URIReference(head.url.absoluteString).target(of: $0) }
        return UploadedFile(url: upload ?? head.url, headers: head.headers)
    }
}
