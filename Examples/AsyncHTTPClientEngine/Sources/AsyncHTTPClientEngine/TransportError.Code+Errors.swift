import APIKitCore
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL

extension TransportError.Code {
    /// The code of what async-http-client fails with; what fits nothing is `other`.
    init(of error: any Error) {
        switch error {
        case let error as HTTPClientError: self = Self.codes.first { $0.value.contains(error) }?.key ?? .other
        case let error as NIOConnectionError: self = error.connectionErrors.isEmpty ? .nameNotResolved : .cannotConnect
        case let error as IOError:
            let lost = [ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN, ETIMEDOUT]
            self = lost.contains(error.errnoCode) ? .connectionLost : .cannotConnect
        case HTTPParserError.invalidEOFState, NIOSSLError.uncleanShutdown, is ChannelError,
            is ResponseGuard.StaleConnection, is NIOHTTP2Errors.StreamClosed, is NIOHTTP2Errors.IOOnClosedConnection:
            self = .connectionLost
        case is HTTPParserError, is NIOHTTPDecoderError, is any NIOHTTP2Error, is ResponseGuard.InvalidStatus,
            is Inflater.Malformed:
            self = .badResponse
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: self = .secureConnectionFailed
        default: self = .other
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
