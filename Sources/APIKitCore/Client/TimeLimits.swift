import APIKitSupport

// The two limits of time:
// - The timeout of a request limits the time between two events of its exchange. The engine checks it.
// - The deadline of a call limits the time of all of its requests together. It has a timer of its own.

// MARK: - The timeout of a request

/// Judges whether a request has timed out: whether too much time has passed since its last event, such as the arrival
/// of a piece of the body.
///
/// It reads no clock. Each method gets the current time, counted from the moment at which the request was queued.
struct Timeout: Sendable {
    /// The maximum time between two events.
    private let limit: Duration
    private var lastEvent: Duration
    /// When the engine is expected to check the timeout again.
    private var nextCheck: Duration
    /// Whether the engine has had its grace period since the last event.
    private var hasHadGracePeriod = false

    /// How late a check may come without being called late, since timers on a busy system are not exact.
    private static var checkTolerance: Duration { .milliseconds(50) }
    /// Long enough for an engine to read what its sockets have received.
    private static var gracePeriod: Duration { .seconds(1) }

    /// Starts a timeout.
    init(after limit: Duration, from now: Duration) {
        self.limit = max(.zero, limit)
        lastEvent = now
        nextCheck = now + self.limit
    }

    /// Counts the timeout from now on, because an event has happened.
    mutating func restart(at now: Duration) {
        lastEvent = now
        hasHadGracePeriod = false
    }

    /// Returns the time left, and expects the next check after that time.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - isPaused: Whether the engine is paused, because the reader of the body is slow.
    /// - Returns: The time left; zero or less if the request has timed out.
    mutating func check(at now: Duration, isPaused: Bool) -> Duration {
        let timeLeft = takeTime(at: now, isPaused: isPaused)
        nextCheck = now + timeLeft
        return timeLeft
    }

    /// Returns the time left until the timeout; zero or less if the request has timed out.
    ///
    /// If the time is over, but this check comes late, the engine gets a grace period once: up to a second to report
    /// what has arrived meanwhile. That is then the time left.
    private mutating func takeTime(at now: Duration, isPaused: Bool) -> Duration {
        // During a pause, the server has to wait for the reader. So the time does not run, and all of it is left.
        if isPaused { return limit }
        let timeLeft = lastEvent + limit - now
        let isOver = timeLeft <= .zero
        if isOver, let gracePeriod = takeGracePeriod(at: now) { return gracePeriod }
        return timeLeft
    }

    /// Returns the grace period of a check that comes late, for example because the process was suspended. Meanwhile
    /// the response may have arrived, and the engine gets the time to read it.
    ///
    /// - Returns: The grace period; nil if the check is in time, or if there was a grace period since the last event.
    private mutating func takeGracePeriod(at now: Duration) -> Duration? {
        let isLate = now > nextCheck + Self.checkTolerance
        guard isLate, !hasHadGracePeriod else { return nil }
        // `restart(at:)` allows another grace period after the next event.
        hasHadGracePeriod = true
        return min(limit, Self.gracePeriod)
    }
}

extension Exchange {
    /// Fails the exchange with the code `timedOut` if the time since the last event exceeds the request's timeout. A
    /// pause does not count.
    ///
    /// If an engine checks late, for example because its process was suspended, it gets up to a second more to report
    /// what has arrived meanwhile.
    ///
    /// - Returns: The time until the next check; zero or less if the exchange has failed.
    @discardableResult
    public func checkTimeout() -> Duration {
        let (timeLeft, isPaused) = state.withLock { ($0.checkTimeout(), $0.isPaused) }
        if isPaused {
            // A paused exchange does not time out. With a timeout of zero, the engine would check again without rest,
            // so it waits at least this long.
            let shortestInterval = Duration.milliseconds(1)
            return max(timeLeft, shortestInterval)
        }
        if timeLeft <= .zero {
            let message = "no data received for \(request.options.effectiveTimeout)"
            fail(TransportError(.timedOut, message, request: request))
        }
        return timeLeft
    }

    /// Counts the timeout from now on. The work of ``withTimeout(_:_:)`` calls this after progress that no event
    /// reports.
    package func restartTimeout() {
        state.withLock { $0.restartTimeout() }
    }

    /// Runs work that an engine does before it sends the request, and cancels it if the request times out meanwhile.
    /// Such work is writing the body to a file, for a library that sends only files.
    ///
    /// Work that may take longer than the request's timeout calls ``restartTimeout()`` whenever it makes progress.
    ///
    /// - Parameters:
    ///   - problem: The beginning of the error's message, such as `"no connection became free"`.
    ///   - work: The work.
    /// - Returns: What the work returns.
    /// - Throws: ``TransportError`` with the code `timedOut` if the request times out; what `work` throws.
    package func withTimeout<Value: Sendable>(
        _ problem: String, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await self.waitForTimeout()
                throw TransportError(.timedOut, "\(problem) for \(self.request.options.effectiveTimeout)")
            }
            // The first of the two tasks to end decides, and the other one is cancelled.
            defer { group.cancelAll() }
            // Never nil, since neither task's result has been taken yet.
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }

    /// Waits until the timeout has passed without being restarted. An event, or the work itself, may restart it during
    /// each wait, so the time left is asked for again.
    private func waitForTimeout() async throws {
        var timeLeft = state.withLock { $0.checkTimeout() }
        while timeLeft > .zero {
            try await call.clock.wait(for: timeLeft)
            timeLeft = state.withLock { $0.checkTimeout() }
        }
    }
}

// MARK: - The deadline of a call

