import APIKitCore
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import AsyncHTTPClientEngine

@Suite struct TransportErrorCodeTests {
    private struct Trouble: Error {}

    private static let errors: [(any Error, TransportError.Code)] = [
        // No descriptors left, in the process or in the system.
        (IOError(errnoCode: EMFILE, reason: "socket"), .cannotConnect),
        (IOError(errnoCode: ENFILE, reason: "socket"), .cannotConnect),
        (IOError(errnoCode: ECONNREFUSED, reason: "connect"), .cannotConnect),
        (IOError(errnoCode: ECONNRESET, reason: "read"), .connectionLost),
        (IOError(errnoCode: EPIPE, reason: "write"), .connectionLost),
        (ChannelError.ioOnClosedChannel, .connectionLost),
        (HTTPClientError.remoteConnectionClosed, .connectionLost),
        (ResponseGuard.StaleConnection(), .connectionLost),
        (HTTPParserError.invalidEOFState, .connectionLost),
        (HTTPParserError.invalidContentLength, .badResponse),
        (NIOHTTPDecoderError.unsolicitedResponse, .badResponse),
        (ResponseGuard.InvalidStatus(code: 99), .badResponse),
        (HTTPClientError.connectTimeout, .timedOut),
        (Trouble(), .other),
    ]

    @Test(arguments: errors.indices) func sortsErrors(index: Int) {
        let (error, code) = Self.errors[index]
        #expect(TransportError.Code(of: error) == code, "\(error)")
    }
}
