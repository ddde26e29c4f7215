#if os(Linux)
import APIKitCore
import CAPIKitCurl

extension CurlClient.Configuration {
    /// The most connections to a host, as a number that libcurl accepts: at least 1, and at most 65,536, which is more
    /// than there are ports for connections to one host.
    var boundedConnectionsPerHost: Int { max(1, min(connectionsPerHost, 1 << 16)) }

    /// Sets the options that all requests of a client have in common.
    ///
    /// - Throws: `TransportError` with the code `unsupported` if the installed libcurl lacks a feature.
    func apply(to easy: OpaquePointer) throws(TransportError) {
        let options = CheckedOptions(easy)
        try setConstants(options)
        try setSecurity(options)
        // libcurl wants whole seconds. At least one, since 0 means that connections are kept forever.
        let idleSeconds = max(1, Int(idleTimeout.milliseconds) / 1000)
        options.trySetting(CURLOPT_MAXAGE_CONN, idleSeconds)
        if proxy != .system {
            // An empty text means no proxy, and keeps libcurl from reading one from the environment.
            try options.set(CURLOPT_PROXY, proxy.url?.absoluteString ?? "", for: "this proxy")
        }
        if let unixSocket {
            try options.set(CURLOPT_UNIX_SOCKET_PATH, unixSocket, for: "Unix sockets")
        }
    }

    /// Sets the options that do not depend on the configuration.
    private func setConstants(_ options: CheckedOptions) throws(TransportError) {
        // For the error's message: "the installed libcurl does not support …".
        let feature = "the options that this engine always sets"
        // Signals belong to the program, not to a library.
        try options.set(CURLOPT_NOSIGNAL, 1, for: feature)
        // The path is sent as it is in the URL: libcurl does not resolve "/../".
        try options.set(CURLOPT_PATH_AS_IS, 1, for: feature)
        // A response without a head is an error.
        try options.set(CURLOPT_HTTP09_ALLOWED, 0, for: feature)
        // The head of a proxy's response to CONNECT is not that of the server.
        try options.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1, for: feature)
        // Older versions only have the option that takes a number.
        if !options.trySetting(CURLOPT_PROTOCOLS_STR, "http,https") {
            try options.set(CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS, for: feature)
        }
        // In newer versions, this keeps the removal of a transfer from waiting for a name look-up under way.
        options.trySetting(CURLOPT_QUICK_EXIT, 1)
    }

    /// Sets the options of TLS that differ from libcurl's defaults.
    private func setSecurity(_ options: CheckedOptions) throws(TransportError) {
        try options.set(CURLOPT_SSLVERSION, minimumTLSVersion.option, for: "a choice of TLS versions")
        if let rootCertificates {
            try options.set(CURLOPT_CAINFO, rootCertificates.path, for: "root certificates in a file")
        }
        if let pins {
            // libcurl accepts a key with any of the hashes.
            let hashes = pins.hashes.map { "sha256//\($0.base64EncodedString())" }
            try options.set(CURLOPT_PINNEDPUBLICKEY, hashes.joined(separator: ";"), for: "pinned keys")
        }
        if let clientCertificate {
            let feature = "client certificates"
            try options.set(CURLOPT_SSLCERT, clientCertificate.certificate.path, for: feature)
            try options.set(CURLOPT_SSLKEY, clientCertificate.key.path, for: feature)
            if let password = clientCertificate.password {
                try options.set(CURLOPT_KEYPASSWD, password, for: feature)
            }
        }
    }
}

/// Sets options of a handle that the installed libcurl may not know.
private struct CheckedOptions {
    private let easy: OpaquePointer

    init(_ easy: OpaquePointer) {
        self.easy = easy
    }

    /// Sets an option to a number.
    ///
    /// - Returns: Whether libcurl has the option.
    @discardableResult
    func trySetting(_ option: Int, _ value: Int) -> Bool {
        acurl_set_long(easy, Int32(option), value) == 0
    }

    /// Sets an option to a text.
    ///
    /// - Returns: Whether libcurl has the option.
    func trySetting(_ option: Int, _ text: String) -> Bool {
        text.withCString { acurl_set_pointer(easy, Int32(option), $0) == 0 }
    }

    /// Sets an option to a number.
    ///
    /// - Throws: `TransportError` with the code `unsupported` if libcurl lacks the option, and so the feature.
    func set(_ option: Int, _ value: Int, for feature: String) throws(TransportError) {
        if !trySetting(option, value) { throw Self.unsupported(feature) }
    }

    /// Sets an option to a text, like ``set(_:_:for:)`` a number.
    func set(_ option: Int, _ text: String, for feature: String) throws(TransportError) {
        if !trySetting(option, text) { throw Self.unsupported(feature) }
    }

    private static func unsupported(_ feature: String) -> TransportError {
        TransportError(.unsupported, "the installed libcurl does not support \(feature)")
    }
}

extension Duration {
    /// The duration in milliseconds, rounded up, and at most 24 days, which fit into 32 bits.
    var milliseconds: Int32 {
        let bounded = max(.zero, min(self, .seconds(24 * 86_400)))
        let (seconds, attoseconds) = bounded.components
        let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000
        let fraction = (attoseconds + attosecondsPerMillisecond - 1) / attosecondsPerMillisecond
        return Int32(seconds * 1000 + fraction)
    }
}
#endif
