/// A client that answers without a network, and records the requests that it receives.
///
/// ```swift
/// let stub = StubClient().answering(UsersRequest.self) { _ in [User(id: 1, login: "mojombo")] }
/// let users = try await stub.send(UsersRequest())
/// #expect(await stub.requests(of: UsersRequest.self).count == 1)
/// ```
///
/// A canned response is mapped by the endpoint; a typed answer needs no mapping. Clients around the stub see a typed
/// answer as a response whose body has no bytes, as described at ``ResponseBody``.
public struct StubClient: APIClient {
    private let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse
    private let log = Log()

    /// Creates a stub that answers every request with a closure; the client throws what the closure throws.
    public init(_ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
        self.answer = answer
    }

    /// Creates a stub that gives every request the same answer: `StubClient(.json("[]"))`.
    public init(_ response: HTTPResponse) {
        self.init { _ in response }
    }

    /// Creates a stub without answers: every request fails with a ``TransportError`` with the code `unsupported`.
    public init() {
        self.init { request in
            throw TransportError(.unsupported, "the stub has no answer for this request", request: request)
        }
    }

    /// Returns a stub that answers requests of one type with a model, and all others as this one does. It starts with
    /// an empty record.
    ///
    /// To have a request fail, the closure throws the endpoint's ``APIError`` or a ``TransportError``. Clients around
    /// the stub see a rejection as a response with its status, as they do over a network.
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
        StubClient { [answer] request in
            guard let endpoint = request.endpoint as? R else { return try await answer(request) }
            do {
                let answer = FinishedAnswer(result: .success(try await model(endpoint)))
                let head = HTTPResponse.Head(status: status, headers: headers, url: request.url)
                return HTTPResponse(head: head, body: ResponseBody(answer))
            } catch let error as APIError<R.Failure.Model> {
                return try Self.response(to: request, failing: error)
            }
        }
    }

    /// Returns the response of an error, or throws what an engine would throw if the error has none.
    private static func response<Failure>(
        to request: HTTPRequest, failing error: APIError<Failure>
    ) throws -> HTTPResponse {
        guard var response = error.response?.answering(request) else {
            switch error {
            case .invalidRequest(let error): throw error
            case .transport(let error): throw error
            default: throw error
            }
        }
        response.method = request.method
        var failure = error
        if case .rejected(let model, _) = error { failure = .rejected(model, response) }
        if case .unreadable(let cause, _) = error { failure = .unreadable(cause, response) }
        response.body = ResponseBody(FinishedAnswer(result: .failure(failure)))
        return response
    }

    /// Answers a request and records it as an engine would send it: after a redirect to another origin, without
    /// credentials.
    public func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        let request = request.withoutForeignCredentials
        var remembered = request
        // The caller may wait for its closure to be released, as `start` does with that of a stream.
        remembered.progress = nil
        await log.append(remembered)
        return try await answer(request).answering(request)
    }

    /// The requests that this stub received, in order, without their progress closures.
    public var requests: [HTTPRequest] {
        get async { await log.requests }
    }

    /// The endpoints of one type that this stub received, in order.
    public func requests<R: APIRequest>(of type: R.Type) async -> [R] {
        await log.requests.compactMap { $0.endpoint as? R }
    }

    private actor Log {
        private(set) var requests: [HTTPRequest] = []

        func append(_ request: HTTPRequest) {
            requests.append(request)
        }
    }
}

extension HTTPResponse {
    /// The same response, with the request's URL if it is a canned one.
    fileprivate func answering(_ request: HTTPRequest) -> HTTPResponse {
        var response = self
        if head.url == Self.cannedURL { response.head.url = request.url }
        return response
    }
}
