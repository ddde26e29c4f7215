#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// Carries the request of an exchange over a handle of libcurl, and reports to the exchange what libcurl reports.
///
/// `@unchecked Sendable`: its variables are used on the loop's thread alone, where libcurl calls its callbacks. Those
/// that each request uses several times are unchecked for overlapping accesses too, which takes longer than the
/// accesses.
final class CurlTransfer: @unchecked Sendable {
    let exchange: Exchange
    let cookies: RequestCookies
    private let transferTimeout: Duration?
    var request: HTTPRequest { exchange.request }
    let loop: CurlLoop
    private let url: String
    /// The origin, for which the number of connections is limited.
    let origin: Substring
    @exclusivity(unchecked) var host: CurlLoop.Host?
    /// Whether several such transfers may share a connection, over HTTP/2.
    var mayShareConnection: Bool { isSecure && loop.configuration.httpVersion == .http2 }
    let isSecure: Bool
    /// Whether the response has begun.
    var hasHead: Bool { head.isComplete }
    /// Whether it waits for its connection.
    var isConnecting: Bool { sending.timesSent == 0 }
    /// Its place in the line of those that wait.
    var number: Int?
    /// Its place among those under way.
    var slot = 0
    /// The handle while the transfer is under way.
    @exclusivity(unchecked) private(set) var handle: CurlHandle?
    /// The connections of the loop while the transfer is under way.
    private(set) var connections: OpaquePointer?
    /// The socket that the request was sent over; -1 before that and, since such a libcurl does not say when it uses
    /// which, before 7.80.
    @exclusivity(unchecked) var socket: Int32 = -1

    // The request: see CurlTransfer+Request.swift.
    @exclusivity(unchecked) var body = Body.none
    @exclusivity(unchecked) var sending = SendingGuard()
    /// Whether the body waits for the server to want it, after `Expect: 100-continue`.
    @exclusivity(unchecked) var awaitsContinue = false
    @exclusivity(unchecked) var continueTimer: Task<Void, Never>?
    @exclusivity(unchecked) var bytesSent = 0
    @exclusivity(unchecked) var upload: Task<Void, Never>?
    /// Asks for another piece of the body.
    var demand: AsyncStream<Void>.Continuation?
    @exclusivity(unchecked) var pieces: [Data] = []
    var isUploadComplete = false
    var isUploadPaused = false

    // The response: see CurlTransfer+Response.swift.
    @exclusivity(unchecked) var head: HeadReader
    var decoder: ContentDecoder?
    /// What the exchange has yet to get: the head, and libcurl's pieces of 16 KB, joined, since each may wake a reader.
    @exclusivity(unchecked) var receivedHead: HTTPResponse.Head?
    @exclusivity(unchecked) var received = Data()
    /// How many bytes `received` has room for, and how many bytes of the body the exchange has.
    @exclusivity(unchecked) var room = 0
    @exclusivity(unchecked) var reportedCount = 0
    @exclusivity(unchecked) var willReport = false
    var bodyEnd = BodyEnd.known
    /// Whether libcurl waits until it may give more of the body.
    var isReceivePaused = false
    /// Whether libcurl is done; what its last bytes decode to may still wait for the reader.
    var isReceived = false
    /// Why libcurl has ended the transfer, and whether before the server has processed anything; nil if it is complete.
    var failure: (error: TransportError, isUnprocessed: Bool)?
    /// Whether it is in the loop's line of those that take turns to decode.
    var isInLine = false

    /// How the body of the request is sent.
    enum Body {
        case none
        /// Together with the head.
        case data(Data)
        /// Piece by piece.
        case pieces(RequestBody)
    }

    /// What the end of the response's body is seen by.
    enum BodyEnd {
        /// Its length, its chunks or its stream.
        case known
        /// The end of the connection, which over TLS is proper after an alert alone (RFC 9112, section 9.8).
        case connection(isProper: Bool)
    }

    /// What callbacks return to pause libcurl.
    static let pause = 0x1000_0001

    init(_ start: CurlLoop.Start, on loop: CurlLoop) {
        exchange = start.exchange
        cookies = start.cookies
        transferTimeout = start.transferTimeout
        self.loop = loop
        head = HeadReader(keepsCookies: start.cookies.store != nil)
        url = start.exchange.request.lazyURL.text
        origin = Self.origin(of: url)
        isSecure = url.hasPrefix("https:")
    }

