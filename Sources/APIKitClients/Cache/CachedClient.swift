public import APIKitCore
import APIKitSupport

extension APIClient {
    /// Returns a client that answers GET and QUERY requests from a private cache (RFC 9111) and revalidates stale
    /// responses.
    ///
    /// ```swift
    /// let cache = ResponseCache(bytes: 10 << 20)
    /// let client = URLSession.api.cached(in: cache)
    /// let reply = try await client.reply(to: UsersRequest())
    /// print(reply.source.rawValue)  // network, cache or revalidated
    /// ```
    ///
    /// Responses are kept apart by every header of the request that may identify the user: all but those that
    /// a ``Call`` sends across origins. So clients that add credentials go around this one, not inside
    /// it. A request with a header that is new each time, such as a signature, is never answered from the cache. Those
    /// of QUERY requests are also kept apart by the body, its type, coding and language (RFC 10008). A response with
    /// `Vary: Cookie` is stored only if the request itself has a `Cookie` header, since this client does not see the
    /// cookies of a session.
    ///
    /// The request's own `Cache-Control` is honored: `no-cache`, `no-store`, which neither reads nor writes the cache,
    /// `max-age`, `max-stale`, `min-fresh`, `stale-if-error`, and `only-if-cached`, which is a 504 if the cache has no
    /// response. Requests with a condition of their own (`If-None-Match` and the like) or a `Range`, HEAD requests, and
    /// bodies delivered as a stream or a file pass through.
    ///
    /// <doc:Caching> lists all rules.
    ///
    /// - Parameter cache: Where the responses are stored.
    /// - Returns: The client.
    public func cached(in cache: ResponseCache) -> some APIClient {
        CachedClient(base: self, cache: cache, now: clock.dates())
    }
}

private struct CachedClient: WrappingClient {
    let base: any APIClient
    let cache: ResponseCache
    let now: @Sendable () -> Date

    /// Returns the stored response if it may be used without asking the server; otherwise sends the request. Requests
    /// that cannot be cached are passed on; those that may change something make stored responses invalid.
    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        guard request.canBeCached else {
            let response = try await base.perform(request, in: call)
            if !request.method.isSafe { cache.invalidate(request.urls(invalidatedBy: response.head)) }
            return response
        }
        let lookup = Lookup(request.withoutForeignCredentials(in: call), in: cache)
        if let stored = lookup.stored, stored.policy.allowsUse(by: lookup.control, at: now()) {
            return stored.response(at: now())
        }
        if lookup.control.contains("only-if-cached") {
            return HTTPResponse(head: HTTPResponse.Head(status: 504, lazyURL: request.lazyURL), source: .cache)
        }
        return try await fetch(request, in: call, lookup)
    }

    /// Sends the request. If a response is stored, asks the server whether that is still current, and returns it if it
    /// is (304), or if the server fails and the stored response may replace the failure.
    private func fetch(_ request: HTTPRequest, in call: Call, _ lookup: Lookup) async throws -> HTTPResponse {
        let requestTime = now()
        let conditions = lookup.stored?.conditions ?? [:]
        let response: HTTPResponse
        do {
            response = try await base.perform(request.adding(conditions), in: call)
        } catch {
            let isServerFailure = (error as? TransportError)?.isOfServer ?? false
            guard isServerFailure, !Task.isCancelled, let stale = lookup.response(onErrorAt: now()) else { throw error }
            return stale
        }
        // The statuses that count as an error in RFC 5861, section 4.
        let hasFailed = [500, 502, 503, 504].contains(response.head.status)
        if hasFailed, let stale = lookup.response(onErrorAt: now()) { return stale }
        // A 304 confirms the stored response only if this client has asked about it with a condition.
        guard response.head.status == 304, !conditions.isEmpty, let stored = lookup.stored else {
            return store(response, for: lookup, requestTime)
        }
        guard let revalidated = stored.response(confirmedBy: response) else {
            // The 304 confirms another version than the stored one, so the request is sent without a condition.
            return try await fetch(request, in: call, lookup.withoutStored)
        }
        return store(revalidated, for: lookup, requestTime)
    }

    /// Stores a response if that is allowed, and returns it with the stored body, to which its models are attached.
    private func store(_ response: HTTPResponse, for lookup: Lookup, _ requestTime: Date) -> HTTPResponse {
        if lookup.control.contains("no-store") { return response }
        guard lookup.mayIdentify(response.head),
            let storable = cache.storable(
                response.head, response.body, requestTime: requestTime, responseTime: now())
        else {
            // The earlier response is outdated and is removed, unless the new one is an error.
            let replacesEarlier = response.source == .revalidated || response.head.status < 400
            if lookup.isStored, replacesEarlier { cache.store(nil, for: lookup.request, since: lookup.mark) }
            return response
        }
        cache.store(storable, for: lookup.request, since: lookup.mark)
        var response = response
        response.body = storable.body
        return response
    }
}

