extension APIClient {
    /// Performs a request and the redirects that follow it. Each hop passes through all clients again.
    ///
    /// Only the last response is kept. This function has few local variables on purpose, since they stay in memory as
    /// long as the request is in flight.
    func followRedirects(from request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        var request = request
        var hops = 0
        while true {
            try Task.checkCancellation()
            let response: HTTPResponse
            do {
                response = try await perform(request, in: call)
            } catch {
                throw request.identifying(error)
            }
            guard let limit = request.redirectLimit(after: response),
                let next = try request.followRedirect(in: response.head, hops: hops, limit: limit, in: call)
            else { return call.identified(consume response, as: request) }
            // If no client ever suspends, this loop may occupy the thread that the deadline's timer needs.
            if let timeLeft = call.timeLeft, timeLeft <= .zero { throw call.missedDeadline.withRequest(next) }
            request = next
            hops += 1
        }
    }
}

extension HTTPRequest {
    /// The maximum number of redirects; nil if the response is not a redirect or redirects are not followed.
    ///
    /// This cheap test spares most responses the call of ``requestAfterRedirect(_:origin:)``, which decides whether a
    /// response is a redirect. The options are those that the request had when it reached the engine, since clients may
    /// have changed them.
    fileprivate func redirectLimit(after response: HTTPResponse) -> Int? {
        guard 300..<400 ~= response.head.status else { return nil }
        return (response.request?.options.redirects ?? options.effectiveRedirects).limit
    }

    /// Creates the request of the next hop, and records in the call whether it leads to another origin.
    ///
    /// - Returns: The request; nil if the response is not a redirect.
    /// - Throws: ``TransportError`` if the redirect cannot be followed, or exceeds the limit.
    fileprivate func followRedirect(
        in head: HTTPResponse.Head, hops: Int, limit: Int, in call: Call
    ) throws(TransportError) -> HTTPRequest? {
        let origin = call.redirection?.origin ?? url
        guard let next = try requestAfterRedirect(head, origin: origin) else { return nil }
        guard hops < limit else {
            throw TransportError(.tooManyRedirects, "more than \(limit) redirects", request: self)
        }
        call.redirection = Redirection(to: next.url, from: origin)
        return next
    }

    /// The error of a client with the method and URL of this request. An error of an unknown type is wrapped in a
    /// ``TransportError``.
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
