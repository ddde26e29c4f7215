#if os(Linux)
public import APIKitCore
import APIKitCurl
import Foundation
public import FoundationNetworking

extension URLSession: APIEngine {
    /// Adds the configuration's `httpAdditionalHeaders`, and limits the timeout by its `timeoutIntervalForRequest`.
    public func prepare(_ request: inout HTTPRequest) {
        SessionTransfer(over: self).prepare(&request)
    }

    /// Performs one request. Redirects are not followed here; `send` follows them.
    ///
    /// A response that sets cookies is returned once they are in the session's `httpCookieStorage`. This takes at most
    /// five seconds, ends at the request's timeout or deadline, and never fails.
    ///
    /// - Throws: ``TransportError`` if no complete response arrives, ``RequestError`` if the request cannot be sent,
    ///   `CancellationError` if the task is cancelled.
    public func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let transfer = SessionTransfer(over: self)
        var request = request
        transfer.prepare(&request)
        let response = try await Exchange.response(to: request, in: call) { exchange in
            try await transfer.transmit(exchange)
        }
        try await transfer.cookies.waitUntilStored(within: CookieJar.longestWrite.limited(by: request, in: call))
        return response
    }

    /// Sends the request of an exchange over libcurl, with this session's configuration: its timeouts, its
    /// `httpAdditionalHeaders`, its `httpMaximumConnectionsPerHost`, and its `httpCookieStorage` if
    /// `httpShouldSetCookies` and the policy allow it. Its `urlCache` and its `urlCredentialStorage` are not used. Its
    /// tasks, its delegate queue and its invalidation do not affect the request; to cancel the request, cancel the
    /// `Task` that sends it.
    ///
    /// If a class in the configuration's `protocolClasses` accepts the request, such as the mock of a test, this class
    /// loads it instead of libcurl. Classes that are only registered with `URLProtocol.registerClass(_:)` are not used.
    ///
    /// - Throws: ``TransportError`` with the code `unsupported` for a session with a delegate, which libcurl cannot
    ///   call, and for a background session.
    public func transmit(_ exchange: Exchange) async throws {
        try await SessionTransfer(over: self).transmit(exchange)
    }
}

/// A session that ``Foundation/URLSession/api(configuration:pins:proxy:delegate:)`` has created.
///
/// The engine, and with it the pins, belongs to the session itself and not to a delegate: an invalidated session
/// releases its delegate, and must not send requests without the pins.
///
/// `@unchecked Sendable`: all properties are constants.
final class APISession: URLSession, @unchecked Sendable {
    let engine: CurlClient
    /// Whether the caller has passed a delegate, which libcurl cannot call.
    let wantsDelegate: Bool

    init(_ configuration: URLSessionConfiguration, pins: PublicKeyPins?, proxy: Proxy, wantsDelegate: Bool) {
        engine = SessionEngine.shared(for: configuration, pins: pins, proxy: proxy)
        self.wantsDelegate = wantsDelegate
        super.init(configuration: configuration, delegate: nil, delegateQueue: nil)
    }
}

extension TimeInterval {
    /// The time, limited to what a `Duration` can hold. An invalid time, which is not positive, becomes a minute: the
    /// default of `timeoutIntervalForRequest`.
    var bounded: TimeInterval {
        let longest = 1e9
        return self > 0 ? min(self, longest) : 60
    }
}
#endif
