import APIKitCore
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// One in-flight request over async-http-client; reports each event to its exchange.
///
/// @unchecked: its variables are touched on its event loop alone, where all callbacks come but an early error, which hops.
final class Transfer: HTTPClientResponseDelegate, @unchecked Sendable {
    private let engine: AsyncHTTPClientEngine  // kept, since it closes its connections when it ends
    private let loop: any EventLoop
    private var exchange: Exchange
    private var task: HTTPClient.Task<Void>?
    private var silence: Scheduled<Void>?
    private var isHeadSent = false
    private var upload: Task<Void, Never>?
    private var partSent: AsyncStream<Void>.Continuation?
    private var coding = ContentCoding.identity
    private var inflater: Inflater?
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
        upload?.cancel()
        if let task = task.take() { loop.execute { task.cancel() } }  // a callback must not cancel
    }

    private func fail(_ code: TransportError.Code, _ message: String? = nil, underlying: (any Error)? = nil) {
        tell { $0.fail(TransportError(code, message, underlying: underlying)) }
    }

    private func watchSilence() {
        tell { exchange in
            silence?.cancel()
            silence = loop.scheduleTask(in: TimeAmount(exchange.checkSilence())) { self.watchSilence() }
        }
    }

    // MARK: - The request

    func send(_ request: HTTPRequest, over client: HTTPClient) {
        var headers = NIOHTTP1.HTTPHeaders(request.headers.map { ($0.name.rawValue, $0.value) })
        if request.headers[.acceptEncoding] == nil {
            headers.add(name: "Accept-Encoding", value: ContentCoding.accepted)
        }
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
            self.upload = end.completeWithTask {
                var partsSent = partsSent.makeAsyncIterator()
                for try await piece in body.bytes {
                    _ = writer.write(.byteBuffer(ByteBuffer(bytes: piece)))
                    await partsSent.next()  // not that future, which never completes if the request ends first
                }
                try Task.checkCancellation()  // a stream that ends because of it would pass for a whole one
            }
            partSent.yield()  // so that the end of the body is sent right after its last part
            self.partSent = partSent
            return end.futureResult
        }
    }

    func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
        isHeadSent = true
        tell { $0.sent(0) }
    }

    func didSendRequestPart(task: HTTPClient.Task<Void>, _ part: IOData) {
        tell { $0.sent(part.readableBytes) }
        partSent?.yield()
    }

    // MARK: - The response

    func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        let fields = head.headers.map { HTTPHeaders.Field(name: .init(rawValue: $0.name), value: $0.value) }
        let head = HTTPResponse.Head(status: Int(head.status.code), headers: .init(fields), url: exchange.request.url)
        coding = ContentCoding(of: head.headers)
        tell { $0.receive(head, telling: later) }
        return loop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ part: ByteBuffer) -> EventLoopFuture<Void> {
        switch coding {
        case _ where part.readableBytes == 0:
            finish()  // before its upload, as the ``ResponseGuard`` says
        case .identity:
            tell { $0.receive(Data(part.readableBytesView)) }
            if exchange.isAheadOfReader { return waitForReader() }
        case .gzip, .deflate:
            let end = loop.makePromise(of: Void.self)
            decode(part, then: end)
            return end.futureResult
        case .unsupported(let codings):
            fail(.badResponse, "the body is encoded as \(codings), which this engine cannot decode")
        }
        return loop.makeSucceededVoidFuture()
    }

    /// Decodes a part of the body step by step, each when the reader has taken the one before.
    private func decode(_ part: ByteBuffer, then end: EventLoopPromise<Void>) {
        let inflater = inflater ?? Inflater(allowsRaw: coding == .deflate)
        self.inflater = inflater
        var part = part
        do throws(Inflater.Malformed) {
            guard !exchange.isOver, let piece = try inflater.next(from: &part) else { return end.succeed() }
            tell { $0.receive(piece) }
        } catch {
            fail(.badResponse, "the body is not what its Content-Encoding says", underlying: error)
            return end.succeed()
        }
        let next = exchange.isAheadOfReader ? waitForReader() : loop.submit {}
        next.whenComplete { [part] _ in self.decode(part, then: end) }
    }

    private func waitForReader() -> EventLoopFuture<Void> {
        let demand = loop.makePromise(of: Void.self)
        self.demand = demand
        return demand.futureResult
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) {
        self.task = nil
        finish()
    }

    private func finish() {
        guard inflater?.isComplete ?? true else {
            return fail(.badResponse, "the body ends before its Content-Encoding says so")
        }
        tell { $0.finish() }
    }

    func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
        guard loop.inEventLoop else { return loop.execute { self.didReceiveError(task: task, error) } }
        let code = TransportError.Code(of: error)
        // What never reached its connection cannot be sent twice, whatever its method (RFC 9110, section 9.2.2).
        let mayRepeat = exchange.mayRepeat || !(isHeadSent || exchange.isRepeat || exchange.isOver)
        if code == .connectionLost, mayRepeat {
            upload.take()?.cancel()
            tell { $0.sendAgain() }
            return send(exchange.request, over: engine.repeating)
        }
        tell { $0.fail(error as? TransportError ?? TransportError(code, underlying: error)) }
    }
}
