#if os(Linux)
import APIKitCore
import APIKitSupport
import Dispatch
import Foundation
import FoundationNetworking

/// The cookies of an `HTTPCookieStorage`, for all sessions that use it.
///
/// The storage of Foundation on Linux cannot be used directly for requests and responses. It compares neither paths nor
/// schemes, splits values at commas, and keeps expired cookies until another one is stored. It also writes a file with
/// all of its cookies whenever one is set, and lets everybody wait meanwhile.
///
/// So requests and responses use cookies in memory, and a queue keeps those equal to the storage's, in turns. A turn
/// reads the changes that the program has made to the storage, and then writes one cookie of a response. Nothing waits
/// for a turn without a limit:
///
/// - A request waits until the program's changes are read, for at most a second. While a cookie is being written, it
///   waits for at most five milliseconds.
/// - A response waits until its cookies are written, for at most five seconds. It does not wait for a cookie that only
///   expires at another time than the stored one.
///
/// Both waits also end at the request's timeout or deadline, and by a cancel. The request is then sent with the cookies
/// in memory, and the response is delivered.
///
/// `@unchecked Sendable`: `state` is locked, and the other variables are used only on the queue.
final class CookieJar: @unchecked Sendable {
    private let state = Locked(State())
    /// Serializes every access to the storage.
    private let queue = DispatchQueue(label: "APIKit.cookies")
    private var stored: StoredCookies
    /// Whether the queue waits before it writes another cookie that no response waits for.
    private var isPausing = false

    private init(of storage: HTTPCookieStorage) {
        stored = StoredCookies(of: storage)
    }

    // MARK: - Requests and responses

    /// The longest time that a request waits until the program's changes are read. It only waits while the program is
    /// changing the storage in another thread.
    static let longestRead = Duration.seconds(1)
    /// The longest time that a request waits for the end of a write. A storage without a file takes less than this, and
    /// the program may already have deleted another cookie when the jar notes the end.
    static let longestWaitForWrite = Duration.milliseconds(5)
    /// The longest time that a response waits until its cookies are written. With thousands of cookies in the storage,
    /// writing one takes half a second.
    static let longestWrite = Duration.seconds(5)

    /// Waits until the program's changes to the storage are read, so that a request gets the cookies that the program
    /// has set, and none that it has deleted. While a cookie is being written, the changes from before that are known,
    /// and the program cannot make others. So a request waits only briefly then, for a write that has just ended.
    ///
    /// - Parameter limit: The longest time to wait.
    /// - Throws: `CancellationError` if the task is cancelled.
    func readChanges(within limit: Duration) async throws {
        let reader = Waiter<Void>()
        let admission = state.withLock { $0.admit(reader) }
        switch admission {
        case .doesNotWait:
            return
        case .waits:
            try await reader.wait(for: limit)
        case .waitsBriefly:
            try await reader.wait(for: min(limit, Self.longestWaitForWrite))
        case .waitsForNewTurn:
            queue.async { self.takeTurn() }
            try await reader.wait(for: limit)
        }
    }

    /// Returns the value of a request's `Cookie` header, empty for no header.
    func header(for origin: CookieOrigin) -> [UInt8] {
        state.withLock { $0.memory.header(for: origin, at: Date()) }
    }

    /// Stores the cookies of a response in memory, where the next request finds them, and starts to write them to the
    /// storage.
    ///
    /// - Parameters:
    ///   - fields: The values of the response's `Set-Cookie` headers.
    ///   - origin: The origin of the response.
    /// - Returns: Resumed once the storage has the cookies that are new or have another value; nil if the response sets
    ///   no cookies.
    func store(_ fields: [[UInt8]], from origin: CookieOrigin) -> Waiter<Void>? {
        let now = Date()
        let cookies = fields.compactMap { Cookie(setBy: $0[...], from: origin, at: now) }
        guard !cookies.isEmpty else { return nil }
        let (response, needsTurn) = state.withLock { state in
            let changed = cookies.filter { !state.memory.isStored($0, at: now) }
            let response = Response(ids: changed.map(\.id)[...])
            state.memory.store(cookies, from: origin, at: now)
            return (response, state.add(response))
        }
        if needsTurn { queue.async { self.takeTurn() } }
        return response.writeWaiter
    }

