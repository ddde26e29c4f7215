public import APIKitCore
public import AsyncHTTPClient
public import NIOCore

/// An engine over async-http-client. Create one and keep it: it owns its connections, and closes them when the last
/// reference to it goes away.
///
/// Responses have no trailers, which async-http-client does not give its delegates.
public final class AsyncHTTPClientEngine: APIEngine {
    let client: HTTPClient
    /// Keeps no connection, and so never meets one that the server has closed.
    let freshClient: HTTPClient
    /// Whether a request and its connection are on the same event loop anyway.
    let hasOneLoop: Bool

    /// Creates an engine.
    ///
    /// Redirects are not followed by the engine: `send` does that. gzip and deflate are decoded by the engine, within
    /// each request's size limit, whatever the configuration's `decompression` says.
    ///
    /// - Parameters:
    ///   - configuration: How to connect. One of your own starts from `.api`.
    ///   - eventLoopGroup: Where connections are served: by default on one event loop, since a request whose connection
    ///     is served on another one costs a change of threads for each event. A group of several loops spreads large
    ///     transfers over the processor's cores, but most requests with a body that are sent at once then open a
    ///     connection each.
    public init(
        configuration: HTTPClient.Configuration = .api,
        eventLoopGroup: any EventLoopGroup = HTTPClient.defaultEventLoopGroup.any()
    ) {
        var configuration = configuration.guarded
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        hasOneLoop = eventLoopGroup.makeIterator().reduce(0) { count, _ in count + 1 } == 1
        client = HTTPClient(eventLoopGroup: eventLoopGroup, configuration: configuration)
        configuration.maximumUsesPerConnection = 1
        freshClient = HTTPClient(eventLoopGroup: eventLoopGroup, configuration: configuration)
    }

    deinit {
        client.shutdown { _ in }
        freshClient.shutdown { _ in }
    }

    /// Starts sending the request of an exchange.
    public func transmit(_ exchange: Exchange) {
        Transfer(of: exchange, over: self).start()
    }
}
