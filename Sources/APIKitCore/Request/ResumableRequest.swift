/// An endpoint whose file is downloaded in as many attempts as it takes: see ``ResumableDownload``.
///
/// It has the request's headers, delivery and mapping already. One with headers of its own writes `var headers:
/// HTTPHeaders { … }` with those of the ``download`` among them, or has them as ``APIRequest/defaultHeaders``.
public protocol ResumableRequest: APIRequest {
    // A default and no constraint, with which an endpoint's `Failure` would be `Data` in silence.
    /// The file at its place.
    associatedtype Response = DownloadedFile

    /// Where the file comes, and what is there of it.
    var download: ResumableDownload { get }
}

extension ResumableRequest {
    /// What the download asks for.
    public var headers: HTTPHeaders { download.headers }
    /// As a stream, which is written behind what is there.
    public var delivery: ResponseBody.Delivery { .stream }

    /// What the download can go on with.
    public func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        download.isSuccess(head)
    }

}

extension ResumableRequest where Response == DownloadedFile {
    /// Takes the body to its place.
    public func process(_ response: HTTPResponse) async throws -> DownloadedFile {
        try await download.finish(response)
    }
}
