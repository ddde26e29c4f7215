#if os(Linux)
import APIKitCore
import APIKitCurl
import Dispatch
import Foundation
import FoundationNetworking

/// The cookies of an `HTTPCookieStorage`, for all sessions that use it.
///
/// The storage of Foundation on Linux cannot be used directly for requests and responses. It compares neither paths nor
/// schemes, splits values at commas, and keeps expired cookies until another one is stored. It also writes a file with
/// all of its cookies whenever one is set, which takes up to a tenth of a second.
///
/// So requests and responses use cookies in memory. Cookies that responses set are written to the storage afterwards,
/// on a queue. Changes that the program makes to the storage are read before each request.
///
/// `@unchecked Sendable`: `state` is locked, and the other variables are used only on the queue.
final class CookieJar: @unchecked Sendable {
    private struct State {
        var memory = CookieMemory()
        var writer = Writer.idle
    }

    private enum Writer {
        case idle
        /// Changes are being written, so a request may have to wait before it can read the storage.
        case writing
        /// Changes are written after a pause.
        case pausing
    }

    private let state = Locked(State())
    /// Serializes every access to the storage.
    private let queue = DispatchQueue(label: "APIKit.cookies")
    private weak var storage: HTTPCookieStorage?
    /// The storage's cookies when it was last read; nil once it has been written to since then.
    private var lastCookies: [HTTPCookie]?
    /// The cookies of the storage, including those written since it was last read.
    private var known: [Cookie.ID: HTTPCookie] = [:]

    private init(of storage: HTTPCookieStorage) {
        self.storage = storage
    }

    // MARK: - Requests and responses

    /// Returns the cookies to send with a request, and a function that stores the cookies of its response. Returns nil
    /// if the session uses no cookies.
    static func cookies(
        for request: HTTPRequest, of configuration: URLSessionConfiguration
    ) async -> RequestCookies? {
        guard let storage = configuration.httpCookieStorage, let origin = CookieOrigin(request.url) else { return nil }
        let sends = configuration.httpShouldSetCookies && request.headers[.cookie] == nil
        let stores = configuration.httpCookieAcceptPolicy != .never && storage.cookieAcceptPolicy != .never
        guard sends || stores else { return nil }
        let jar = jar(of: storage)
        var cookies = RequestCookies()
        if sends { cookies.header = await jar.header(for: origin) }
        if stores { cookies.store = { jar.store($0, from: origin) } }
        return cookies
    }

    private func header(for origin: CookieOrigin) async -> [UInt8] {
        await readStorage()
        return state.withLock { $0.memory.header(for: origin, at: Date()) }
    }

    /// Reads the storage. If it is being written to, suspends the task instead of blocking its thread.
    private func readStorage() async {
        let mayHaveToWait = state.withLock { $0.writer == .writing }
        guard mayHaveToWait else {
            queue.sync { readChanges() }
            return
        }
        await withCheckedContinuation { hasRead in
            queue.async {
                self.readChanges()
                hasRead.resume()
            }
        }
    }

    /// Stores the cookies of a response in memory, where the next request finds them, and starts to write them to the
    /// storage.
    ///
    /// - Parameters:
    ///   - fields: The values of the response's `Set-Cookie` headers.
    ///   - origin: The origin of the response.
    private func store(_ fields: [ArraySlice<UInt8>], from origin: CookieOrigin) {
        let now = Date()
        let cookies = fields.compactMap { Cookie(setBy: $0, from: origin, at: now) }
        guard !cookies.isEmpty else { return }
        let startsWriter = state.withLock { state in
            state.memory.store(cookies, from: origin, at: now)
            let needsWriter = state.writer == .idle && state.memory.hasChanges
            if needsWriter { state.writer = .writing }
            return needsWriter
        }
        if startsWriter { queue.async { self.write(Batch()) } }
    }

    // MARK: - Reading the storage, on the queue

