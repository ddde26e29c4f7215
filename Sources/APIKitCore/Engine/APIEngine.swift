/// A client that sends requests over a network, such as `CurlClient` and `URLSession`. <doc:WritingAnEngine> shows how
/// to write one.
///
/// It sends only the requests of exchanges, which are valid and carry no credentials for another origin. The exchange
/// delivers the response.
public protocol APIEngine: APIClient {
    /// Changes a request before it is checked, for example to add default headers or to lower its timeout. The default
    /// leaves it unchanged.
    func prepare(_ request: inout HTTPRequest)

    /// Starts sending the request of an exchange, and returns without waiting for the response.
    ///
    /// If the connection breaks before a response, this may be called once more, with a new exchange. That is done if
    /// the server has not begun to process the request. It is also done if the connection was reused
    /// (``Exchange/connected(isReused:nameLookup:connect:secureHandshake:)``) and the request is repeatable
    /// (``HTTPRequest/isIdempotent``). A client that wraps the engine may refuse, unless nothing was sent.
    ///
    /// - Throws: The error with which the exchange fails.
    func transmit(_ exchange: Exchange) async throws
}

extension APIEngine {
    /// The system's clock.
    public var clock: any Clock<Duration> { ContinuousClock() }

    /// Leaves a request unchanged.
    public func prepare(_ request: inout HTTPRequest) {}

    /// Performs one request. Redirects are not followed here; `send` follows them.
    ///
    /// If a reused connection breaks before the response, a repeatable request is sent once more, over a new
    /// connection. Any other request is sent once more only if the server has not begun to process it, for example
    /// because it says so (RFC 9110, section 9.2.2; RFC 9113, section 8.7). A client around this one may refuse both.
    ///
    /// - Throws: ``TransportError`` if no complete response arrives, ``RequestError`` if the request cannot be sent,
    ///   `CancellationError` if the task is cancelled.
    public func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        var request = request
        prepare(&request)
        return try await Exchange.response(to: request, in: call) { try await transmit($0) }
    }
}
