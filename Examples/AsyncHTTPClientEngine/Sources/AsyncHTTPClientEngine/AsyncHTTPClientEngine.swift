public import APIKitCore
public import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPCompression
import NIOPosix
import NIOSSL

/// An engine over async-http-client. Make one and keep it: it owns its connections, and closes them when the last
/// reference to it goes away.
public final class AsyncHTTPClientEngine: APIClient {
    fileprivate let client: HTTPClient
    /// Keeps no connection, and so never meets one that the server has closed.
    fileprivate let repeating: HTTPClient

    /// Makes an engine. Whatever the configuration says, redirects are handed out: `send` follows them.
    public init(configuration: HTTPClient.Configuration = .api) {
        var configuration = configuration
        configuration.redirectConfiguration = .disallow
        client = HTTPClient(configuration: configuration)
        configuration.maximumUsesPerConnection = 1
        repeating = HTTPClient(configuration: configuration)
    }

    deinit {
        client.shutdown { _ in }
        repeating.shutdown { _ in }
    }

    /// Performs one request; an idempotent one whose connection breaks before an answer is sent once more, since the
    /// server may have closed a kept connection just then (RFC 9110, section 9.2.2). Redirects are not followed.
    ///
    /// - Throws: `TransportError` if no complete response arrives, `RequestError` if the request cannot be sent,
    ///   `CancellationError` if the task is cancelled.
    public func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        let transfer = Transfer(of: request, over: self)
        return try await Exchange.answer(to: request, telling: transfer.tellLater) {
            transfer.send(request, over: client)
        }
    }
}

extension HTTPClient.Configuration {
    /// A configuration for API calls: compressed answers, enough connections to a host, no retries, and no limits of
    /// time but a request's own.
    public static var api: HTTPClient.Configuration {
        // Without a limit, since what is decompressed counts for the request's.
        var configuration = HTTPClient.Configuration(decompression: .enabled(limit: .none))
        configuration.timeout.connect = .hours(1)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}

/// One request on its way over async-http-client: tells its exchange what happens.
///
/// @unchecked: its variables are touched on its event loop alone.
private final class Transfer: HTTPClientResponseDelegate, @unchecked Sendable {
    private let engine: AsyncHTTPClientEngine  // kept, since its end is that of its connections
    private let loop: any EventLoop
    private var exchange: Exchange
    private var task: HTTPClient.Task<Void>?
    private var silence: Scheduled<Void>?
    private var upload: Task<Void, Never>?
    private var partSent: AsyncStream<Void>.Continuation?
    private var demand: EventLoopPromise<Void>?

    init(of request: HTTPRequest, over engine: AsyncHTTPClientEngine) {
        (self.engine, loop) = (engine, engine.client.eventLoopGroup.any())
        exchange = Exchange(of: request)
    }

    @Sendable func tellLater(_ event: @escaping @Sendable (inout Exchange) -> Void) {
        loop.execute { self.tell(event) }
    }

    private func tell(_ event: (inout Exchange) -> Void) {
        event(&exchange)
        if !exchange.isAheadOfReader { demand.take()?.succeed() }
        guard exchange.isOver else { return }
        silence?.cancel()
        upload?.cancel()
        // Not within one of its callbacks, which it does not bear.
        if let task = task.take() { loop.execute { task.cancel() } }
    }

    private func watchSilence() {
        tell { exchange in
            silence?.cancel()
            silence = loop.scheduleTask(in: TimeAmount(exchange.checkSilence())) { self.watchSilence() }
        }
    }

    func send(_ request: HTTPRequest, over client: HTTPClient) {
        var headers = NIOHTTP1.HTTPHeaders(request.headers.map { ($0.name.rawValue, $0.value) })
        if request.headers[.acceptEncoding] == nil { headers.add(name: "Accept-Encoding", value: "gzip, deflate") }
        let method = NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue)
        let body = request.body.map(outgoing)
        do {
            let outgoing = try HTTPClient.Request(url: request.url, method: method, headers: headers, body: body)
            let task = client.execute(request: outgoing, delegate: self, eventLoop: .delegate(on: loop))
            loop.execute {
                // Not that of a first attempt which a repeat has overtaken.
                if self.exchange.isRepeat == (client === self.engine.repeating) { self.task = task }
                self.watchSilence()
            }
        } catch {
            tellLater { $0.fail(TransportError(.unsupported, request: request, underlying: error)) }
        }
    }