    // MARK: - State

    /// A response whose cookies are being written.
    private struct Response {
        /// The cookies of which some may have to be written yet.
        var ids: ArraySlice<Cookie.ID>
        /// Resumed once they are written.
        let writeWaiter = Waiter<Void>()
        /// When the response no longer waits, so that the rest is written with pauses.
        let end = ContinuousClock.now + CookieJar.longestWrite
    }

    private enum Activity {
        /// No turn is scheduled. Next: `reading`.
        case idle
        /// A turn is scheduled, or reads the program's changes. Next: `writing` or `idle`.
        case reading
        /// A turn writes a cookie to the storage. Next: `reading`.
        case writing
        /// The process exits. Turns do nothing.
        case over
    }

    /// Whether a request waits until the program's changes are read.
    private enum Admission {
        case doesNotWait
        case waits
        /// A cookie is being written, which may take long.
        case waitsBriefly
        /// It waits for a turn that the caller schedules.
        case waitsForNewTurn
    }

    /// What a turn does after it has read the program's changes.
    private enum Step {
        /// Reads them again, for requests that have come meanwhile.
        case readAgain
        /// Resumes a response, and decides again.
        case finish(Response)
        /// Writes a change, for a response that waits for it or for none. The turns then go on.
        case write(CookieMemory.Change, for: Response?)
        case end
    }

    private struct State {
        var memory = CookieMemory()
        var activity = Activity.idle
        /// The requests that wait until the program's changes are read.
        var readers: [Waiter<Void>] = []
        /// The responses whose cookies are being written: one cookie of the first one, which then becomes the last.
        var responses: ArraySlice<Response> = []

        /// Lets a request wait until the program's changes are read.
        mutating func admit(_ reader: Waiter<Void>) -> Admission {
            if case .over = activity { return .doesNotWait }
            readers.append(reader)
            if case .writing = activity { return .waitsBriefly }
            return scheduleTurn() ? .waitsForNewTurn : .waits
        }

        /// Adds a response with cookies to write.
        ///
        /// - Returns: Whether the caller must schedule a turn.
        mutating func add(_ response: Response) -> Bool {
            responses.append(response)
            return scheduleTurn()
        }

        /// Notes that a turn is scheduled, unless there is one.
        ///
        /// - Returns: Whether there was none, so that the caller must schedule it.
        mutating func scheduleTurn() -> Bool {
            guard case .idle = activity else { return false }
            activity = .reading
            return true
        }

        /// Decides what a turn does after it has read the program's changes:
        ///
        /// | condition | step |
        /// | --- | --- |
        /// | the process exits | `end` |
        /// | requests have come meanwhile | `readAgain` |
        /// | the first response has no more cookies to write, or has waited long enough | `finish` |
        /// | the first response has a cookie to write | `write` |
        /// | other changes remain, and there is no pause | `write`, for no response |
        /// | otherwise | `end` |
        mutating func nextStep(at now: ContinuousClock.Instant, isPausing: Bool) -> Step {
            if case .over = activity { return .end }
            if !readers.isEmpty { return .readAgain }
            if let response = responses.popFirst() { return step(for: response, at: now) }
            if !isPausing, let change = memory.takeChange() { return .write(change, for: nil) }
            activity = .idle
            return .end
        }

        /// Takes the first change that a response waits for.
        private mutating func step(for response: Response, at now: ContinuousClock.Instant) -> Step {
            if now >= response.end { return .finish(response) }
            var response = response
            while let id = response.ids.popFirst() {
                guard let change = memory.takeChange(of: id) else { continue }
                return .write(change, for: response)
            }
            return .finish(response)
        }

        /// Notes that a change is being written, so that requests wait only briefly, unless requests wait already.
        ///
        /// - Returns: Whether the change can be written.
        mutating func beginWriting() -> Bool {
            guard readers.isEmpty else { return false }
            if case .reading = activity { activity = .writing }
            return true
        }

