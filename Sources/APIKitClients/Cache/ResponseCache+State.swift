import APIKitCore

extension ResponseCache {
    /// The stored responses by URL, and for each URL by the ``CacheKey`` of their requests.
    struct State: Sendable {
        private struct Resource: Sendable {
            /// The headers that the responses vary by. When they change, the earlier responses are removed.
            let names: [String]
            var positions: [CacheKey: Int] = [:]
        }

        private struct Entry: Sendable {
            let url: String
            let key: CacheKey
            let response: StoredResponse
            let size: Int
        }

        private var resources: [String: Resource] = [:]
        private var entries = RecencyList<Entry>()
        private(set) var invalidations = Invalidations()
        private(set) var size = 0
        /// Responses that were removed, but must not be released before the lock is.
        var removed: [StoredResponse] = []

        /// Returns the stored response for a request, and marks it as the most recently used one.
        mutating func use(for request: HTTPRequest) -> StoredResponse? {
            guard let resource = resources[request.cacheURL],
                let position = resource.positions[CacheKey(request, varyingBy: resource.names)]
            else { return nil }
            entries.use(position)
            return entries.value(at: position)?.response
        }

        /// Replaces the stored response for a request; nil removes it.
        ///
        /// If the new response varies by other headers than the earlier ones of the URL, those are all removed: their
        /// keys cannot be compared with the new one.
        mutating func store(_ response: StoredResponse?, for request: HTTPRequest) {
            let url = request.cacheURL
            let names = response?.head.variesBy ?? []
            let earlierNames = resources[url]?.names
            var key = CacheKey(request, varyingBy: earlierNames ?? names)
            if let position = resources[url]?.positions[key] { remove(at: position) }
            guard let response else { return }
            if let earlierNames, earlierNames != names {
                removeAll(of: url)
                key = CacheKey(request, varyingBy: names)
            }
            let entry = Entry(url: url, key: key, response: response, size: response.size)
            resources[url, default: Resource(names: names)].positions[key] = entries.insert(entry)
            size += entry.size
        }

        /// Removes the least recently used response; returns false if there is none.
        mutating func removeOldest() -> Bool {
            guard let position = entries.oldest else { return false }
            remove(at: position)
            return true
        }

        /// Removes the responses for a URL, and remembers that those on their way must not be stored.
        mutating func invalidate(_ url: String) {
            invalidations.append(url)
            removeAll(of: url)
        }

        mutating func removeAll() {
            invalidations.appendAll()
            while removeOldest() {}
            resources = [:]
            entries = RecencyList()
        }

        private mutating func removeAll(of url: String) {
            guard let resource = resources[url] else { return }
            for position in resource.positions.values { remove(at: position) }
        }

        /// Removes the response at a position in `entries`. It is kept in `removed` until the lock is released.
        @inline(never)
        private mutating func remove(at position: Int) {
            guard let entry = entries.remove(position) else { return }
            size -= entry.size
            removed.append(entry.response)
            resources[entry.url]?.positions[entry.key] = nil
            if resources[entry.url]?.positions.isEmpty == true { resources[entry.url] = nil }
        }
    }

    /// Remembers the URLs that were invalidated last. A response that was on its way at that time must not be stored.
    struct Invalidations: Sendable {
        /// The number of invalidations so far. It serves as a clock: a mark is the count at some moment.
        private(set) var count = 0
        /// The count at the last invalidation of each URL, by the hash of the URL. If two URLs have the same hash, a
        /// response to one of them may not be stored, which does no harm.
        private var times: [Int: Int] = [:]
        /// The earliest mark for which all invalidations are known. Any URL may have been invalidated since an earlier
        /// one.
        private var oldestMark = 0

        /// Remembers that a URL is invalidated now.
        mutating func append(_ url: String) {
            // The limit of 1000 URLs bounds the memory. Beyond it, all URLs count as invalidated, so that a few
            // responses on their way are not stored.
            if times.count == 1000 { appendAll() }
            count += 1
            times[url.hashValue] = count
        }

        /// Remembers that all URLs are invalidated now.
        mutating func appendAll() {
            count += 1
            oldestMark = count
            times = [:]
        }

        /// Whether a URL was invalidated, or may have been, after the moment of a mark.
        func contains(_ url: String, since mark: Int) -> Bool {
            if mark < oldestMark { return true }
            guard let time = times[url.hashValue] else { return false }
            return time > mark
        }
    }
}
