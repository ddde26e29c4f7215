#if os(Linux)
public import APIKitCore

extension CurlClient {
    /// How an engine connects.
    ///
    /// ```swift
    /// var configuration = CurlClient.Configuration()
    /// configuration.rootCertificates = URL(filePath: "/etc/internal/roots.pem")
    /// configuration.proxy = .system
    /// let client = CurlClient(configuration)
    /// ```
    public struct Configuration: Sendable {
        /// The headers that each request gets unless it has its own. They follow the rules for redirects.
        ///
        /// By default a request has a `User-Agent` with the program's name, and an `Accept-Encoding`.
        public var headers: HTTPHeaders = [:]
        /// The upper bound of each request's ``RequestOptions/timeout``, nil for none.
        public var timeout: Duration?
        /// The longest time from the start of a transfer to the last byte of its response, streams included; nil for no
        /// limit.
        public var transferTimeout: Duration?
        /// The longest time for opening a connection, its TLS handshake included: 30 seconds by default, and never
        /// longer than a request's ``RequestOptions/timeout``.
        ///
        /// If a host has several addresses, each gets half of the time that is left, and the last one all of it. It
        /// has no effect if ``connections`` is set, since requests may then wait for a connection.
        public var connectTimeout = Duration.seconds(30)
        /// How many connections there may be to a host, 64 by default; further requests wait for one. Over HTTP/2,
        /// requests share a connection.
        public var connectionsPerHost = 64
        /// How many connections there may be in all, nil for any number.
        public var connections: Int?
        /// How long a connection without a request is kept, 50 seconds by default, in whole seconds from 1.
        ///
        /// Choose less than the servers do. One that a server has closed is replaced.
        public var idleTimeout = Duration.seconds(50)
        /// A file with root certificates in PEM to trust instead of the system's.
        public var rootCertificates: URL?
        /// The certificate that the client presents, nil for none.
        public var clientCertificate: ClientCertificate?
        /// The pinned keys, nil to trust any certificate that the root certificates verify.
        public var pins: PublicKeyPins?
        /// The proxy; by default `.direct`, so that variables of the environment have no effect.
        public var proxy = Proxy.direct
        /// The oldest version of TLS, 1.2 by default.
        public var minimumTLSVersion = TLSVersion.v1_2
        /// The newest version of HTTP, 2 by default, which is used over TLS if the server speaks it.
        public var httpVersion = HTTPVersion.http2
        /// The path of a Unix socket to connect to instead of each URL's host.
        public var unixSocket: String?

        /// Creates a configuration with the defaults.
        public init() {}
    }

    /// A client's certificate and its private key, in PEM.
    public struct ClientCertificate: Sendable {
        /// The file of the certificate, with the intermediate ones after it.
        public var certificate: URL
        /// The file of the private key.
        public var key: URL
        /// The password of the key, nil for none.
        public var password: String?

        /// Creates a certificate from files.
        public init(certificate: URL, key: URL, password: String? = nil) {
            self.certificate = certificate
            self.key = key
            self.password = password
        }
    }

    /// A version of TLS.
    public struct TLSVersion: Sendable, Hashable {
        /// The value of `CURL_SSLVERSION`.
        let option: Int

        /// TLS 1.2 (RFC 5246).
        public static let v1_2 = TLSVersion(option: 6)
        /// TLS 1.3 (RFC 8446).
        public static let v1_3 = TLSVersion(option: 7)
    }

    /// A version of HTTP.
    public struct HTTPVersion: Sendable, Hashable {
        private let major: Int

        /// HTTP/1.1 (RFC 9112).
        public static let http1 = HTTPVersion(major: 1)
        /// HTTP/2 (RFC 9113).
        public static let http2 = HTTPVersion(major: 2)
    }
}
#endif