        /// Notes that a change was written, so that the next turn may begin.
        ///
        /// - Parameter response: The response that waited for the change. If more of its cookies have to be written,
        ///   the other responses come first.
        /// - Returns: Whether all cookies of the response are written.
        mutating func didWrite(for response: Response?) -> Bool {
            if case .writing = activity { activity = .reading }
            guard var response else { return false }
            response.ids = response.ids.drop { !memory.isUnwritten($0) }
            if response.ids.isEmpty { return true }
            responses.append(response)
            return false
        }

        /// Discards all changes, and returns those who wait for them. Called when the storage no longer exists.
        mutating func giveUp() -> [Waiter<Void>] {
            let waiters = readers + responses.map(\.writeWaiter)
            memory.dropChanges()
            readers = []
            responses = []
            activity = .idle
            return waiters
        }
    }

    // MARK: - Turns, on the queue

    /// Reads the program's changes, and then writes one cookie, if there is one to write. The next turn is another
    /// block of the queue, so that the end of the process can come in between.
    private func takeTurn() {
        guard stored.storage != nil else {
            let waiters = state.withLock { $0.giveUp() }
            for waiter in waiters { waiter.resume(with: .success(())) }
            return
        }
        applyProgramChanges()
        while true {
            let step = state.withLock { [isPausing] in $0.nextStep(at: .now, isPausing: isPausing) }
            switch step {
            case .finish(let response):
                response.writeWaiter.resume(with: .success(()))
                continue
            case .write(let change, let response):
                write(change, for: response)
                queue.async { self.takeTurn() }
            case .readAgain:
                queue.async { self.takeTurn() }
            case .end:
                break
            }
            return
        }
    }

    /// The most times that a turn reads the storage, so that a program that changes it all the time does not prevent
    /// the turn from writing.
    private static let readLimit = 20
    /// The time in seconds after which a program that changes the storage is not expected to change it again at once.
    private static let programPause = 0.01

    /// Applies the program's changes to memory, and resumes the requests that wait for this.
    ///
    /// If the program is changing the storage at that moment, it may be about to change it once more, as in a logout
    /// that deletes several cookies. That change would come before a cookie that is written next, and no request would
    /// know of it while the cookie is being written. So the storage is read again until the program is not using it.
    ///
    /// - Parameter awaited: The cookies of a response that is not delivered yet, which take precedence.
    private func applyProgramChanges(awaited: Set<Cookie.ID> = []) {
        for _ in 0..<Self.readLimit {
            let (readers, recent) = state.withLock { state in
                let readers = state.readers
                state.readers = []
                return (readers, state.memory.takeRecent())
            }
            let reading = stored.read()
            state.withLock { $0.memory.apply(reading.changes, since: recent.union(awaited)) }
            for reader in readers { reader.resume(with: .success(())) }
            if !reading.wasHeldUp { return }
            Thread.sleep(forTimeInterval: Self.programPause)
        }
    }

    /// Applies a change of the memory to the storage. Resumes the response if that was the last of its cookies. If no
    /// response waits for the change, the next change without one is written only after a pause.
    private func write(_ change: CookieMemory.Change, for response: Response?) {
        let start = ContinuousClock.now
        switch change {
        case .set(let cookie):
            // Created before the storage is read once more: creating it takes longer than reading, and the program may
            // change the storage meanwhile. Nil for a cookie that stays in memory only.
            let storable = StorableCookie(cookie)
            prepareWrite(awaited: response == nil ? [] : [cookie.id])
            if let storable { set(storable) }
        case .delete(let id):
            prepareWrite(awaited: response == nil ? [] : [id])
            delete(id)
        }
        let isFinished = state.withLock { $0.didWrite(for: response) }
        if let response {
            if isFinished { response.writeWaiter.resume(with: .success(())) }
        } else {
            pause(after: ContinuousClock.now - start)
        }
    }