/// A request that may be answered from the cache, and the response that is stored for it.
private struct Lookup: Sendable {
    /// The request as it is sent: without credentials if a redirect has led to another origin.
    let request: HTTPRequest
    let control: CacheControl
    /// The ``ResponseCache/Snapshot/mark`` of the lookup.
    let mark: Int
    /// Whether a response is stored for the request, even if it cannot be used.
    let isStored: Bool
    /// The stored response if it can be used, at least after a confirmation.
    private(set) var stored: StoredResponse?

    /// Looks up the stored response for a request, and drops it if the request does not allow its use or it is larger
    /// than the request's limit.
    init(_ request: HTTPRequest, in cache: ResponseCache) {
        self.request = request
        control = CacheControl(request.headers)
        let snapshot = cache.lookUp(request)
        mark = snapshot.mark
        isStored = snapshot.response != nil
        stored = snapshot.response
        if control.contains("no-store") { stored = nil }
        if let size = stored?.body.data?.count, size > request.options.effectiveSizeLimit { stored = nil }
    }

    /// Whether the request alone determines which later requests a response may answer. It does not if the response
    /// varies by cookies that the request does not have: the session adds them, and the cache does not see them.
    func mayIdentify(_ head: HTTPResponse.Head) -> Bool {
        let variesByCookies = head.variesBy?.contains("cookie") ?? false
        return !variesByCookies || request.headers[.cookie] != nil
    }

    /// The lookup as if no response were stored.
    var withoutStored: Lookup {
        var lookup = self
        lookup.stored = nil
        return lookup
    }

    /// The stored response if it may replace an error.
    func response(onErrorAt now: Date) -> HTTPResponse? {
        guard let stored, stored.policy.allowsUseOnError(by: control, at: now) else { return nil }
        return stored.response(at: now)
    }
}

extension HTTPRequest {
    /// Whether this is a GET, or a QUERY with a body in memory, that has no condition of its own and whose response is
    /// delivered as data.
    fileprivate var canBeCached: Bool {
        guard delivery == .data, !headers.contains(where: { Self.conditions.contains($0.name) }) else { return false }
        switch method {
        case .get: return body == nil
        case .query: return body?.data != nil
        default: return false
        }
    }

    private static let conditions: [HTTPHeaders.Name] = [
        .ifMatch, .ifNoneMatch, .ifModifiedSince, "If-Unmodified-Since", .ifRange, .range,
    ]

    fileprivate func adding(_ headers: HTTPHeaders) -> HTTPRequest {
        guard !headers.isEmpty else { return self }
        var request = self
        request.headers.addMissing(from: headers)
        return request
    }

    /// The URLs whose stored responses are invalid after an unsafe request (RFC 9111, section 4.4): its own URL, and
    /// those of the same origin in `Location` and `Content-Location`. None after an error, since the request has then
    /// changed nothing.
    fileprivate func urls(invalidatedBy head: HTTPResponse.Head) -> [String] {
        guard 200..<400 ~= head.status else { return [] }
        let base = URIReference(lazyURL.text)
        var urls = [cacheURL]
        for name in [HTTPHeaders.Name.location, "Content-Location"] {
            guard let reference = head.headers[name],
                let named = URL(strict: base.resolving(URIReference(reference)).text), named.hasSameOrigin(as: url)
            else { continue }
            urls.append(named.absoluteString)
        }
        return urls
    }
}

extension TransportError {
    /// Whether the server failed or could not be reached. A gateway would report this as a 502 or 504.
    fileprivate var isOfServer: Bool {
        let codes: [Code] = [
            .cannotConnect, .nameNotResolved, .timedOut, .connectionLost, .secureConnectionFailed, .badResponse,
        ]
        return codes.contains(code)
    }
}
