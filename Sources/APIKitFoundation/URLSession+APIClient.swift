extension URLSession: APIClient {
    /// Performs one request over this session. Redirects are not followed; `send` does that, above all clients.
    ///
    /// ``Foundation/URLSession/api`` and sessions made by `api(configuration:delegate:)` deliver data, streams and files.
    /// Any other session, `URLSession.shared` included, works for bodies delivered as data, through a delegate set on its
    /// task; there a body past the size limit is refused once it has arrived, progress is reported only at the end, and on Linux
    /// a 401 that asks for Basic credentials arrives without its body. Streams and files are `unsupported` there.
    ///
    /// A method that is not idempotent is sent at most once (RFC 9110, section 9.2.2); an idempotent request whose
    /// connection breaks before the response is sent again. For this, on Linux, each request with a body or with a method
    /// that is not idempotent has a session of its own, with this one's configuration and delegate; so invalidating this
    /// session does not end it.
    ///
    /// A challenge about trust that the delegate of `URLSession.api(configuration:delegate:)` cancels is
    /// `secureConnectionFailed`; one that another session's own delegate cancels is `other`.
    ///
    /// A body that is neither data nor a file, such as a stream or a form with files, is written to a temporary file
    /// first and sent from there, since a `URLSession` sends a length of nothing else.
    ///
    /// - Throws: ``/APIKitCore/TransportError`` if no complete response arrives, ``/APIKitCore/RequestError`` if the
    ///   request cannot be sent, `CancellationError` if the task is cancelled.
    public func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        if let headers = (delegate as? APISessionDelegate)?.headers { request.headers.addMissing(from: headers) }
        request = try request.validated()
        try Platform.checkSupport(for: request)
        try checkSupport(for: request)
        // The body of a response must not keep the caller's closure.
        let reporter = request.progress.take().map(ProgressReporter.init)
        let upload = try await UploadBody(of: request)
        var attempt = Attempt(request: request)
        var route = try await Platform.route(of: request, from: self)
        while true {
            let transfer = Transfer(for: attempt, upload: upload, reporter: reporter)
            do {
                return try await response(to: transfer, over: route)
            } catch {
                guard let next = attempt.next(after: error, hasResponse: transfer.hasResponse),
                    let nextRoute = try await Platform.routeForRetry(of: request, from: self)
                else { throw error }
                (attempt, route) = (next, nextRoute)
            }
        }
    }

    private func response(to transfer: Transfer, over route: Route) async throws -> HTTPResponse {
        let outcome = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                transfer.start(over: route, continuation)
            }
        } onCancel: {
            transfer.cancel()
        }
        do throws(FileError) {
            try outcome.file?.flush()
        } catch {
            throw TransportError(.other, request: transfer.request, underlying: error)
        }
        let head = HTTPResponse.Head(outcome.head, url: outcome.head.url ?? transfer.request.url)
        return HTTPResponse(head: head, body: outcome.body, timing: outcome.timing)
    }

    /// - Throws: ``/APIKitCore/TransportError`` for what this kind of session cannot do.
    private func checkSupport(for request: HTTPRequest) throws {
        if delegate is APISessionDelegate { return }
        guard request.delivery == .data else {
            let message = "this session delivers no stream and no file: use URLSession.api"
            throw TransportError(.unsupported, message, request: request)
        }
        guard configuration.identifier == nil else {
            let message = "a background session takes no request that is waited for: use URLSession.api"
            throw TransportError(.unsupported, message, request: request)
        }
    }
}
