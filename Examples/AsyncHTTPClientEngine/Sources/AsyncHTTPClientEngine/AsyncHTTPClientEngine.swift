public import APIKitCore
public import AsyncHTTPClient

/// An engine over async-http-client. Make one and keep it: it owns its connections, and closes them when the last
/// reference to it goes away.
public final class AsyncHTTPClientEngine: APIClient {
    let client: HTTPClient
    let repeating: HTTPClient  // keeps no connection, and so never meets one that the server has closed

    /// Makes an engine; a configuration of your own starts from `.api`. Redirects are handed out: `send` follows them.
    ///
    /// The engine decodes gzip and deflate by itself, within each request's size limit, whatever the configuration's
    /// `decompression` says.
    public init(configuration: HTTPClient.Configuration = .api) {
        var configuration = configuration.guarded
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        client = HTTPClient(configuration: configuration)
        configuration.maximumUsesPerConnection = 1
        repeating = HTTPClient(configuration: configuration)
    }

    deinit {
        client.shutdown { _ in }
        repeating.shutdown { _ in }
    }

    /// Performs one request. One whose connection breaks before an answer is sent once more, if it is idempotent or nothing
    /// of it was sent.
    ///
    /// - Throws: `TransportError`, `RequestError` or `CancellationError`, as `APIClient` has it.
    public func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        let request = try request.validated()
        let transfer = Transfer(of: request, over: self)
        return try await Exchange.answer(to: request, telling: transfer.later) { transfer.send(request, over: client) }
    }
}
