public import APIKitCore
public import AsyncHTTPClient
import NIOCore

/// An engine over async-http-client. Create one and keep it: it owns its connections, and closes them when the last
/// reference to it goes away.
public final class AsyncHTTPClientEngine: APIClient {
    let client: HTTPClient
    /// Keeps no connection, and so never meets one that the server has closed.
    let freshClient: HTTPClient

    /// Creates an engine. A configuration of your own starts from `.api`.
    ///
    /// Redirects are not followed by the engine: `send` does that. gzip and deflate are decoded by the engine, within
    /// each request's size limit, whatever the configuration's `decompression` says.
    public init(configuration: HTTPClient.Configuration = .api) {
        var configuration = configuration.guarded
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        client = HTTPClient(configuration: configuration)
        configuration.maximumUsesPerConnection = 1
        freshClient = HTTPClient(configuration: configuration)
    }

    deinit {
        client.shutdown { _ in }
        freshClient.shutdown { _ in }
    }

    /// Performs one request. An idempotent one, or one of which nothing was sent, is sent again, once, if its
    /// connection breaks before a response.
    ///
    /// - Throws: `TransportError`, `RequestError` or `CancellationError`, as documented for `APIClient`.
    public func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await Exchange.response(to: request) { exchange in
            Transfer(of: exchange, over: self).start()
        }
    }
}
