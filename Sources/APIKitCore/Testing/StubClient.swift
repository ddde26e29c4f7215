/// A client that answers without a network, and remembers what it was asked.
///
/// ```swift
/// let stub = StubClient().answering(UsersRequest.self) { _ in [User(id: 1, login: "mojombo")] }
/// let users = try await stub.send(UsersRequest())
/// #expect(await stub.requests(of: UsersRequest.self).count == 1)
/// ```
///
/// A canned response goes through the endpoint's mapping, a typed answer does not need it.
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
    /// The closure may throw the endpoint's ``APIError``, or a ``TransportError``, to have the request fail so.
    public func answering<R: APIRequest>(
        _ type: R.Type,
        with model: @escaping @Sendable (R) async throws -> R.Response.Model
    ) -> StubClient {
        StubClient { [answer] request in
            guard let endpoint = request.endpoint as? R else { return try await answer(request) }
            let head = HTTPResponse.Head(status: 200, url: request.url)
            return HTTPResponse(head: head, model: FinishedModel(value: try await model(endpoint)))
        }
    }

    /// Answers a request and remembers it.
    public func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        await log.append(request)
        var response = try await answer(request)
        if response.head.url == HTTPResponse.cannedURL { response.head.url = request.url }
        return response
    }

    /// What this stub was asked, in order.
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
