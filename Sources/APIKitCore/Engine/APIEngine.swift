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
    /// Called once more, with a new exchange, if the connection breaks before a response and either the server has not
    /// begun to process the request, or the request is repeatable (``HTTPRequest/isRepeatable``) and no client outside
    /// refuses that.
    ///
    /// - Throws: The error with which the exchange fails.
    func transmit(_ exchange: Exchange) async throws
}

extension APIEngine {
    /// That of the system.
    public var clock: any Clock<Duration> { ContinuousClock() }

    /// Leaves a request unchanged.
    public func prepare(_ request: inout HTTPRequest) {}

    /// Performs one request. Redirects are not followed here; `send` follows them.
    ///
    /// A request that may not be repeated is sent at most once (RFC 9110, section 9.2.2), or twice if the server
    /// refuses it unprocessed (RFC 9113, section 8.7); any other is sent again, once and over a new connection, if its
    /// connection breaks before the response.
    ///
    /// - Throws: ``TransportError`` if no complete response arrives, ``RequestError`` if the request cannot be sent,
    ///   `CancellationError` if the task is cancelled.
    public func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        var request = request
        prepare(&request)
        return try await Exchange.response(to: request, in: call) { try await transmit($0) }
    }
}
