import APIKitCore
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Carries the request of an exchange over async-http-client, and reports to the exchange what the client reports.
///
/// `@unchecked Sendable`: its variables are used on its event loop alone. The client calls its delegate there; `start`
/// runs on the caller's thread, and uses none of them.
final class Transfer: HTTPClientResponseDelegate, @unchecked Sendable {
    private let exchange: Exchange
    private let request: HTTPRequest
    // Kept until the transfer ends, since an engine closes its connections with its last reference.
    private let engine: AsyncHTTPClientEngine
    private let loop: any EventLoop
    private var task: HTTPClient.Task<Void>?
    private var timer: NIOScheduledCallback?
    private var upload: Upload?
    private var isHeadSent = false
    private var bytesSent = 0
    private var codings: [String] = []
    private var inflater: Inflater?
    private var pause: EventLoopPromise<Void>?

    init(of exchange: Exchange, over engine: AsyncHTTPClientEngine) {
        self.exchange = exchange
        request = exchange.request
        self.engine = engine
        loop = engine.client.eventLoopGroup.any()
    }

    // MARK: - Starting and stopping

    /// Sends the request, unless the exchange ends before that. Does as much as possible on the caller's thread, since
    /// many requests share the event loop's thread.
    func start() {
        // A callback of the client must not cancel its task:
        // both closures run after it.
        let isWanted = exchange.begin(
            stop: { self.loop.execute { self.stop() } },
            resume: { self.loop.execute { self.resume() } }
        )
        if isWanted { send() }
    }

    private func didStart(_ task: HTTPClient.Task<Void>) {
        self.task = task
        // The exchange may have ended before there was a task to cancel.
        if exchange.isOver { stop() } else { watchTimeout() }
    }

    private func stop() {
        end()
        task?.cancel()
        pause.take()?.succeed()
    }

    private func end() {
        timer.take()?.cancel()
        upload?.cancel()
    }

    // MARK: - The request

    private func send() {
        let client = exchange.isResend ? engine.freshClient : engine.client
        do {
            let outgoing = try HTTPClient.Request(
                url: request.url,
                method: NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue),
                headers: NIOHTTP1.HTTPHeaders(of: request),
                body: request.body.map(outgoingBody)
            )
            // A body that is written from another loop than that of its connection traps if the connection is closed.
            // If that is possible, the connection is requested on this loop; async-http-client then keeps it only while
            // others wait for one.
            let place: HTTPClient.EventLoopPreference =
                request.body == nil || engine.hasOneLoop ? .delegate(on: loop) : .delegateAndChannel(on: loop)
            let task = client.execute(request: outgoing, delegate: self, eventLoop: place)
            loop.execute { self.didStart(task) }
        } catch {
            exchange.fail(TransportError(.unsupported, underlying: error))
        }
    }

    private func outgoingBody(_ body: RequestBody) -> HTTPClient.Body {
        if let length = body.length, length <= 1 << 18, let data = body.data {
            return .byteBuffer(ByteBuffer(bytes: data))
        }
        return .stream(contentLength: body.length.map(Int64.init)) { writer in
            let upload = Upload(of: body, to: writer, on: self.loop)
            self.upload = upload
            return upload.end
        }
    }

    func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
        isHeadSent = true
        exchange.sent(total: 0)
    }

    func didSendRequestPart(task: HTTPClient.Task<Void>, _ part: IOData) {
        bytesSent += part.readableBytes
        exchange.sent(total: bytesSent)
        upload?.didSendPart()
    }

    // MARK: - The response

    func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        let head = HTTPResponse.Head(head, url: request.url)
        codings = head.contentCodings
        exchange.receive(head, decoding: Inflater.codings)
        return loop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(
        task: HTTPClient.Task<Void>, _ part: ByteBuffer
    ) -> EventLoopFuture<Void> {
        if part.readableBytes == 0 {
            endEarly()
        } else if let coding = codings.first {
            return decode(part, from: coding)
        } else {
            exchange.receive(Data(part))
            if exchange.shouldPause { return untilResumed() }
        }
        return loop.makeSucceededVoidFuture()
    }

    /// Ends a response that is complete before its request is sent, as the ``ResponseGuard`` reports it.
    private func endEarly() {
        finish()
        loop.execute { self.stop() }
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) {
        end()
        finish()
    }

    private func finish() {
        if inflater?.isComplete ?? true {
            exchange.finish()
        } else {
            exchange.fail(TransportError(.badResponse, "the body ends before its Content-Encoding says so"))
        }
    }

    func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
        var error = error
        if let broken = error as? ResponseGuard.BrokenKeptConnection {
            exchange.connected(isReused: true)
            error = broken.cause
        }
        let failure =
            error as? TransportError ?? TransportError(.init(of: error), underlying: error)
        exchange.fail(failure, beforeSending: !isHeadSent)
    }

    // MARK: - Decoding

    private func decode(_ part: ByteBuffer, from coding: String) -> EventLoopFuture<Void> {
        guard codings.count == 1 else {
            exchange.fail(TransportError(.badResponse, "the body has several codings, which this engine cannot decode"))
            return loop.makeSucceededVoidFuture()
        }
        inflater = inflater ?? Inflater(for: coding)
        let end = loop.makePromise(of: Void.self)
        decode(part, then: end)
        return end.futureResult
    }

    /// Decodes one step of a part; the next follows after the reader has taken enough of what came before.
    private func decode(_ part: ByteBuffer, then end: EventLoopPromise<Void>) {
        var part = part
        do throws(Inflater.Malformed) {
            guard !exchange.isOver, let piece = try inflater?.next(from: &part) else { return end.succeed() }
            exchange.receive(piece)
        } catch {
            let message = "the body is not what its Content-Encoding says"
            exchange.fail(TransportError(.badResponse, message, underlying: error))
            return end.succeed()
        }
        // Other requests on this loop get their turn between two steps.
        let turn = exchange.shouldPause ? untilResumed() : loop.submit {}
        turn.whenComplete { [part] _ in self.decode(part, then: end) }
    }

    // MARK: - Pausing

    /// The client delivers no more, and after a while the server has to wait, until this is complete.
    private func untilResumed() -> EventLoopFuture<Void> {
        let pause = loop.makePromise(of: Void.self)
        self.pause = pause
        return pause.futureResult
    }

    private func resume() {
        // The exchange may be full again by now, and resumes again.
        if !exchange.shouldPause { pause.take()?.succeed() }
    }
}

// MARK: - The timeout

extension Transfer: NIOScheduledCallbackHandler {
    func handleScheduledCallback(eventLoop: some EventLoop) {
        watchTimeout()
    }

    /// Looks at the timeout again at the earliest time at which it can have run out.
    private func watchTimeout() {
        let delay = exchange.checkTimeout()
        if delay > .zero { timer = try? loop.scheduleCallback(in: TimeAmount(delay), handler: self) }
    }
}
