/// What performs requests: an engine that reaches a network, a stub, or a client around another client.
///
/// A client implements one method. Everything that callers use, such as ``send(_:progress:)``, is built on it. One around
/// another client also passes on that one's clock:
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

    /// What times deadlines, and everything that clients around this one wait for: pauses, limits, expiry. By default
    /// `ContinuousClock`. A test has its own with `StubClient(clock:)` or ``timed(by:)``.
    var clock: any Clock<Duration> { get }
}

extension APIClient {
    /// The time as it passes.
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
