import APIKitCore

/// A clock whose time stands still until a test moves it, so that retries, limits, delays and deadlines of an hour take
/// milliseconds.
///
/// ```swift
/// let clock = ManualClock()
/// let client = stub.retrying(.backoff(attempts: 3), clock: clock)
/// async let users = client.send(UsersRequest())
/// await clock.waitForSleepers(1)
/// clock.advance(by: .seconds(60))
/// ```
///
/// A clock created with ``init(skippingSleep:)`` needs no such steps if one task at a time sleeps: each sleep moves the
/// time to its own end, and returns. Clients take a clock as a parameter; deadlines are timed by it in the closure of
/// ``timingDeadlines(_:)``.
public final class ManualClock: Clock, Sendable {
    /// A moment of a ``ManualClock``.
    public struct Instant: InstantProtocol {
        /// The time since the clock was created.
        public var offset: Duration

        /// Creates an instant at an offset from the clock's creation.
        public init(offset: Duration) {
            self.offset = offset
        }

        /// Returns the instant that is later by a duration.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// Returns the time from this instant to another.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        /// Whether one moment is before another one.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }
    }

    private struct State: Sendable {
        var now = Instant(offset: .zero)
        var sleepers = SleeperQueue()
        var observers: [(id: UUID, count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        /// Takes those out whose time has come, in the order of their times.
        mutating func takeWoken() -> [CheckedContinuation<Void, any Error>] {
            var woken: [CheckedContinuation<Void, any Error>] = []
            while let end = sleepers.nextEnd, end <= now, let sleeper = sleepers.removeFirst() { woken.append(sleeper) }
            return woken
        }
    }

    private let state = Locked(State())
    private let skipsSleep: Bool

    /// Creates a clock.
    ///
    /// - Parameter skipsSleep: Whether each sleep moves the time to its own end and returns at once.
    public init(skippingSleep skipsSleep: Bool = false) {
        self.skipsSleep = skipsSleep
    }

    /// The time now.
    public var now: Instant { state.withLock { $0.now } }

    /// The resolution of the clock: zero.
    public var minimumResolution: Duration { .zero }

    /// Moves the time, and wakes every sleeper whose time has come, the earliest first.
    public func advance(by duration: Duration) {
        // Far beyond any time that a test can mean, a sum would overflow.
        advance { min($0.advanced(by: max(duration, .zero)), Instant(offset: .seconds(Int64.max))) }
    }

    private func advance(to end: @Sendable (Instant) -> Instant) {
        let woken = state.withLock { state in
            state.now = end(state.now)
            return state.takeWoken()
        }
        for sleeper in woken { sleeper.resume() }
    }

    /// Moves the time to the earliest end of a sleep, and wakes that sleeper.
    ///
    /// - Returns: How far the time has moved; nil if no task is sleeping.
    @discardableResult
    public func advanceToNextSleeper() -> Duration? {
        let (step, woken): (Duration?, [CheckedContinuation<Void, any Error>]) = state.withLock { state in
            guard let end = state.sleepers.nextEnd else { return (nil, []) }
            let step = state.now.duration(to: end)
            state.now = end
            return (step, state.takeWoken())
        }
        for sleeper in woken { sleeper.resume() }
        return step
    }

    /// Waits until at least `count` tasks are sleeping, or until the current task is cancelled, for example by a test's
    /// time limit.
    public func waitForSleepers(_ count: Int) async {
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReached = state.withLock { state in
                    if Task.isCancelled || state.sleepers.count >= count { return true }
                    state.observers.append((id, count, continuation))
                    return false
                }
                if isReached { continuation.resume() }
            }
        } onCancel: {
            let observer = state.withLock { state in
                state.observers.firstIndex { $0.id == id }.map { state.observers.remove(at: $0) }
            }
            observer?.continuation.resume()
        }
    }

    /// Sleeps until the time has been moved to an instant.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        if skipsSleep { return advance { max($0, deadline) } }
        try await wait(until: deadline)
    }

    /// Runs an operation whose ``RequestOptions/deadline``s are timed by this clock: those of every `send`
    /// in it, and of tasks that it starts.
    ///
    /// ```swift
    /// await clock.timingDeadlines {
    ///     let report = Task { try await client.send(ReportRequest()) }
    ///     await clock.waitForSleepers(1)
    ///     clock.advance(by: .seconds(3600))
    ///     await #expect(throws: APIError<ShopError>.self) { try await report.value }
    /// }
    /// ```
    ///
    /// A deadline is one of the sleepers. It never moves the time itself, not even that of a clock that skips sleeps.
    public func timingDeadlines<Result>(_ operation: () async throws -> Result) async rethrows -> Result {
        try await Deadline.$clock.withValue(WaitingClock(base: self), operation: operation)
    }

    /// The same time, without skipping sleeps.
    private struct WaitingClock: Clock {
        let base: ManualClock
        var now: Instant { base.now }
        var minimumResolution: Duration { base.minimumResolution }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            try await base.wait(until: deadline)
        }
    }

    private func wait(until deadline: Instant) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (result, observers): (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) = state.withLock
                { state in
                    // A cancel before this found nobody to resume, but had marked the task.
                    if Task.isCancelled { return (.failure(CancellationError()), []) }
                    if deadline <= state.now { return (.success(()), []) }
                    state.sleepers.insert(continuation, id: id, until: deadline)
                    let count = state.sleepers.count
                    let observers = state.observers.filter { $0.count <= count }.map(\.continuation)
                    state.observers.removeAll { $0.count <= count }
                    return (nil, observers)
                }
                if let result { continuation.resume(with: result) }
                for observer in observers { observer.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.remove(id) }
            sleeper?.resume(throwing: CancellationError())
        }
    }
}
