#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// Carries the request of an exchange over a handle of libcurl, and reports to the exchange what libcurl reports.
///
/// `@unchecked Sendable`: its variables are used only on the loop's thread, where libcurl calls its callbacks. The
/// variables that each request uses several times are `@exclusivity(unchecked)`, since the check of exclusive access
/// costs more than the access.
final class CurlTransfer: @unchecked Sendable {
    let exchange: Exchange
    var request: HTTPRequest { exchange.request }
    let cookies: RequestCookies
    private let transferTimeout: Duration?
    private let url: String
    /// The scheme, host and port of the URL. The number of connections is limited per origin.
    let origin: Substring
    let isSecure: Bool

    // The state of the transfer in its loop.
    let loop: CurlLoop
    @exclusivity(unchecked) var host: CurlLoop.Host?
    /// The key of the transfer in the loop's `waiting` transfers, nil if it has never waited for its host.
    var waitingNumber: Int?
    /// The index of the transfer in the loop's `active` transfers.
    var slot = 0
    /// Whether the transfer is in the loop's queue of transfers that take turns to decode their bodies.
    var isQueuedToDecode = false

    // The handle and its loop, nil unless the transfer is under way.
    @exclusivity(unchecked) private(set) var handle: CurlHandle?
    /// The loop of libcurl that opens and keeps connections.
    private(set) var connections: OpaquePointer?

    /// The socket that the request was sent over, or -1 if it is not known: before the request is sent, and always
    /// before libcurl 7.80, which does not report its choice of a connection.
    @exclusivity(unchecked) var socket: Int32 = -1

    // The request: see CurlTransfer+Request.swift.
    @exclusivity(unchecked) var body = Body.none
    @exclusivity(unchecked) var sending = SendingGuard()
    /// Whether the request has `Expect: 100-continue`, and its body still waits for the 100 response.
    @exclusivity(unchecked) var awaitsContinue = false
    @exclusivity(unchecked) var continueTimer: Task<Void, Never>?
    @exclusivity(unchecked) var bytesSent = 0
    @exclusivity(unchecked) var upload: Task<Void, Never>?
    /// Makes the upload task read another piece of the body.
    var demand: AsyncStream<Void>.Continuation?
    @exclusivity(unchecked) var pieces: [Data] = []
    var isUploadComplete = false
    var isUploadPaused = false

    // The response: see CurlTransfer+Response.swift.
    @exclusivity(unchecked) var head: HeadReader
    var decoder: ContentDecoder?
    // The head and the bytes that are not reported to the exchange yet. libcurl delivers pieces of up to 16 KiB, which
    // are joined, since each report may wake a reader.
    @exclusivity(unchecked) var receivedHead: HTTPResponse.Head?
    @exclusivity(unchecked) var received = Data()
    /// The number of bytes that `received` was meant to hold when it got its first ones.
    @exclusivity(unchecked) var room = 0
    /// How many bytes of the body were reported.
    @exclusivity(unchecked) var reportedCount = 0
    @exclusivity(unchecked) var isReportScheduled = false
    var bodyEnd = BodyEnd.known
    /// Whether libcurl holds back the rest of the body until the transfer resumes it.
    var isReceivePaused = false
    /// Whether libcurl has ended the transfer. The last bytes may still have to be decoded and delivered.
    var isReceived = false
    /// Why libcurl has ended the transfer early; nil if the response is complete.
    var failure: Failure?

    /// Whether the transfer may share a connection with others, which needs HTTP/2.
    var mayShareConnection: Bool { isSecure && loop.configuration.httpVersion == .http2 }
    /// Whether the transfer has no connection yet. It has one once libcurl has begun to send the head.
    var isConnecting: Bool { !sending.hasBegun }
    /// Whether the response has begun.
    var hasHead: Bool { head.isComplete }

    /// How the body of the request is sent.
    enum Body {
        case none
        /// Together with the head.
        case data(Data)
        /// Piece by piece.
        case pieces(RequestBody)
    }

    struct Failure {
        let error: TransportError
        /// Whether the server cannot have begun to process the request.
        var isUnprocessed = false
    }

    /// How the end of the response's body is recognized.
    enum BodyEnd {
        /// By its length, by its last chunk, or by the end of its HTTP/2 stream.
        case known
        /// By the end of the connection. Over TLS, the end is proper only after an alert (RFC 9112, section 9.8).
        case connection(isProper: Bool)
    }

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

    /// The scheme, the host and the port: everything before the path.
    private static func origin(of url: String) -> Substring {
        var text = url
        let end = text.withUTF8 { bytes in
            // Skips the slashes of "://". For http this also skips the first byte of the host, which is not a slash.
            bytes.dropFirst("https://".utf8.count).firstIndex(of: UInt8(ascii: "/"))
        }
        guard let end else { return url[...] }
        return url[..<url.utf8.index(url.startIndex, offsetBy: end)]
    }

