public import APIKitCore

/// An endpoint whose file is downloaded in as many attempts as necessary: see ``ResumableDownload``.
///
/// This protocol defines the headers, the delivery and the mapping. To send headers of your own, declare
/// ``APIRequest/defaultHeaders``, or return those of the ``download`` with yours; then, a complete file that is
/// requested again is transferred again.
public protocol ResumableRequest: APIRequest {
    // A default rather than a constraint, with which an endpoint's `Failure` would silently be `Data`.
    /// The downloaded file.
    associatedtype Response = DownloadedFile

    /// The destination of the file, and the part that is already there.
    var download: ResumableDownload { get }
}

extension ResumableRequest {
    /// The headers that request the missing part or, of a complete file, only a newer one.
    public var headers: HTTPHeaders { download.headers(for: try? url(base: baseURL)) }
    /// A stream, which is appended to the part that is already there.
    public var delivery: ResponseBody.Delivery { .stream }

    /// Whether the download can continue with the response.
    public func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        download.isSuccess(head)
    }
}

extension ResumableRequest where Response == DownloadedFile {
    /// Writes the body to the destination.
    public func process(_ response: HTTPResponse) async throws -> DownloadedFile {
        try await download.finish(response)
    }
}