    /// Applies the changes that the program has made to the storage since the last time.
    private func readChanges() {
        guard let storage else { return }
        let cookies = storage.cookies ?? []
        if isUnchanged(cookies) { return }
        if cookies.isEmpty, !deletedIDs(in: [:]).isEmpty {
            forgetAll()
            return
        }
        let found = Dictionary(cookies.map { (Cookie.ID($0), $0) }, uniquingKeysWith: { $1 })
        let addedCookies = addedCookies(in: found)
        let deletedIDs = deletedIDs(in: found)
        lastCookies = cookies
        known = found
        state.withLock { state in
            for cookie in addedCookies { state.memory.adopt(cookie) }
            for id in deletedIDs { state.memory.forget(id) }
        }
    }

    /// Forgets all cookies after the program has deleted all of the storage's, as for a logout. That includes cookies
    /// that have yet to be written, which the program cannot have seen.
    private func forgetAll() {
        lastCookies = []
        known = [:]
        state.withLock { $0.memory = CookieMemory() }
    }

    /// Whether the storage returns the same objects as the last time, which is a quick comparison.
    private func isUnchanged(_ cookies: [HTTPCookie]) -> Bool {
        guard let lastCookies, cookies.count == lastCookies.count else { return false }
        return zip(cookies, lastCookies).allSatisfy { $0 === $1 }
    }

    /// Returns the cookies that the program has added or replaced, the oldest ones first.
    private func addedCookies(in found: [Cookie.ID: HTTPCookie]) -> [Cookie] {
        let added = found.filter { known[$0.key] !== $0.value }.values
        return added.sorted { $0.created < $1.created }.map(Cookie.init)
    }

    /// Returns the cookies that the program has deleted. An expired cookie is not one of them, since the storage
    /// removes it itself.
    private func deletedIDs(in found: [Cookie.ID: HTTPCookie]) -> [Cookie.ID] {
        let now = Date()
        let missing = known.filter { found[$0.key] == nil && !Cookie($0.value).isExpired(at: now) }
        return Array(missing.keys)
    }

    // MARK: - Writing to the storage, on the queue

    /// A series of changes that are written without a pause in between.
    private struct Batch {
        /// The number of changes written.
        var count = 0
        /// The time that writing them took.
        var time = Duration.zero

        /// The most changes in a batch. Writing that many takes up to five seconds.
        static let limit = 50

        /// How long to pause after the batch. Requests have to wait for the storage while it is being written to, and a
        /// server that keeps setting cookies must not keep a processor busy. So writing takes at most a twentieth of
        /// the time.
        var pause: Duration { max(.seconds(1), time * 20) }
    }

    /// Writes one change. The next change is written by a block of its own, so that requests can read the storage in
    /// between.
    ///
    /// - Parameter batch: The changes written so far without a pause.
    private func write(_ batch: Batch) {
        guard let storage else { return giveUp() }
        guard batch.count < Batch.limit else { return pause(after: batch) }
        let start = ContinuousClock.now
        let hasWritten = writeChange(to: storage)
        guard hasWritten else { return pause(after: batch) }
        let next = Batch(count: batch.count + 1, time: batch.time + (ContinuousClock.now - start))
        queue.async { self.write(next) }
    }

    /// Writes one change of the memory to the storage.
    ///
    /// - Returns: Whether there was a change to write.
    private func writeChange(to storage: HTTPCookieStorage) -> Bool {
        // A change by the program takes precedence over one that has been waiting here for the same cookie.
        readChanges()
        guard let change = state.withLock({ $0.memory.takeChange() }) else { return false }
        switch change {
        case .set(let cookie):
            // The storage would be empty again once it removes an expired cookie, as if the program had deleted it.
            guard !cookie.isExpired(at: Date()) else { return true }
            // Foundation may refuse a cookie, which then remains in memory only.
            guard let stored = HTTPCookie(cookie) else { return true }
            storage.setCookie(stored)
            known[cookie.id] = stored
            // The program may delete the cookie before the storage is read again, which then looks as it did before.
            lastCookies = nil
            state.withLock { $0.memory.didWrite(cookie.id) }
        case .delete(let id):
            if let stored = known.removeValue(forKey: id) {
                storage.deleteCookie(stored)
                lastCookies = nil
            }
        }
        return true
    }

    private func pause(after batch: Batch) {
        state.withLock { $0.writer = .pausing }
        queue.asyncAfter(deadline: .now() + batch.pause.seconds) { self.endPause() }
    }

