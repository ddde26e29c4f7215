/// What performs requests: an engine that reaches a network, a stub, or a client around another client.
///
/// One method makes a client. Everything a caller uses, ``send(_:progress:)`` before all, is built on it:
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
    /// Performs one request and returns what came back, whatever its status. Redirects are not followed here.
    ///
    /// What an engine promises beyond that stands in <doc:WritingAnEngine>.
    ///
    /// - Throws: ``TransportError`` if no complete response arrives, ``RequestError`` if the request cannot be sent,
    ///   `CancellationError` if the task is cancelled. Any other error reaches the caller of `send` as a
    ///   ``TransportError`` with the code `other` and the error as its ``TransportError/underlying``. So does the
    ///   ``APIError`` of a request that a client sends on the way, whatever its failure type: only the ``RequestError``
    ///   or ``TransportError`` that it may hold is passed on as if it had been thrown itself.
    func perform(_ request: HTTPRequest) async throws -> HTTPResponse
}
