#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// A request in the form in which libcurl gets it: ``CurlHandle/apply(_:)`` sets the options of a handle accordingly.
/// It exists only while a transfer is launched.
struct CurlRequest {
    let url: String
    let method: HTTPMethod
    let headers: HeaderList
    let body: Body
    let settings: Settings

    /// How libcurl gets the body.
    enum Body {
        case none
        /// libcurl copies the bytes, and sends them together with the head.
        case withHead(Data)
        /// libcurl asks for the body piece by piece, in its read callback.
        case inPieces(RequestBody, awaitsContinue: Bool)
    }

    /// The numbers and flags that may differ between requests. Times are in milliseconds.
    struct Settings {
        var bufferSize = 64 << 10
        var connectTimeout = 30_000
        /// For libcurl, 0 means no timeout.
        var transferTimeout = 0
        var httpVersion = CURL_HTTP_VERSION_1_1
        /// Whether libcurl opens a new connection instead of using a kept one.
        var needsNewConnection = false
        /// Whether libcurl closes the connection after the response.
        var forbidsReuse = false
        /// Whether a request that may share a connection waits for one that is being opened.
        var waitsForConnection = true
        /// Whether libcurl logs to the debug callback.
        var isVerbose = false
        /// Whether libcurl does not call the step callback.
        var ignoresSteps = true
    }
}

// MARK: - From a transfer

extension CurlRequest {
    /// Creates the request of a transfer that a thread launches. libcurl reads up to `bufferSize` bytes at a time.
    init(of transfer: CurlTransfer, on thread: CurlThread, bufferSize: Int) {
        let request = transfer.request
        // A POST without content, for example, is sent with an empty body.
        let sendsBody = request.body != nil || Self.needsBody(request.method)
        url = transfer.url
        method = request.method
        headers = thread.headerLists.list(
            for: request.headers, cookies: transfer.cookies.header, hasBody: sendsBody)
        if let content = request.body {
            body = Self.body(with: content, awaitsContinue: headers.expectsContinue)
        } else {
            body = sendsBody ? .withHead(Data()) : .none
        }
        settings = Self.settings(of: transfer, thread.configuration, bufferSize: bufferSize)
    }

    /// Whether a request with the method has a `Content-Length` even without a body (RFC 9110, section 8.6).
    private static func needsBody(_ method: HTTPMethod) -> Bool {
        method == .post || method == .put || method == .patch
    }

    /// The largest body, in bytes, that libcurl copies and sends together with the head. Larger bodies are read piece
    /// by piece, to save memory.
    private static let copiedSize = 64 << 10

    /// Chooses how libcurl gets a body. One that waits for a 100 response is sent in pieces, whatever its size.
    private static func body(with content: RequestBody, awaitsContinue: Bool) -> Body {
        if awaitsContinue { return .inPieces(content, awaitsContinue: true) }
        let isSmall = (content.length ?? .max) <= copiedSize
        if isSmall, let data = content.data { return .withHead(data) }
        return .inPieces(content, awaitsContinue: false)
    }

    /// Returns libcurl's settings for a transfer: timeouts, and which connections it may use.
    private static func settings(
        of transfer: CurlTransfer, _ configuration: CurlClient.Configuration, bufferSize: Int
    ) -> Settings {
        let host = transfer.host
        var settings = Settings()
        settings.bufferSize = bufferSize
        // At least a millisecond, since 0 has another meaning for libcurl: its default time, or no limit.
        settings.connectTimeout = Int(max(1, connectTimeout(of: transfer, configuration).milliseconds))
        if let limit = transfer.transferTimeout { settings.transferTimeout = Int(max(1, limit.milliseconds)) }
        if host.mayUseHTTP2 { settings.httpVersion = CURL_HTTP_VERSION_2TLS }
        settings.needsNewConnection = transfer.exchange.isResend || needsOwnConnection(transfer, configuration)
        // If the gate decides which transfers wait for a connection, libcurl must not make them wait.
        settings.waitsForConnection = !host.gate.limitsConnecting
        // A request that the server has refused may be sent again. Only libcurl's log shows the refusal. For an
        // idempotent request, the log is needed only over a new connection, where `willSend` begins it.
        let needsLog = !transfer.request.isIdempotent || !CurlVersion.installed.callsBackBeforeSending
        settings.isVerbose = host.mayUseHTTP2 && needsLog
        // If libcurl does not call `willSend`, `step` observes what it does.
        settings.ignoresSteps = CurlVersion.installed.callsBackBeforeSending
        return settings
    }

    /// How long libcurl may take to connect. It divides this time among the addresses of the host. The exchange checks
    /// the request's own timeout.
    private static func connectTimeout(
        of transfer: CurlTransfer, _ configuration: CurlClient.Configuration
    ) -> Duration {
        // If the number of connections is limited, newer versions of libcurl count the wait for a free one as part of
        // connecting. A day is then as good as no limit.
        let hasLimit = configuration.connections != nil
        let limit = hasLimit ? Duration.seconds(86_400) : configuration.connectTimeout
        return min(limit, transfer.request.options.effectiveTimeout)
    }

    /// Whether libcurl must open a connection for the request instead of using a kept one, which only older versions
    /// have to.
    private static func needsOwnConnection(
        _ transfer: CurlTransfer, _ configuration: CurlClient.Configuration
    ) -> Bool {
        // `SendingGuard` then tells connections apart by their ports, which Unix sockets do not have.
        if !CurlVersion.installed.callsBackBeforeSending, configuration.unixSocket != nil { return true }
        guard CurlVersion.installed.losesEarlyResponses else { return false }
        return transfer.host.mayUseHTTP2 && !transfer.request.isIdempotent && transfer.request.body != nil
    }
}
#endif
