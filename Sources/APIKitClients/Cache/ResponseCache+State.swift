import APIKitCore

extension ResponseCache {
    /// The stored responses by URL, then by what else of the request they depend on.
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
        /// Removed responses that are still to be released.
        var removed: [StoredResponse] = []

        /// The stored response for a request, which counts as a use.
        mutating func stored(for request: HTTPRequest) -> StoredResponse? {
            guard let resource = resources[request.cacheURL],
                let position = resource.positions[CacheKey(request, varyingBy: resource.names)]
            else { return nil }
            entries.use(position)
            return entries.value(at: position)?.response
        }

        /// Stores a response in place of the one that is stored for a request; nil only removes that.
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

        /// Removes the response whose last use is the longest ago; false if there is none.
        mutating func removeOldest() -> Bool {
            guard let position = entries.oldest else { return false }
            remove(at: position)
            return true
        }

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

        @inline(never)
        private mutating func remove(at position: Int) {
            guard let entry = entries.remove(position) else { return }
            size -= entry.size
            removed.append(entry.response)
            resources[entry.url]?.positions[entry.key] = nil
            if resources[entry.url]?.positions.isEmpty == true { resources[entry.url] = nil }
        }
    }

    /// Remembers which URLs were invalidated last, to recognize responses that were on their way then.
    struct Invalidations: Sendable {
        /// Their number, which serves as the time.
        private(set) var count = 0
        /// The time of the last one by the hash of its URL. Two URLs with one hash only cost a response that is not
        /// stored.
        private var times: [Int: Int] = [:]
        /// Earlier marks can no longer be judged.
        private var oldestMark = 0

        mutating func append(_ url: String) {
            if times.count == 1000 { appendAll() }
            count += 1
            times[url.hashValue] = count
        }

        mutating func appendAll() {
            count += 1
            oldestMark = count
            times = [:]
        }

        func contains(_ url: String, since mark: Int) -> Bool {
            if mark < oldestMark { return true }
            guard let time = times[url.hashValue] else { return false }
            return time > mark
        }
    }
}
