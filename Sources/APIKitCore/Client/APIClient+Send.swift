extension APIClient {
    /// Sends a request and returns the model that its response type reads.
    ///
    /// ```swift
    /// let users = try await client.send(UsersRequest(since: 46))
    /// ```
    ///
    /// Redirects are followed as ``RequestOptions/redirects`` says. The request is built and the response mapped off
    /// the main actor, also for callers on it.
    ///
    /// - Parameters:
    ///   - request: The endpoint.
    ///   - options: Options of this call, which override those of the endpoint one by one.
    ///   - progress: Receives reports of the progress.
    /// - Returns: The model.
    /// - Throws: ``APIError`` with the endpoint's failure type; a loop over a stream that is returned throws it too.
    @discardableResult
    @concurrent
    public func send<R: APIRequest>(
        _ request: R,
        options: RequestOptions? = nil,
        progress: TransferProgress.Handler? = nil
    ) async throws(APIError<R.Failure.Model>) -> R.Response.Model {
        try await exchange(request, options, progress).model
    }

    /// Sends a request and returns the model together with its status, headers, timing and source.
    ///
    /// - Parameters:
    ///   - request: The endpoint.
    ///   - options: Options of this call, which override those of the endpoint one by one.
    ///   - progress: Receives reports of the progress.
    /// - Returns: The model and the head of its response.
    /// - Throws: ``APIError`` with the endpoint's failure type.
    @concurrent
    public func reply<R: APIRequest>(
        to request: R,
        options: RequestOptions? = nil,
        progress: TransferProgress.Handler? = nil
    ) async throws(APIError<R.Failure.Model>) -> APIReply<R.Response.Model> {
        let (model, response) = try await exchange(request, options, progress)
        return APIReply(model: model, head: response.head, timing: response.timing, source: response.source)
    }

    /// Makes the call, builds its request, performs that and maps the response.
    package func exchange<R: APIRequest>(
        _ request: R, _ options: RequestOptions?, _ progress: TransferProgress.Handler?,
        changing change: (inout HTTPRequest) -> Void = { _ in }
    ) async throws(APIError<R.Failure.Model>) -> (model: R.Response.Model, response: HTTPResponse) {
        let base = base(insteadOf: request.base)
        let call = Call(endpoint: request, base: base, clock: clock, progress: progress)
        var outgoing: HTTPRequest
        do throws(RequestError) {
            outgoing = try request.httpRequest(base: base, options: options)
        } catch {
            throw .invalidRequest(error)
        }
        change(&outgoing)
        let response: HTTPResponse
        do {
            response = try await self.response(to: outgoing, in: call)
            if Task.isCancelled { throw CancellationError() }
        } catch {
            throw APIError(thrownBy: error)
        }
        return (try await model(of: request, from: response, in: call), response)
    }

    /// Performs the request and its redirects, within the deadline.
    private func response(to request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        guard let deadline = request.options.deadline else {
            guard let reporter = call.reporter else { return try await followRedirects(from: request, in: call) }
            // In the caller's own job, so that a cancel on the main actor is followed by no report.
            return try await withTaskCancellationHandler {
                try await followRedirects(from: request, in: call)
            } onCancel: {
                reporter.cancel()
            }
        }
        call.limit(to: deadline)
        return try await withTaskCancellationHandler {
            do {
                return try await call.beforeDeadline { try await followRedirects(from: request, in: call) }
            } catch let error as TransportError {
                throw error.withRequest(request)
            }
        } onCancel: {
            call.reporter?.cancel()
        }
    }

    /// Maps the response.
    private func model<R: APIRequest>(
        of request: R, from response: HTTPResponse, in call: Call
    ) async throws(APIError<R.Failure.Model>) -> R.Response.Model {
        var response = response
        switch response.body.finished?.result {
        case .success(let value): if let model = value as? R.Response.Model { return model }
        case .failure(let error as APIError<R.Failure.Model>): throw error
        case .failure, nil: break
        }
        guard request.isSuccess(response.head) else {
            let failure = try? await R.Failure.process(response: response)
            response.body = response.body.withoutStream
            throw .rejected(failure, response)
        }
        if R.Response.delivery == .stream, response.body.isStream {
            response.body = response.body.attaching(ReadingContext(of: request, response, in: call))
        }
        do {
            return try await request.process(response)
        } catch {
            // A stream that is read to its end by mapping fails as a loop over it does.
            if response.body.isStream, let error = error as? APIError<R.Failure.Model> { throw error }
            response.body = response.body.withoutStream
            throw APIError(thrownByReading: error, of: response)
        }
    }
}

extension APIError {
    /// Classifies what a client threw. Only a cancel by the caller's own task or a tracker becomes ``cancelled``.
    ///
    /// An ``APIError`` belongs to another request that a client sent, such as a token refresh, whatever its type. It
    /// never becomes this endpoint's ``rejected(_:_:)`` or ``unreadable(_:_:)``.
    init(thrownBy error: any Error) {
        let other = error as? any APIFailure
        if Task.isCancelled || error is Cancellation {
            self = .cancelled
        } else if let error = error as? RequestError ?? other?.requestError {
            self = .invalidRequest(error)
        } else if let error = error as? TransportError ?? other?.transportError {
            self = .transport(error)
        } else {
            self = .transport(TransportError(.other, underlying: error))
        }
    }

    /// Classifies what mapping threw, or a loop over a stream. A body that is not data may have been cut off while it
    /// was read.
    init(thrownByReading error: any Error, of response: HTTPResponse) {
        if error is CancellationError && Task.isCancelled || error is Cancellation {
            self = .cancelled
        } else if let failure = error as? Failure {
            self = .rejected(failure, response)
        } else if response.body.data == nil, let error = error as? TransportError {
            self = .transport(error.withRequest(method: response.request?.method, url: response.head.url))
        } else {
            self = .unreadable(error, response)
        }
    }
}
