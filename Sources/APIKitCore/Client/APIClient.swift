/// Performs requests: an engine, a stub, or a client that wraps another one (what other libraries call middleware or an
/// interceptor).
///
/// Everything that callers use, such as ``send(_:options:progress:)``, is built on ``perform(_:in:)``. A client that
/// wraps another one conforms to ``WrappingClient``.
public protocol APIClient: Sendable {
    /// Performs one request and returns the response, whatever its status. Redirects are not followed here.
    ///
    /// <doc:WritingAnEngine> describes what an engine must do beyond that.
    ///
    /// - Parameters:
    ///   - request: The request, which a client may change, replace, send again or answer by itself.
    ///   - call: The call that the request is for.
    /// - Returns: The response.
    /// - Throws: ``TransportError`` if no complete response arrives, ``RequestError`` if the request cannot be sent,
    ///   `CancellationError` if the task is cancelled. Any other error reaches the caller of `send` as a
    ///   ``TransportError`` with the code `other` and the error as its ``TransportError/underlying``. The same holds
    ///   for the ``APIError`` of another request that a client sends, such as a token refresh; only a ``RequestError``
    ///   or ``TransportError`` inside it is passed on as if it had been thrown directly.
    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse

    /// The clock that times the calls of this client: their deadlines, and the pauses, limits and expiry of clients.
    /// The system's clock is `ContinuousClock()`. Tests replace it with `StubClient(clock:)` or ``timed(by:)``.
    var clock: any Clock<Duration> { get }

    /// Returns the base that requests for an API are built with; by default the API's own. ``based(at:insteadOf:)``
    /// replaces it.
    func base(insteadOf base: APIBase) -> APIBase
}

/// A client that wraps another one: what other libraries call middleware or an interceptor.
///
/// ```swift
/// struct Logged: WrappingClient {
///     let base: any APIClient
///
///     func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
///         let response = try await base.perform(request, in: call)
///         print(response)
///         return response
///     }
/// }
/// ```
public protocol WrappingClient: APIClient {
    /// The client that performs the requests.
    var base: any APIClient { get }
}

extension APIClient {
    /// The API's own base.
    public func base(insteadOf base: APIBase) -> APIBase { base }

    /// Performs one request in a call of its own, for the tests of engines and clients.
    ///
    /// ```swift
    /// let response = try await client.perform(HTTPRequest(url: url))
    /// ```
    ///
    /// - Important: A client that passes a request on calls ``perform(_:in:)`` with the call that it was given. A call
    ///   of its own would know neither the deadline nor the redirects of that call, so that credentials could be sent
    ///   to the target of a redirect to another origin.
    ///
    /// - Parameter request: A request that was built by hand. Redirects are not followed, and of the body of a
    ///   redirect, only the beginning is received (``ResponseBody/isBeginning``).
    /// - Returns: The response, whatever its status.
    /// - Throws: What ``perform(_:in:)`` throws.
    public func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await perform(request, in: Call(clock: clock))
    }
}

extension WrappingClient {
    /// The clock of the wrapped client.
    public var clock: any Clock<Duration> { base.clock }

    /// The base that the wrapped client's requests are built with.
    public func base(insteadOf base: APIBase) -> APIBase { self.base.base(insteadOf: base) }
}

extension APIClient {
    /// Returns the same client with another clock, which times its calls.
    ///
    /// ```swift
    /// let client = URLSession.api.timed(by: clock).retrying()
    /// ```
    public func timed(by clock: any Clock<Duration>) -> some APIClient {
        TimedClient(base: self, clock: clock)
    }
}

private struct TimedClient: WrappingClient {
    let base: any APIClient
    let clock: any Clock<Duration>

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        try await base.perform(request, in: call)
    }
}
