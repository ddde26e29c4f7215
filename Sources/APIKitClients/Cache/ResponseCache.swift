import APIKitCore

/// A private cache of responses in memory, for one user or several: ``APIClient/cached(in:)`` uses it.
///
/// ```swift
/// let cache = ResponseCache(bytes: 10 << 20)
/// let client = URLSession.api.cached(in: cache)
/// ```
///
/// Several clients may share a cache. Responses to requests with different credentials are kept apart. The ones whose
/// last use is the longest ago are removed first.
public final class ResponseCache: Sendable {
    private let state = Locked(State())
    private let limit: Int
    private let keepsModels: Bool
    private let heuristicFraction: Double

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - bytes: The capacity in bytes: responses' bodies, URLs and headers, and about 1 KB for each. Models
    ///     are not counted. A response that is larger than the cache is not stored.
    ///   - keepsModels: Whether a model is kept with the body that it was read from, so that the next response with
    ///     this body needs no mapping. It is kept if the response type reads it from the bytes alone, in
    ///     ``APIResponse/process(data:)``. Choose false if models are much larger than their bodies, or objects that
    ///     callers must not share.
    ///   - heuristicFraction: The heuristic freshness of a response that states none, as a fraction of the time since
    ///     its `Last-Modified`, from 0 to 1; at most a day. 0 by default: the server is asked. RFC 9111, section 4.2.2,
    ///     mentions 0.1.
    public init(bytes: Int, keepsModels: Bool = true, heuristicFraction: Double = 0) {
        limit = max(bytes, 0)
        self.keepsModels = keepsModels
        // The comparison is false for NaN too.
        self.heuristicFraction = heuristicFraction > 0 ? min(heuristicFraction, 1) : 0
    }

    /// The bytes that the stored responses take, as ``init(bytes:keepsModels:heuristicFraction:)`` counts them.
    public var size: Int { state.withLock { $0.size } }

    /// Removes all responses, for example when the user logs out. Responses that are on their way are not stored.
    public func removeAll() {
        change { $0.removeAll() }
    }

    // MARK: - For the client

    /// What is stored for a request at a moment.
    struct Snapshot: Sendable {
        /// Nil if nothing is stored.
        let response: StoredResponse?
        /// The moment, for ``ResponseCache/store(_:for:since:)``.
        let mark: Int
    }

    /// Looks up what is stored for a request.
    func lookUp(_ request: HTTPRequest) -> Snapshot {
        state.withLock { state in
            Snapshot(response: state.stored(for: request), mark: state.invalidations.count)
        }
    }

    /// A response as it can be stored; nil if it must not be.
    func storable(
        _ head: HTTPResponse.Head, _ body: ResponseBody, requestTime: Date, responseTime: Date
    ) -> StoredResponse? {
        guard let data = body.data, !body.isBeginning else { return nil }
        guard data.count <= limit, CachePolicy.allowsStoring(head) else { return nil }
        let policy = CachePolicy(
            head, requestTime: requestTime, responseTime: responseTime, heuristicFraction: heuristicFraction)
        return StoredResponse(head: head.storable, body: storable(body, data), policy: policy)
    }

    /// A body as it is stored, with the models that it will be read as.
    private func storable(_ body: ResponseBody, _ data: Data) -> ResponseBody {
        // Confirmed by a 304, it was stored before.
        if body.attachment is KeptModels { return body }
        // A copy, since the bytes may be a part of many more.
        let copy = ResponseBody(data.withUnsafeBytes { Data($0) }, trailers: body.trailers)
        return keepsModels ? copy.attaching(KeptModels()) : copy
    }

    /// Stores a response in place of an earlier one; nil only removes that. Does nothing if the URL was invalidated
    /// since the mark: the response may be older than what invalidated it.
    func store(_ response: StoredResponse?, for request: HTTPRequest, since mark: Int) {
        var storable = response
        if let response, response.size > limit { storable = nil }
        change { [storable, limit] state in
            guard !state.invalidations.contains(request.cacheURL, since: mark) else { return }
            state.store(storable, for: request)
            while state.size > limit, state.removeOldest() {}
        }
    }

    /// Removes what is stored for URLs, whatever the credentials.
    func invalidate(_ urls: [String]) {
        change { state in
            for url in urls { state.invalidate(url) }
        }
    }

    /// Changes the state, and releases outside of the lock what was removed: to release a model may run a user's code.
    private func change(_ body: (inout State) -> Void) {
        _ = state.withLock { state in
            body(&state)
            let removed = state.removed
            state.removed = []
            return removed
        }
    }
}

extension ResponseCache: CustomStringConvertible {
    /// The number of bytes, without anything of the responses.
    public var description: String { "ResponseCache: \(size) of \(limit) bytes" }
}

extension HTTPRequest {
    /// The URL as a cache compares it, without a fragment.
    var cacheURL: String {
        let text = lazyURL.text
        guard let fragment = text.utf8.firstIndex(of: UInt8(ascii: "#")) else { return text }
        return String(text[..<fragment])
    }
}
