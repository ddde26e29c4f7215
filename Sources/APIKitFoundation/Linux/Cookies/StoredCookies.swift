#if os(Linux)
import Foundation
import FoundationNetworking

/// The cookies of an `HTTPCookieStorage` as the jar knows them: those that it has read, and those that it has written
/// since then.
///
/// Every use of the storage waits for the one before. Setting or deleting a cookie writes a file with all cookies,
/// which takes about ten milliseconds for a hundred of them, and half a second for thousands. So this is only used on
/// the jar's queue.
struct StoredCookies {
    /// The storage, nil once it no longer exists.
    private(set) weak var storage: HTTPCookieStorage?
    private var known: [Cookie.ID: HTTPCookie] = [:]
    /// The objects in `known`. Comparing objects is quick, and an object of Foundation never changes.
    private var knownObjects: Set<ObjectIdentifier> = []

    init(of storage: HTTPCookieStorage) {
        self.storage = storage
    }

    // MARK: - Reading

    /// What the program has changed in the storage since it was last read.
    struct Changes {
        /// The cookies that it has added or replaced, the oldest ones first.
        var added: [Cookie] = []
        /// The cookies that it has deleted.
        var deleted: [Cookie.ID] = []
        /// The domains of which it has deleted all cookies.
        var emptiedDomains: Set<String> = []
        /// Whether it has deleted all cookies of the storage.
        var hasDeletedAll = false
    }

    /// What was found in the storage.
    struct Reading {
        var changes = Changes()
        /// Whether reading had to wait for the program, which is changing the storage.
        var wasHeldUp = false
    }

    /// Longer than it takes to read the storage without having to wait for it.
    private static let heldUpTime = Duration.milliseconds(1)

    /// Reads the storage, and returns what the program has changed since this was last called.
    mutating func read() -> Reading {
        guard let storage else { return Reading() }
        let start = ContinuousClock.now
        let cookies = storage.cookies ?? []
        let wasHeldUp = ContinuousClock.now - start > Self.heldUpTime
        return Reading(changes: changes(to: cookies), wasHeldUp: wasHeldUp)
    }

    /// Compares the storage's cookies with those known from before, and replaces these by them.
    private mutating func changes(to cookies: [HTTPCookie]) -> Changes {
        let addedObjects = cookies.filter { !knownObjects.contains(ObjectIdentifier($0)) }
        let isUnchanged = addedObjects.isEmpty && cookies.count == known.count
        if isUnchanged { return Changes() }
        knownObjects = []
        for cookie in cookies { knownObjects.insert(ObjectIdentifier(cookie)) }
        var removed: [HTTPCookie] = []
        for cookie in known.values where !knownObjects.contains(ObjectIdentifier(cookie)) { removed.append(cookie) }
        for cookie in removed { known[Cookie.ID(cookie)] = nil }
        for cookie in addedObjects { known[Cookie.ID(cookie)] = cookie }

        var result = Changes()
        result.added = addedObjects.sorted { $0.created < $1.created }.map(Cookie.init)
        let now = Date()
        for object in removed {
            let cookie = Cookie(object)
            if known[cookie.id] != nil { continue }
            // The storage removes an expired cookie itself, so its absence does not mean that the program deleted it.
            if !cookie.isExpired(at: now) { result.deleted.append(cookie.id) }
        }
        for id in result.deleted { result.emptiedDomains.insert(id.domain) }
        for id in known.keys { result.emptiedDomains.remove(id.domain) }
        result.hasDeletedAll = cookies.isEmpty && !result.deleted.isEmpty
        return result
    }

    // MARK: - Writing

