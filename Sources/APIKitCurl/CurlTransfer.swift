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
    var activeIndex = 0
    /// Whether the transfer is in the loop's queue of transfers that take turns to decode their bodies.
    var isQueuedToDecode = false

    // The two handles of libcurl, nil unless the transfer is under way.
    @exclusivity(unchecked) private(set) var handle: CurlHandle?
    /// libcurl's multi handle, which opens and keeps connections.
    private(set) var multi: OpaquePointer?

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
    /// Reads the body of the request and passes its pieces to the loop.
    @exclusivity(unchecked) var upload: Task<Void, Never>?
    /// Makes `upload` read another piece of the body.
    var demand: AsyncStream<Void>.Continuation?
    /// The pieces of the request's body that wait for libcurl.
    @exclusivity(unchecked) var pieces: [Data] = []
    /// Whether `pieces` has got the last piece.
    var isUploadComplete = false
    var isUploadPaused = false

    // The response: see CurlTransfer+Response.swift.
    @exclusivity(unchecked) var headReader: HeadReader
    var decoder: ContentDecoder?
    // The head and the bytes that are not reported to the exchange yet. libcurl delivers pieces of up to 16 KiB, which
    // are joined, since each report may wake a reader.
    @exclusivity(unchecked) var unreportedHead: HTTPResponse.Head?
    @exclusivity(unchecked) var unreported = Data()
    /// How many bytes `unreported` was expected to get when its first ones arrived.
    @exclusivity(unchecked) var expectedCount = 0
    /// How many bytes of the body were reported.
    @exclusivity(unchecked) var reportedCount = 0
    @exclusivity(unchecked) var isReportScheduled = false
    var bodyEnd = BodyEnd.known
    /// Whether libcurl has to be resumed before it delivers more of the body, because a callback has paused it.
    var needsResume = false
    /// Whether libcurl has ended the transfer. The last bytes may still have to be decoded and delivered.
    var hasEnded = false
    /// Why libcurl has ended the transfer early; nil if the response is complete.
    var failure: Failure?

    /// Whether the transfer may share a connection with others, which needs HTTP/2.
    var mayShareConnection: Bool { isSecure && loop.configuration.httpVersion == .http2 }
    /// Whether the transfer has no connection yet. It has one once libcurl has begun to send the head.
    var isConnecting: Bool { !sending.hasBegun }
    /// Whether the head of the response has arrived.
    var hasHead: Bool { headReader.isComplete }

    /// The body of the request, and how it is sent.
    enum Body {
        case none
        /// libcurl gets all of it, and sends it together with the head.
        case withHead(Data)
        /// libcurl gets it piece by piece.
        case inPieces(RequestBody)
    }

    struct Failure {
        let error: TransportError
        /// Whether the server cannot have begun to process the request.
        var isBeforeSending = false
    }

    /// How the end of the response's body is recognized.
    enum BodyEnd {
        /// By its length, by its last chunk, or by the end of its HTTP/2 stream.
        case known
        /// By the end of the connection. Over TLS, the end is proper only after an alert (RFC 9112, section 9.8).
        case connection(isProper: Bool)
    }

    /// Creates a transfer, which does nothing before ``begin()``.
    init(_ start: CurlLoop.Start, on loop: CurlLoop) {
        exchange = start.exchange
        cookies = start.cookies
        transferTimeout = start.transferTimeout
        self.loop = loop
        headReader = HeadReader(keepsCookies: start.cookies.store != nil)
        url = start.exchange.request.lazyURL.text
        origin = Self.origin(of: url)
        isSecure = url.hasPrefix("https:")
    }

    /// Returns everything before the path and the query: `https://example.com:8443` for
    /// `https://example.com:8443/users` and for `https://example.com:8443?page=2`.
    static func origin(of url: String) -> Substring {
        var text = url
        let endOfOrigin = text.withUTF8 { bytes in
            // Skips the slashes of "https://". "http://" is one byte shorter, so the first byte of its host is skipped
            // too, which is not a slash.
            bytes.dropFirst("https://".utf8.count).firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        }
        guard let endOfOrigin else { return url[...] }
        return url[..<url.utf8.index(url.startIndex, offsetBy: endOfOrigin)]
    }

    // MARK: - Starting

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
    ///   - multi: libcurl's multi handle, which opens and keeps connections.
    ///   - bufferSize: How much libcurl reads at a time.
    func prepare(_ handle: CurlHandle, on multi: OpaquePointer, bufferSize: Int) {
        self.handle = handle
        self.multi = multi
        handle.beginUse(by: self, settings(bufferSize: bufferSize))
        handle.set(CURLOPT_URL, url)
        setMethodHeadersAndBody(of: handle)
    }

    /// Returns libcurl's settings for this transfer: timeouts, and which connections it may use.
    private func settings(bufferSize: Int) -> CurlHandle.Settings {
        var settings = CurlHandle.Settings()
        settings.bufferSize = bufferSize
        // At least a millisecond, since 0 has another meaning for libcurl: its default time, or no limit.
        settings.connectTimeout = Int(max(1, connectTimeout.milliseconds))
        if let transferTimeout { settings.transferTimeout = Int(max(1, transferTimeout.milliseconds)) }
        if mayShareConnection { settings.httpVersion = CURL_HTTP_VERSION_2TLS }
        settings.needsNewConnection = exchange.isResend || needsOwnConnection
        // A gated host decides itself which transfers wait for a connection, so libcurl must not make them wait.
        let isGated = host?.isGated ?? false
        settings.waitsForConnection = !isGated
        // A request that the server has refused may be sent again. Only libcurl's log shows the refusal. The log is not
        // needed for an idempotent request, which may be sent again in any case.
        settings.isVerbose = mayShareConnection && !request.isIdempotent
        // Older versions of libcurl do not call `willSend`, so `step` observes what they do.
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

    // MARK: - Ending

    /// Makes the loop watch the connection for unrequested bytes, now that the transfer is complete and no request uses
    /// the connection. An HTTP/2 connection is not watched, since the server may send frames at any time.
    func leaveConnection() {
        guard let handle, let multi else { return }
        let isShared = mayShareConnection && handle.hasHTTP2
        if !isShared { acurl_loop_rest(multi, handle.easy, socket) }
    }

    /// Ends the use of the handle, and the tasks that prepare what libcurl sends. Called after the handle was removed
    /// from the multi handle.
    func releaseHandle() {
        upload?.cancel()
        continueTimer?.cancel()
        pieces = []
        handle = nil
        multi = nil
    }

    /// Reports the end of the transfer to the exchange, or notes it if bytes have yet to be decoded.
    ///
    /// - Parameter code: libcurl's code, 0 for success.
    func end(_ code: Int32) {
        if code == 0, reportWholeResponse() { return }
        report()
        hasEnded = true
        failure = failure(for: code)
        finishIfDecoded()
    }

    /// Returns why a transfer that libcurl has ended with a code has failed; nil if the response is complete.
    private func failure(for code: Int32) -> Failure? {
        if code != 0 {
            // Only a libcurl that asks before sending (7.80 and newer) tells for certain that it has sent nothing.
            let isUnsent = SendingGuard.isAskedBeforeSending && !sending.hasBegun
            return Failure(error: error(for: code), isBeforeSending: isUnsent || sending.isRefused)
        }
        if !headReader.isComplete {
            return Failure(error: TransportError(.connectionLost, "the connection was closed within the head"))
        }
        if case .connection(isProper: false) = bodyEnd {
            let message = "the connection was closed without the alert of TLS, so the body may be incomplete"
            return Failure(error: TransportError(.connectionLost, message))
        }
        return nil
    }

    /// Creates the error for libcurl's code, with libcurl's message about this transfer.
    private func error(for code: Int32) -> TransportError {
        // The proxy's response to CONNECT; 0 if there was none.
        let proxyStatus = handle?.info(CURLINFO_HTTP_CONNECTCODE) ?? 0
        let isRefusedByProxy = proxyStatus != 0 && !(200..<300).contains(proxyStatus)
        if isRefusedByProxy {
            let message = "the proxy answered CONNECT with the status \(proxyStatus)"
            return TransportError(.proxyRefused, message, underlying: CurlError(code: code))
        }
        let text = handle.map { String(cString: $0.errorText) } ?? ""
        return TransportError(curl: code, text, hasResponse: headReader.hasBegun)
    }
}
#endif