    /// Reads the program's changes once more, right before a cookie is written: requests that come while it is being
    /// written hardly wait for them, and a cookie that the program has deleted must not be written again.
    ///
    /// - Parameter awaited: The cookie, if a response waits for it.
    private func prepareWrite(awaited: Set<Cookie.ID>) {
        for _ in 0..<Self.readLimit {
            applyProgramChanges(awaited: awaited)
            let hasBegun = state.withLock { $0.beginWriting() }
            if hasBegun { return }
        }
    }

    /// Sets a cookie in the storage, unless it is no longer in memory.
    private func set(_ cookie: StorableCookie) {
        guard state.withLock({ $0.memory.contains(cookie.cookie.id) }) else { return }
        let isWritten = stored.set(cookie)
        if isWritten { state.withLock { $0.memory.didWrite(cookie.cookie) } }
    }

    /// Deletes a cookie from the storage, unless it is in memory again.
    private func delete(_ id: Cookie.ID) {
        guard state.withLock({ !$0.memory.contains(id) }) else { return }
        stored.delete(id)
    }

    /// Pauses the writing of changes that no response waits for, after one of them was written. A server that keeps
    /// setting cookies must not keep a processor busy, so writing them takes at most a twentieth of the time.
    private func pause(after time: Duration) {
        isPausing = true
        queue.asyncAfter(deadline: .now() + (time * 20).seconds) {
            self.isPausing = false
            let needsTurn = self.state.withLock { $0.scheduleTurn() }
            if needsTurn { self.takeTurn() }
        }
    }

    // MARK: - The jars of the process

    private struct Entry {
        weak var storage: HTTPCookieStorage?
        let jar: CookieJar
    }

    private static let jars = Locked<[Entry]>([])

    /// Returns the jar of a storage, which is created when it is first needed. Creating one also removes the jars of
    /// storages that no longer exist.
    static func jar(of storage: HTTPCookieStorage) -> CookieJar {
        jars.withLock { jars in
            // Few programs have more than one storage.
            for entry in jars where entry.storage === storage { return entry.jar }
            jars.removeAll { $0.storage == nil }
            // The first access registers the exit handler.
            _ = writeAtExit
            let jar = CookieJar(of: storage)
            jars.append(Entry(storage: storage, jar: jar))
            return jar
        }
    }

    // MARK: - The end of the process

    /// Makes the process write the remaining changes when it exits. The handler is registered once, when this constant
    /// is first used.
    private static let writeAtExit: Void = {
        let process = getpid()
        processOfJars.withLock { $0 = process }
        atexit { CookieJar.writeAll() }
    }()

    /// The process that has registered the exit handler.
    private static let processOfJars = Locked<pid_t>(0)

    /// Writes the changes of all jars, for at most a second, so that the exit is not held up. Called when the process
    /// exits.
    private static func writeAll() {
        // A forked process inherits the exit handler, but not the threads that run the queues.
        guard processOfJars.withLock({ $0 }) == getpid() else { return }
        let end = DispatchTime.now() + 1
        let jars = jars.withLock { $0.map(\.jar) }
        let group = DispatchGroup()
        for jar in jars { jar.queue.async(group: group) { jar.writeRest(until: end) } }
        // The last write may take a moment longer, and must not be cut off.
        _ = group.wait(timeout: end + 1)
    }

    /// Ends the turns, and writes the remaining cookies that are to outlive the process.
    private func writeRest(until end: DispatchTime) {
        state.withLock { state in
            state.activity = .over
            state.memory.dropSessionChanges()
        }
        while DispatchTime.now() < end, stored.storage != nil {
            applyProgramChanges()
            guard let change = state.withLock({ $0.memory.takeChange() }) else { return }
            switch change {
            case .set(let cookie):
                if let storable = StorableCookie(cookie) { set(storable) }
            case .delete(let id):
                delete(id)
            }
        }
    }
}

extension Waiter<Void> {
    /// Waits like ``value(onCancel:)``, but no longer than a limit.
    func wait(for limit: Duration) async throws {
        DispatchQueue.global().asyncAfter(deadline: .now() + limit.seconds) { self.resume(with: .success(())) }
        try await value()
    }
}
#endif
