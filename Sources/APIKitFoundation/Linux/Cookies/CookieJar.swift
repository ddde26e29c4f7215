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
        // A request with a `Cookie` header of its own is sent with that one only.
        let sendsCookies = configuration.httpShouldSetCookies && request.headers[.cookie] == nil
        let storesCookies = configuration.httpCookieAcceptPolicy != .never && storage.cookieAcceptPolicy != .never
        guard sendsCookies || storesCookies else { return nil }
        let jar = jar(of: storage)
        var cookies = RequestCookies()
        if sendsCookies { cookies.header = await jar.header(for: origin) }
        if storesCookies { cookies.store = { jar.store($0, from: origin) } }
        return cookies
    }

    /// Returns the value of a request's `Cookie` header, after reading the program's changes to the storage.
    private func header(for origin: CookieOrigin) async -> [UInt8] {
        await readStorage()
        return state.withLock { $0.memory.header(for: origin, at: Date()) }
    }

    /// Reads the program's changes to the storage. If it is being written to, suspends the task instead of blocking its
    /// thread.
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

    /// Applies the changes that the program has made to the storage since this was last called.
    private func readChanges() {
        guard let storage else { return }
        let cookies = storage.cookies ?? []
        if isUnchanged(cookies) { return }
        var found: [Cookie.ID: HTTPCookie] = [:]
        for cookie in cookies { found[Cookie.ID(cookie)] = cookie }
        let addedCookies = addedCookies(in: found)
        let deletedIDs = deletedIDs(in: found)
        let hasDeletedAll = found.isEmpty && !deletedIDs.isEmpty
        if hasDeletedAll {
            forgetAll()
            return
        }
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

    /// Returns the cookies that the program has added or replaced, the oldest ones first: those that were found now,
    /// and are not the same objects as the ones known from before.
    private func addedCookies(in found: [Cookie.ID: HTTPCookie]) -> [Cookie] {
        let added = found.values.filter { cookie in known[Cookie.ID(cookie)] !== cookie }
        let sorted = added.sorted { $0.created < $1.created }
        return sorted.map(Cookie.init)
    }

    /// Returns the cookies that the program has deleted. An expired cookie is not one of them, since the storage
    /// removes it itself.
    private func deletedIDs(in found: [Cookie.ID: HTTPCookie]) -> [Cookie.ID] {
        let now = Date()
        var deletedIDs: [Cookie.ID] = []
        for (id, cookie) in known where found[id] == nil {
            if !Cookie(cookie).isExpired(at: now) { deletedIDs.append(id) }
        }
        return deletedIDs
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

    /// Writes one change, or pauses if there is none or the batch is full. The next change is written by a block of its
    /// own, so that requests can read the storage in between.
    ///
    /// - Parameter batch: The changes written so far without a pause.
    private func write(_ batch: Batch) {
        guard let storage else {
            giveUp()
            return
        }
        guard batch.count < Batch.limit else {
            pause(after: batch)
            return
        }
        let start = ContinuousClock.now
        let hadChange = writeChange(to: storage)
        guard hadChange else {
            pause(after: batch)
            return
        }
        let next = Batch(count: batch.count + 1, time: batch.time + (ContinuousClock.now - start))
        queue.async { self.write(next) }
    }

    /// Applies one change of the memory to the storage, after reading the program's changes.
    ///
    /// - Returns: Whether there was a change.
    private func writeChange(to storage: HTTPCookieStorage) -> Bool {
        // A change by the program takes precedence over one that has been waiting here for the same cookie.
        readChanges()
        guard let change = state.withLock({ $0.memory.takeChange() }) else { return false }
        switch change {
        case .set(let cookie): set(cookie, in: storage)
        case .delete(let id): delete(id, from: storage)
        }
        return true
    }

    /// Writes a cookie to the storage, unless it has expired meanwhile or Foundation refuses it.
    private func set(_ cookie: Cookie, in storage: HTTPCookieStorage) {
        // The storage soon removes an expired cookie. If it is empty then, that looks as if the program had deleted all
        // cookies.
        if cookie.isExpired(at: Date()) { return }
        // Otherwise the cookie remains in memory only.
        guard let stored = HTTPCookie(cookie) else { return }
        storage.setCookie(stored)
        known[cookie.id] = stored
        // The program may delete the cookie before the storage is read again, which then looks as it did before.
        lastCookies = nil
        state.withLock { $0.memory.didWrite(cookie.id) }
    }

    /// Deletes a cookie from the storage, if the storage has it.
    private func delete(_ id: Cookie.ID, from storage: HTTPCookieStorage) {
        guard let stored = known.removeValue(forKey: id) else { return }
        storage.deleteCookie(stored)
        lastCookies = nil
    }

    /// Lets requests read the storage for a while, after which the changes are written that have come up meanwhile.
    private func pause(after batch: Batch) {
        state.withLock { $0.writer = .pausing }
        queue.asyncAfter(deadline: .now() + batch.pause.seconds) { self.endPause() }
    }

    /// Continues writing after a pause, if there is anything to write.
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

    /// Writes the changes of all jars. Called when the process exits.
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
            var hadChange = true
            while hadChange, ContinuousClock.now < end { hadChange = writeChange(to: storage) }
        }
    }
}

// MARK: - Foundation's cookies

extension Cookie.ID {
    /// Foundation writes a dot before the domain of a cookie that is for subdomains too.
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
