extension URLSession {
    /// A session set up for API calls: no cache, no cookie jar, no stored credentials, enough connections to a host.
    ///
    /// ```swift
    /// let users = try await URLSession.api.send(UsersRequest())
    /// ```
    public static let api = api()

    /// Makes a session for API calls with a configuration of its own, and a delegate that is asked for authentication
    /// challenges first: pinning, client certificates, a corporate proxy.
    ///
    /// The delegate's `urlSession(_:didReceive:completionHandler:)` and
    /// `urlSession(_:task:didReceive:completionHandler:)` are asked; its other methods are not called. Make a session
    /// once and keep it, since on Apple's platforms it lives until the process ends; never invalidate it.
    ///
    /// On Apple's platforms the configuration's `timeoutIntervalForRequest` is the most that a request's
    /// ``/APIKitCore/RequestOptions/timeout`` can be, and a session that `waitsForConnectivity` starts to count once it is
    /// connected; ``/APIKitCore/RequestOptions/deadline`` counts from the start.
    ///
    /// The configuration's `httpAdditionalHeaders` are added to each request that does not name them itself, and obey the
    /// rules for redirects: an `Authorization` among them does not reach another origin. So the session's own configuration
    /// has none.
    ///
    /// On Linux the configuration's cache is left out: there, a session with a cache can end the process when a request
    /// is cancelled.
    public static func api(
        configuration: URLSessionConfiguration = .api,
        delegate: (any URLSessionDelegate)? = nil
    ) -> URLSession {
        let own = Platform.sessionConfiguration(configuration.copy() as? URLSessionConfiguration ?? configuration)
        let headers = HTTPHeaders(additionalHeadersOf: configuration)
        // A session would send them wherever a redirect leads.
        own.httpAdditionalHeaders = nil
        return URLSession(
            configuration: own,
            delegate: APISessionDelegate(challenges: delegate, headers: headers),
            delegateQueue: Platform.makeDelegateQueue()
        )
    }
}

extension URLSessionConfiguration {
    /// A new configuration as ``Foundation/URLSession/api`` has it, to change before a session is made of it.
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
