#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// Carries the request of an exchange over a handle of libcurl, and reports to the exchange what libcurl reports.
///
/// `@unchecked Sendable`: its variables are used only on the loop's thread, where libcurl calls its callbacks. The ones
/// that each request uses several times are `@exclusivity(unchecked)`, since the check costs more than the access.
final class CurlTransfer: @unchecked Sendable {
    let exchange: Exchange
    var request: HTTPRequest { exchange.request }
    let cookies: RequestCookies
    private let transferTimeout: Duration?
    private let url: String
    /// The origin, for which the number of connections is limited.
    let origin: Substring
    let isSecure: Bool

    // Where it is in the loop.
    let loop: CurlLoop
    @exclusivity(unchecked) var host: CurlLoop.Host?
    /// Its number among the transfers that wait for a host.
    var number: Int?
    /// Its place among the transfers under way.
    var slot = 0
    /// Whether it is in the line of those that take turns to decode.
    var isInLine = false

    // Nil unless the transfer is under way.
    @exclusivity(unchecked) private(set) var handle: CurlHandle?
    /// The loop of libcurl that opens and keeps connections.
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
    /// The head and the bytes that are not reported to the exchange yet. libcurl's pieces of 16 KB are joined, since
    /// each report may wake a reader.
    @exclusivity(unchecked) var receivedHead: HTTPResponse.Head?
    @exclusivity(unchecked) var received = Data()
    /// The capacity of `received`, and the number of bytes of the body that were reported.
    @exclusivity(unchecked) var room = 0
    @exclusivity(unchecked) var reportedCount = 0
    @exclusivity(unchecked) var willReport = false
    var bodyEnd = BodyEnd.known
    /// Whether libcurl waits until it may give more of the body.
    var isReceivePaused = false
    /// Whether libcurl is done; what its last bytes decode to may still wait for the reader.
    var isReceived = false
    /// Why libcurl has ended the transfer; nil if it is complete.
    var failure: Failure?

    /// Whether several such transfers may share a connection, over HTTP/2.
    var mayShareConnection: Bool { isSecure && loop.configuration.httpVersion == .http2 }
    /// Whether it waits for its connection.
    var isConnecting: Bool { sending.timesSent == 0 }
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
        /// Its length, its chunks or its stream.
        case known
        /// The end of the connection, which over TLS is proper only after an alert (RFC 9112, section 9.8).
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
            // After the two slashes that belong to the scheme.
            bytes.dropFirst("https://".utf8.count).firstIndex(of: UInt8(ascii: "/"))
        }
        guard let end else { return url[...] }
        return url[..<url.utf8.index(url.startIndex, offsetBy: end)]
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
        // Otherwise the host has the transfers wait for each other, and not libcurl.
        settings.waitsForConnection = host?.isGated != true
        // What libcurl says is read for a refused stream. Requests that may be repeated are sent again in any case.
        settings.isVerbose = mayShareConnection && !request.isRepeatable
        settings.ignoresSteps = SendingGuard.isAsked
        return settings
    }

    /// How long libcurl may take to connect, of which it gives each address a share. The request's own timeout is the
    /// exchange's.
    private var connectTimeout: Duration {
        // With a limit of connections, newer versions would count the wait for one of them.
        let hasLimit = loop.configuration.connections != nil
        let limit = hasLimit ? Duration.seconds(86_400) : loop.configuration.connectTimeout
        return min(limit, request.options.effectiveTimeout)
    }

    /// Whether a libcurl before 7.80 must not use a kept connection.
    private var needsOwnConnection: Bool {
        if SendingGuard.isAsked { return false }
        // It identifies connections by their ports, which Unix sockets do not have.
        if loop.configuration.unixSocket != nil { return true }
        // Over a kept connection of HTTP/2, it often loses a response that arrives before the body is sent.
        return mayShareConnection && !request.isRepeatable && request.body != nil
    }

    /// Lets the loop watch the connection, which no request uses after this complete transfer. A connection with HTTP/2
    /// is not watched, since the server may send frames at any time.
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

    /// Reports the end, with libcurl's code.
    func end(_ code: Int32) {
        if code == 0, reportWhole() { return }
        report()
        isReceived = true
        failure = failure(for: code)
        finishIfDecoded()
    }

    private func failure(for code: Int32) -> Failure? {
        if code != 0 {
            let isUnsent = SendingGuard.isAsked && sending.timesSent == 0
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
