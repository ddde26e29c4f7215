extension Platform {
    /// A session, and what a transfer over it keeps until it is over.
    typealias Route = (session: URLSession, place: (any Sendable)?)
}

#if canImport(FoundationNetworking)
extension Platform {
    private static let connections = ConnectionQueue()

    /// The session that a request goes over: one of its own, which has no kept connection, for a method that is not
    /// idempotent and for a body. libcurl sends a request again, up to five times, if a kept connection breaks before
    /// the response (RFC 9110, section 9.2.2, forbids that for such a method), and loses bodies on the way.
    ///
    /// - Throws: `TransportError` if no connection becomes free within the timeout, `CancellationError` if the task is
    ///   cancelled meanwhile.
    static func route(of exchange: Exchange, from session: URLSession) async throws -> Route {
        let request = exchange.request
        // A kept connection may have been dead when an idempotent request was sent the first time.
        if request.method.isIdempotent, request.body == nil, !exchange.isRetry { return (session, nil) }
        let configuration = Platform.copy(of: session.configuration)
        let limit = max(1, configuration.httpMaximumConnectionsPerHost)
        let origin = "\(request.url.scheme ?? "")://\(request.url.host ?? ""):\(request.url.port ?? 0)"
        let host = "\(ObjectIdentifier(session)) \(origin)"
        var place = connections.freePlace(at: host, limit: limit)
        if place == nil {
            place = try await exchange.withTimeout("no connection became free") {
                try await connections.place(at: host, limit: limit)
            }
        }
        let delegate = session.delegate as? APISessionDelegate
        let newSession = URLSession(
            configuration: configuration,
            delegate: delegate.map { APISessionDelegate(challenges: $0.challenges, headers: $0.headers) }
                ?? session.delegate,
            delegateQueue: session.delegateQueue)
        return (newSession, place)
    }
}
#else
extension Platform {
    /// The session itself: it sends no request again that must not be.
    static func route(of exchange: Exchange, from session: URLSession) async throws -> Route {
        (session, nil)
    }
}
#endif
