import APIKitSupport

/// The deadline of a call: the work that is to be done when the call has taken too long, and the timer that does it.
///
/// It limits the time of all requests of the call together. The timeout of each request is separate, and is checked by
/// the engine.
final class Deadline: Sendable {
    typealias Work = @Sendable () -> Void

    private struct State: Sendable {
        /// The time that the call may take, counted from its beginning; nil if there is no limit.
        var limit: Duration?
        /// Whether the deadline has passed, and the work of that moment was done.
        var hasPassed = false
        /// Waits for the deadline.
        var timer: Task<Void, Never>?
        /// The work to do at the deadline, each with its number.
        var work: [(id: Int, work: Work)] = []
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
            return state.work.map(\.work)
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
            state.work.append((state.lastID, work))
            return (state.lastID, state.hasPassed)
        }
        if hasPassed { work() }
        return id
    }

    /// Forgets the work with a number.
    func removeWork(_ id: Int) {
        state.withLock { $0.work.removeAll { $0.id == id } }
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
    func beforeDeadline(
        _ work: @escaping @Sendable () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
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
