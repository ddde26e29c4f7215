extension URLSession {
    /// A session set up for API calls: no cache, no cookie jar, no stored credentials, enough connections to a host.
    ///
    /// ```swift
    /// let users = try await URLSession.api.send(UsersRequest())
    /// ```
    public static let api = api()

    /// Creates a session for API calls with a configuration and a delegate of its own. The delegate answers
    /// authentication challenges: for pinning, client certificates or a proxy.
    ///
    /// The delegate's `urlSession(_:didReceive:completionHandler:)` and
    /// `urlSession(_:task:didReceive:completionHandler:)` are called, its other methods are not. Create a session once
    /// and keep it, since on Apple's platforms it lives until the process ends; never invalidate it.
    ///
    /// On Apple's platforms the configuration's `timeoutIntervalForRequest` is an upper bound of a request's
    /// ``/APIKitCore/RequestOptions/timeout``, which starts once a session that `waitsForConnectivity` is connected;
    /// ``/APIKitCore/RequestOptions/deadline`` starts at once.
    ///
    /// The configuration's `httpAdditionalHeaders` are added to each request that does not have its own, and follow the
    /// rules for redirects: an `Authorization` among them does not reach another origin. The session's own
    /// configuration therefore has none.
    ///
    /// On Linux the configuration's cache is ignored: there, a session with a cache can end the process when a request
    /// is cancelled.
    public static func api(
        configuration: URLSessionConfiguration = .api, delegate: (any URLSessionDelegate)? = nil
    ) -> URLSession {
        let own = Platform.copy(of: configuration)
        let headers = HTTPHeaders(additionalHeadersOf: configuration)
        // A session would send them wherever a redirect leads.
        own.httpAdditionalHeaders = nil
        let sessionDelegate = APISessionDelegate(challenges: delegate, headers: headers)
        return URLSession(
            configuration: own, delegate: sessionDelegate, delegateQueue: Platform.makeDelegateQueue())
    }
}

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
