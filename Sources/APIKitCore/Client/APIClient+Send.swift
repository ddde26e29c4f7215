extension APIClient {
    /// Sends a request and returns the model that its response type reads.
    ///
    /// ```swift
    /// let users = try await client.send(UsersRequest(since: 46))
    /// ```
    ///
    /// Redirects are followed as ``RequestOptions/redirects`` says. The request is built and the response mapped off
    /// the main actor, whoever calls.
    ///
    /// - Parameters:
    ///   - request: The endpoint.
    ///   - progress: Called with upload and download progress: often, one call at a time, on no particular thread. One
    ///     call may still follow a cancel.
    /// - Returns: The model.
    /// - Throws: ``APIError`` with the endpoint's failure type.
    @discardableResult
    @concurrent
    public func send<R: APIRequest>(
        _ request: R,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(APIError<R.Failure.Model>) -> R.Response.Model {
        let outgoing: HTTPRequest = try outgoing(for: request) { $0.progress = progress }
        return try await model(of: request, from: await result(of: outgoing))
    }

    /// Sends a request and reports its progress to the main actor.
    ///
    /// ```swift
    /// try await client.send(PutFilmRequest(file: file), progressOnMainActor: { show($0.fractionSent ?? 0) })
    /// ```
    ///
    /// - Parameters:
    ///   - request: The endpoint.
    ///   - progress: Called with upload and download progress, as often as the main actor has time. The last call comes
    ///     before this returns, except for a stream, whose reports continue while it is read.
    /// - Returns: The model.
    /// - Throws: ``APIError`` with the endpoint's failure type.
    @_disfavoredOverload  // so that a trailing closure is that of the other method
    @discardableResult
    @concurrent
    public func send<R: APIRequest>(
        _ request: R,
        progressOnMainActor progress: @escaping @MainActor (TransferProgress) -> Void
    ) async throws(APIError<R.Failure.Model>) -> R.Response.Model {
        // The newest report is enough: the main actor may be slower than the network.
        let (reports, reporter) = AsyncStream.makeStream(
            of: TransferProgress.self, bufferingPolicy: .bufferingNewest(1))
        let lasting = LastingReporter(reporter)
        // An unstructured task, since a stream outlives this call.
        let shown = Task { await show(reports, progress) }
        let outgoing: HTTPRequest = try outgoing(for: request) { $0.progress = lasting.report }
        // Cancels in the caller's own job, also while the last report is waited for, so that a cancel on the main actor is
        // followed by no report.
        let result = await withTaskCancellationHandler {
            let result = await self.result(of: outgoing)
            if outgoing.delivery != .stream {
                reporter.finish()
                await shown.value
            }
            return result
        } onCancel: {
            shown.cancel()
        }
        return try await model(of: request, from: result)
    }

    @MainActor
    private func show(
        _ reports: AsyncStream<TransferProgress>, _ progress: @MainActor (TransferProgress) -> Void
    ) async {
        for await report in reports where !Task.isCancelled { progress(report) }
    }

    /// Sends a request and returns the model together with its status, headers, timing and source.
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
    package func reply<R: APIRequest>(
        to request: R,
        changing change: (inout HTTPRequest) -> Void
    ) async throws(APIError<R.Failure.Model>) -> APIReply<R.Response.Model> {
        let outgoing: HTTPRequest = try outgoing(for: request, changing: change)
        let result = await result(of: outgoing)
        let model = try await model(of: request, from: result)
        guard case .success(let response) = result else { throw .cancelled }
        return APIReply(model: model, head: response.head, timing: response.timing, source: response.source)
    }

    /// Builds the request.
    private func outgoing<R: APIRequest>(
        for request: R, changing change: (inout HTTPRequest) -> Void
    ) throws(APIError<R.Failure.Model>) -> HTTPRequest {
        do throws(RequestError) {
            var outgoing = try request.httpRequest()
            change(&outgoing)
            return outgoing
        } catch {
            throw .invalidRequest(error)
        }
    }

    /// Performs the request and its redirects.
    private func result(of outgoing: HTTPRequest) async -> Result<HTTPResponse, any Error> {
        do {
            guard let deadline = outgoing.options.deadline else {
                return .success(try await followRedirects(from: outgoing))
            }
            return .success(try await followRedirects(from: outgoing, within: deadline))
        } catch {
            return .failure(error)
        }
    }

    /// Maps the response, or sorts the error.
    private func model<R: APIRequest>(
        of request: R, from result: Result<HTTPResponse, any Error>
    ) async throws(APIError<R.Failure.Model>) -> R.Response.Model {
        var response: HTTPResponse
        do {
            response = try result.get()
            if Task.isCancelled { throw CancellationError() }
        } catch {
            throw APIError(thrownBy: error)
        }
        switch response.body.finished?.result {
        case .success(let value): if let model = value as? R.Response.Model { return model }
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
            guard R.Response.delivery == .stream, let lasting = model as? any LastingModel else { return model }
            let context = ReadingContext(of: request, response, clock: clock)
            return lasting.read(in: context) as? R.Response.Model ?? model
        } catch {
            response.body = response.body.detachedForError
            throw APIError(thrownByMapping: error, of: response)
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

    /// Classifies what mapping threw. A body that is not data may have been cut off while mapping read it.
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
