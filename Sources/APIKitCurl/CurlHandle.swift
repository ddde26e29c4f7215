#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// A handle of libcurl, with what it keeps from one request to the next. Used on the loop's thread alone.
///
/// All handles of a loop are copies of its first one, which no request uses: a copy costs less than setting all
/// options.
final class CurlHandle {
    let easy: OpaquePointer
    /// The transfer that uses it, which the loop keeps meanwhile.
    private var transfer: Unmanaged<CurlTransfer>?
    /// What libcurl says of an error, beyond its code.
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: 256)  // CURL_ERROR_SIZE
    @exclusivity(unchecked) private var settings = Settings()
    /// What the last request has left of its method, its body and its headers.
    @exclusivity(unchecked) private var kind = Kind.get
    @exclusivity(unchecked) private var hasMethod = false
    @exclusivity(unchecked) private var headers: HeaderList?

    /// What libcurl makes of a request without a method of its own.
    enum Kind {
        case get, head
        /// A POST of bytes.
        case post
        /// A PUT of what the read callback gives.
        case put
    }

    /// Numbers in which requests may differ.
    struct Settings {
        var bufferSize = 64 << 10
        var connectTimeout = 30_000
        /// 0 for none.
        var transferTimeout = 0
        var httpVersion = 2
        var freshConnection = 0
        var forbidReuse = 0
        var waitForMultiplexing = 1
        var verbose = 0
        var noProgress = 1
    }

    /// In libcurl 7.83 to 7.88 a handle that is used again, even after `curl_easy_reset`, has a dangling pointer to a
    /// header of the last response, which it uses if the next one begins with a folded line: a use after free that a
    /// server can trigger. There, libcurl is asked to write heads like bodies too (`CURLOPT_HEADER`), which it does
    /// before it looks at a line, so that such a line can be refused in time.
    static let writesHeads = (0x07_53_00..<0x08_00_00).contains(acurl_version())

    /// Creates a handle with what all requests of a client have in common.
    ///
    /// - Throws: `TransportError` if the installed libcurl cannot do what the configuration asks for.
    init(_ configuration: CurlClient.Configuration, on connections: OpaquePointer) throws(TransportError) {
        guard let easy = acurl_easy_create(Self.callbacks, connections) else { throw Self.noMemory }
        self.easy = easy
        try configuration.apply(to: easy)
        if Self.writesHeads { set(.header, 1) }
        change(to: Settings(), isFirst: true)
    }

    /// Creates a copy.
    ///
    /// - Throws: `TransportError` if no memory is left.
    init(copying first: CurlHandle) throws(TransportError) {
        guard let easy = acurl_easy_copy(first.easy) else { throw Self.noMemory }
        self.easy = easy
        acurl_set_context(easy, Unmanaged.passUnretained(self).toOpaque())
        set(.errorBuffer, errorText)
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
        // This undoes what an earlier request has set.
        if self.kind != .get, self.kind != kind || kind == .put { set(.get, 1) }
        self.kind = kind
        let isSpecial = !(method == .get || method == .head || kind == .post && method == .post)
        if isSpecial { set(.method, method.rawValue) } else if hasMethod { set(.method, UnsafeRawPointer?.none) }
        hasMethod = isSpecial
        if kind == .head { set(.noBody, 1) }
    }

    /// Sets the headers.
    func setHeaders(_ headers: HeaderList) {
        guard headers !== self.headers else { return }
        set(.headers, headers.lines.map(UnsafeRawPointer.init))
        self.headers = headers
    }

    private func change(to new: Settings, isFirst: Bool = false) {
        func change(_ option: CurlOption, _ value: KeyPath<Settings, Int>) {
            if isFirst || settings[keyPath: value] != new[keyPath: value] { set(option, new[keyPath: value]) }
        }
        change(.bufferSize, \.bufferSize)
        change(.connectTimeout, \.connectTimeout)
        change(.timeout, \.transferTimeout)
        change(.httpVersion, \.httpVersion)
        change(.freshConnection, \.freshConnection)
        change(.forbidReuse, \.forbidReuse)
        change(.waitForMultiplexing, \.waitForMultiplexing)
        change(.verbose, \.verbose)
        change(.noProgress, \.noProgress)
        settings = new
    }

    /// Whether libcurl closes the connection after the response.
    var forbidsReuse: Bool {
        get { settings.forbidReuse != 0 }
        set {
            guard newValue != forbidsReuse else { return }
            settings.forbidReuse = newValue ? 1 : 0
            set(.forbidReuse, settings.forbidReuse)
        }
    }

    /// Has libcurl report each step.
    func reportSteps() {
        settings.noProgress = 0
        set(.noProgress, 0)
    }

    func set(_ option: CurlOption, _ value: Int) {
        _ = acurl_set_long(easy, option.rawValue, value)
    }

    func set(_ option: CurlOption, _ value: UnsafeRawPointer?) {
        _ = acurl_set_pointer(easy, option.rawValue, value)
    }

    func set(_ option: CurlOption, _ text: String) {
        text.withCString { set(option, UnsafeRawPointer($0)) }
    }

    func get(_ info: CurlInfo) -> Int64 { acurl_get(easy, info.rawValue) }

    // MARK: - libcurl's callbacks

    private static let callbacks = acurl_callbacks(
        head: { line, size, count, context in
            let line = UnsafeRawBufferPointer(start: line, count: size * count)
            return transfer(context)?._withUnsafeGuaranteedRef { $0.receive(line: line) } == true ? size * count : 0
        },
        write: { bytes, size, count, context in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return transfer(context)?._withUnsafeGuaranteedRef { $0.receive(bytes) } ?? 0
        },
        read: { buffer, size, count, context in
            let buffer = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
            // Otherwise to abort.
            return transfer(context)?._withUnsafeGuaranteedRef { $0.read(into: buffer) } ?? 0x1000_0000
        },
        ready: { context, peer, _, peerPort, port in
            transfer(context)?._withUnsafeGuaranteedRef { $0.willSend(to: peer, peerPort, from: port) } == true ? 0 : 1
        },
        step: { context, _, _, _, _ in
            transfer(context)?._withUnsafeGuaranteedRef { $0.step() } == true ? 0 : 1
        },
        debug: { _, kind, text, size, context in
            // Nothing else tells a refused stream from a broken connection.
            if acurl_says_refused(kind, text, size) {
                transfer(context)?._withUnsafeGuaranteedRef { $0.sending.isRefused = true }
            }
            return 0
        })

    /// The transfer whose callbacks get a context from libcurl. The loop keeps both until libcurl has returned.
    static func transfer(_ context: UnsafeMutableRawPointer) -> Unmanaged<CurlTransfer>? {
        Unmanaged<CurlHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.transfer }
    }
}
#endif
