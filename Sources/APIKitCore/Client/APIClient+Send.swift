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
    ///   - options: Options of this call, which override the endpoint's options one by one.
    ///   - progress: Receives reports of the progress.
    /// - Returns: The model.
    /// - Throws: ``APIError`` with the endpoint's failure type. If the model is a stream, a loop over it throws the
    ///   same type.
    @discardableResult
    @concurrent
    public func send<R: APIRequest>(
        _ request: R,
        options: RequestOptions? = nil,
        progress: TransferProgress.Handler? = nil
    ) async throws(APIError<R.Failure.Model>) -> R.Response.Model {
        let (call, response) = try await response(to: request, options, progress)
        return try await request.model(of: response, in: call)
    }

    /// Sends a request and returns the model together with the response's status, headers, timing and source (the
    /// network or a cache).
    ///
    /// - Parameters:
    ///   - request: The endpoint.
    ///   - options: Options of this call, which override the endpoint's options one by one.
    ///   - progress: Receives reports of the progress.
    /// - Returns: The model and the head of its response.
    /// - Throws: ``APIError`` with the endpoint's failure type.
    @concurrent
    public func reply<R: APIRequest>(
        to request: R,
        options: RequestOptions? = nil,
        progress: TransferProgress.Handler? = nil
    ) async throws(APIError<R.Failure.Model>) -> APIReply<R.Response.Model> {
        let (call, response) = try await response(to: request, options, progress)
        let model = try await request.model(of: response, in: call)
        return APIReply(model: model, head: response.head, timing: response.timing, source: response.source)
    }

    /// Creates the call, builds the endpoint's request, and performs it.
    ///
    /// The base URL is the endpoint's own, unless a client replaces it (``based(at:insteadOf:)``). If the options ask
    /// for an idempotency key, the request gets a random one, unless the endpoint has set one.
    ///
    /// - Parameters:
    ///   - request: The endpoint.
    ///   - options: Options of this call.
    ///   - progress: Receives reports of the progress.
    ///   - origin: A URL of the origin that has named the endpoint's URL, if the caller has checked that. If it is
    ///     another origin than the URL's, no client's credentials are sent, as after a redirect.
    ///   - change: Changes the request before it is performed.
    /// - Returns: The call, and the response to the last of its redirects.
    /// - Throws: ``APIError`` if there is no response.
    package func response<R: APIRequest>(
        to request: R, _ options: RequestOptions?, _ progress: TransferProgress.Handler?, namedBy origin: URL? = nil,
        changing change: (inout HTTPRequest) -> Void = { _ in }
    ) async throws(APIError<R.Failure.Model>) -> (Call, HTTPResponse) {
        let base = base(insteadOf: request.base)
        let call = Call(endpoint: request, base: base, clock: clock, progress: progress)
        var outgoing: HTTPRequest
        do throws(RequestError) {
            outgoing = try request.httpRequest(base: base, options: options)
        } catch {
            throw .invalidRequest(error)
        }
        if outgoing.options.sendsIdempotencyKey == true, outgoing.headers[.idempotencyKey] == nil {
            outgoing.headers[.idempotencyKey] = UUID().uuidString
        }
        change(&outgoing)
        if let origin { call.redirection = Redirection(to: outgoing.url, from: origin) }
        do {
            return (call, try await performAll(outgoing, in: call))
        } catch {
            throw APIError(thrownBy: error)
        }
    }

    /// Performs a request and its redirects: with a deadline and progress reports, if these are asked for.
    private func performAll(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let response: HTTPResponse
        let hasDeadline = request.options.deadline != nil
        if hasDeadline || call.reportsProgress {
            response = try await performWithLimits(request, in: call)
        } else {
            response = try await followRedirects(from: request, in: call)
        }
        // A response that arrives after a cancel is dropped.
        if Task.isCancelled { throw CancellationError() }
        return response
    }

    /// Performs a request that has a deadline or reports progress, and its redirects. A cancel also ends the reports.
    ///
    /// This is a function of its own so that the local variables for these two do not stay in memory for every other
    /// request in flight.
    private func performWithLimits(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        try await withTaskCancellationHandler {
            if let deadline = request.options.deadline {
                return try await perform(request, in: call, before: deadline)
            } else {
                return try await followRedirects(from: request, in: call)
            }
        } onCancel: {
            // Runs on the thread that cancels, before `cancel()` returns. So no report on the main actor follows a
            // cancel there.
            call.reporter?.cancel()
        }
    }

    /// Performs a request and its redirects before a deadline. ``Call/beforeDeadline(_:)`` starts a task for them, and
    /// cancels it at the deadline. Its error does not name a request, so it gets the method and URL of this one.
    private func perform(
        _ request: HTTPRequest, in call: Call, before deadline: RequestOptions.TimeLimit
    ) async throws -> HTTPResponse {
        call.limit(to: deadline)
        do {
            return try await call.beforeDeadline { try await followRedirects(from: request, in: call) }
        } catch let error as TransportError {
            throw error.withRequest(request)
        }
    }
}

// MARK: - The model

