#if os(Linux)
import APIKitSupport
import Foundation

/// The cookies of a storage in memory (RFC 6265, sections 5.3 and 5.4), and the changes that the storage does not have
/// yet.
///
/// It keeps as many cookies as section 6.1 requires at least: 50 per domain and 3,000 in all. Those for a host only and
/// those for its subdomains too are counted separately, so that another host cannot push out the former. If there are
/// more, those that were set longest ago are removed.
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
        /// The cookie with this identity that the storage has, nil if it has none.
        var stored: Cookie?
    }

    private var domains: [String: [Cookie.ID: Entry]] = [:]
    private var count = 0
    /// The cookies that differ from those in the storage. A cookie that is no longer in memory is to be deleted from
    /// the storage.
    private var unwritten: Set<Cookie.ID> = []
    /// The cookies that responses have set or deleted since the storage was last read.
    private var recent: Set<Cookie.ID> = []
    /// The number of cookies set so far, which tells the order in which they were set.
    private var clock = 0

    static let domainLimit = 50
    /// The most bytes of a `Cookie` header. Servers refuse longer heads, and a sibling host may have set the cookies.
    private static let headerLimit = 16_384
    private static let limit = 3000

    /// Whether there is a cookie with an identity, be it expired or not.
    func contains(_ id: Cookie.ID) -> Bool {
        domains[id.domain]?[id] != nil
    }

    /// Whether a cookie differs from the one in the storage.
    func isUnwritten(_ id: Cookie.ID) -> Bool {
        unwritten.contains(id)
    }

    // MARK: - Requests

    /// Returns the value of the `Cookie` header of a request, such as `id=17; theme=dark`; empty if there are no
    /// cookies for it. A cookie with which the header would be too long for servers is left out.
    func header(for origin: CookieOrigin, at now: Date) -> [UInt8] {
        var header: [UInt8] = []
        for cookie in cookies(for: origin, at: now) {
            let pair = cookie.id.name + [UInt8(ascii: "=")] + cookie.value
            let fits = header.count + pair.count <= Self.headerLimit
            // A shorter cookie may still fit, such as the one of the program's own session.
            if !fits { continue }
            if !header.isEmpty { header += "; ".utf8 }
            header += pair
        }
        return header
    }

    /// Returns the cookies to send with a request. Those with longer paths come first, and of those with equally long
    /// paths the older ones (section 5.4).
    private func cookies(for origin: CookieOrigin, at now: Date) -> [Cookie] {
        var matching: [Entry] = []
        for domain in origin.domains {
            let entries = domains[String(domain)] ?? [:]
            for entry in entries.values where entry.cookie.matches(origin) {
                if entry.cookie.isSendable, !entry.cookie.isExpired(at: now) { matching.append(entry) }
            }
        }
        Self.sort(&matching) { left, right in
            let leftLength = left.cookie.id.path.count
            let rightLength = right.cookie.id.path.count
            if leftLength != rightLength { return leftLength > rightLength }
            return left.created < right.created
        }
        return matching.map(\.cookie)
    }

    // MARK: - Responses

    /// Stores the cookies of a response, in their order. An expired cookie deletes the earlier one.
    mutating func store(_ cookies: [Cookie], from origin: CookieOrigin, at now: Date) {
        for cookie in cookies where mayStore(cookie, from: origin) {
            recent.insert(cookie.id)
            if cookie.isExpired(at: now) {
                delete(cookie.id)
            } else {
                set(cookie)
            }
        }
        for domain in cookies.map(\.id.domain).sortedAndUnique { makeRoom(in: domain, at: now) }
        makeRoom(at: now)
    }

    /// Whether a response may set a cookie. A response without TLS must not set one that replaces a `Secure` cookie or
    /// is sent before it, by the same host or by any other one (RFC 6265bis, section 5.7).
    private func mayStore(_ cookie: Cookie, from origin: CookieOrigin) -> Bool {
        if origin.isSecure { return true }
        for (domain, entries) in domains where cookie.id.isSent(beside: domain) {
            for entry in entries.values where entry.cookie.isSecure && entry.cookie.id.name == cookie.id.name {
                let comesBeforeOther = cookie.id.path.isPath(within: entry.cookie.id.path)
                if comesBeforeOther { return false }
            }
        }
        return true
    }

    /// Sets a cookie of a response. It keeps the age of the cookie that it replaces (section 5.3). If it differs from
    /// that one, it is to be written to the storage.
    private mutating func set(_ cookie: Cookie) {
        let replaced = domains[cookie.id.domain]?[cookie.id]
        clock += 1
        insert(
            Entry(
                cookie: cookie,
                created: replaced?.created ?? clock,
                changed: clock,
                stored: replaced?.stored))
        if replaced?.cookie != cookie { unwritten.insert(cookie.id) }
    }

    /// Deletes a cookie, also from the storage if that has it. It may even have one that a response has deleted before
    /// and set again.
    private mutating func delete(_ id: Cookie.ID) {
        guard remove(id) != nil else { return }
        unwritten.insert(id)
    }

    /// Whether the storage has a cookie of a response already, at most with another time at which it expires. Many
    /// servers send the cookie of a session again with each response. An expired cookie is to be deleted instead.
    func isStored(_ cookie: Cookie, at now: Date) -> Bool {
        guard var stored = domains[cookie.id.domain]?[cookie.id]?.stored else { return false }
        if cookie.isExpired(at: now) { return false }
        let isSessionCookie = cookie.expires == nil
        let wasSessionCookie = stored.expires == nil
        guard isSessionCookie == wasSessionCookie else { return false }
        stored.expires = cookie.expires
        return stored == cookie
    }

    // MARK: - Limits

    /// Deletes cookies of a domain that has more than it may have. The cookies for the host only have a limit of their
    /// own, since the other ones may be set by other hosts.
    private mutating func makeRoom(in domain: String, at now: Date) {
        guard let entries = domains[domain], entries.count > Self.domainLimit else { return }
        for isHostOnly in [true, false] {
            let counted = entries.values.filter { $0.cookie.id.isHostOnly == isHostOnly }
            deleteOldest(of: counted, leaving: Self.domainLimit, at: now)
        }
    }

    /// Deletes cookies if all domains together have more than they may have.
    private mutating func makeRoom(at now: Date) {
        guard count > Self.limit else { return }
        // A tenth of the cookies is removed at a time, since sorting all of them for each further cookie would be slow.
        var entries: [Entry] = []
        for domain in domains.values { entries += domain.values }
        deleteOldest(of: entries, leaving: Self.limit * 9 / 10, at: now)
    }

    /// Deletes the expired cookies of some, and as many others as exceed a limit: first those that are not `Secure`, in
    /// the order in which they were set.
    private mutating func deleteOldest(of entries: [Entry], leaving limit: Int, at now: Date) {
        var valid: [Entry] = []
        for entry in entries {
            if entry.cookie.isExpired(at: now) {
                delete(entry.cookie.id)
            } else {
                valid.append(entry)
            }
        }
        guard valid.count > limit else { return }
        Self.sort(&valid) { left, right in
            // A response without TLS must not push out `Secure` cookies (RFC 6265bis, section 5.7).
            if left.cookie.isSecure != right.cookie.isSecure { return right.cookie.isSecure }
            return left.changed < right.changed
        }
        for entry in valid.prefix(valid.count - limit) { delete(entry.cookie.id) }
    }

    /// Sorts cookies. It is a function of its own so that there is one copy of the sorting for both orders.
    @inline(never)
    private static func sort(_ entries: inout [Entry], by isBefore: (Entry, Entry) -> Bool) {
        entries.sort(by: isBefore)
    }

    /// Inserts a cookie into memory, or replaces the one with the same identity.
    private mutating func insert(_ entry: Entry) {
        let id = entry.cookie.id
        let replaced = domains[id.domain, default: [:]].updateValue(entry, forKey: id)
        if replaced == nil { count += 1 }
    }

    /// Removes and returns a cookie in memory, nil if there is none.
    private mutating func remove(_ id: Cookie.ID) -> Entry? {
        guard let entry = domains[id.domain]?.removeValue(forKey: id) else { return nil }
        count -= 1
        if domains[id.domain]?.isEmpty == true { domains[id.domain] = nil }
        return entry
    }

    // MARK: - The storage

    /// Returns the cookies that responses have set or deleted since this was last called. Called before the storage is
    /// read.
    mutating func takeRecent() -> Set<Cookie.ID> {
        let taken = recent
        recent = []
        return taken
    }

    /// Applies what the program has changed in the storage since it was last read.
    ///
    /// What a response has set since then takes precedence: the response was not delivered yet, so the program has made
    /// the change before, and cannot have meant the response's cookie. The storage gets that cookie again.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - recent: What ``takeRecent()`` has returned before the storage was read.
    mutating func apply(_ changes: StoredCookies.Changes, since recent: Set<Cookie.ID>) {
        let setByResponses = self.recent.union(recent)
        for cookie in changes.added {
            if setByResponses.contains(cookie.id) {
                noteStored(cookie, of: cookie.id)
            } else {
                adopt(cookie)
            }
        }
        for id in changes.deleted {
            if setByResponses.contains(id) {
                noteStored(nil, of: id)
            } else {
                forget(id)
            }
        }
        // Cookies that have yet to be written, which the program cannot have seen, are deleted with the others: a
        // program that logs out deletes those that it sees.
        let emptiedDomains = changes.hasDeletedAll ? Set(domains.keys) : changes.emptiedDomains
        for domain in emptiedDomains {
            for id in (domains[domain] ?? [:]).keys where !setByResponses.contains(id) { forget(id) }
        }
    }

    /// Notes which cookie the storage has, nil for none. It is to get the one in memory instead or, if there is none in
    /// memory, to delete its own. If neither has one, there is nothing to write.
    private mutating func noteStored(_ stored: Cookie?, of id: Cookie.ID) {
        let isInMemory = domains[id.domain]?[id] != nil
        domains[id.domain]?[id]?.stored = stored
        if isInMemory || stored != nil {
            unwritten.insert(id)
        } else {
            unwritten.remove(id)
        }
    }

    /// Adds a cookie that the program has put into the storage. It replaces a cookie that a response has set.
    private mutating func adopt(_ cookie: Cookie) {
        let replaced = domains[cookie.id.domain]?[cookie.id]
        clock += 1
        insert(Entry(cookie: cookie, created: replaced?.created ?? clock, changed: clock, stored: cookie))
        unwritten.remove(cookie.id)
    }

    /// Removes a cookie that the program has deleted from the storage, so that it is not written again.
    private mutating func forget(_ id: Cookie.ID) {
        _ = remove(id)
        unwritten.remove(id)
    }

    /// Removes and returns a change that the storage does not have yet, nil if it has all. After a cookie was written,
    /// call ``didWrite(_:)``.
    mutating func takeChange() -> Change? {
        guard let id = unwritten.first else { return nil }
        return takeChange(of: id)
    }

    /// Removes and returns the change of a cookie, like ``takeChange()``; nil if the storage has it.
    mutating func takeChange(of id: Cookie.ID) -> Change? {
        guard unwritten.remove(id) != nil else { return nil }
        if let entry = domains[id.domain]?[id] { return .set(entry.cookie) }
        return .delete(id)
    }

    /// Notes that the storage has got a cookie.
    mutating func didWrite(_ cookie: Cookie) {
        let id = cookie.id
        if domains[id.domain]?[id] == nil {
            // A response has deleted the cookie while it was being written, so it is to be deleted from the storage.
            unwritten.insert(id)
        } else {
            domains[id.domain]?[id]?.stored = cookie
        }
    }

    /// Discards the changes that set session cookies, which end with the process.
    mutating func dropSessionChanges() {
        unwritten = unwritten.filter { id in
            guard let entry = domains[id.domain]?[id] else {
                // The cookie is to be deleted from the storage, whatever it was.
                return true
            }
            let isSessionCookie = entry.cookie.expires == nil
            return !isSessionCookie
        }
    }

    /// Discards all changes. Called when the storage no longer exists.
    mutating func dropChanges() {
        unwritten = []
    }
}
#endif
