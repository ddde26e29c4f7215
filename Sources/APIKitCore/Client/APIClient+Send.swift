extension APIClient {
    /// Sends a request and returns the model that its response type reads.
    ///
    /// ```swift
    /// let users = try await client.send(UsersRequest(since: 46))
    /// ```
    ///
    /// Redirects are followed, as ``RequestOptions/redirects`` says. Making the request and mapping the answer run off
    /// the main actor, whoever calls.
    ///
    /// - Parameters:
    ///   - request: The endpoint.
    ///   - progress: Told how far the request and its answer have come: one report at a time, often, on no particular
    ///     thread. A cancel may still be followed by one.
    /// - Returns: The model.
    /// - Throws: ``APIError`` with the endpoint's failure type.
    @discardableResult
    @concurrent
    public func send<R: APIRequest>(
        _ request: R,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(APIError<R.Failure.Model>) -> R.Response.Model {
        try await reply(to: request, changing: { $0.progress = progress }).model
    }

    /// Sends a request and returns the model together with its status, headers and timing.
    ///
    /// - Parameters:
    ///   - request: The endpoint.
    ///   - progress: Called with upload and download progress, as in ``send(_:progress:)``.
    /// - Returns: The model and the head of its response.
    /// - Throws: ``APIError`` with the endpoint's failure type.
    @concurrent
    public func reply<R: APIRequest>(
        to request: R,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(APIError<R.Failure.Model>) -> APIReply<R.Response.Model> {
        try await reply(to: request, changing: { $0.progress = progress })
    }

    /// Sends a request that is changed once it has been built.
    func reply<R: APIRequest>(
        to request: R,
        changing change: (inout HTTPRequest) -> Void
    ) async throws(APIError<R.Failure.Model>) -> APIReply<R.Response.Model> {
        var response = try await response(to: request, changing: change)
        switch response.body.finished?.result {
        case .success(let value):
            guard let model = value as? R.Response.Model else { break }
            return APIReply(model: model, head: response.head, timing: response.timing)
        case .failure(let error as APIError<R.Failure.Model>): throw error
        case .failure, nil: break
        }
        guard request.isSuccess(response.head) else {
            let failure = try? await R.Failure.process(response: response)
            response.body = response.body.detachedForError
            throw .rejected(failure, response)
        }
        do {
            let model = try await request.process(response)
            return APIReply(model: model, head: response.head, timing: response.timing)
        } catch {
            response.body = response.body.detachedForError
            throw APIError(thrownByMapping: error, of: response)
        }
    }

    /// Builds the request and returns its final response.
    private func response<R: APIRequest>(
        to request: R, changing change: (inout HTTPRequest) -> Void
    ) async throws(APIError<R.Failure.Model>) -> HTTPResponse {
        do {
            var outgoing = try request.httpRequest()
            change(&outgoing)
            let response =
                if let deadline = outgoing.options.deadline {
                    try await followRedirects(from: outgoing, within: deadline)
                } else {
                    try await followRedirects(from: outgoing)
                }
            if Task.isCancelled { throw CancellationError() }
            return response
        } catch {
            throw APIError(thrownBy: error)
        }
    }
}

extension APIError {
    /// Sorts what a client threw: the caller's own cancel becomes ``cancelled``, and nothing else does.
    ///
    /// An ``APIError`` is that of another request, whatever its type: one that a client sent on the way, such as the
    /// refresh of a token. It never becomes this endpoint's ``rejected(_:_:)`` or ``unreadable(_:_:)``.
    init(thrownBy error: any Error) {
        let other = error as? any APIFailure
        if Task.isCancelled {
            self = .cancelled
        } else if let error = error as? RequestError ?? other?.requestError {
            self = .invalidRequest(error)
        } else if let error = error as? TransportError ?? other?.transportError {
            self = .transport(error)
        } else {
            self = .transport(TransportError(.other, underlying: error))
        }
    }

    /// Sorts what mapping threw; where the body was no data, the transfer may have broken while mapping read it.
    fileprivate init(thrownByMapping error: any Error, of response: HTTPResponse) {
        if error is CancellationError, Task.isCancelled {
            self = .cancelled
        } else if let failure = error as? Failure {
            self = .rejected(failure, response)
        } else if response.body.data == nil, let error = error as? TransportError {
            self = .transport(error.withRequest(method: response.method, url: response.head.url))
        } else {
            self = .unreadable(error, response)
        }
    }
}