    /// Writes a cookie to the storage, unless the storage would take it for another one that it has. It then remains in
    /// memory only.
    ///
    /// - Returns: Whether it was written.
    mutating func set(_ cookie: StorableCookie) -> Bool {
        let id = cookie.cookie.id
        let replaced = known[id]
        if replaced == nil {
            // Replacing the other one would look as if the program had deleted it.
            let key = cookie.object.storageKey
            let replacesAnother = known.values.contains { $0.storageKey == key }
            if replacesAnother { return false }
        }
        storage?.setCookie(cookie.object)
        known[id] = cookie.object
        if let replaced { knownObjects.remove(ObjectIdentifier(replaced)) }
        knownObjects.insert(ObjectIdentifier(cookie.object))
        return true
    }

    /// Deletes a cookie from the storage, if the storage has it.
    mutating func delete(_ id: Cookie.ID) {
        guard let stored = known.removeValue(forKey: id) else { return }
        knownObjects.remove(ObjectIdentifier(stored))
        storage?.deleteCookie(stored)
    }
}

// MARK: - Foundation's cookies

/// A cookie with the one of Foundation that the storage gets. It is created before the storage is used, since that
/// takes longer than reading a storage that has few cookies.
struct StorableCookie {
    let cookie: Cookie
    fileprivate let object: HTTPCookie

    /// Returns nil if the cookie has expired, or if Foundation refuses it. It then remains in memory only.
    init?(_ cookie: Cookie) {
        // The storage soon removes an expired cookie. If it is empty then, that looks as if the program had deleted all
        // cookies.
        if cookie.isExpired(at: Date()) { return nil }
        guard let object = HTTPCookie(cookie) else { return nil }
        self.cookie = cookie
        self.object = object
    }
}

extension Cookie.ID {
    /// Foundation writes a dot before the domain of a cookie that is for subdomains too.
    fileprivate convenience init(_ cookie: HTTPCookie) {
        let isHostOnly = !cookie.domain.hasPrefix(".")
        self.init(
            name: Array(cookie.name.utf8),
            domain: isHostOnly ? cookie.domain : String(cookie.domain.dropFirst()),
            isHostOnly: isHostOnly,
            path: Array(cookie.path.utf8))
    }
}

extension Cookie {
    /// Creates a cookie from Foundation's, which the program has put into the storage.
    fileprivate init(_ cookie: HTTPCookie) {
        id = ID(cookie)
        value = Array(cookie.value.utf8)
        expires = cookie.expiresDate
        isSecure = cookie.isSecure
        isHTTPOnly = cookie.isHTTPOnly
    }
}

extension HTTPCookie {
    /// Creates Foundation's cookie from one in memory. Returns nil if Foundation refuses it. A name or a value that is
    /// not valid UTF-8 is read as Latin-1, as in headers.
    fileprivate convenience init?(_ cookie: Cookie) {
        let domain = cookie.id.isHostOnly ? cookie.id.domain : ".\(cookie.id.domain)"
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: Self.text(cookie.id.name), .value: Self.text(cookie.value),
            .domain: domain, .path: Self.text(cookie.id.path),
        ]
        if let expires = cookie.expires { properties[.expires] = expires }
        // Foundation takes any text for yes, so the property is left out for no.
        if cookie.isSecure { properties[.secure] = "TRUE" }
        if cookie.isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        self.init(properties: properties)
    }

    /// What the storage of Foundation tells cookies apart by. Different cookies may have the same: it ends in `/ab` for
    /// the name `ab` with the path `/`, and also for the name `b` with the path `/a`.
    fileprivate var storageKey: String { domain + path + name }

    private static func text(_ bytes: [UInt8]) -> String {
        if let text = String(data: Data(bytes), encoding: .utf8) { return text }
        // Each byte of Latin-1 is the number of its character in Unicode.
        let characters = bytes.map { Unicode.Scalar($0) }
        return String(String.UnicodeScalarView(characters))
    }

    /// When Foundation has created the cookie, in seconds; 0 if that is not known.
    fileprivate var created: Double {
        properties?[HTTPCookiePropertyKey("Created")] as? Double ?? 0
    }
}
#endif