    private func outgoing(_ body: RequestBody) -> HTTPClient.Body {
        let length = body.length
        if length ?? .max <= 1 << 18, let data = body.data { return .byteBuffer(ByteBuffer(bytes: data)) }
        return .stream(contentLength: length.map(Int64.init)) { writer in
            let (partsSent, partSent) = AsyncStream.makeStream(of: Void.self)
            let sent = self.loop.makePromise(of: Void.self)
            self.partSent = partSent
            self.upload = sent.completeWithTask {
                var partsSent = partsSent.makeAsyncIterator()
                for try await piece in body.bytes {
                    // Its own future never ends where the request does before.
                    _ = writer.write(.byteBuffer(ByteBuffer(bytes: piece)))
                    await partsSent.next()
                }
            }
            return sent.futureResult
        }
    }

    func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
        tell { $0.sent(0) }
    }

    func didSendRequestPart(task: HTTPClient.Task<Void>, _ part: IOData) {
        tell { $0.sent(part.readableBytes) }
        partSent?.yield()
    }

    func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        let fields = head.headers.map { HTTPHeaders.Field(name: .init(rawValue: $0.name), value: $0.value) }
        let head = HTTPResponse.Head(status: Int(head.status.code), headers: .init(fields), url: exchange.request.url)
        tell { $0.receive(head, telling: tellLater) }
        return loop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ part: ByteBuffer) -> EventLoopFuture<Void> {
        tell { $0.receive(part.withUnsafeReadableBytes { Data($0) }) }
        guard exchange.isAheadOfReader else { return loop.makeSucceededVoidFuture() }
        let demand = loop.makePromise(of: Void.self)
        self.demand = demand
        return demand.futureResult
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) {
        self.task = nil
        tell { $0.finish() }
    }

    func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
        let code = TransportError.Code(of: error)
        if code == .connectionLost, exchange.mayRepeat {
            upload?.cancel()
            tell { $0.sendAgain() }
            return send(exchange.request, over: engine.repeating)
        }
        tell { $0.fail(error as? TransportError ?? TransportError(code, request: $0.request, underlying: error)) }
    }
}

extension TransportError.Code {
    fileprivate init(of error: any Error) {
        self =
            switch error {
            case let error as HTTPClientError: Self.codes.first { $0.value.contains(error) }?.key ?? .clientFailed
            case let error as NIOConnectionError: error.connectionErrors.isEmpty ? .nameNotResolved : .cannotConnect
            case let error as IOError:
                [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode) ? .cannotConnect : .connectionLost
            case HTTPParserError.invalidEOFState, NIOSSLError.uncleanShutdown, is ChannelError,
                is NIOHTTP2Errors.StreamClosed, is NIOHTTP2Errors.IOOnClosedConnection:
                .connectionLost
            case is HTTPParserError, is any NIOHTTP2Error, is NIOHTTPDecompression.DecompressionError,
                is NIOHTTPDecompression.ExtraDecompressionError:
                .badResponse
            case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: .secureConnectionFailed
            default: .clientFailed
            }
    }

    private static let codes: [Self: [HTTPClientError]] = [
        .timedOut: [.connectTimeout, .tlsHandshakeTimeout, .socksHandshakeTimeout, .httpProxyHandshakeTimeout],
        .connectionLost: [.remoteConnectionClosed, .uncleanShutdown, .requestStreamCancelled, .cancelled],
        .cannotConnect: [.invalidProxyResponse, .proxyAuthenticationRequired, .invalidLocalAddress],
        .unsupported: [.invalidURL, .emptyHost, .emptyScheme],
    ]
}