extension APIRequest {
    /// Maps the response to the endpoint's model. A stub may have answered with a model or an error instead of bytes,
    /// which is then the result.
    package func model(
        of response: HTTPResponse, in call: Call
    ) async throws(APIError<Failure.Model>) -> Response.Model {
        if let answer = response.body.typedAnswer {
            return try await model(of: answer, response, in: call)
        }
        return try await mappedModel(of: response, in: call)
    }

    /// Returns the model that a stub has answered with instead of bytes, or throws the error that it has answered with.
    private func model(
        of answer: TypedAnswer, _ response: HTTPResponse, in call: Call
    ) async throws(APIError<Failure.Model>) -> Response.Model {
        switch answer.result {
        case .success(let model as Response.Model):
            return model
        case .failure(let error as APIError<Failure.Model>):
            throw error
        case .success, .failure:
            // The answer is for an endpoint with other types. It is mapped like any response, and reading its bytes
            // throws the error that explains this.
            return try await mappedModel(of: response, in: call)
        }
    }

    /// Maps the response to the endpoint's model, or to the endpoint's error if the response is a failure or cannot be
    /// read.
    private func mappedModel(
        of response: HTTPResponse, in call: Call
    ) async throws(APIError<Failure.Model>) -> Response.Model {
        guard isSuccess(response.head) else { throw await rejection(of: response) }
        // A client that replaces successes, such as one that polls, may return one of them nevertheless. A model must
        // not be read from a part of its body.
        if response.body.isBeginning {
            let problem = "only the beginning of the body was received: a client was going to replace the response"
            throw APIError(thrownByReading: ContentError(.incompleteBody, problem), of: response)
        }
        do {
            // A client may return a stream although the response type wants data. `process` then reads all of it, and
            // only a type that wants a stream gives it to the caller.
            let isStreamForCaller = Response.delivery == .stream && response.body.isStream
            if isStreamForCaller {
                // With this context, a loop over the stream throws the endpoint's errors, as `send` does.
                let context = ReadingContext(of: self, response, in: call)
                return try await process(response.reading(in: context))
            }
            return try await process(response)
        } catch {
            throw unreadable(error, response)
        }
    }

    /// Returns the error for a response that is a failure. If the body cannot be read as the failure's model, the model
    /// is nil and the reading's error is dropped: that the endpoint has failed matters more to the caller.
    private func rejection(of response: HTTPResponse) async -> APIError<Failure.Model> {
        let failure = try? await Failure.process(response: response)
        return .rejected(failure, response.withoutStream)
    }

    /// Returns the error for a successful response whose mapping has thrown an error.
    private func unreadable(_ error: any Error, _ response: HTTPResponse) -> APIError<Failure.Model> {
        // Mapping that reads a stream gets the endpoint's error from it already, as a loop over the stream does.
        if response.body.isStream, let error = error as? APIError<Failure.Model> { return error }
        return APIError(thrownByReading: error, of: response.withoutStream)
    }
}

// MARK: - Errors

extension APIError {
    /// Classifies an error that a client threw.
    ///
    /// | The error | becomes |
    /// | --- | --- |
    /// | any, if the caller's own task was cancelled, and a ``Call/Cancellation`` | ``cancelled`` |
    /// | a ``RequestError``, or the ``APIError`` of another request with one | ``invalidRequest(_:)`` |
    /// | a ``TransportError``, or the ``APIError`` of another request with one | ``transport(_:)`` |
    /// | any other, such as the `CancellationError` of another task | ``transport(_:)`` with the code `other` |
    ///
    /// A thrown ``APIError`` belongs to another request that a client sent, such as a token refresh, even if it has the
    /// same type. So it never becomes this endpoint's ``rejected(_:_:)`` or ``unreadable(_:_:)``.
    package init(thrownBy error: any Error) {
        let failureOfOtherRequest = error as? any APIFailure
        let requestError = (error as? RequestError) ?? failureOfOtherRequest?.requestError
        let transportError = (error as? TransportError) ?? failureOfOtherRequest?.transportError
        if Task.isCancelled || error is Call.Cancellation {
            self = .cancelled
        } else if let requestError {
            self = .invalidRequest(requestError)
        } else if let transportError {
            self = .transport(transportError)
        } else {
            self = .transport(TransportError(.other, underlying: error))
        }
    }

    /// Classifies an error that was thrown by mapping a response or by a loop over a stream.
    ///
    /// | The error | becomes |
    /// | --- | --- |
    /// | the `CancellationError` of the caller's own task, or a ``Call/Cancellation`` | ``cancelled`` |
    /// | of the endpoint's failure type | ``rejected(_:_:)`` |
    /// | a ``TransportError`` while a body arrives that is not data | ``transport(_:)`` |
    /// | any other | ``unreadable(_:_:)`` |
    package init(thrownByReading error: any Error, of response: HTTPResponse) {
        let isOwnCancel = error is CancellationError && Task.isCancelled
        let isCancelByTracker = error is Call.Cancellation
        if isOwnCancel || isCancelByTracker {
            self = .cancelled
        } else if let failure = error as? Failure {
            self = .rejected(failure, response)
        } else if response.body.data == nil, let error = error as? TransportError {
            // The connection may break while a stream is read. If the body is data, the transfer was already over, so a
            // TransportError comes from the mapping itself.
            self = .transport(error.withRequest(method: response.request?.method, url: response.head.url))
        } else {
            self = .unreadable(error, response)
        }
    }
}
