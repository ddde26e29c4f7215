extension APIClient {
    /// Sends a request and returns the model that its response type reads.
    ///
    /// ```swift
    /// let users = try await client.send(UsersRequest(since: 46))
    /// ```
    ///
    /// Redirects are followed, as ``RequestOptions/redirects`` says. Making the request and mapping the answer run off the
    /// main actor, whoever calls.
    ///
    /// - Throws: ``APIError`` with the endpoint's failure type.
    @concurrent
    public func send<R: APIRequest>(_ request: R) async throws(APIError<R.Failure.Model>) -> R.Response.Model {
        try await reply(to: request).model
    }

    /// Sends a request and returns the model together with the status, the headers and the timing.
    ///
    /// - Throws: ``APIError`` with the endpoint's failure type.
    @concurrent
    public func reply<R: APIRequest>(
        to request: R
    ) async throws(APIError<R.Failure.Model>) -> APIReply<R.Response.Model> {
        let response = try await exchange(request)
        // In two steps: a missing model would be cast to a nil one where the Model is an Optional.
        if let finished = response.model, let model = finished.value as? R.Response.Model {
            return APIReply(model: model, head: response.head, timing: response.timing)
        }
        guard request.accepts(response.head) else {
            throw .rejected(try? await R.Failure.process(response: response), response)
        }
        do {
            let model = try await request.process(response)
            return APIReply(model: model, head: response.head, timing: response.timing)
        } catch is CancellationError where Task.isCancelled {
            throw .cancelled
        } catch let failure as R.Failure.Model {
            throw .rejected(failure, response)
        } catch {
            throw .unreadable(error, response)
        }
    }

    /// Makes the request and gets its final response, errors sorted.
    private func exchange<R: APIRequest>(_ request: R) async throws(APIError<R.Failure.Model>) -> HTTPResponse {
        let outgoing: HTTPRequest
        do throws(RequestError) {
            outgoing = try request.httpRequest()
        } catch {
            throw .invalidRequest(error)
        }
        do {
            let response = try await performFollowingRedirects(outgoing)
            if Task.isCancelled { throw CancellationError() }
            return response
        } catch {
            throw APIError(thrownBy: error, for: outgoing)
        }
    }
}

extension APIError {
    /// Sorts what a client threw: the caller's own cancel becomes ``cancelled``, and nothing else does.
    init(thrownBy error: any Error, for request: HTTPRequest) {
        if Task.isCancelled {
            self = .cancelled
        } else if let error = error as? Self, !error.isCancellation {
            self = error
        } else if let error = error as? RequestError {
            self = .invalidRequest(error)
        } else if let error = error as? TransportError {
            self = .transport(error)
        } else {
            self = .transport(TransportError(.clientFailed, request: request, underlying: error))
        }
    }
}
