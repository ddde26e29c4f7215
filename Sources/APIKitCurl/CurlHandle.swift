#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// A handle of libcurl, and the options that it keeps from one request to the next. Used only on the loop's thread.
///
/// All handles of a loop are copies of its first one, which no request uses: a copy costs less than setting all
/// options.
final class CurlHandle {
    let easy: OpaquePointer
    /// The transfer that uses it, which the loop keeps meanwhile.
    private var transfer: Unmanaged<CurlTransfer>?
    /// The buffer for libcurl's message about an error.
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: CURL_ERROR_SIZE)
    @exclusivity(unchecked) private var settings = Settings()
    /// The options that the last request has left.
    @exclusivity(unchecked) private var kind = Kind.get
    @exclusivity(unchecked) private var hasMethod = false
    @exclusivity(unchecked) private var headers: HeaderList?

    /// The kind of a request, from which libcurl derives its method unless that is set.
    enum Kind {
        case get, head
        /// A POST of bytes.
        case post
        /// A PUT of the bytes that the read callback returns.
        case put
    }

    /// Options in which requests may differ. Times are in milliseconds.
    struct Settings {
        var bufferSize = 64 << 10
        var connectTimeout = 30_000
        /// 0 for none.
        var transferTimeout = 0
        var httpVersion = CURL_HTTP_VERSION_1_1
        /// Whether no kept connection is used.
        var needsNewConnection = false
        /// Whether the connection is closed after the response.
        var forbidsReuse = false
        /// Whether a request waits for a connection that is being opened, if it may share that.
        var waitsForConnection = true
        /// Whether libcurl logs to the debug callback.
        var isVerbose = false
        /// Whether the step callback is not called.
        var ignoresSteps = true
    }

    /// In libcurl 7.83 to 7.88 a handle that is used again, even after `curl_easy_reset`, has a dangling pointer to a
    /// header of the last response, which it uses if the next one begins with a folded line: a use after free that a
    /// server can trigger. There, libcurl is asked to write heads like bodies too (`CURLOPT_HEADER`), which it does
    /// before it looks at a line, so that such a line can be refused in time.
    static let writesHeads = (CurlVersion(7, 83)..<CurlVersion(8, 0)).contains(.installed)

    /// Creates a handle with what all requests of a client have in common.
    ///
    /// - Throws: `TransportError` if the installed libcurl lacks a feature that the configuration needs.
    init(_ configuration: CurlClient.Configuration, on connections: OpaquePointer) throws(TransportError) {
        guard let easy = acurl_easy_create(Self.callbacks, connections) else { throw Self.noMemory }
        self.easy = easy
        try configuration.apply(to: easy)
        if Self.writesHeads { set(CURLOPT_HEADER, true) }
        change(to: Settings(), isFirst: true)
    }

    /// Creates a copy.
    ///
    /// - Throws: `TransportError` if no memory is left.
    init(copying first: CurlHandle) throws(TransportError) {
        guard let easy = acurl_easy_copy(first.easy) else { throw Self.noMemory }
        self.easy = easy
        acurl_set_context(easy, Unmanaged.passUnretained(self).toOpaque())
        set(CURLOPT_ERRORBUFFER, errorText)
    }

    deinit {
        acurl_easy_destroy(easy)
        errorText.deallocate()
    }

    private static var noMemory: TransportError { TransportError(.other, "no memory is left") }

    /// Ends the use by a transfer.
    func end() {
        transfer = nil
    }

    /// Begins the use by a transfer.
    func begin(_ transfer: CurlTransfer, _ settings: Settings) {
        self.transfer = .passUnretained(transfer)
        errorText[0] = 0
        change(to: settings)
    }

    /// Sets the method, for a body that is set afterwards.
    func setMethod(_ method: HTTPMethod, _ kind: Kind) {
        let mayDifferFromLast = self.kind != kind || kind == .put
        // Undoes what an earlier request has set.
        if self.kind != .get, mayDifferFromLast { set(CURLOPT_HTTPGET, true) }
        self.kind = kind
        if Self.isImplied(method, by: kind) {
            if hasMethod { set(CURLOPT_CUSTOMREQUEST, UnsafeRawPointer?.none) }
            hasMethod = false
        } else {
            set(CURLOPT_CUSTOMREQUEST, method.rawValue)
            hasMethod = true
        }
        if kind == .head { set(CURLOPT_NOBODY, true) }
    }

    /// Whether libcurl sends the method by itself.
    private static func isImplied(_ method: HTTPMethod, by kind: Kind) -> Bool {
        switch method {
        case .get, .head: true
        case .post: kind == .post
        default: false
        }
    }

    /// Sets the headers.
    func setHeaders(_ headers: HeaderList) {
        guard headers !== self.headers else { return }
        set(CURLOPT_HTTPHEADER, headers.lines.map(UnsafeRawPointer.init))
        self.headers = headers
    }

    /// Sets what differs from the settings so far, or everything the first time: setting an option takes time.
    private func change(to new: Settings, isFirst: Bool = false) {
        func change(_ option: Int, _ value: KeyPath<Settings, Int>) {
            let isChanged = settings[keyPath: value] != new[keyPath: value]
            if isFirst || isChanged { set(option, new[keyPath: value]) }
        }
        func change(_ option: Int, _ value: KeyPath<Settings, Bool>) {
            let isChanged = settings[keyPath: value] != new[keyPath: value]
            if isFirst || isChanged { set(option, new[keyPath: value]) }
        }
        change(CURLOPT_BUFFERSIZE, \.bufferSize)
        change(CURLOPT_CONNECTTIMEOUT_MS, \.connectTimeout)
        change(CURLOPT_TIMEOUT_MS, \.transferTimeout)
        change(CURLOPT_HTTP_VERSION, \.httpVersion)
        change(CURLOPT_FRESH_CONNECT, \.needsNewConnection)
        change(CURLOPT_FORBID_REUSE, \.forbidsReuse)
        change(CURLOPT_PIPEWAIT, \.waitsForConnection)
        change(CURLOPT_VERBOSE, \.isVerbose)
        change(CURLOPT_NOPROGRESS, \.ignoresSteps)
        settings = new
    }

    /// Whether libcurl closes the connection after the response.
    var forbidsReuse: Bool {
        get { settings.forbidsReuse }
        set {
            guard newValue != settings.forbidsReuse else { return }
            settings.forbidsReuse = newValue
            set(CURLOPT_FORBID_REUSE, newValue)
        }
    }

    /// Makes libcurl report each step.
    func reportSteps() {
        settings.ignoresSteps = false
        set(CURLOPT_NOPROGRESS, false)
    }

    /// Sets an option (`CURLOPT_…`), which every version of libcurl knows.
    func set(_ option: Int, _ isOn: Bool) {
        set(option, isOn ? 1 : 0)
    }

    func set(_ option: Int, _ value: Int) {
        _ = acurl_set_long(easy, Int32(option), value)
    }

    func set(_ option: Int, _ value: UnsafeRawPointer?) {
        _ = acurl_set_pointer(easy, Int32(option), value)
    }

    func set(_ option: Int, _ text: String) {
        text.withCString { set(option, UnsafeRawPointer($0)) }
    }

    /// A number that libcurl knows of the transfer (`CURLINFO_…`).
    func info(_ info: Int) -> Int64 {
        acurl_get(easy, Int32(info))
    }

    /// Whether the connection has HTTP/2.
    var hasHTTP2: Bool { info(CURLINFO_HTTP_VERSION) >= CURL_HTTP_VERSION_2_0 }

    // MARK: - libcurl's callbacks

    /// Each calls the transfer that its context leads to, if there is one. `_withUnsafeGuaranteedRef` does so without
    /// retaining the transfer, which the loop keeps: libcurl makes these calls for each line and each piece.
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
        ready: { context, peer, _, peerPort, port in
            let mayContinue = transfer(context)?._withUnsafeGuaranteedRef { transfer in
                transfer.willSend(to: peer, peerPort, from: port)
            }
            return status(mayContinue)
        },
        step: { context, _, _, _, _ in
            status(transfer(context)?._withUnsafeGuaranteedRef { $0.step() })
        },
        debug: { _, kind, text, size, context in
            // Nothing else tells a refused stream from a broken connection.
            if acurl_says_refused(kind, text, size) {
                transfer(context)?._withUnsafeGuaranteedRef { $0.sending.isRefused = true }
            }
            return 0
        })

    /// The result of a callback that continues or aborts the transfer.
    private static func status(_ mayContinue: Bool?) -> Int32 {
        mayContinue == true ? 0 : 1
    }

    /// The transfer whose callbacks get a context from libcurl. The loop keeps both until libcurl has returned.
    static func transfer(_ context: UnsafeMutableRawPointer) -> Unmanaged<CurlTransfer>? {
        Unmanaged<CurlHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.transfer }
    }
}
#endif