    /// The scheme, the host and the port: what comes before the third slash.
    private static func origin(of url: String) -> Substring {
        var text = url
        let length = text.withUTF8 { bytes in
            var slashes = 0
            return bytes.firstIndex { byte in
                if byte == 0x2F { slashes += 1 }
                return slashes == 3
            }
        }
        return length.map { url[..<url.utf8.index(url.startIndex, offsetBy: $0)] } ?? url[...]
    }

    // MARK: - Starting and stopping

    /// - Returns: Whether the request is to be sent.
    func begin() -> Bool {
        exchange.begin(stop: { self.loop.send(.stop(self)) }, resume: { self.loop.send(.resume(self)) })
    }

    /// Sets up a handle to send the request.
    ///
    /// - Parameters:
    ///   - handle: The handle.
    ///   - connections: The loop that opens and keeps connections.
    ///   - bufferSize: How much libcurl reads at a time.
    func prepare(_ handle: CurlHandle, on connections: OpaquePointer, bufferSize: Int) {
        (self.handle, self.connections) = (handle, connections)
        // libcurl gives each address a share of it; the request's own timeout is the exchange's. Newer versions count
        // the wait for one of a limited number of connections.
        let limit = loop.configuration.connections == nil ? loop.configuration.connectTimeout : .seconds(86_400)
        let connectTimeout = min(limit, request.options.effectiveTimeout)
        // Unix sockets have no ports, by which connections of an old libcurl are identified. Over a kept connection of
        // HTTP/2, it often loses a response that arrives before the body is sent.
        let mayLoseResponse = mayShareConnection && !request.isRepeatable && request.body != nil
        let needsOwnConnection =
            !SendingGuard.isAsked && (loop.configuration.unixSocket != nil || mayLoseResponse)
        var settings = CurlHandle.Settings()
        settings.bufferSize = bufferSize
        settings.connectTimeout = Int(max(1, connectTimeout.milliseconds))
        settings.transferTimeout = transferTimeout.map { Int(max(1, $0.milliseconds)) } ?? 0
        settings.httpVersion = mayShareConnection ? 4 : 2
        settings.freshConnection = exchange.isResend || needsOwnConnection ? 1 : 0
        settings.waitForMultiplexing = host?.isGated == true ? 0 : 1
        // Others are sent again after a refused stream in any case.
        settings.verbose = mayShareConnection && !request.isRepeatable ? 1 : 0
        settings.noProgress = SendingGuard.isAsked ? 1 : 0
        handle.begin(self, settings)
        handle.set(.url, url)
        setMethodHeadersAndBody(of: handle)
    }

    /// Has the loop watch the connection that the complete transfer leaves. On one with HTTP/2, something may arrive at
    /// any time.
    func leaveConnection() {
        guard let handle, let connections, !mayShareConnection || handle.get(.httpVersion) < 3 else { return }
        acurl_loop_rest(connections, handle.easy, socket)
    }

    /// Gives up what the transfer holds; called once its handle is no longer under way.
    func release() {
        upload?.cancel()
        continueTimer?.cancel()
        pieces = []
        (handle, connections) = (nil, nil)
    }

    /// Reports the end, with libcurl's code.
    func end(_ code: Int32) {
        if code == 0, reportWhole() { return }
        report()
        isReceived = true
        if code != 0 {
            let isUnsent = SendingGuard.isAsked && sending.timesSent == 0
            failure = (error(of: code), isUnsent || sending.isRefused)
        } else if !head.isComplete {
            failure = (TransportError(.connectionLost, "the connection was closed within the head"), false)
        } else if case .connection(isProper: false) = bodyEnd {
            let message = "the connection was closed without the alert of TLS, so the body may be incomplete"
            failure = (TransportError(.connectionLost, message), false)
        }
        finishIfDecoded()
    }

    private func error(of code: Int32) -> TransportError {
        let answer = handle?.get(.connectCode) ?? 0
        guard answer == 0 || 200..<300 ~= answer else {
            let message = "the proxy answered CONNECT with the status \(answer)"
            return TransportError(.proxyRefused, message, underlying: CurlError(code: code))
        }
        let text = handle.map { String(cString: $0.errorText) } ?? ""
        return TransportError(curl: code, text, hasResponse: head.hasBegun)
    }
}
#endif
