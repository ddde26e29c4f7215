/// What performs requests: an engine that reaches a network, a stub, or a client around another client.
///
/// A client implements one method. Everything that callers use, such as ``send(_:progress:)``, is built on it:
///
/// ```swift
/// struct Logged<Base: APIClient>: APIClient {
///     let base: Base
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
}
