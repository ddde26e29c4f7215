/// Performs requests: an engine, a stub, or a client that wraps another one (what other libraries call middleware or an
/// interceptor).
///
/// A client implements one method. Everything that callers use, such as ``send(_:progress:)``, is built on it. A client
/// that wraps another one also returns its clock:
///
/// ```swift
/// struct Logged<Base: APIClient>: APIClient {
///     let base: Base
///     var clock: any Clock<Duration> { base.clock }
///
///     func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
///         let response = try await base.perform(request)
///         print(response)
///         return response
///     }
/// }
/// ```
public protocol APIClient: Sendable {
    /// Performs one request and returns the response, whatever its status. Redirects are not followed here.
    ///
    /// <doc:WritingAnEngine> describes what an engine must do beyond that.
    ///
    /// - Throws: ``TransportError`` if no complete response arrives, ``RequestError`` if the request cannot be sent,
    ///   `CancellationError` if the task is cancelled. Any other error reaches the caller of `send` as a
    ///   ``TransportError`` with the code `other` and the error as its ``TransportError/underlying``. The same holds
    ///   for the ``APIError`` of another request that a client sends, such as a token refresh; only a ``RequestError``
    ///   or ``TransportError`` inside it is passed on as if it had been thrown directly.
    func perform(_ request: HTTPRequest) async throws -> HTTPResponse

    /// The clock for deadlines, pauses, limits and expiry, here and in the clients around this one; by default
    /// `ContinuousClock`. Tests replace it with `StubClient(clock:)` or ``timed(by:)``.
    var clock: any Clock<Duration> { get }
}

extension APIClient {
    /// `ContinuousClock`.
    public var clock: any Clock<Duration> { ContinuousClock() }

    /// Returns the same client with another clock, which times deadlines and the clients around it.
    ///
    /// ```swift
    /// let client = URLSession.api.timed(by: clock).retrying()
    /// ```
    public func timed(by clock: any Clock<Duration>) -> some APIClient {
        TimedClient(base: self, clock: clock)
    }
}

private struct TimedClient<Base: APIClient>: APIClient {
    let base: Base
    let clock: any Clock<Duration>

    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await base.perform(request)
    }
}
