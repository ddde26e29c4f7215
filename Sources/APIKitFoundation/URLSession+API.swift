public import APIKitCore
import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

// Other platforms with FoundationNetworking do not have the libcurl engine.
#if os(Linux) || canImport(Darwin)
extension URLSession {
    /// A session for API calls, without a cache, a cookie storage or stored credentials.
    ///
    /// ```swift
    /// let users = try await URLSession.api.send(UsersRequest())
    /// ```
    ///
    /// The session delivers data, streams and files, over up to 64 connections per host. On Linux it uses libcurl.
    public static let api = api()

    /// Creates a session for API calls with your configuration and, on Apple's platforms, with your delegate for
    /// authentication challenges, such as for client certificates or a login to a proxy.
    ///
    /// Create a session once and keep it, since it lives until the process ends; never invalidate it.
    ///
    /// The configuration's `timeoutIntervalForRequest` is an upper bound of a request's ``RequestOptions/timeout``. If
    /// the session `waitsForConnectivity`, this timeout starts after the wait, while ``RequestOptions/deadline`` starts
    /// at once, and ``RequestOptions/connectivityTimeout`` limits only the wait. `timeoutIntervalForResource` limits a
    /// whole transfer.
    ///
    /// The configuration's `httpAdditionalHeaders` are added to each request that does not have the same headers. They
    /// follow the rules for redirects: an `Authorization` among them is not sent to another origin. On Apple's
    /// platforms, APIKit adds these headers itself, and the created session's configuration does not contain them.
    ///
    /// On Linux, sessions with the same settings share their connections.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the session.
    ///   - pins: The keys that servers must have, nil for any key that the system trusts. Pins are checked before the
    ///     delegate is called.
    ///   - proxy: The proxy. By default it is the configuration's or, if that has none, the system's; on Linux it is
    ///     taken from the environment's variables. On Apple's platforms, a user in the proxy's URL is ignored.
    ///   - delegate: The delegate that answers challenges, nil for the system's answers. Only its
    ///     `urlSession(_:didReceive:completionHandler:)` and `urlSession(_:task:didReceive:completionHandler:)` are
    ///     called. On Linux, each request of a session with a delegate fails with the code `unsupported`; use a
    ///     `CurlClient` there, which has settings for certificates.
    /// - Returns: The session.
    public static func api(
        configuration: URLSessionConfiguration = .api, pins: PublicKeyPins? = nil, proxy: Proxy = .system,
        delegate: (any URLSessionDelegate)? = nil
    ) -> URLSession {
        #if os(Linux)
        return APISession(configuration, pins: pins, proxy: proxy, wantsDelegate: delegate != nil)
        #else
        let own = configuration.copy() as? URLSessionConfiguration ?? configuration
        if proxy != .system { own.connectionProxyDictionary = proxy.dictionary }
        // The session itself would also send these headers to other origins after a redirect.
        own.httpAdditionalHeaders = nil
        let headers = HTTPHeaders(sorting: configuration.httpAdditionalHeaders ?? [:])
        let delegate = APISessionDelegate(challenges: delegate, headers: headers, pins: pins)
        return URLSession(configuration: own, delegate: delegate, delegateQueue: nil)
        #endif
    }
}
#endif

extension URLSessionConfiguration {
    /// A new configuration with the settings of ``Foundation/URLSession/api``, to change before a session is created.
    public static var api: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = 64
        // This is an upper bound of the timeouts of requests, and each request has its own. 7 days is long enough for
        // any of them: it is the default limit of a whole transfer.
        configuration.timeoutIntervalForRequest = 7 * 24 * 60 * 60
        return configuration
    }
}
