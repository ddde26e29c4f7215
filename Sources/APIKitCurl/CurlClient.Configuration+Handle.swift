#if os(Linux)
import APIKitCore
import CAPIKitCurl

extension CurlClient.Configuration {
    /// The number of connections to a host, which stands for any number if it is as large as that.
    var boundedConnectionsPerHost: Int { max(1, min(connectionsPerHost, 1 << 16)) }

    /// Sets what all requests of a client have in common.
    ///
    /// - Throws: `TransportError` with the code `unsupported` if the installed libcurl cannot do what is asked for.
    func apply(to easy: OpaquePointer) throws(TransportError) {
        func set(_ option: CurlOption, _ value: Int) -> Bool { acurl_set_long(easy, option.rawValue, value) == 0 }
        func set(_ option: CurlOption, _ text: String) -> Bool {
            text.withCString { acurl_set_pointer(easy, option.rawValue, $0) == 0 }
        }
        func need(_ isSet: Bool, _ feature: String) throws(TransportError) {
            if !isSet { throw TransportError(.unsupported, "the installed libcurl does not support \(feature)") }
        }

        let isSafe =
            set(.noSignal, 1) && set(.pathAsIs, 1) && set(.http09Allowed, 0) && set(.suppressConnectHeaders, 1)
            && (set(.protocolNames, "http,https") || set(.protocols, 3))
        try need(isSafe, "the options that this engine always sets")
        // 7.87: a cancel does not wait for a look-up of a name.
        _ = set(.quickExit, 1)
        _ = set(.maxAgeOfConnection, max(1, Int(idleTimeout.milliseconds) / 1000))

        try need(set(.sslVersion, minimumTLSVersion.option), "a choice of TLS versions")
        if let file = rootCertificates { try need(set(.rootCertificates, file.path), "root certificates in a file") }
        if let pins {
            let list = pins.hashes.map { "sha256//\($0.base64EncodedString())" }.joined(separator: ";")
            try need(set(.pinnedKeys, list), "pinned keys")
        }
        if let identity = clientCertificate {
            let isSet = set(.certificate, identity.certificate.path) && set(.key, identity.key.path)
            try need(isSet && identity.password.map { set(.keyPassword, $0) } ?? true, "client certificates")
        }
        // An empty one keeps libcurl from reading the environment.
        if proxy != .system { try need(set(.proxy, proxy.url?.absoluteString ?? ""), "this proxy") }
        if let unixSocket { try need(set(.unixSocket, unixSocket), "Unix sockets") }
    }
}

extension Duration {
    /// Rounded up, and at most 24 days.
    var milliseconds: Int32 {
        let bounded = max(.zero, min(self, .seconds(24 * 86_400)))
        let (seconds, attoseconds) = bounded.components
        return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

/// Numbers of libcurl's options, which never change.
enum CurlOption: Int32 {
    // Of a loop (`CURLMOPT_…`).
    case keptConnections = 6, maxConnectionsPerHost, maxConnections = 13, maxStreams = 16
    // Of a transfer (`CURLOPT_…`): numbers.
    case uploadSize = 14, sslVersion = 32, verbose = 41, header, noProgress, noBody, upload = 46, postSize = 60
    case freshConnection = 74, forbidReuse, get = 80, httpVersion = 84, bufferSize = 98, noSignal, timeout = 155
    case connectTimeout
    case protocols = 181, pathAsIs = 234, waitForMultiplexing = 237, suppressConnectHeaders = 265, http09Allowed = 285
    case maxAgeOfConnection = 288, quickExit = 322
    // Texts and pointers.
    case url = 10002, proxy = 10004, errorBuffer = 10010, headers = 10023, certificate = 10025, keyPassword
    case method = 10036, rootCertificates = 10065, key = 10087, copiedPost = 10165, pinnedKeys = 10230, unixSocket
    case protocolNames = 10318
}

/// Numbers of what libcurl knows of a transfer (`CURLINFO_…`).
enum CurlInfo: Int32 {
    case connectCode = 0x200016, newConnections = 0x20001A, httpVersion = 0x20002E
    case nameLookupTime = 0x600033, connectTime, timeBeforeTransfer, secureTime = 0x600038
}
#endif
