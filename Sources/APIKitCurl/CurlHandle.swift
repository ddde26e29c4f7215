#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// An easy handle of libcurl, and the options that it keeps from one request to the next. Used only on the loop's
/// thread.
///
/// All handles of a loop are copies of its first handle, since copying costs less than setting all options. No request
/// uses the first handle itself.
final class CurlHandle {
    let easy: OpaquePointer
    /// The transfer that uses the handle. It is not retained here, since the loop retains it until the transfer ends.
    private var transfer: Unmanaged<CurlTransfer>?
    /// The buffer for libcurl's error message.
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: CURL_ERROR_SIZE)
    @exclusivity(unchecked) private var settings = Settings()
    // The options that the last request has set.
    @exclusivity(unchecked) private var kind = Kind.get
    /// Whether the method is set explicitly, instead of derived from `kind`.
    @exclusivity(unchecked) private var hasCustomMethod = false
    @exclusivity(unchecked) private var headers: HeaderList?

    /// The kind of a request. libcurl derives the method from it unless a method is set.
    enum Kind {
        case get, head
        /// A POST of bytes.
        case post
        /// A PUT of the bytes that the read callback returns.
        case put
    }

    /// The options that may differ between requests. Times are in milliseconds.
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

    /// Whether libcurl passes the lines of a head to the write callback too (`CURLOPT_HEADER`), before it parses them.
    ///
    /// This works around a use after free in libcurl 7.83 to 7.88, which a server can trigger. There, a handle that is
    /// used again, even after `curl_easy_reset`, has a dangling pointer to a header of the last response. It follows
    /// this pointer if the next response begins with a folded line. The write callback refuses such a line in time.
    static let writesHeads = (CurlVersion(7, 83)..<CurlVersion(8, 0)).contains(.installed)

    /// Creates the first handle of a loop, with the options that all requests of a client have in common.
    ///
    /// - Throws: `TransportError` if the installed libcurl lacks a feature that the configuration needs.
    init(_ configuration: CurlClient.Configuration, _ multi: OpaquePointer) throws(TransportError) {
        guard let easy = acurl_easy_create(Self.callbacks, multi) else { throw Self.noMemory }
        self.easy = easy
        try configuration.apply(to: easy)
        if Self.writesHeads { set(CURLOPT_HEADER, true) }
        // All of them are set, since libcurl's defaults differ from those of `Settings`.
        change(to: Settings(), evenIfEqual: true)
    }

    /// Creates a copy of a loop's first handle.
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

    /// Begins the use of the handle by a transfer, which gets libcurl's callbacks from now on.
    func beginUse(by transfer: CurlTransfer, _ settings: Settings) {
        self.transfer = .passUnretained(transfer)
        errorText[0] = 0
        change(to: settings)
    }

    /// Ends the use of the handle by its transfer.
    func endUse() {
        transfer = nil
    }

    /// Sets the method and the kind of the next request.
    ///
    /// The kind says where libcurl gets the body from. libcurl has no kind for most methods: a PATCH with a body in
    /// memory, for example, has the kind `post`. Such a method is set explicitly, as a custom method.
    ///
    /// For the kinds `post` and `put`, the caller must set the options of the body afterwards.
    func setMethod(_ method: HTTPMethod, _ kind: Kind) {
        resetKindIfNeeded(for: kind)
        self.kind = kind
        if kind == .head { set(CURLOPT_NOBODY, true) }
        if Self.isImplied(method, by: kind) {
            removeCustomMethod()
        } else {
            setCustomMethod(method)
        }
    }

    /// Makes libcurl send this method, whatever the kind of the request is.
    private func setCustomMethod(_ method: HTTPMethod) {
        set(CURLOPT_CUSTOMREQUEST, method.rawValue)
        hasCustomMethod = true
    }

    /// Makes libcurl derive the method from the kind again, if an earlier request has set a custom method.
    private func removeCustomMethod() {
        guard hasCustomMethod else { return }
        set(CURLOPT_CUSTOMREQUEST, UnsafeRawPointer?.none)
        hasCustomMethod = false
    }

    /// Makes libcurl forget the kind of the last request if it differs from the next one. A PUT is forgotten even
    /// before another one.
    private func resetKindIfNeeded(for newKind: Kind) {
        switch kind {
        case .get:
            // There is nothing to forget: a GET is libcurl's default.
            return
        case .head, .post:
            if newKind == kind { return }
        case .put:
            break
        }
        // Resets the options of all other kinds too.
        set(CURLOPT_HTTPGET, true)
    }

    /// Whether libcurl derives the method from the kind, so that it need not be set.
    private static func isImplied(_ method: HTTPMethod, by kind: Kind) -> Bool {
        switch method {
        case .get, .head: true
        case .post: kind == .post
        default: false
        }
    }

    /// Sets the headers, unless the last request had the same list.
    func setHeaders(_ headers: HeaderList) {
        guard headers !== self.headers else { return }
        set(CURLOPT_HTTPHEADER, headers.lines.map(UnsafeRawPointer.init))
        self.headers = headers
    }

    /// Changes the settings. Setting an option of libcurl takes time, so only those that have changed are set.
    ///
    /// - Parameters:
    ///   - new: The new settings.
    ///   - evenIfEqual: Whether to set all options.
    private func change(to new: Settings, evenIfEqual: Bool = false) {
        // Two functions, since a key path has the type of its value.
        func setNumber(_ option: Int, _ value: KeyPath<Settings, Int>) {
            let isChanged = settings[keyPath: value] != new[keyPath: value]
            if isChanged || evenIfEqual { set(option, new[keyPath: value]) }
        }
        func setFlag(_ option: Int, _ value: KeyPath<Settings, Bool>) {
            let isChanged = settings[keyPath: value] != new[keyPath: value]
            if isChanged || evenIfEqual { set(option, new[keyPath: value]) }
        }
        setNumber(CURLOPT_BUFFERSIZE, \.bufferSize)
        setNumber(CURLOPT_CONNECTTIMEOUT_MS, \.connectTimeout)
        setNumber(CURLOPT_TIMEOUT_MS, \.transferTimeout)
        setNumber(CURLOPT_HTTP_VERSION, \.httpVersion)
        setFlag(CURLOPT_FRESH_CONNECT, \.needsNewConnection)
        setFlag(CURLOPT_FORBID_REUSE, \.forbidsReuse)
        setFlag(CURLOPT_PIPEWAIT, \.waitsForConnection)
        setFlag(CURLOPT_VERBOSE, \.isVerbose)
        setFlag(CURLOPT_NOPROGRESS, \.ignoresSteps)
        settings = new
    }

    /// Whether libcurl closes the connection after the response. Setting it takes effect at once.
    var forbidsReuse: Bool {
        get { settings.forbidsReuse }
        set {
            guard newValue != settings.forbidsReuse else { return }
            settings.forbidsReuse = newValue
            set(CURLOPT_FORBID_REUSE, newValue)
        }
    }

    /// Makes libcurl call the step callback, ``CurlTransfer/step()``, for this transfer.
    func reportSteps() {
        settings.ignoresSteps = false
        set(CURLOPT_NOPROGRESS, false)
    }

    // These functions set options (`CURLOPT_…`) that every supported version of libcurl has.

    /// Sets an option on or off.
    func set(_ option: Int, _ isOn: Bool) {
        set(option, isOn ? 1 : 0)
    }

    /// Sets an option to a number.
    func set(_ option: Int, _ value: Int) {
        _ = acurl_set_long(easy, Int32(option), value)
    }

    /// Sets an option to a pointer; nil resets it.
    func set(_ option: Int, _ value: UnsafeRawPointer?) {
        _ = acurl_set_pointer(easy, Int32(option), value)
    }

    /// Sets an option to a text, which libcurl copies.
    func set(_ option: Int, _ text: String) {
        text.withCString { set(option, UnsafeRawPointer($0)) }
    }

    /// Returns a number that libcurl has about the transfer (`CURLINFO_…`).
    func info(_ info: Int) -> Int64 {
        acurl_get(easy, Int32(info))
    }

    /// Whether the connection uses HTTP/2.
    var hasHTTP2: Bool { info(CURLINFO_HTTP_VERSION) >= CURL_HTTP_VERSION_2_0 }

    // MARK: - libcurl's callbacks

    /// The callbacks of all handles. Each callback calls the transfer that uses the handle at the time, and aborts if
    /// there is none.
    ///
    /// The callbacks run for each line and each piece of a response, so retaining the transfer each time would be
    /// noticeable. `_withUnsafeGuaranteedRef` avoids it, which is safe since the loop retains the transfer.
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
                transfer(context)?._withUnsafeGuaranteedRef { $0.sending.isRefused = true }
            }
            return 0
        })

    /// Returns what a callback returns to libcurl: 0 to continue the transfer, 1 to abort it. The transfer is also
    /// aborted if there is no answer, because no transfer uses the handle.
    private static func status(_ mayContinue: Bool?) -> Int32 {
        mayContinue == true ? 0 : 1
    }

    /// Returns the transfer that uses the handle to which a callback's context points, nil if there is none. The loop
    /// retains both until libcurl has returned.
    static func transfer(_ context: UnsafeMutableRawPointer) -> Unmanaged<CurlTransfer>? {
        Unmanaged<CurlHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.transfer }
    }
}
#endif
