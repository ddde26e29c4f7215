extension URLSession: APIClient {
    /// Performs one request over this session. Redirects are not followed here; `send` follows them.
    ///
    /// ``Foundation/URLSession/api`` and sessions made by `api(configuration:delegate:)` deliver data, streams and
    /// files. Any other session, such as `URLSession.shared`, delivers data only, through a delegate of its task:
    /// streams and files are `unsupported`, a body above the size limit is refused once it has arrived, progress is
    /// reported only at the end, and on Linux a 401 that asks for Basic credentials arrives without its body.
    ///
    /// A method that is not idempotent is sent at most once (RFC 9110, section 9.2.2); an idempotent request whose
    /// connection breaks before the response is sent again. To ensure this on Linux, each request with a body, or with
    /// a method that is not idempotent, has a session of its own with this one's configuration and delegate;
    /// invalidating this session does not end it.
    ///
    /// If the delegate of `URLSession.api(configuration:delegate:)` cancels a challenge about trust, the code is
    /// `secureConnectionFailed`; if another session's own delegate does, it is `other`.
    ///
    /// A body that is neither data nor a file, such as a stream or a form with files, is first written to a temporary
    /// file and sent from there, since a `URLSession` sends no length otherwise.
    ///
    /// - Throws: ``/APIKitCore/TransportError`` if no complete response arrives, ``/APIKitCore/RequestError`` if the
    ///   request cannot be sent, `CancellationError` if the task is cancelled.
    public func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        let defaultHeaders = (delegate as? APISessionDelegate)?.headers ?? [:]
        var upload: UploadBody?
        return try await Exchange.response(to: request, addingDefault: defaultHeaders) { exchange in
            try checkSupport(for: exchange.request)
            if upload == nil, exchange.request.body != nil { upload = try await UploadBody(of: exchange) }
            Transfer(of: exchange, sending: upload).start(over: try await Platform.route(of: exchange, from: self))
        }
    }

    /// - Throws: ``/APIKitCore/TransportError`` for what this kind of session cannot do.
    private func checkSupport(for request: HTTPRequest) throws {
        try Platform.checkSupport(for: request)
        if delegate is APISessionDelegate { return }
        guard request.delivery == .data else {
            let message = "this session cannot deliver streams or files: use URLSession.api"
            throw TransportError(.unsupported, message, request: request)
        }
        guard configuration.identifier == nil else {
            let message = "background sessions cannot be awaited: use URLSession.api"
            throw TransportError(.unsupported, message, request: request)
        }
    }
}
