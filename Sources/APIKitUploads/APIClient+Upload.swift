public import APIKitCore
import APIKitSupport

extension APIClient {
    /// Uploads a file in as many requests as necessary, and returns the model of the last response.
    ///
    /// ```swift
    /// let video = try await client.upload(VideoUpload(file: url), keepingStateIn: folder) {
    ///     print($0.fraction)
    /// }
    /// print(video.url)
    /// ```
    ///
    /// After a lost connection, the server is asked how many bytes it has, and the upload continues there. It also does
    /// so if the next process calls this function with the same endpoint and folder. If the server has forgotten the
    /// upload, or the file has changed since the last process, the upload starts over.
    ///
    /// An upload is the same one if the request that creates it has the same method, URL, body, metadata and headers of
    /// the endpoint, and the file has the same path and contents. Credentials, idempotency keys, dates and the headers
    /// of the base do not count.
    ///
    /// Each request passes through the client, for example to get a new token, to wait for a limit, or to be logged. A
    /// `retrying` client does not repeat a request that sends bytes, since the server has to be asked first. The
    /// request that creates the upload may be sent again if it fails; a server removes an upload that is not continued
    /// after a time.
    ///
    /// If the task is cancelled, the state is kept. To give up an upload, use ``abandonUpload(_:keptIn:options:)``.
    ///
    /// ### The state
    ///
    /// Each upload has a file in the folder, which only the process's user can read, and which is removed at the end.
    /// It contains no credentials. However, with ``UploadProtocol/sessionURL``, ``UploadProtocol/googleUpload`` and
    /// ``UploadProtocol/graph``, the URL in it can be enough to continue the upload. If several accounts use a program,
    /// give each a folder of its own.
    ///
    /// On iOS, iPadOS, tvOS, watchOS and visionOS, use a folder in the container of the app, and not in one that it
    /// shares with an extension: the system ends an app that is suspended while it holds the lock of a file in a
    /// shared container (`0xdead10cc`).
    ///
    /// - Parameters:
    ///   - request: The endpoint.
    ///   - folder: The folder for the state, which is created if it is missing. Without a folder, the upload survives
    ///     lost connections, but not the end of the process.
    ///   - options: Options of each request, which override the endpoint's options one by one.
    ///   - limit: How long the upload may take; nil for no limit. After that time, it fails with a ``TransportError``
    ///     with the code `timedOut`, and its state is kept.
    ///   - attempts: The upload fails after this number of requests in a row that fail, or that bring the server no
    ///     further byte. Between two of them is a pause, which becomes longer, up to 30 seconds; a server may ask for
    ///     up to 60 seconds.
    ///   - onProgress: Called with the progress, one call after another; if reports come faster than it returns, it
    ///     gets only the last one. The last call is before this function returns.
    /// - Returns: The model.
    /// - Throws: ``APIError`` with the endpoint's failure type. It is `invalidRequest` if the file cannot be read, is a
    ///   folder or a pipe, or has a size that the server does not accept, and if the server names a URL at another host
    ///   for the upload. It is `transport` with the code `fileInUse` if the upload is already in progress, in this
    ///   process or another; with `requestBodyFailed` if the file changes, which ends the upload; with `unsupported` if
    ///   the server does not say that it checks the checksums of
    ///   ``UploadProtocol/tus(metadata:checksum:sendsFirstChunk:)``; and with `badResponse` if a response contradicts
    ///   what was sent, or does not fit the protocol.
    @concurrent
    public func upload<R: ResumableUpload>(
        _ request: R,
        keepingStateIn folder: URL? = nil,
        options: RequestOptions? = nil,
        within limit: Duration? = nil,
        attempts: Int = 5,
        onProgress: (@Sendable (UploadProgress) async -> Void)? = nil
    ) async throws(APIError<R.Failure.Model>) -> R.Response.Model {
        let endpoint = UploadEndpoint(request, over: self, options)
        guard let onProgress else {
            var run = try UploadRun(
                endpoint, keepingStateIn: folder, within: limit, attempts: attempts, onProgress: nil)
            return try await run.finish()
        }
        let (reports, report) = AsyncStream.makeStream(of: UploadProgress.self, bufferingPolicy: .bufferingNewest(1))
        async let delivery: Void = {
            for await progress in reports { await onProgress(progress) }
        }()
        let result: Result<R.Response.Model, APIError<R.Failure.Model>>
        do throws(APIError<R.Failure.Model>) {
            var run = try UploadRun(
                endpoint, keepingStateIn: folder, within: limit, attempts: attempts, onProgress: { report.yield($0) })
            result = .success(try await run.finish())
        } catch {
            result = .failure(error)
        }
        report.finish()
        await delivery
        return try result.get()
    }

    /// Gives up an upload whose state is in a folder: asks the server to forget it, and removes the state.
    ///
    /// If the folder has no state of the upload, nothing is sent. The file may have changed or been removed. If the
    /// server does not support this, it responds with a failure, which is thrown, and forgets the upload after a time;
    /// the state is removed nevertheless.
    ///
    /// ```swift
    /// try await client.abandonUpload(VideoUpload(file: file), keptIn: folder)
    /// ```
    ///
    /// - Parameters:
    ///   - request: The endpoint, as it was uploaded.
    ///   - folder: The folder of the state.
    ///   - options: Options of the request.
    /// - Throws: ``APIError`` with the endpoint's failure type: `rejected` if the server refuses, and `transport` with
    ///   the code `fileInUse` while the upload is in progress. If no response arrives, the state is kept.
    @concurrent
    public func abandonUpload<R: ResumableUpload>(
        _ request: R, keptIn folder: URL, options: RequestOptions? = nil
    ) async throws(APIError<R.Failure.Model>) {
        try await UploadEndpoint(request, over: self, options).abandon(keptIn: folder)
    }
}
