public import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTP2

extension HTTPClient.Configuration {
    /// A configuration for API calls: enough connections to a host, no retries, and no limits of time but a request's
    /// own.
    public static var api: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.timeout.connect = .hours(1)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    /// The same configuration, with a ``ResponseGuard`` after each connection's parser.
    ///
    /// The "debug" initializers are the only way into these pipelines; one that the configuration has runs afterwards.
    var guarded: HTTPClient.Configuration {
        var configuration = self
        configuration.http1_1ConnectionDebugInitializer = Self.guarding(
            isOfOneStream: false, then: http1_1ConnectionDebugInitializer
        ) {
            try $0.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        }
        configuration.http2StreamChannelDebugInitializer = Self.guarding(
            isOfOneStream: true, then: http2StreamChannelDebugInitializer
        ) {
            try $0.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
        }
        return configuration
    }

    private typealias Initializer = @Sendable (any Channel) -> EventLoopFuture<Void>

    private static func guarding(
        isOfOneStream: Bool,
        then initializer: Initializer?,
        parser: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> any ChannelHandler
    ) -> Initializer {
        { channel in
            do {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(ResponseGuard(isOfOneStream: isOfOneStream), position: .after(parser(pipeline)))
            } catch {
                return channel.eventLoop.makeFailedFuture(error)
            }
            return initializer?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
        }
    }
}
