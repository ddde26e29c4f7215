import Foundation
import NIOCore
import NIOHTTP1

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

    private enum State {
        case forwarding
        /// The response has ended, and what was read with it is still being parsed.
        case holdingEnd(HTTPHeaders?)
        /// The response is over, and so is the connection. What comes now is nobody's.
        case over
        /// The request was not sent, nor is any of it to be.
        case stale
    }

    private var state = State.forwarding
    private var isUsed = false
    private var isRequestSent = false
    private var isReading = false
    private var isEndDelivered = false

    // MARK: - The request

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head where isUsed && Self.isStale(context):
            state = .stale
            context.fireErrorCaught(StaleConnection())
        case .head: (isUsed, isRequestSent) = (true, false)
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
        if !isEndDelivered { context.fireChannelInactive() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case .holdingEnd = state { replaceEnd(context) }
        if !isEndDelivered { context.fireErrorCaught(error) }
    }

    private func forwardEnd(_ context: ChannelHandlerContext) {
        guard case .holdingEnd(let trailers) = state else { return }
        guard isRequestSent else { return replaceEnd(context) }
        state = .forwarding
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
