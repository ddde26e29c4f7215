public import APIKitCore
import APIKitSupport

extension StubClient {
    /// Returns a copy that also answers requests of the given type, any number of times. It starts with an empty record
    /// and all its answers.
    ///
    /// - Parameters:
    ///   - type: The type of the requests.
    ///   - answer: The answer.
    /// - Returns: The new stub.
    public func answering<R: APIRequest>(_ type: R.Type, with answer: Answer<R.Response.Model>) -> StubClient {
        answering(type, [answer.untyped], repeats: true)
    }

    /// Returns a copy that also answers requests of the given type: in order, with each answer once, and then as this
    /// one does. It starts with an empty record and all its answers.
    ///
    /// However many requests come at the same time, each answer is used by one of them.
    ///
    /// - Parameters:
    ///   - type: The type of the requests.
    ///   - answers: The answers, the first one first.
    /// - Returns: The new stub.
    public func answering<R: APIRequest>(_ type: R.Type, once answers: Answer<R.Response.Model>...) -> StubClient {
        answering(type, answers.map(\.untyped))
    }

    /// Returns a copy that also answers requests with the given method and path, any number of times. It starts with an
    /// empty record and all its answers.
    ///
    /// ```swift
    /// let stub = StubClient()
    ///     .answering(.get, "/users/*", with: .json(#"{"id": 1, "login": "mojombo"}"#))
    ///     .answering(.delete, "/repos/**", with: .status(204))
    /// ```
    ///
    /// The pattern is compared with the whole path as it is sent, percent-encoded and with the path of the base URL;
    /// scheme, host and query do not matter. `*` stands for one or more characters of one segment, `**` for one or more
    /// characters, slashes included.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The pattern of the path.
    ///   - answer: The answer.
    /// - Returns: The new stub.
    public func answering(_ method: HTTPMethod, _ path: String, with answer: Answer<Never>) -> StubClient {
        answering(method, path, [answer.untyped], repeats: true)
    }

    /// Returns a copy that also answers requests with the given method and path: in order, with each answer once, and
    /// then as this one does. It starts with an empty record and all its answers.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The pattern of the path, as in ``answering(_:_:with:)``.
    ///   - answers: The answers, the first one first.
    /// - Returns: The new stub.
    public func answering(_ method: HTTPMethod, _ path: String, once answers: Answer<Never>...) -> StubClient {
        answering(method, path, answers.map(\.untyped))
    }

    /// Returns a copy that also answers requests of the given type with a model. It starts with an empty record and all
    /// its answers.
    ///
    /// To have a request fail, the closure throws the endpoint's ``APIError``, an error of its failure type, which is a
    /// rejection with the status and headers given here, or a ``TransportError``. Clients around the stub see a
    /// rejection as a response with its status, as they do over a network.
    ///
    /// - Parameters:
    ///   - type: The type of the requests.
    ///   - status: The status of the answer. It counts as a success, whatever the endpoint says.
    ///   - headers: The headers of the answer.
    ///   - model: Returns the model for a request.
    /// - Returns: The new stub.
    public func answering<R: APIRequest>(
        _ type: R.Type,
        status: Int = 200,
        headers: HTTPHeaders = [:],
        with model: @escaping @Sendable (R) async throws -> R.Response.Model
    ) -> StubClient {
        let answer = UntypedAnswer(
            .closure { request, call in
                guard let endpoint = call.endpoint as? R else { throw TransportError(.unsupported) }
                do {
                    let answer = UntypedAnswer(.model(try await model(endpoint)), status: status, headers: headers)
                    return try await answer.response(to: request, in: call)
                } catch let failure as R.Failure.Model {
                    throw APIError<R.Failure.Model>.rejected(failure, .status(status, headers: headers))
                }
            })
        return answering(type, [answer], repeats: true)
    }

    /// Adds a rule for the requests of a type.
    private func answering<R: APIRequest>(
        _ type: R.Type, _ answers: [UntypedAnswer], repeats: Bool = false
    ) -> StubClient {
        let rule = Rule(
            name: "\(type)", answers: answers, repeats: repeats,
            matches: { _, call in
                guard let endpoint = call.endpoint else { return false }
                // A cast is slow, and needed only for classes: for other types, the comparison succeeds.
                return Swift.type(of: endpoint) == R.self || endpoint is R
            },
            recover: { error, request in
                if let error = error as? APIError<R.Failure.Model> { return try error.response(to: request) }
                // An error of the failure type alone is a rejection; any other error, such as one of the transport, is
                // thrown as an engine would throw it.
                guard let failure = error as? R.Failure.Model else { throw error }
                return try APIError<R.Failure.Model>.rejected(failure, .status(200)).response(to: request)
            })
        return adding(rule)
    }

    /// Adds a rule for the requests with a method and a path that matches a pattern.
    private func answering(
        _ method: HTTPMethod, _ path: String, _ answers: [UntypedAnswer], repeats: Bool = false
    ) -> StubClient {
        let pattern = PathPattern(path)
        let rule = Rule(
            name: "\(method) \(pattern)", answers: answers, repeats: repeats,
            matches: { request, _ in
                guard request.method == method else { return false }
                let path = URIReference(request.lazyURL.text).path
                return pattern.matches(String(decoding: path, as: UTF8.self))
            })
        return adding(rule)
    }
}

extension APIError {
    /// Returns the response that leads to this error; if there is none, throws the error that an engine would throw.
    fileprivate func response(to request: HTTPRequest) throws -> HTTPResponse {
        switch self {
        case .invalidRequest(let error): throw error
        case .transport(let error): throw error
        case .cancelled: throw self
        case .rejected(let model, let answer):
            return answer.answering(request).failing { Self.rejected(model, $0) }
        case .unreadable(let cause, let answer):
            return answer.answering(request).failing { Self.unreadable(cause, $0) }
        }
    }
}

extension HTTPResponse {
    /// Returns the response with an error in place of its body, which then has no bytes.
    fileprivate func failing(with error: (HTTPResponse) -> any Error) -> HTTPResponse {
        var response = self
        response.body = ResponseBody(TypedAnswer(.failure(error(self))))
        return response
    }
}