/// The deadline of a call: the work that is to be done when the call has taken too long, and the timer that does it.
final class Deadline: Sendable {
    typealias Work = @Sendable () -> Void

    private struct State: Sendable {
        /// The time that the call may take, counted from its beginning; nil if there is no limit.
        var limit: Duration?
        /// Whether the deadline has passed, and the work of that moment was done.
        var hasPassed = false
        /// Waits for the deadline.
        var timer: Task<Void, Never>?
        /// The work to do at the deadline, by its number.
        var work: [Int: Work] = [:]
        /// The last number that was given to work.
        var lastID = 0
    }

    private let clock: any Clock<Duration>
    /// The time since the call began.
    private let time: Stopwatch
    private let state = Locked(State())

    /// Begins a call without a limit.
    init(clock: any Clock<Duration>) {
        self.clock = clock
        time = Stopwatch(clock)
    }

    deinit {
        state.withLock { $0.timer }?.cancel()
    }

    /// The time that the call may take, counted from its beginning; nil if there is no limit.
    var limit: Duration? { state.withLock { $0.limit } }

    /// The time left, negative after the deadline; nil if there is no limit.
    var timeLeft: Duration? { limit.map { $0 - time.elapsed } }

    /// Changes the time that the call may take, and replaces the timer. Nil removes the limit.
    ///
    /// Registered work stays registered. If the old deadline has passed, the work is done again at the new one.
    func setLimit(_ limit: Duration?) {
        let previousTimer: Task<Void, Never>? = state.withLock { state in
            guard state.limit != limit else { return nil }
            state.limit = limit
            state.hasPassed = false
            let previousTimer = state.timer
            state.timer = limit.map { startTimer(for: $0) }
            return previousTimer
        }
        previousTimer?.cancel()
    }

    /// Starts a task that waits for the deadline and then does the registered work.
    ///
    /// The task is unstructured, since the deadline also applies to a stream that is read after `send` has returned.
    private func startTimer(for limit: Duration) -> Task<Void, Never> {
        Task { [weak self, clock, time] in
            do {
                try await clock.wait(for: limit - time.elapsed)
            } catch {
                // The timer was cancelled: another one has replaced it, or the call has ended.
                return
            }
            self?.deadlinePassed(forLimit: limit)
        }
    }

    /// Does all registered work. A timer calls this when the limit that it was started for has passed.
    ///
    /// - Parameter limit: The limit of that timer.
    private func deadlinePassed(forLimit limit: Duration) {
        let registeredWork: [Work] = state.withLock { state in
            // If the limit has been changed, another timer has replaced this one.
            let isReplaced = state.limit != limit
            if isReplaced { return [] }
            state.hasPassed = true
            return Array(state.work.values)
        }
        for work in registeredWork { work() }
    }

    /// Registers work that is done at the deadline, and does it at once if the deadline has passed. Even then the work
    /// is registered, since ``setLimit(_:)`` may set another deadline.
    ///
    /// - Returns: The number of the work, for ``removeWork(_:)``.
    func addWork(_ work: @escaping Work) -> Int {
        // `hasPassed` is read under the lock that registers the work, and decides rather than the time. So the work is
        // done exactly once for each deadline: either here or in `deadlinePassed(forLimit:)`.
        let (id, hasPassed) = state.withLock { state in
            state.lastID += 1
            state.work[state.lastID] = work
            return (state.lastID, state.hasPassed)
        }
        if hasPassed { work() }
        return id
    }

    /// Forgets the work with a number.
    func removeWork(_ id: Int) {
        state.withLock { $0.work[id] = nil }
    }
}

extension Call {
    /// The clock that times the call: its deadline, the pauses and waits of clients, and the limits of its requests.
    public var clock: any Clock<Duration> { context.clock }

    /// The time left until the deadline, negative after it; nil if there is none.
    public var timeLeft: Duration? { context.deadline.timeLeft }

    /// Whether the deadline has passed.
    var hasMissedDeadline: Bool {
        guard let timeLeft else { return false }
        return timeLeft <= .zero
    }

    /// Whether the call has a deadline.
    var hasDeadline: Bool { context.deadline.limit != nil }

    /// Sets the deadline, counted from the beginning of the call. A client may change it with each request.
    func limit(to deadline: RequestOptions.TimeLimit) {
        context.deadline.setLimit(deadline.duration?.clampedForSleep)
    }

    /// Does work at the deadline, or at once if the deadline has passed.
    ///
    /// - Returns: The number of the work, for ``removeWork(_:)``.
    func atDeadline(_ work: @escaping @Sendable () -> Void) -> Int {
        context.deadline.addWork(work)
    }

    /// Forgets the work with a number that ``atDeadline(_:)`` has returned.
    func removeWork(_ id: Int) {
        context.deadline.removeWork(id)
    }

    /// Does work in a task of its own, and cancels the task at the deadline. A result or an error that comes after the
    /// deadline is replaced by ``missedDeadline``, unless the calling task was cancelled.
    func beforeDeadline<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        // An unstructured task, since the deadline must be able to cancel it alone.
        let task = Task { try await work() }
        let id = atDeadline { task.cancel() }
        defer { removeWork(id) }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        if hasMissedDeadline && !Task.isCancelled { throw missedDeadline }
        return try result.get()
    }

    /// The error of a call that has not ended at its deadline.
    var missedDeadline: TransportError {
        let limit = context.deadline.limit ?? .zero
        return TransportError(.timedOut, "the call did not end within its deadline of \(limit)")
    }
}