    // MARK: - Starting and stopping

    /// Begins the exchange.
    ///
    /// - Returns: False if the exchange has ended, and the request must not be sent.
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
        self.handle = handle
        self.connections = connections
        handle.begin(self, settings(bufferSize: bufferSize))
        handle.set(CURLOPT_URL, url)
        setMethodHeadersAndBody(of: handle)
    }

    private func settings(bufferSize: Int) -> CurlHandle.Settings {
        var settings = CurlHandle.Settings()
        settings.bufferSize = bufferSize
        settings.connectTimeout = Int(max(1, connectTimeout.milliseconds))
        if let transferTimeout { settings.transferTimeout = Int(max(1, transferTimeout.milliseconds)) }
        if mayShareConnection { settings.httpVersion = CURL_HTTP_VERSION_2TLS }
        settings.needsNewConnection = exchange.isResend || needsOwnConnection
        // A gated host decides itself which transfers wait for a connection, so libcurl must not make them wait.
        let isGated = host?.isGated ?? false
        settings.waitsForConnection = !isGated
        // Only libcurl's log says that a server has refused a stream, after which any request may be sent again. For a
        // repeatable request this makes no difference.
        settings.isVerbose = mayShareConnection && !request.isIdempotent
        settings.ignoresSteps = SendingGuard.isAskedBeforeSending
        return settings
    }

    /// How long libcurl may take to connect. It divides this time among the addresses of the host. The exchange checks
    /// the request's own timeout.
    private var connectTimeout: Duration {
        // If the number of connections is limited, newer versions of libcurl count the wait for a free one as part of
        // connecting. A day is then as good as no limit.
        let hasLimit = loop.configuration.connections != nil
        let limit = hasLimit ? Duration.seconds(86_400) : loop.configuration.connectTimeout
        return min(limit, request.options.effectiveTimeout)
    }

    /// Whether libcurl must open a connection for the request instead of using a kept one, which is only so before
    /// libcurl 7.80.
    private var needsOwnConnection: Bool {
        if SendingGuard.isAskedBeforeSending { return false }
        // `SendingGuard` then tells connections apart by their ports, which Unix sockets do not have.
        if loop.configuration.unixSocket != nil { return true }
        // Over a kept HTTP/2 connection, such a libcurl often loses a response that arrives before the body is sent.
        return mayShareConnection && !request.isIdempotent && request.body != nil
    }

    /// Makes the loop watch the connection for unrequested bytes, now that the transfer is complete and no request uses
    /// the connection. An HTTP/2 connection is not watched, since the server may send frames at any time.
    func leaveConnection() {
        guard let handle, let connections else { return }
        let isShared = mayShareConnection && handle.hasHTTP2
        if !isShared { acurl_loop_rest(connections, handle.easy, socket) }
    }

    /// Releases the transfer's resources. Called after its handle was removed from the loop.
    func release() {
        upload?.cancel()
        continueTimer?.cancel()
        pieces = []
        handle = nil
        connections = nil
    }

    /// Reports the end of the transfer to the exchange.
    ///
    /// - Parameter code: libcurl's code, 0 for success.
    func end(_ code: Int32) {
        if code == 0, reportWhole() { return }
        report()
        isReceived = true
        failure = failure(for: code)
        finishIfDecoded()
    }

    private func failure(for code: Int32) -> Failure? {
        if code != 0 {
            // Before 7.80, libcurl may have sent the head although no step has shown it yet.
            let isUnsent = SendingGuard.isAskedBeforeSending && !sending.hasBegun
            return Failure(error: error(of: code), isUnprocessed: isUnsent || sending.isRefused)
        }
        if !head.isComplete {
            return Failure(error: TransportError(.connectionLost, "the connection was closed within the head"))
        }
        if case .connection(isProper: false) = bodyEnd {
            let message = "the connection was closed without the alert of TLS, so the body may be incomplete"
            return Failure(error: TransportError(.connectionLost, message))
        }
        return nil
    }

    private func error(of code: Int32) -> TransportError {
        let proxyStatus = handle?.info(CURLINFO_HTTP_CONNECTCODE) ?? 0
        let isRefusedByProxy = proxyStatus != 0 && !(200..<300).contains(proxyStatus)
        if isRefusedByProxy {
            let message = "the proxy answered CONNECT with the status \(proxyStatus)"
            return TransportError(.proxyRefused, message, underlying: CurlError(code: code))
        }
        let text = handle.map { String(cString: $0.errorText) } ?? ""
        return TransportError(curl: code, text, hasResponse: head.hasBegun)
    }
}
#endif
