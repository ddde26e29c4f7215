/// A client that answers without a network, and remembers what it was asked.
///
/// ```swift
/// let stub = StubClient().answering(UsersRequest.self) { _ in [User(id: 1, login: "mojombo")] }
/// let users = try await stub.send(UsersRequest())
/// #expect(await stub.requests(of: UsersRequest.self).count == 1)
/// ```
///
/// A canned response goes through the endpoint's mapping, a typed answer does not need it. Clients around the stub see a
/// typed answer as a response whose body has no bytes, as ``ResponseBody`` says.
public struct StubClient: APIClient {
    private let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse
    private let log = Log()

    /// Makes a stub that answers every request by a closure; what it throws is what the client throws.
    public init(_ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
        self.answer = answer
    }

    /// Makes a stub that gives every request the same answer: `StubClient(.json("[]"))`.
    public init(_ response: HTTPResponse) {
        self.init { _ in response }
    }

    /// Makes a stub that has no answer yet: a request it gets is a ``TransportError`` with the code `unsupported`.
    public init() {
        self.init { request in
            throw TransportError(.unsupported, "the stub has no answer for this request", request: request)
        }
    }

    /// A stub that answers requests of one type with a model, and all others as this one does. It starts with an empty
    /// memory of its own.
    ///
    /// The closure may throw the endpoint's ``APIError``, or a ``TransportError``, to have the request fail so. Clients
    /// around the stub see a rejection as a response with its status, as they do over a network.
    ///
    /// - Parameters:
    ///   - type: The type of the requests.
    ///   - status: The status of the answer. The endpoint is not asked whether it accepts it.
    ///   - headers: The headers of the answer.
    ///   - model: Gives the model for a request.
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

    /// The response to a request that is to fail; without one, throws what an engine would throw.
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

    /// Answers a request and remembers it as an engine would send it: after a redirect to another origin without
    /// credentials, as ``HTTPRequest/validated()`` returns it.
    public func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        let request = request.withoutForeignCredentials
        var remembered = request
        // The caller may wait for its closure to be released, as `start` does with that of a stream.
        remembered.progress = nil
        await log.append(remembered)
        return try await answer(request).answering(request)
    }

    /// What this stub was asked, in order; without the progress closures, which it does not keep.
    public var requests: [HTTPRequest] {
        get async { await log.requests }
    }

    /// The requests of one type that this stub was asked, in order, as they were sent.
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
    /// The same response; one that names no URL names the request's.
    fileprivate func answering(_ request: HTTPRequest) -> HTTPResponse {
        var response = self
        if head.url == Self.cannedURL { response.head.url = request.url }
        return response
    }
}
