extension URLSession: APIClient {
    /// Performs one request over this session. Redirects are not followed; `send` does that, above all clients.
    ///
    /// On ``Foundation/URLSession/api`` and sessions made by `api(configuration:delegate:)` everything works. Any other
    /// session works too, `URLSession.shared` included, through a delegate set on its task; there a body past the size
    /// limit is refused once it has arrived, and on Linux a 401 that asks for Basic credentials arrives without its body.
    ///
    /// - Throws: ``/APIKitCore/TransportError`` if no complete response arrives, ``/APIKitCore/RequestError`` if the request cannot be sent,
    ///   `CancellationError` if the task is cancelled.
    public func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        try request.validate()
        try Platform.checkSupport(for: request)
        guard delegate is APISessionDelegate || configuration.identifier == nil else {
            let message = "a background session takes no request that is waited for: use URLSession.api"
            throw TransportError(.unsupported, message, request: request)
        }
        let transfer = Transfer(of: request)
        let outcome = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                transfer.start(URLRequest(request), on: self, continuation)
            }
        } onCancel: {
            transfer.cancel()
        }
        let head = HTTPResponse.Head(outcome.head, url: outcome.head.url ?? request.url)
        return HTTPResponse(head: head, body: ResponseBody(outcome.data), timing: outcome.timing)
    }
}