    private func endPause() {
        let hasChanges = state.withLock { state in
            let hasChanges = state.memory.hasChanges
            state.writer = hasChanges ? .writing : .idle
            return hasChanges
        }
        if hasChanges { write(Batch()) }
    }

    /// Stops writing, since the storage no longer exists.
    private func giveUp() {
        state.withLock { state in
            state.memory.dropChanges()
            state.writer = .idle
        }
    }

    // MARK: - The jars of the process

    private struct Entry {
        weak var storage: HTTPCookieStorage?
        let jar: CookieJar
    }

    private static let jars = Locked<[ObjectIdentifier: Entry]>([:])

    /// Returns the jar of a storage, which is created when it is first needed. Creating one also removes the jars of
    /// storages that no longer exist.
    private static func jar(of storage: HTTPCookieStorage) -> CookieJar {
        jars.withLock { jars in
            let id = ObjectIdentifier(storage)
            if let entry = jars[id], entry.storage === storage { return entry.jar }
            jars = jars.filter { $0.value.storage != nil }
            // The first access registers the exit handler.
            _ = writeAtExit
            let jar = CookieJar(of: storage)
            jars[id] = Entry(storage: storage, jar: jar)
            return jar
        }
    }

    // MARK: - The end of the process

    /// Makes the process write the remaining changes when it exits. A command may exit right after the response that
    /// has logged the user in. The handler is registered once, when this constant is first used.
    private static let writeAtExit: Void = {
        let process = getpid()
        processOfJars.withLock { $0 = process }
        atexit { CookieJar.writeAll() }
    }()

    /// The process that has registered the exit handler.
    private static let processOfJars = Locked<pid_t>(0)

    private static func writeAll() {
        // A forked process inherits the exit handler, but not the threads that run the queues.
        guard processOfJars.withLock({ $0 }) == getpid() else { return }
        for jar in jars.withLock({ $0.values.map(\.jar) }) { jar.writeBeforeExit() }
    }

    /// Writes the cookies that are to outlive the process. Stops after a second, so that the exit is not held up.
    private func writeBeforeExit() {
        state.withLock { $0.memory.dropSessionChanges() }
        guard state.withLock({ $0.memory.hasChanges }) else { return }
        let end = ContinuousClock.now + .seconds(1)
        queue.sync {
            guard let storage else { return }
            while ContinuousClock.now < end, writeChange(to: storage) {}
        }
    }
}

// MARK: - Foundation's cookies

extension Cookie.ID {
    fileprivate init(_ cookie: HTTPCookie) {
        let isHostOnly = !cookie.domain.hasPrefix(".")
        self.init(
            name: Array(cookie.name.utf8),
            domain: isHostOnly ? cookie.domain : String(cookie.domain.dropFirst()),
            isHostOnly: isHostOnly,
            path: Array(cookie.path.utf8))
    }
}

extension Cookie {
    fileprivate init(_ cookie: HTTPCookie) {
        id = ID(cookie)
        value = Array(cookie.value.utf8)
        expires = cookie.expiresDate
        isSecure = cookie.isSecure
        isHTTPOnly = cookie.isHTTPOnly
    }
}

extension HTTPCookie {
    /// Returns nil if Foundation refuses the cookie. A value that is not valid UTF-8 is read as Latin-1, as in headers.
    fileprivate convenience init?(_ cookie: Cookie) {
        let domain = cookie.id.isHostOnly ? cookie.id.domain : ".\(cookie.id.domain)"
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: Self.text(cookie.id.name), .value: Self.text(cookie.value),
            .domain: domain, .path: Self.text(cookie.id.path),
        ]
        if let expires = cookie.expires { properties[.expires] = expires }
        // Foundation takes any text for yes.
        if cookie.isSecure { properties[.secure] = "TRUE" }
        if cookie.isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        self.init(properties: properties)
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(data: Data(bytes), encoding: .utf8) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// When Foundation has created the cookie, in seconds; 0 if that is not known.
    fileprivate var created: Double {
        properties?[HTTPCookiePropertyKey("Created")] as? Double ?? 0
    }
}
#endif
