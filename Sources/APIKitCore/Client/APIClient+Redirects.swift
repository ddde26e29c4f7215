extension APIClient {
    /// Performs a request and the redirects that follow it. Each hop passes through all clients again.
    ///
    /// No response is kept but the last. What is done here, before and after the one wait, is kept small on purpose:
    /// each request in flight holds on to it.
    func followRedirects(from request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        var (request, hops) = (request, 0)
        while true {
            try Task.checkCancellation()
            let response: HTTPResponse
            do {
                response = try await perform(request, in: call)
            } catch {
                throw request.identifying(error)
            }
            guard let limit = request.redirectLimit(after: response),
                let next = try request.next(after: response.head, hops: hops, limit: limit, in: call)
            else { return call.identified(consume response, as: request) }
            // A loop of clients that never suspend could keep the thread that the deadline's timer needs.
            if let timeLeft = call.timeLeft, timeLeft <= .zero { throw call.missedDeadline.withRequest(next) }
            (request, hops) = (next, hops + 1)
        }
    }
}

extension HTTPRequest {
    /// The most redirects; nil for a response that is not a redirect, or not to be followed. A cheap test first;
    /// ``requestAfterRedirect(_:origin:)`` decides.
    ///
    /// What the request said when it reached the engine counts, as for all options.
    fileprivate func redirectLimit(after response: HTTPResponse) -> Int? {
        guard 300..<400 ~= response.head.status else { return nil }
        return (response.request?.options.redirects ?? options.effectiveRedirects).limit
    }

    /// The request of the next hop; nil if the response is not a redirect.
    fileprivate func next(
        after head: HTTPResponse.Head, hops: Int, limit: Int, in call: Call
    ) throws(TransportError) -> HTTPRequest? {
        let origin = call.redirection?.origin ?? url
        guard let next = try requestAfterRedirect(head, origin: origin) else { return nil }
        guard hops < limit else {
            throw TransportError(.tooManyRedirects, "more than \(limit) redirects", request: self)
        }
        call.redirection = Redirection(to: next.url, from: origin)
        return next
    }

    /// A client's error with the method and URL of this request; other kinds of errors are wrapped.
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
