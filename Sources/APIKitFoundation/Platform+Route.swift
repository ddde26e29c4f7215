#if canImport(FoundationNetworking)
extension Platform {
    private static let connections = ConnectionQueue()

    /// The route of a request: over a session of its own, which has no kept connection, for a method that is not idempotent
    /// and for a body. libcurl sends a request again, up to five times, if a kept connection breaks before the response
    /// (RFC 9110, section 9.2.2, forbids that for such a method), and loses bodies on the way.
    ///
    /// - Throws: `TransportError` if no connection becomes free within the timeout, `CancellationError` if the task is
    ///   cancelled meanwhile.
    static func route(of exchange: Exchange, from session: URLSession) async throws -> Route {
        let request = exchange.request
        // A kept connection may have been dead when an idempotent request was sent the first time.
        if request.method.isIdempotent, request.body == nil, !exchange.isRetry { return Route(session: session) }
        let configuration = session.configuration
        let origin = "\(request.url.scheme ?? "")://\(request.url.host ?? ""):\(request.url.port ?? 0)"
        let place = try await place(
            for: request, at: "\(ObjectIdentifier(session)) \(origin)",
            limit: max(1, configuration.httpMaximumConnectionsPerHost))
        let delegate = session.delegate as? APISessionDelegate
        let newSession = URLSession(
            configuration: sessionConfiguration(configuration),
            delegate: delegate.map { APISessionDelegate(challenges: $0.challenges, headers: $0.headers) }
                ?? session.delegate,
            delegateQueue: session.delegateQueue)
        return Route(session: newSession, place: place)
    }

    /// Waits for a connection, for no longer than the request's timeout, as a session does.
    private static func place(
        for request: HTTPRequest, at host: String, limit: Int
    ) async throws -> ConnectionQueue.Place {
        if let place = connections.freePlace(at: host, limit: limit) { return place }
        return try await withThrowingTaskGroup(of: ConnectionQueue.Place.self) { group in
            group.addTask { try await connections.place(at: host, limit: limit) }
            group.addTask {
                try await Task.sleep(for: .seconds(timeoutInterval(request.options.timeout)))
                let message = "no connection became free for \(request.options.timeout)"
                throw TransportError(.timedOut, message, request: request)
            }
            defer { group.cancelAll() }
            guard let place = try await group.next() else { throw CancellationError() }
            return place
        }
    }
}
#else
extension Platform {
    /// The session itself: it sends no request again that must not be.
    static func route(of exchange: Exchange, from session: URLSession) async throws -> Route {
        Route(session: session)
    }
}
#endif
