import APIKitCore
import APIKitSupport

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

    /// The result of looking up a request at a moment.
    struct Snapshot: Sendable {
        /// The stored response; nil if there is none.
        let response: StoredResponse?
        /// The moment of the lookup, for ``ResponseCache/store(_:for:since:)``.
        let mark: Int
    }

    /// Looks up the stored response for a request, which counts as a use of the response.
    func lookUp(_ request: HTTPRequest) -> Snapshot {
        state.withLock { state in
            Snapshot(response: state.use(for: request), mark: state.invalidations.count)
        }
    }

    /// Returns a response in the form in which it is stored; nil if it must not be stored, is too large, or is not all
    /// in memory.
    func storable(
        _ head: HTTPResponse.Head, _ body: ResponseBody, requestTime: Date, responseTime: Date
    ) -> StoredResponse? {
        guard let data = body.data, !body.isBeginning else { return nil }
        guard data.count <= limit, CachePolicy.allowsStoring(head) else { return nil }
        let policy = CachePolicy(
            head, requestTime: requestTime, responseTime: responseTime, heuristicFraction: heuristicFraction)
        return StoredResponse(head: head.storable, body: storable(body, data), policy: policy)
    }

    /// Returns a body in the form in which it is stored, with a place for the models that are decoded from it.
    private func storable(_ body: ResponseBody, _ data: Data) -> ResponseBody {
        // The body of a response that a 304 has confirmed comes from the cache already.
        if body.keptModels != nil { return body }
        // The bytes are copied, since they may be a slice that keeps a much larger buffer alive.
        let copy = ResponseBody(data.withUnsafeBytes { Data($0) }, trailers: body.trailers)
        return keepsModels ? copy.keepingModels() : copy
    }

    /// Replaces the stored response for a request; nil removes it.
    ///
    /// Does nothing if the URL was invalidated since the mark: the server may have created the response before the
    /// change that invalidated the URL.
    func store(_ response: StoredResponse?, for request: HTTPRequest, since mark: Int) {
        // A response that is larger than the cache still removes the earlier one.
        var storable = response
        if let response, response.size > limit { storable = nil }
        change { [storable, limit] state in
            guard !state.invalidations.contains(request.cacheURL, since: mark) else { return }
            state.store(storable, for: request)
            while state.size > limit, state.removeOldest() {}
        }
    }

    /// Removes all responses that are stored for the given URLs, also those for other credentials.
    func invalidate(_ urls: [String]) {
        change { state in
            for url in urls { state.invalidate(url) }
        }
    }

    /// Changes the state. Removed responses are released outside of the lock, since releasing a model may run the code
    /// of a user, who may use the cache again.
    private func change(_ body: (inout State) -> Void) {
        // The discarded result holds the removed responses until the lock is released.
        _ = state.withLock { state in
            body(&state)
            let removed = state.removed
            state.removed = []
            return removed
        }
    }
}

extension ResponseCache: CustomStringConvertible {
    /// The number of bytes. It contains no text of the responses, which may be secret.
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
