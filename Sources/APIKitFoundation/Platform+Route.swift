#if canImport(FoundationNetworking)
extension Platform {
    private static let connections = ConnectionQueue()

    /// The route of a request: over a session of its own, which has no kept connection, for a method that is not idempotent
    /// and for a body. libcurl sends a request again, up to five times, if a kept connection breaks before the response
    /// (RFC 9110, section 9.2.2, forbids that for such a method), and loses bodies on the way.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits for a connection.
    static func route(of request: HTTPRequest, from session: URLSession) async throws -> Route {
        if request.method.isIdempotent, request.body == nil { return Route(session: session) }
        return try await routeOfItsOwn(request, session)
    }

    /// The route of an idempotent request whose kept connection turned out to be dead.
    static func routeForRetry(of request: HTTPRequest, from session: URLSession) async throws -> Route? {
        try await routeOfItsOwn(request, session)
    }

    private static func routeOfItsOwn(_ request: HTTPRequest, _ session: URLSession) async throws -> Route {
        let configuration = session.configuration
        let origin = "\(request.url.scheme ?? "")://\(request.url.host ?? ""):\(request.url.port ?? 0)"
        let place = try await connections.place(at: origin, limit: max(1, configuration.httpMaximumConnectionsPerHost))
        let delegate = session.delegate as? APISessionDelegate
        let newSession = URLSession(
            configuration: sessionConfiguration(configuration),
            delegate: delegate.map { APISessionDelegate(challenges: $0.challenges) } ?? session.delegate,
            delegateQueue: session.delegateQueue)
        return Route(session: newSession, place: place)
    }
}
#else
extension Platform {
    /// The session itself: it sends no request again that must not be.
    static func route(of request: HTTPRequest, from session: URLSession) async throws -> Route {
        Route(session: session)
    }

    /// No route: `URLSession` repeats idempotent requests by itself.
    static func routeForRetry(of request: HTTPRequest, from session: URLSession) async throws -> Route? {
        nil
    }
}
#endif
