public import APIKitCore
import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

// Other platforms with FoundationNetworking do not have the engine of Linux.
#if os(Linux) || canImport(Darwin)
extension URLSession {
    /// A session to call APIs with, without a cache, a cookie storage or stored credentials.
    ///
    /// ```swift
    /// let users = try await URLSession.api.send(UsersRequest())
    /// ```
    ///
    /// It delivers data, streams and files, over up to 64 connections per host; on Linux over libcurl.
    public static let api = api()

    /// Creates a session for API calls with a configuration of its own, and on Apple's platforms with a delegate of its
    /// own, which answers authentication challenges: for client certificates or a login to a proxy.
    ///
    /// Create a session once and keep it, since it lives until the process ends; never invalidate it.
    ///
    /// The configuration's `timeoutIntervalForRequest` is an upper bound of a request's ``RequestOptions/timeout``,
    /// which starts once a session that `waitsForConnectivity` is connected; ``RequestOptions/deadline`` starts at
    /// once, and ``RequestOptions/connectivityTimeout`` limits the wait alone. `timeoutIntervalForResource` limits a
    /// whole transfer.
    ///
    /// The configuration's `httpAdditionalHeaders` are added to each request that does not have its own, and follow the
    /// rules for redirects: an `Authorization` among them does not reach another origin. On Apple's platforms the
    /// session's own configuration therefore has none.
    ///
    /// On Linux, sessions with the same settings share their connections.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the session.
    ///   - pins: The keys that servers must have, nil for any that the system trusts. They are checked before the
    ///     delegate is asked.
    ///   - proxy: The proxy; by default that of the configuration or, if it has none, the system's, and on Linux that
    ///     of the environment's variables. On Apple's platforms, a user in its URL is not used.
    ///   - delegate: What answers challenges, nil for the system's answers. Only its
    ///     `urlSession(_:didReceive:completionHandler:)` and `urlSession(_:task:didReceive:completionHandler:)` are
    ///     called. On Linux, each request of a session that has one fails with the code `unsupported`: a `CurlClient`
    ///     has settings for certificates.
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
        // A session would send them wherever a redirect leads.
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
        // A session's timeout caps that of its requests, each of which has one; 7 days is the cap of a whole transfer.
        configuration.timeoutIntervalForRequest = 7 * 24 * 60 * 60
        return configuration
    }
}
