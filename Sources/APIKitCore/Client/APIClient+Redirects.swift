extension APIClient {
    /// Performs a request and the redirects that follow it. Each hop passes through all clients again.
    ///
    /// What is done here, before and after the one wait, is kept small on purpose: each request in flight holds on to
    /// it.
    func followRedirects(from request: HTTPRequest, hops: Int = 0) async throws -> HTTPResponse {
        try Task.checkCancellation()
        var response: HTTPResponse
        do {
            response = try await perform(request)
        } catch {
            throw request.identifying(error)
        }
        response.method = request.method
        response.credentials.values += request.credentialValues
        guard request.mayFollow(response) else { return response }
        return try await follow(response, of: request, hops: hops)
    }

    private func follow(_ response: HTTPResponse, of request: HTTPRequest, hops: Int) async throws -> HTTPResponse {
        guard case .follow(let limit) = request.options.redirects,
            let next = try request.requestAfterRedirect(response.head)
        else { return response }
        guard hops < limit else {
            throw TransportError(.tooManyRedirects, "more than \(limit) redirects", request: request)
        }
        return try await followRedirects(from: next, hops: hops + 1)
    }
}

extension HTTPRequest {
    /// Whether a response could be a redirect. A cheap test first; ``requestAfterRedirect(_:)`` decides.
    fileprivate func mayFollow(_ response: HTTPResponse) -> Bool {
        options.redirects != .refuse && 300..<400 ~= response.head.status
    }

    /// What a client threw, with the method and URL of this request; an error of any other kind is wrapped.
    fileprivate func identifying(_ error: any Error) -> any Error {
        switch error {
        case let error as TransportError: error.withRequest(self)
        case let error as RequestError: error.withRequest(method: method, url: url)
        case _ where Task.isCancelled || error is Cancellation: error
        case let error as any APIFailure where error.requestError != nil || error.transportError != nil: error
        default: TransportError(.other, request: self, underlying: error)
        }
    }
}
