#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// An easy handle of libcurl, and the options that it keeps from one request to the next. Used only on its thread.
///
/// All handles of a thread are copies of its first handle, since copying costs less than setting all options. No
/// request uses the first handle itself.
final class CurlHandle {
    let easy: OpaquePointer
    /// The thread, which exists as long as a transfer uses the handle.
    unowned let thread: CurlThread
    /// The buffer for libcurl's error message.
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: CURL_ERROR_SIZE)
    /// The transfer that uses the handle. It is not retained here, since the thread retains it until the transfer ends.
    private var transfer: Unmanaged<CurlTransfer>?
    /// The socket that the transfer's request is sent over, or -1 if it is not known: before the request is sent, and
    /// always if libcurl does not call back before that; see ``CurlVersion/callsBackBeforeSending``.
    @exclusivity(unchecked) private var socket: Int32 = -1
    /// The options that the last request has set: see CurlHandle+Request.swift.
    @exclusivity(unchecked) var applied = Applied()

    /// Creates the first handle of a thread, with the options that all requests of a client have in common.
    ///
    /// - Throws: `TransportError` if the installed libcurl lacks a feature that the configuration needs.
    init(of thread: CurlThread) throws(TransportError) {
        guard let easy = acurl_easy_create(Self.callbacks, thread.multi) else { throw Self.noMemory }
        self.easy = easy
        self.thread = thread
        try thread.configuration.apply(to: easy)
        if CurlVersion.installed.hasDanglingHeader { set(CURLOPT_HEADER, true) }
        applyDefaults()
    }

    /// Creates a copy of a thread's first handle.
    ///
    /// - Throws: `TransportError` if no memory is left.
    init(copying first: CurlHandle) throws(TransportError) {
        guard let easy = acurl_easy_copy(first.easy) else { throw Self.noMemory }
        self.easy = easy
        thread = first.thread
        acurl_set_context(easy, Unmanaged.passUnretained(self).toOpaque())
        set(CURLOPT_ERRORBUFFER, errorText)
    }

    deinit {
        acurl_easy_destroy(easy)
        errorText.deallocate()
    }

    private static var noMemory: TransportError { TransportError(.other, "no memory is left") }

    /// Begins the use of the handle by a transfer, which gets libcurl's callbacks from now on.
    func beginUse(by transfer: CurlTransfer, sending request: CurlRequest) {
        self.transfer = .passUnretained(transfer)
        socket = -1
        errorText[0] = 0
        apply(request)
    }

    /// Ends the use of the handle by its transfer.
    func endUse() {
        transfer = nil
    }

    /// Resumes libcurl after a callback has paused it.
    func resume() {
        acurl_continue(easy)
    }

    // MARK: - Options and information

    // The functions called `set` set options (`CURLOPT_…`) that every supported version of libcurl has.

    func set(_ option: Int, _ isOn: Bool) {
        set(option, isOn ? 1 : 0)
    }

    func set(_ option: Int, _ value: Int) {
        _ = acurl_set_long(easy, Int32(option), value)
    }

    /// Sets an option to what a pointer points to; nil resets the option.
    func set(_ option: Int, _ value: UnsafeRawPointer?) {
        _ = acurl_set_pointer(easy, Int32(option), value)
    }

    /// libcurl copies the text.
    func set(_ option: Int, _ text: String) {
        text.withCString { set(option, UnsafeRawPointer($0)) }
    }

    /// Returns a number that libcurl has about the transfer (`CURLINFO_…`).
    func info(_ info: Int) -> Int64 {
        acurl_get(easy, Int32(info))
    }

    // MARK: - The connection

    /// Whether the connection uses HTTP/2.
    var hasHTTP2: Bool { info(CURLINFO_HTTP_VERSION) >= CURL_HTTP_VERSION_2_0 }

    /// Notes which connection the request will be sent over.
    ///
    /// - Parameters:
    ///   - peer: The address of the connection's other end.
    ///   - peerPort: The port of the other end.
    ///   - localPort: The port of this end.
    /// - Returns: Whether the request may be sent over it: false if unrequested bytes have arrived there.
    func claimConnection(to peer: UnsafePointer<CChar>?, _ peerPort: Int32, from localPort: Int32) -> Bool {
        acurl_loop_claim(thread.multi, easy, peer, peerPort, localPort, &socket)
    }

    /// Has the connection watched for unrequested bytes, now that the transfer is complete and no request uses
    /// the connection. Not for HTTP/2, where the server may send frames at any time.
    func leaveConnection() {
        acurl_loop_rest(thread.multi, easy, socket)
    }

    /// How long each step of opening a connection took.
    struct ConnectionTimes {
        let nameLookup: Duration
        let connect: Duration
        /// Nil for a connection without TLS.
        let secureHandshake: Duration?
    }

    /// The number of connections that were opened for the request: 0 if a kept one is used.
    var openedConnectionCount: Int64 { info(CURLINFO_NUM_CONNECTS) }

    /// The times of the connection that was opened for the request; nil if a kept one is used.
    var timesOfNewConnection: ConnectionTimes? {
        let isReused = openedConnectionCount == 0
        if isReused { return nil }
        // libcurl measures the end of each step from the start of the transfer, so a step's duration is a difference.
        let nameLookupEnd = info(CURLINFO_NAMELOOKUP_TIME_T)
        let connectEnd = info(CURLINFO_CONNECT_TIME_T)
        // 0 for a connection without TLS.
        let handshakeEnd = info(CURLINFO_APPCONNECT_TIME_T)
        let usesTLS = handshakeEnd > 0
        var handshake: Duration?
        if usesTLS { handshake = .microseconds(max(0, handshakeEnd - connectEnd)) }
        return ConnectionTimes(
            nameLookup: .microseconds(nameLookupEnd),
            connect: .microseconds(max(0, connectEnd - nameLookupEnd)),
            secureHandshake: handshake)
    }

    // MARK: - Errors

    /// Creates the error for libcurl's code, with libcurl's message about this transfer. Some codes mean something else
    /// once the response has begun.
    func error(for code: Int32, hasResponse: Bool) -> TransportError {
        // The proxy's response to CONNECT; 0 if there was none.
        let proxyStatus = info(CURLINFO_HTTP_CONNECTCODE)
        let isRefusedByProxy = proxyStatus != 0 && !(200..<300).contains(proxyStatus)
        if isRefusedByProxy {
            let message = "the proxy answered CONNECT with the status \(proxyStatus)"
            return TransportError(.proxyRefused, message, underlying: CurlError(code: code))
        }
        return TransportError(curl: code, String(cString: errorText), hasResponse: hasResponse)
    }

    // MARK: - libcurl's callbacks

    /// The callbacks of all handles. Each callback calls the transfer that uses the handle at the time, and aborts if
    /// there is none.
    ///
    /// The callbacks run for each line and each piece of a response, so retaining the transfer each time would be
    /// noticeable. `_withUnsafeGuaranteedRef` avoids it, which is safe since the thread retains the transfer.
    private static let callbacks = acurl_callbacks(
        head: { line, size, count, context in
            let line = UnsafeRawBufferPointer(start: line, count: size * count)
            let mayContinue = transfer(context)?._withUnsafeGuaranteedRef { $0.receive(line: line) } ?? false
            return mayContinue ? line.count : 0
        },
        write: { bytes, size, count, context in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return transfer(context)?._withUnsafeGuaranteedRef { $0.receive(bytes) } ?? 0
        },
        read: { buffer, size, count, context in
            let buffer = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
            return transfer(context)?._withUnsafeGuaranteedRef { $0.read(into: buffer) } ?? CURL_READFUNC_ABORT
        },
        ready: { context, peer, _, peerPort, localPort in
            let mayContinue = transfer(context)?._withUnsafeGuaranteedRef { transfer in
                transfer.willSend(to: peer, peerPort, from: localPort)
            }
            return status(mayContinue)
        },
        step: { context, _, _, _, _ in
            status(transfer(context)?._withUnsafeGuaranteedRef { $0.step() })
        },
        debug: { _, kind, text, size, context in
            // Only the log distinguishes a refused stream from a broken connection.
            if acurl_says_refused(kind, text, size) {
                transfer(context)?._withUnsafeGuaranteedRef { $0.noteRefusal() }
            }
            return 0
        })

    /// Returns what a callback returns to libcurl: 0 to continue the transfer, 1 to abort it. The transfer is also
    /// aborted if there is no answer, because no transfer uses the handle.
    private static func status(_ mayContinue: Bool?) -> Int32 {
        mayContinue == true ? 0 : 1
    }

    /// Returns the transfer that uses the handle to which a callback's context points, nil if there is none. The thread
    /// retains both until libcurl has returned.
    static func transfer(_ context: UnsafeMutableRawPointer) -> Unmanaged<CurlTransfer>? {
        Unmanaged<CurlHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.transfer }
    }
}
#endif
