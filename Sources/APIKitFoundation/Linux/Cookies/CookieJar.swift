#if os(Linux)
import APIKitCore
import APIKitCurl
import Dispatch
import Foundation
import FoundationNetworking

/// The cookies of an `HTTPCookieStorage`, for all sessions that use it.
///
/// On Linux, that storage compares neither paths nor schemes, splits values at commas, keeps expired cookies until
/// another one is stored, and writes a file with all of its cookies whenever one is set, which takes up to a tenth of a
/// second. So requests and responses use cookies in memory. The changes of responses are written to the storage
/// afterwards, on a queue. The changes of the program are read from the storage before each request.
///
/// `@unchecked Sendable`: `state` is locked, and the other variables are used only on the queue.
final class CookieJar: @unchecked Sendable {
    private struct State {
        var memory = CookieMemory()
        var writer = Writer.idle
    }

    private enum Writer {
        case idle
        /// The storage is being written to, so reading it may take a while.
        case writing
        /// Changes wait for the end of a pause.
        case pausing
    }

    private let state = Locked(State())
    /// Serializes every access to the storage.
    private let queue = DispatchQueue(label: "APIKit.cookies")
    private weak var storage: HTTPCookieStorage?
    /// The storage's cookies when it was last read; nil once it has been written to since then.
    private var lastCookies: [HTTPCookie]?
    /// The storage's cookies as far as this jar knows, by their identity.
    private var known: [Cookie.ID: HTTPCookie] = [:]

    private init(of storage: HTTPCookieStorage) {
        self.storage = storage
    }

    // MARK: - Requests and responses

    /// The cookies to send with a request, and a function that stores those of its response; nil if the session uses no
    /// cookies.
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

    /// Reads the storage, without keeping a thread waiting while it is being written to.
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

    /// Stores the cookies of a response, given the values of its headers. The next request has them.
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
        if cookies.isEmpty, !deleted(in: [:]).isEmpty {
            forgetAll()
            return
        }
        let found = Dictionary(cookies.map { (Cookie.ID($0), $0) }, uniquingKeysWith: { $1 })
        let added = added(in: found)
        let deleted = deleted(in: found)
        lastCookies = cookies
        known = found
        state.withLock { state in
            for cookie in added { state.memory.adopt(cookie) }
            for id in deleted { state.memory.forget(id) }
        }
    }

    /// Forgets all cookies after the program has deleted all of the storage's, as for a logout. That includes cookies
    /// that have yet to be written, which the program cannot have seen.
    private func forgetAll() {
        lastCookies = []
        known = [:]
        state.withLock { $0.memory = CookieMemory() }
    }

    private func isUnchanged(_ cookies: [HTTPCookie]) -> Bool {
        guard let lastCookies, cookies.count == lastCookies.count else { return false }
        return zip(cookies, lastCookies).allSatisfy { $0 === $1 }
    }

    /// The cookies that were not there, or were others, by their age.
    private func added(in found: [Cookie.ID: HTTPCookie]) -> [Cookie] {
        let added = found.filter { known[$0.key] !== $0.value }.values
        return added.sorted { $0.created < $1.created }.map(Cookie.init)
    }

    /// The cookies that are no longer there, except for expired ones, which the storage removes by itself.
    private func deleted(in found: [Cookie.ID: HTTPCookie]) -> [Cookie.ID] {
        let now = Date()
        let missing = known.filter { found[$0.key] == nil && !Cookie($0.value).isExpired(at: now) }
        return Array(missing.keys)
    }

    // MARK: - Writing to the storage, on the queue

    /// Writes without a pause between them.
    private struct Batch {
        var count = 0
        var time = Duration.zero

        static let limit = 50

        /// How long to pause afterwards: requests wait for the storage while it writes, and a server that sets cookies
        /// without end must not keep a processor busy.
        var pause: Duration { max(.seconds(1), time * 20) }
    }

    /// Writes one change and then, as a further piece of work of the queue, the next: requests come in between.
    private func write(_ batch: Batch) {
        guard let storage else { return giveUp() }
        let start = ContinuousClock.now
        guard batch.count < Batch.limit, writeChange(to: storage) else { return pause(after: batch) }
        let next = Batch(count: batch.count + 1, time: batch.time + (ContinuousClock.now - start))
        queue.async { self.write(next) }
    }

    /// - Returns: Whether there was a change to write.
    private func writeChange(to storage: HTTPCookieStorage) -> Bool {
        // The program's own changes count more than what has been waiting here.
        readChanges()
        guard let change = state.withLock({ $0.memory.takeChange() }) else { return false }
        switch change {
        case .set(let cookie):
            guard !cookie.isExpired(at: Date()), let stored = HTTPCookie(cookie) else { return true }
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
            state.writer = state.memory.hasChanges ? .writing : .idle
            return state.writer == .writing
        }
        if hasChanges { write(Batch()) }
    }

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

    private static func jar(of storage: HTTPCookieStorage) -> CookieJar {
        jars.withLock { jars in
            let id = ObjectIdentifier(storage)
            if let entry = jars[id], entry.storage === storage { return entry.jar }
            jars = jars.filter { $0.value.storage != nil }
            _ = writeAtExit
            let jar = CookieJar(of: storage)
            jars[id] = Entry(storage: storage, jar: jar)
            return jar
        }
    }

    // MARK: - The end of the process

    /// Arranges, once, for the end of the process: a program may end right after the response that logs it in.
    private static let writeAtExit: Void = {
        let process = getpid()
        forkedFrom.withLock { $0 = process }
        atexit { CookieJar.writeAll() }
    }()

    private static let forkedFrom = Locked<pid_t>(0)

    private static func writeAll() {
        // A process that was forked does not have the queue's threads.
        guard forkedFrom.withLock({ $0 }) == getpid() else { return }
        for jar in jars.withLock({ $0.values.map(\.jar) }) { jar.writeBeforeExit() }
    }

    /// Writes the cookies that are to outlive the process, for a second at most.
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
    /// Nil if Foundation does not take the cookie. A value that is not in UTF-8 is read as Latin-1, as in headers.
    fileprivate convenience init?(_ cookie: Cookie) {
        let domain = cookie.id.isHostOnly ? cookie.id.domain : ".\(cookie.id.domain)"
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: Self.text(cookie.id.name), .value: Self.text(cookie.value),
            .domain: domain, .path: Self.text(cookie.id.path),
        ]
        if let expires = cookie.expires { properties[.expires] = expires }
        // Any text means yes.
        if cookie.isSecure { properties[.secure] = "TRUE" }
        if cookie.isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        self.init(properties: properties)
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// When Foundation has created it, in seconds.
    fileprivate var created: Double {
        properties?[HTTPCookiePropertyKey("Created")] as? Double ?? 0
    }
}
#endif
