#if os(Linux)
import APIKitCore
import CAPIKitCurl

// Setting the options of a request. Each one takes time, so those that the last request has set already are not set
// again.
extension CurlHandle {
    /// The options that were set last.
    struct Applied {
        fileprivate var settings = CurlRequest.Settings()
        fileprivate var kind = Kind.get
        /// Whether the method is set explicitly, instead of derived from `kind`.
        fileprivate var hasCustomMethod = false
        fileprivate var headers: HeaderList?
    }

    /// The kind of a request, which says where libcurl gets the body from. libcurl derives the method from the kind
    /// unless a method is set explicitly.
    fileprivate enum Kind {
        case get, head
        /// A POST of bytes that libcurl copies.
        case post
        /// A PUT of the bytes that the read callback returns.
        case put
    }

    /// Sets all options of a request.
    func apply(_ request: CurlRequest) {
        change(to: request.settings)
        set(CURLOPT_URL, request.url)
        setHeaders(request.headers)
        setMethodAndBody(of: request)
    }

    /// Sets the settings of a handle that has none yet.
    func applyDefaults() {
        // All of them are set, since libcurl's defaults differ from those of `Settings`.
        change(to: CurlRequest.Settings(), evenIfEqual: true)
    }

    /// Whether libcurl closes the connection after the response. Setting it takes effect at once.
    var forbidsReuse: Bool {
        get { applied.settings.forbidsReuse }
        set {
            guard newValue != applied.settings.forbidsReuse else { return }
            applied.settings.forbidsReuse = newValue
            set(CURLOPT_FORBID_REUSE, newValue)
        }
    }

    /// Whether libcurl writes a log. Setting it takes effect at once.
    var isVerbose: Bool {
        get { applied.settings.isVerbose }
        set {
            guard newValue != applied.settings.isVerbose else { return }
            applied.settings.isVerbose = newValue
            set(CURLOPT_VERBOSE, newValue)
        }
    }

    /// Makes libcurl call the step callback, ``CurlTransfer/step()``, for this transfer.
    func reportSteps() {
        applied.settings.ignoresSteps = false
        set(CURLOPT_NOPROGRESS, false)
    }

    // MARK: - Settings and headers

    /// Sets libcurl's options for those settings that differ from the handle's present ones.
    ///
    /// - Parameters:
    ///   - new: The new settings.
    ///   - evenIfEqual: Whether to set the options of equal settings too.
    private func change(to new: CurlRequest.Settings, evenIfEqual: Bool = false) {
        let old = applied.settings
        // Two functions, since a key path has the type of its value.
        func setNumber(_ option: Int, _ value: KeyPath<CurlRequest.Settings, Int>) {
            let isChanged = old[keyPath: value] != new[keyPath: value]
            if isChanged || evenIfEqual { set(option, new[keyPath: value]) }
        }
        func setFlag(_ option: Int, _ value: KeyPath<CurlRequest.Settings, Bool>) {
            let isChanged = old[keyPath: value] != new[keyPath: value]
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
        applied.settings = new
    }

    private func setHeaders(_ headers: HeaderList) {
        guard headers !== applied.headers else { return }
        set(CURLOPT_HTTPHEADER, headers.lines.map(UnsafeRawPointer.init))
        applied.headers = headers
    }

    // MARK: - The method and the body

    /// Sets the method and the body together, since libcurl's options for a body change the method.
    private func setMethodAndBody(of request: CurlRequest) {
        switch request.body {
        case .none:
            setMethod(request.method, request.method == .head ? .head : .get)
        case .withHead(let data):
            setMethod(request.method, .post)
            set(CURLOPT_POSTFIELDSIZE, data.count)
            data.withUnsafeBytes { bytes in
                // libcurl reads no bytes of an empty body, but needs a pointer that is not NULL: any will do.
                set(CURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(errorText))
            }
        case .inPieces(let content, _):
            setMethod(request.method, .put)
            set(CURLOPT_UPLOAD, true)
            // -1 if the length is not known.
            set(CURLOPT_INFILESIZE, content.length ?? -1)
        }
    }

    /// Sets the method and the kind of a request. The kind says where libcurl gets the body from.
    ///
    /// Each kind has a method that it implies. Any other method is set explicitly, as a custom method: a PATCH with a
    /// body in memory, for example, has the kind `post` and the custom method `PATCH`.
    ///
    /// For the kinds `post` and `put`, the caller must set the options of the body afterwards.
    private func setMethod(_ method: HTTPMethod, _ kind: Kind) {
        resetKindIfNeeded(for: kind)
        applied.kind = kind
        if kind == .head { set(CURLOPT_NOBODY, true) }
        if Self.isImplied(method, by: kind) {
            removeCustomMethod()
        } else {
            setCustomMethod(method)
        }
    }

    /// Whether libcurl derives the method from the kind, so that it need not be set.
    private static func isImplied(_ method: HTTPMethod, by kind: Kind) -> Bool {
        switch method {
        case .get, .head: true
        case .post: kind == .post
        default: false
        }
    }

    /// Makes libcurl send this method, whatever the kind of the request is.
    private func setCustomMethod(_ method: HTTPMethod) {
        set(CURLOPT_CUSTOMREQUEST, method.rawValue)
        applied.hasCustomMethod = true
    }

    /// Makes libcurl derive the method from the kind again, if an earlier request has set a custom method.
    private func removeCustomMethod() {
        guard applied.hasCustomMethod else { return }
        set(CURLOPT_CUSTOMREQUEST, UnsafeRawPointer?.none)
        applied.hasCustomMethod = false
    }

    /// Makes libcurl forget the kind of the last request if it differs from the next one. A PUT is forgotten even
    /// before another one.
    private func resetKindIfNeeded(for newKind: Kind) {
        switch applied.kind {
        case .get:
            // There is nothing to forget: a GET is libcurl's default.
            return
        case .head, .post:
            if newKind == applied.kind { return }
        case .put:
            break
        }
        // Resets the options of all other kinds too.
        set(CURLOPT_HTTPGET, true)
    }
}
#endif
