public import APIKitCore
import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

#if os(Linux)
import APIKitCurl
#endif

// Other platforms with FoundationNetworking have neither this session nor the engine of Linux.
#if os(Linux) || canImport(Darwin)
extension URLSession {
    /// The engine to call APIs with: on Apple's platforms a session without a cache, a cookie jar or stored
    /// credentials, on Linux a `CurlClient` without them.
    ///
    /// ```swift
    /// let users = try await URLSession.api.send(UsersRequest())
    /// ```
    ///
    /// It delivers data, streams and files, over up to 64 connections per host.
    public static let api: some APIClient = api()
}
#endif

extension URLSessionConfiguration {
    /// A new configuration with the settings of ``Foundation/URLSession/api``, to change before an engine is created.
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

extension HTTPHeaders {
    /// Creates the headers that a configuration adds to each request.
    init(additionalHeadersOf configuration: URLSessionConfiguration) {
        let fields = (configuration.httpAdditionalHeaders ?? [:]).compactMap { name, value -> Field? in
            guard let name = name as? String else { return nil }
            return Field(name: Name(rawValue: name), value: "\(value)")
        }
        self.init(fields.sorted { $0.name.rawValue < $1.name.rawValue })
    }
}

#if os(Linux)
extension URLSession {
    /// Creates an engine for API calls with a configuration of its own.
    ///
    /// Its headers are added to each request that does not have its own, and follow the rules for redirects. Its
    /// `timeoutIntervalForRequest` is an upper bound of each request's ``RequestOptions/timeout``, its
    /// `timeoutIntervalForResource` one of a whole transfer, and its `httpMaximumConnectionsPerHost` is honored. Other
    /// settings are ignored on Linux: set them in `CurlClient.Configuration`.
    ///
    /// - Parameters:
    ///   - configuration: Headers and limits.
    ///   - pins: The keys that servers must have, nil for any that the system trusts.
    ///   - proxy: The proxy; by default that of the environment's variables, as with any `URLSession` on Linux.
    /// - Returns: The engine. Create it once and keep it, since it owns its connections.
    public static func api(
        configuration: URLSessionConfiguration = .api, pins: PublicKeyPins? = nil, proxy: Proxy = .system
    ) -> some APIClient {
        var own = CurlClient.Configuration()
        own.headers = HTTPHeaders(additionalHeadersOf: configuration)
        own.timeout = .seconds(configuration.timeoutIntervalForRequest.bounded)
        own.transferTimeout = .seconds(configuration.timeoutIntervalForResource.bounded)
        own.connectionsPerHost = max(1, configuration.httpMaximumConnectionsPerHost)
        own.pins = pins
        own.proxy = proxy
        return CurlClient(own)
    }
}

extension TimeInterval {
    /// A time that `Duration` holds.
    fileprivate var bounded: TimeInterval { self > 0 ? min(self, 1e9) : 60 }
}
#elseif canImport(Darwin)
extension URLSession {
    /// Creates a session for API calls with a configuration and a delegate of its own. The delegate answers
    /// authentication challenges: for client certificates or a login to a proxy.
    ///
    /// Only the delegate's `urlSession(_:didReceive:completionHandler:)` and
    /// `urlSession(_:task:didReceive:completionHandler:)` are called. Create a session once and keep it, since it lives
    /// until the process ends; never invalidate it.
    ///
    /// The configuration's `timeoutIntervalForRequest` is an upper bound of a request's
    /// ``RequestOptions/timeout``, which starts once a session that `waitsForConnectivity` is connected;
    /// ``RequestOptions/deadline`` starts at once, and ``RequestOptions/connectivityTimeout`` limits the wait alone.
    ///
    /// The configuration's `httpAdditionalHeaders` are added to each request that does not have its own, and follow the
    /// rules for redirects: an `Authorization` among them does not reach another origin. The session's own
    /// configuration therefore has none.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the session.
    ///   - pins: The keys that servers must have, nil for any that the system trusts. They are checked before the
    ///     delegate is asked.
    ///   - proxy: The proxy; by default that of the configuration or, if it has none, the system's. A user in its URL is not used.
    ///   - delegate: What answers challenges, nil for the system's answers.
    /// - Returns: The session.
    public static func api(
        configuration: URLSessionConfiguration = .api, pins: PublicKeyPins? = nil, proxy: Proxy = .system,
        delegate: (any URLSessionDelegate)? = nil
    ) -> URLSession {
        let own = configuration.copy() as? URLSessionConfiguration ?? configuration
        if proxy != .system { own.connectionProxyDictionary = proxy.dictionary }
        let headers = HTTPHeaders(additionalHeadersOf: configuration)
        // A session would send them wherever a redirect leads.
        own.httpAdditionalHeaders = nil
        let sessionDelegate = APISessionDelegate(challenges: delegate, headers: headers, pins: pins)
        return URLSession(configuration: own, delegate: sessionDelegate, delegateQueue: nil)
    }
}
#endif
