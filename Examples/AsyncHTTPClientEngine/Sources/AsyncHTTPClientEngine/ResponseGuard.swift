import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2

/// Stands between the parser of a connection and async-http-client, and guards it against responses it cannot handle.
///
/// - A status below 100 ends the process there: its body, or its end, comes without a head that counts.
/// - A response that is complete before its request is sent: there, it waits for the rest of the upload. Instead of the
///   end of the response comes an empty part of its body, which no parser gives otherwise. The receiver must cancel the
///   request, which closes the connection.
/// - Bytes right after a response (RFC 9112, section 9.2): there, the connection could be another request's by then,
///   which would take them for its response. So the end of a response waits until all that was read is parsed.
/// - A connection that the server has closed since its last response, or on which bytes wait that nobody asked for: its
///   next request fails before any of it is sent.
/// - A connection that breaks before a response: async-http-client does not tell its delegates whether the connection
///   had served other requests before. The error of one that had is wrapped in a ``BrokenKeptConnection``.
final class ResponseGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// A status that no response can have (RFC 9110, section 15).
    struct InvalidStatus: Error {
        let code: UInt
    }

    /// The connection cannot take another request.
    struct StaleConnection: Error {}

    /// The connection of a request broke, which had served other requests before.
    struct BrokenKeptConnection: Error {
        let cause: any Error
    }

    private enum State {
        case forwarding
        /// The response has ended, and what was read with it is still being parsed.
        case holdingEnd(HTTPHeaders?)
        /// The response is over, and so is the connection. What comes now is nobody's.
        case over
        /// The request was not sent, nor is any of it to be.
        case stale
    }

    /// Whether the channel is one stream of an HTTP/2 connection.
    private let isOfOneStream: Bool
    private var state = State.forwarding
    private var isUsed = false
    /// Whether the connection had served another request before the present one.
    private var isReused = false
    /// Whether a request was sent, and its response has not ended.
    private var isAwaitingResponse = false
    private var isRequestSent = false
    private var isReading = false
    private var isEndDelivered = false

    init(isOfOneStream: Bool) {
        self.isOfOneStream = isOfOneStream
    }

    // MARK: - The request

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head where isUsed && Self.isStale(context):
            state = .stale
            context.fireErrorCaught(StaleConnection())
        case .head:
            isReused = isUsed
            isUsed = true
            isAwaitingResponse = true
            isRequestSent = false
        case .body: break
        case .end: isRequestSent = true
        }
        if case .stale = state { promise?.fail(StaleConnection()) } else { context.write(data, promise: promise) }
    }

    func read(context: ChannelHandlerContext) {
        isReading = true
        context.read()
    }

    /// Whether the system has an end, an error or bytes for a connection on which nothing is expected.
    private static func isStale(_ context: ChannelHandlerContext) -> Bool {
        let pipeline = context.pipeline.syncOperations
        let isStale = try? pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
            var byte: UInt8 = 0
            let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            return count >= 0 || ![EAGAIN, EWOULDBLOCK, EINTR].contains(errno)
        }
        return isStale ?? false
    }

    // MARK: - The response

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .forwarding = state else { return }
        switch unwrapInboundIn(data) {
        case .head(let head) where !(100...999).contains(head.status.code):
            state = .over
            context.fireErrorCaught(InvalidStatus(code: head.status.code))
        case .head:
            isReading = true  // there, a head begins with having asked
            context.fireChannelRead(data)
        case .body(let part) where part.readableBytes == 0: break
        case .end(let trailers): state = .holdingEnd(trailers)
        default: context.fireChannelRead(data)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        forwardEnd(context)
        isReading = false
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        forwardEnd(context)
        if isEndDelivered { return }
        if isAwaitingResponse, isKept(context) {
            context.fireErrorCaught(BrokenKeptConnection(cause: HTTPClientError.remoteConnectionClosed))
        }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case .holdingEnd = state { replaceEnd(context) }
        if isEndDelivered { return }
        if isAwaitingResponse, isKept(context) {
            context.fireErrorCaught(BrokenKeptConnection(cause: error))
        } else {
            context.fireErrorCaught(error)
        }
    }

    /// Whether the connection had served another request before the present one. Over HTTP/2, where each request has a
    /// channel of its own, the first one of a connection has the stream 1 (RFC 9113, section 5.1.1).
    private func isKept(_ context: ChannelHandlerContext) -> Bool {
        guard isOfOneStream else { return isReused }
        // Any other channel would trap on this option.
        guard let stream = try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID) else {
            return false
        }
        return stream > 1
    }

    private func forwardEnd(_ context: ChannelHandlerContext) {
        guard case .holdingEnd(let trailers) = state else { return }
        guard isRequestSent else { return replaceEnd(context) }
        state = .forwarding
        isAwaitingResponse = false
        context.fireChannelRead(wrapInboundOut(.end(trailers)))
    }

    private func replaceEnd(_ context: ChannelHandlerContext) {
        state = .over
        // Without a read that was asked for, the part would not be passed on, and the request had to end with its
        // connection.
        isEndDelivered = isReading
        context.fireChannelRead(wrapInboundOut(.body(context.channel.allocator.buffer(capacity: 0))))
        context.fireChannelReadComplete()
    }
}
