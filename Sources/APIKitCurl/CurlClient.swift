#if os(Linux)
public import APIKitCore
import CAPIKitCurl

/// The engine of Linux: an ``APIClient`` over libcurl.
///
/// ```swift
/// let client = CurlClient()
/// let users = try await client.send(UsersRequest())
/// ```
///
/// Create one client and keep it, since it owns its connections. One thread drives all of its requests. The thread
/// starts with the first request. It ends, and the connections are closed, after ``Configuration/idleTimeout`` without
/// a request.
///
/// libcurl 7.76 or newer is opened when it is first needed, so that a program builds without its headers. If it is
/// missing or cannot be loaded, each request fails with a ``TransportError`` of the code `unsupported`, whose message
/// says why and what to install. A program that imports `APIKit` or `FoundationNetworking` does not start without
/// libcurl, since Foundation is linked against it; the article *libcurl on Linux* explains this for each import.
///
/// Data, streams, files and progress work as the contract of all engines requires: a reader that is slower than the
/// server makes the server wait, timeouts are exact, and headers keep their order. The client requests and decodes
/// bodies in gzip, and in Brotli and zstd if their libraries are installed. A request that must not be repeated is sent
/// once, over a kept connection if there is one. With `Expect: 100-continue`, the body waits for the server's 100
/// response, for at most a second.
///
/// If bytes arrive on a connection between two requests, they are discarded, and the connection is replaced. Bytes that
/// arrive after a request was sent are taken for its response, since HTTP/1.1 does not identify the request that a
/// response belongs to. The client stores no cookies, no responses and no credentials.
public final class CurlClient: APIEngine {
    private let loop: CurlLoop
    private let configuration: Configuration

    /// Creates an engine with connections of its own.
    public init(_ configuration: Configuration = Configuration()) {
        var configuration = configuration
        configuration.headers.addMissing(from: [
            .userAgent: Self.userAgent, .acceptEncoding: ContentDecoder.acceptEncoding,
        ])
        self.configuration = configuration
        loop = CurlLoop(configuration)
    }

    deinit {
        loop.close()
    }

    /// Adds the configuration's headers, and limits the timeout.
    public func prepare(_ request: inout HTTPRequest) {
        request.headers.addMissing(from: configuration.headers)
        if let limit = configuration.timeout {
            request.options.timeout = .after(min(request.options.effectiveTimeout, limit))
        }
    }

    /// Hands the request of an exchange to the client's thread.
    ///
    /// - Throws: ``TransportError`` with the code `unsupported` if there is no usable libcurl.
    public func transmit(_ exchange: Exchange) throws {
        try transmit(exchange, cookies: RequestCookies(), transferTimeout: configuration.transferTimeout)
    }

    /// Hands the request of an exchange to the client's thread, with the cookies and the timeout of the session that
    /// sends it.
    package func transmit(_ exchange: Exchange, cookies: RequestCookies, transferTimeout: Duration?) throws {
        if let problem = acurl_open() {
            throw TransportError(.unsupported, String(cString: problem), request: exchange.request)
        }
        loop.send(.start(exchange, cookies: cookies, transferTimeout: transferTimeout))
    }

    /// The default `User-Agent`, which contains the program's name. Some servers refuse a request without this header.
    private static var userAgent: String {
        let name = ProcessInfo.processInfo.processName.filter { character in
            let isLetterOrNumber = character.isLetter || character.isNumber
            return character.isASCII && isLetterOrNumber
        }
        let product = name.isEmpty ? "APIKit" : name
        return "\(product) libcurl"
    }
}

/// The cookies of a request.
package struct RequestCookies: Sendable {
    /// The value of the request's `Cookie` header; empty for no header. It is not part of the request's headers, since
    /// a cookie may consist of any bytes, and headers are text.
    package var header: [UInt8] = []
    /// Stores the values of the response's `Set-Cookie` headers; nil to ignore them. It is called on the client's
    /// thread before the response is delivered, so it must not block.
    package var store: (@Sendable ([[UInt8]]) -> Void)?

    package init() {}
}

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
        /// If a host has several addresses, each one gets half of the remaining time, and the last one all of it. The
        /// timeout has no effect if ``connections`` is set, since requests may then wait for a connection.
        public var connectTimeout = Duration.seconds(30)
        /// The most connections to a host, 64 by default. Further requests wait for a free connection. Over HTTP/2,
        /// requests share a connection.
        public var connectionsPerHost = 64
        /// The most connections to all hosts together, nil for no limit.
        public var connections: Int?
        /// How long a connection without a request is kept, 50 seconds by default, in whole seconds from 1.
        ///
        /// Choose a shorter time than the servers do. A connection that a server has closed is replaced.
        public var idleTimeout = Duration.seconds(50)
        /// A file with root certificates in PEM to trust instead of the system's.
        public var rootCertificates: URL?
        /// The certificate that the client presents, nil for none.
        public var clientCertificate: ClientCertificate?
        /// The pinned keys, nil to trust any certificate that the root certificates verify.
        public var pins: PublicKeyPins?
        /// The proxy; by default `.direct`, so that variables of the environment have no effect.
        public var proxy = Proxy.direct
        /// The oldest version of TLS to accept, 1.2 by default.
        public var minimumTLSVersion = TLSVersion.v1_2
        /// The newest version of HTTP to use, 2 by default. HTTP/2 is used over TLS if the server supports it.
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
        /// The value of `CURLOPT_SSLVERSION`.
        let option: Int

        /// TLS 1.2 (RFC 5246).
        public static let v1_2 = TLSVersion(option: CURL_SSLVERSION_TLSv1_2)
        /// TLS 1.3 (RFC 8446).
        public static let v1_3 = TLSVersion(option: CURL_SSLVERSION_TLSv1_3)
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
