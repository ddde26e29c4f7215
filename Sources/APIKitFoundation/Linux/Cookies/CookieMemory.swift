#if os(Linux)
import Foundation

/// The cookies of a storage in memory (RFC 6265, sections 5.3 and 5.4), and the changes that the storage does not have
/// yet.
///
/// It keeps as many cookies as section 6.1 requires at least: 50 per domain and 3,000 in all. If there are more, those
/// that were set longest ago are removed.
struct CookieMemory: Sendable {
    /// A change that the storage does not have yet.
    enum Change: Sendable {
        case set(Cookie)
        case delete(Cookie.ID)
    }

    private struct Entry {
        var cookie: Cookie
        /// The value of `clock` when the first cookie with this identity was set.
        var created: Int
        /// The value of `clock` when the current cookie was set.
        var changed: Int
        /// Whether the storage has the cookie, or an earlier one with the same identity.
        var isStored: Bool
    }

    private var domains: [String: [Cookie.ID: Entry]] = [:]
    private var count = 0
    /// The cookies that differ from those in the storage. A cookie that is no longer in memory is to be deleted from
    /// the storage.
    private var unwritten: Set<Cookie.ID> = []
    /// The number of cookies set so far, which tells the order in which they were set.
    private var clock = 0

    static let domainLimit = 50
    /// The most bytes of a `Cookie` header. Servers refuse longer heads, and a sibling host may have set the cookies.
    private static let headerLimit = 16_384
    private static let limit = 3000

    var hasChanges: Bool { !unwritten.isEmpty }

    /// Returns the value of the `Cookie` header of a request; empty if there are no cookies for it. Cookies with longer
    /// paths come first, and among those with equally long paths the older ones (section 5.4).
    func header(for origin: CookieOrigin, at now: Date) -> [UInt8] {
        var matching: [Entry] = []
        for domain in origin.domains {
            guard let entries = domains[String(domain)] else { continue }
            matching += entries.values.filter { entry in
                let cookie = entry.cookie
                return cookie.matches(origin) && cookie.isSendable && !cookie.isExpired(at: now)
            }
        }
        matching.sort { left, right in
            let leftLength = left.cookie.id.path.count
            let rightLength = right.cookie.id.path.count
            if leftLength != rightLength { return leftLength > rightLength }
            return left.created < right.created
        }
        var header: [UInt8] = []
        for entry in matching {
            let pair = entry.cookie.id.name + [UInt8(ascii: "=")] + entry.cookie.value
            // A shorter cookie may still fit, such as the one of the program's own session.
            if header.count + pair.count > Self.headerLimit { continue }
            if !header.isEmpty { header += "; ".utf8 }
            header += pair
        }
        return header
    }

    // MARK: - Responses

    /// Stores the cookies of a response, in their order. An expired cookie deletes the earlier one.
    mutating func store(_ cookies: [Cookie], from origin: CookieOrigin, at now: Date) {
        for cookie in cookies where mayStore(cookie, from: origin) {
            if cookie.isExpired(at: now) {
                delete(cookie.id)
            } else {
                set(cookie)
            }
        }
        for domain in Set(cookies.map(\.id.domain)) { makeRoom(in: domain, at: now) }
        makeRoom(at: now)
    }

    /// Whether a cookie may be stored. A response without TLS must not set a cookie that replaces a `Secure` cookie or
    /// is sent in its place (RFC 6265bis, section 5.7).
    private func mayStore(_ cookie: Cookie, from origin: CookieOrigin) -> Bool {
        if origin.isSecure { return true }
        for domain in origin.domains {
            let entries = domains[String(domain)] ?? [:]
            let hidesSecureOne = entries.values.contains { entry in
                entry.cookie.isSecure && entry.cookie.id.name == cookie.id.name
                    && cookie.id.path.isPath(within: entry.cookie.id.path)
            }
            if hidesSecureOne { return false }
        }
        return true
    }

