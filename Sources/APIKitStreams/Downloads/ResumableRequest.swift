public import APIKitCore

/// An endpoint whose file is downloaded in as many attempts as necessary: see ``ResumableDownload``.
///
/// This protocol defines the headers and the mapping. To send headers of your own, return them with
/// ``APIRequest/base``, or return those of the ``download`` with yours; then, a complete file that is requested again
/// is transferred again.
public protocol ResumableRequest: APIRequest {
    // A default rather than a constraint, with which an endpoint's `Failure` would silently be `Data`.
    /// The downloaded file.
    associatedtype Response = ResumableDownload.Response

    /// The destination of the file, and the part that is already there.
    var download: ResumableDownload { get }
}

extension ResumableRequest {
    /// The headers that request the missing part or, of a complete file, only a newer one.
    public var headers: HTTPHeaders { download.headers(for: try? url(base: base)) }
}

extension ResumableRequest where Response == ResumableDownload.Response {
    /// Writes the body to the destination.
    public func process(_ response: HTTPResponse) async throws -> DownloadedFile {
        try await download.finish(response)
    }
}

extension ResumableDownload {
    /// The response of a ``ResumableRequest``, which becomes a ``DownloadedFile``.
    public enum Response: APIResponse {
        /// The file at its destination.
        public typealias Model = DownloadedFile

        /// A stream, which is appended to the part that is already there.
        public static var delivery: ResponseBody.Delivery { .stream }

        /// Whether a download can continue with the response: a 416 may mean that no bytes are missing, and a 304 that the
        /// complete file is at the destination.
        public static func isSuccess(_ head: HTTPResponse.Head) -> Bool {
            [200, 206, 304, 416].contains(head.status)
        }

        /// Writes bytes in memory to a temporary file.
        public static func process(data: Data) throws -> DownloadedFile {
            try DownloadedFile.process(data: data)
        }
    }
}
