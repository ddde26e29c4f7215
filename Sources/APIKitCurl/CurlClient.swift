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
/// Create one and keep it: it owns its connections. One thread drives all of its requests; it starts with the first one
/// and ends, as the connections do, once nothing has been sent for ``Configuration/idleTimeout``.
///
/// libcurl 7.76 or newer is opened when it is first needed, so that a program builds without its headers. If it is
/// missing or cannot be loaded, each request fails with a ``TransportError`` of the code `unsupported` that says why
/// and what to install. A program that imports `APIKit` or `FoundationNetworking` does not begin without libcurl, since
/// Foundation is linked against it: *libcurl on Linux* says what holds for which import.
///
/// Data, streams, files and progress work as the contract of all engines requires: a reader that is slower than the
/// server makes the server wait, timeouts are exact, and headers keep their order. Bodies in gzip are asked for and
/// decoded, and in Brotli if its library is installed. A request that must not be repeated is sent once, over a kept
/// connection if there is one. With `Expect: 100-continue`, the body waits for the server's 100, at most for a second.
/// What arrives on a connection between two requests is not taken for a response; the connection is replaced. What
/// arrives after a request was sent is its response, since HTTP/1.1 does not say whose it is. There is no cookie store,
/// no cache and no stored credential.
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
        if let limit = configuration.timeout { request.options.timeout = min(request.options.effectiveTimeout, limit) }
    }

    /// Hands the request of an exchange to the thread.
    ///
    /// - Throws: ``TransportError`` with the code `unsupported` if there is no usable libcurl.
    public func transmit(_ exchange: Exchange) throws {
        try transmit(exchange, cookies: nil)
    }

    /// Hands the request of an exchange to the thread, with the cookies of a store.
    package func transmit(_ exchange: Exchange, cookies: (any CookieStore)?) throws {
        if let problem = acurl_open() {
            throw TransportError(.unsupported, String(cString: problem), request: exchange.request)
        }
        loop.send(.start(CurlTransfer(of: exchange, on: loop, cookies: cookies)))
    }

    /// The program's name, since some servers refuse a request without a `User-Agent`.
    private static var userAgent: String {
        let name = ProcessInfo.processInfo.processName.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return "\(name.isEmpty ? "APIKit" : name) libcurl"
    }
}

/// What keeps cookies for an engine.
package protocol CookieStore: Sendable {
    /// The value of the `Cookie` header for a URL, nil for none.
    func cookies(for url: URL) -> String?
    /// Takes the cookies of a response.
    func store(from head: HTTPResponse.Head)
}
#endif
