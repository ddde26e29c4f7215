#if os(Linux)
import Foundation

/// The cookies of a storage in memory (RFC 6265, sections 5.3 and 5.4), and which of them are not in the storage yet.
///
/// It keeps the minimum that section 6.1 requires of browsers: 50 cookies per domain and 3,000 in all. The ones that
/// were set longest ago are removed first.
struct CookieMemory: Sendable {
    /// A change that the storage does not have yet.
    enum Change: Sendable {
        case set(Cookie)
        case delete(Cookie.ID)
    }

    private struct Entry {
        var cookie: Cookie
        /// When the first cookie of this name was set, and when this one was, as numbers that grow.
        var created: Int
        var changed: Int
        /// Whether the storage has it, or an earlier cookie in its place.
        var isStored: Bool
    }

    private var domains: [String: [Cookie.ID: Entry]] = [:]
    private var count = 0
    /// The cookies that differ from the storage's. One that is no longer in memory is to be deleted there.
    private var unwritten: Set<Cookie.ID> = []
    private var clock = 0

    static let domainLimit = 50
    /// The most bytes of a `Cookie` header. Servers refuse longer heads, and a sibling host may have set the cookies.
    private static let headerLimit = 16_384
    private static let limit = 3000

    var hasChanges: Bool { !unwritten.isEmpty }

    /// The value of the `Cookie` header of a request, empty without cookies: longer paths come first, then older
    /// cookies (section 5.4).
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

    /// Stores the cookies of a response, in their order.
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

    /// Whether a cookie may be stored: a response without TLS must not replace or hide a `Secure` cookie (RFC 6265bis,
    /// section 5.7).
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
        // A tenth more than needed, so that this happens rarely.
        removeOldest(of: domains.values.flatMap(\.values), leaving: Self.limit * 9 / 10, at: now)
    }

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

    /// Adopts a cookie that the program has put into the storage. It replaces one that a response has set.
    mutating func adopt(_ cookie: Cookie) {
        let old = domains[cookie.id.domain]?[cookie.id]
        clock += 1
        insert(Entry(cookie: cookie, created: old?.created ?? clock, changed: clock, isStored: true))
        unwritten.remove(cookie.id)
    }

    /// Forgets a cookie that the program has deleted from the storage.
    mutating func forget(_ id: Cookie.ID) {
        _ = remove(id)
        unwritten.remove(id)
    }

    /// The next change that the storage is to get. Call ``didWrite(_:)`` once it has it.
    mutating func takeChange() -> Change? {
        guard let id = unwritten.popFirst() else { return nil }
        guard let entry = domains[id.domain]?[id] else { return .delete(id) }
        return .set(entry.cookie)
    }

    /// Notes that the storage has a cookie of that name.
    mutating func didWrite(_ id: Cookie.ID) {
        if domains[id.domain]?[id] == nil {
            // It has been deleted meanwhile.
            unwritten.insert(id)
        } else {
            domains[id.domain]?[id]?.isStored = true
        }
    }

    /// Drops the changes to cookies that end with the process.
    mutating func dropSessionChanges() {
        unwritten = unwritten.filter { id in
            guard let entry = domains[id.domain]?[id] else { return true }
            return entry.cookie.expires != nil
        }
    }

    /// Drops all changes, since the storage is gone.
    mutating func dropChanges() {
        unwritten = []
    }
}
#endif