    private mutating func set(_ cookie: Cookie) {
        let old = domains[cookie.id.domain]?[cookie.id]
        clock += 1
        let entry = Entry(
            cookie: cookie, created: old?.created ?? clock, changed: clock, isStored: old?.isStored ?? false)
        insert(entry)
        if old?.cookie != cookie { unwritten.insert(cookie.id) }
    }

    private mutating func delete(_ id: Cookie.ID) {
        guard let old = remove(id) else { return }
        if old.isStored {
            unwritten.insert(id)
        } else {
            unwritten.remove(id)
        }
    }

    // MARK: - Limits

    private mutating func makeRoom(in domain: String, at now: Date) {
        guard let entries = domains[domain], entries.count > Self.domainLimit else { return }
        removeOldest(of: entries.values, leaving: Self.domainLimit, at: now)
    }

    private mutating func makeRoom(at now: Date) {
        guard count > Self.limit else { return }
        // A tenth of the cookies is removed at a time, since sorting all of them for each further cookie would be slow.
        removeOldest(of: domains.values.flatMap(\.values), leaving: Self.limit * 9 / 10, at: now)
    }

    /// Deletes the expired cookies, and of the others those that were set longest ago.
    private mutating func removeOldest(of entries: some Collection<Entry>, leaving limit: Int, at now: Date) {
        let expired = entries.filter { $0.cookie.isExpired(at: now) }
        let valid = entries.filter { !$0.cookie.isExpired(at: now) }.sorted { left, right in
            // A response without TLS must not push out `Secure` cookies (RFC 6265bis, section 5.7).
            if left.cookie.isSecure != right.cookie.isSecure { return right.cookie.isSecure }
            return left.changed < right.changed
        }
        let excess = valid.prefix(max(0, valid.count - limit))
        for entry in expired + excess { delete(entry.cookie.id) }
    }

    private mutating func insert(_ entry: Entry) {
        let id = entry.cookie.id
        if domains[id.domain, default: [:]].updateValue(entry, forKey: id) == nil { count += 1 }
    }

    private mutating func remove(_ id: Cookie.ID) -> Entry? {
        guard let entry = domains[id.domain]?.removeValue(forKey: id) else { return nil }
        count -= 1
        if domains[id.domain]?.isEmpty == true { domains[id.domain] = nil }
        return entry
    }

    // MARK: - The storage

    /// Adds a cookie that the program has put into the storage. It replaces a cookie that a response has set.
    mutating func adopt(_ cookie: Cookie) {
        let old = domains[cookie.id.domain]?[cookie.id]
        clock += 1
        insert(Entry(cookie: cookie, created: old?.created ?? clock, changed: clock, isStored: true))
        unwritten.remove(cookie.id)
    }

    /// Removes a cookie that the program has deleted from the storage.
    mutating func forget(_ id: Cookie.ID) {
        _ = remove(id)
        unwritten.remove(id)
    }

    /// Removes and returns a change that the storage does not have yet. After a cookie was written, call
    /// ``didWrite(_:)``.
    mutating func takeChange() -> Change? {
        guard let id = unwritten.popFirst() else { return nil }
        guard let entry = domains[id.domain]?[id] else { return .delete(id) }
        return .set(entry.cookie)
    }

    /// Notes that the storage has got a cookie.
    mutating func didWrite(_ id: Cookie.ID) {
        if domains[id.domain]?[id] == nil {
            // A response has deleted the cookie while it was being written, so it is to be deleted from the storage.
            unwritten.insert(id)
        } else {
            domains[id.domain]?[id]?.isStored = true
        }
    }

    /// Discards the changes that set session cookies, which end with the process.
    mutating func dropSessionChanges() {
        unwritten = unwritten.filter { id in
            guard let entry = domains[id.domain]?[id] else { return true }
            return entry.cookie.expires != nil
        }
    }

    /// Discards all changes. Called when the storage no longer exists.
    mutating func dropChanges() {
        unwritten = []
    }
}
#endif
