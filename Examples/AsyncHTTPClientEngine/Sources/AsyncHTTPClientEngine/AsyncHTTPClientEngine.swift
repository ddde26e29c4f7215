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
    fileprivate let repeating: HTTPClient  // keeps no connection, and so never meets one that the server has closed

    /// Makes an engine; a configuration of your own starts from `.api`. Redirects are handed out: `send` follows them.
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

    /// Performs one request. An idempotent one whose connection breaks before an answer is sent once more.
    ///
    /// - Throws: `TransportError`, `RequestError` or `CancellationError`, as `APIClient` has it.
    public func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        let request = try request.validated()
        let transfer = Transfer(of: request, over: self)
        return try await Exchange.answer(to: request, telling: transfer.later) { transfer.send(request, over: client) }
    }
}

extension HTTPClient.Configuration {
    /// A configuration for API calls: compressed answers, enough connections to a host, no retries, and no limits of
    /// time but a request's own.
    public static var api: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(decompression: .enabled(limit: .none))  // the request has one
        configuration.timeout.connect = .hours(1)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}

/// One request on its way over async-http-client: tells its exchange what happens.
///
/// @unchecked: its variables are touched on its event loop alone, where all callbacks come but an early error, which hops.
private final class Transfer: HTTPClientResponseDelegate, @unchecked Sendable {
    private let engine: AsyncHTTPClientEngine  // kept, since it closes its connections when it ends
    private let loop: any EventLoop
    private var exchange: Exchange
    private var task: HTTPClient.Task<Void>?
    private var silence: Scheduled<Void>?
    private var upload: (task: Task<Void, Never>, end: EventLoopFuture<Void>)?
    private var partSent: AsyncStream<Void>.Continuation?
    private var demand: EventLoopPromise<Void>?

    init(of request: HTTPRequest, over engine: AsyncHTTPClientEngine) {
        (self.engine, loop) = (engine, engine.client.eventLoopGroup.any())
        exchange = Exchange(of: request)
    }

    @Sendable func later(_ event: @escaping @Sendable (inout Exchange) -> Void) {
        loop.execute { self.tell(event) }
    }

    private func tell(_ event: (inout Exchange) -> Void) {
        event(&exchange)
        if !exchange.isAheadOfReader { demand.take()?.succeed() }
        guard exchange.isOver else { return }
        silence?.cancel()
        upload?.task.cancel()
        if let task = task.take() { loop.execute { task.cancel() } }  // later: its callbacks do not bear it
    }

    private func watchSilence() {
        tell { exchange in
            silence?.cancel()
            silence = loop.scheduleTask(in: TimeAmount(exchange.checkSilence())) { self.watchSilence() }
        }
    }

    func send(_ request: HTTPRequest, over client: HTTPClient) {
        let headers = NIOHTTP1.HTTPHeaders(request.headers.map { ($0.name.rawValue, $0.value) })
        let method = NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue)
        let data = request.body.flatMap { $0.length ?? .max <= 1 << 18 ? $0.data : nil }
        let body = data.map { .byteBuffer(ByteBuffer(bytes: $0)) } ?? request.body.map(stream)
        do {
            let outgoing = try HTTPClient.Request(url: request.url, method: method, headers: headers, body: body)
            // Between event loops, an upload's end may come when its connection is closed already, which traps.
            let isStreamed = body != nil && data == nil
            let place: HTTPClient.EventLoopPreference = isStreamed ? .delegateAndChannel(on: loop) : .delegate(on: loop)
            let task = client.execute(request: outgoing, delegate: self, eventLoop: place)
            loop.execute {
                if self.exchange.isRepeat == (client === self.engine.repeating) { self.task = task }  // else overtaken
                self.watchSilence()
            }
        } catch {
            later { $0.fail(TransportError(.unsupported, underlying: error)) }
        }
    }

    private func stream(_ body: RequestBody) -> HTTPClient.Body {
        .stream(contentLength: body.length.map(Int64.init)) { writer in
            let (partsSent, partSent) = AsyncStream.makeStream(of: Void.self)
            let end = self.loop.makePromise(of: Void.self)
            let task = end.completeWithTask {
                var partsSent = partsSent.makeAsyncIterator()
                for try await piece in body.bytes {
                    _ = writer.write(.byteBuffer(ByteBuffer(bytes: piece)))
                    await partsSent.next()  // and not that future, which never ends where the request does before
                }
            }
            partSent.yield()  // so that the end of the body is sent right behind its last part
            (self.upload, self.partSent) = ((task, end.futureResult), partSent)
            return end.futureResult
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
        tell { $0.receive(head, telling: later) }
        guard let upload else { return loop.makeSucceededVoidFuture() }
        // An answer that ends before its upload would lose the connection, or never be told to end: a short one waits.
        if head.status >= 300 { return loop.submit {} }
        return exchange.bodyLength ?? .max <= 1 << 16 ? upload.end : loop.makeSucceededVoidFuture()
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
        guard loop.inEventLoop else { return loop.execute { self.didReceiveError(task: task, error) } }
        let code = TransportError.Code(of: error)
        if code == .connectionLost, exchange.mayRepeat {
            upload.take()?.task.cancel()
            tell { $0.sendAgain() }
            return send(exchange.request, over: engine.repeating)
        }
        // It expects compressed bytes also where there is no body.
        if code == .badResponse, exchange.bodyLength == 0 { return tell { $0.finish() } }
        tell { $0.fail(error as? TransportError ?? TransportError(code, underlying: error)) }
    }
}

extension TransportError.Code {
    fileprivate init(of error: any Error) {
        switch error {
        case let error as HTTPClientError: self = Self.codes.first { $0.value.contains(error) }?.key ?? .clientFailed
        case let error as NIOConnectionError: self = error.connectionErrors.isEmpty ? .nameNotResolved : .cannotConnect
        case let error as IOError:
            let lost = [ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN, ETIMEDOUT]
            self = lost.contains(error.errnoCode) ? .connectionLost : .cannotConnect
        case HTTPParserError.invalidEOFState, NIOSSLError.uncleanShutdown, is ChannelError,
            is NIOHTTP2Errors.StreamClosed, is NIOHTTP2Errors.IOOnClosedConnection:
            self = .connectionLost
        case is HTTPParserError, is any NIOHTTP2Error, is NIOHTTPDecompression.DecompressionError,
            is NIOHTTPDecompression.ExtraDecompressionError:
            self = .badResponse
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: self = .secureConnectionFailed
        default: self = .clientFailed
        }
    }

    private static let codes: [Self: [HTTPClientError]] = [
        .timedOut: [
            .connectTimeout, .tlsHandshakeTimeout, .socksHandshakeTimeout, .httpProxyHandshakeTimeout,
            .getConnectionFromPoolTimeout, .readTimeout, .writeTimeout, .deadlineExceeded,
        ],
        .connectionLost: [.remoteConnectionClosed, .uncleanShutdown, .requestStreamCancelled, .cancelled],
        .cannotConnect: [.invalidProxyResponse, .proxyAuthenticationRequired, .invalidLocalAddress],
    ]
}
