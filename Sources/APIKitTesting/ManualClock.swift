public import APIKitCore
public import APIKitSupport

/// A clock whose time stands still until a test moves it, so that retries, limits, delays and deadlines of an hour take
/// milliseconds.
///
/// ```swift
/// let clock = ManualClock()
/// let stub = StubClient(.json("[]", status: 503), clock: clock)
/// let client = stub.retrying(.backoff(attempts: 3))
/// async let users = client.send(UsersRequest())
/// await clock.waitForSleepers(1)
/// clock.advance(by: .seconds(60))
/// ```
///
/// A clock created with ``init(skippingSleep:startingAt:)`` needs no such steps if one task at a time sleeps: each
/// sleep moves the time to its own end, and returns. A stub's clock times everything around it; any other client gets
/// one with `timed(by:)`.
public final class ManualClock: Clock, SimulatedClock, Sendable {
    /// A moment of this clock. Those of two clocks cannot be compared.
    public typealias Instant = ContinuousClock.Instant

    /// A task that waits in ``waitForSleepers(_:)``.
    private struct Observer: Sendable {
        let id: UUID
        /// The number of sleeping tasks that it waits for.
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State: Sendable {
        /// The time since the clock was created.
        var elapsed = Duration.zero
        var sleepers = SleeperQueue()
        var observers: [Observer] = []

        /// Removes the sleepers whose time has come, and returns them in the order of their times.
        mutating func takeWoken() -> [CheckedContinuation<Void, any Error>] {
            var woken: [CheckedContinuation<Void, any Error>] = []
            while let end = sleepers.nextEnd, end <= elapsed, let sleeper = sleepers.removeFirst() {
                woken.append(sleeper)
            }
            return woken
        }

        /// Removes and returns the observers that wait for at most as many sleepers as there are now.
        mutating func takeSatisfiedObservers() -> [Observer] {
            let satisfied = observers.filter { $0.count <= sleepers.count }
            observers.removeAll { $0.count <= sleepers.count }
            return satisfied
        }
    }

    private let state = Locked(State())
    private let skipsSleep: Bool
    private let start: (date: Date, instant: Instant)

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - skipsSleep: Whether each sleep moves the time to its own end and returns at once. A deadline never moves it.
    ///   - start: The date at which the clock starts.
    public init(skippingSleep skipsSleep: Bool = false, startingAt start: Date = Date()) {
        self.skipsSleep = skipsSleep
        self.start = (start, .now)
    }

    /// The date now, by which caches and credentials expire.
    public var date: Date { start.date + elapsed / .seconds(1) }

    /// The time since the clock was created.
    public var elapsed: Duration { state.withLock { $0.elapsed } }

    /// The time now.
    public var now: Instant { start.instant.advanced(by: elapsed) }

    /// The resolution of the clock: zero.
    public var minimumResolution: Duration { .zero }

    /// Moves the time, and wakes every sleeper whose time has come, the earliest first.
    public func advance(by duration: Duration) {
        // The limit prevents an overflow. No test needs a time that is so far away.
        advance { min($0 + max(duration, .zero), .seconds(Int64.max)) }
    }

    private func advance(to end: @Sendable (Duration) -> Duration) {
        let woken = state.withLock { state in
            state.elapsed = end(state.elapsed)
            return state.takeWoken()
        }
        for sleeper in woken { sleeper.resume() }
    }

    /// Moves the time to the earliest end of a sleep, and wakes that sleeper.
    ///
    /// - Returns: How far the time has moved; nil if no task is sleeping.
    @discardableResult
    public func advanceToNextSleeper() -> Duration? {
        struct Step {
            let duration: Duration
            let woken: [CheckedContinuation<Void, any Error>]
        }
        let step: Step? = state.withLock { state in
            guard let end = state.sleepers.nextEnd else { return nil }
            let duration = end - state.elapsed
            state.elapsed = end
            return Step(duration: duration, woken: state.takeWoken())
        }
        for sleeper in step?.woken ?? [] { sleeper.resume() }
        return step?.duration
    }

    /// Waits until at least `count` tasks are sleeping, or until the current task is cancelled, for example by a test's
    /// time limit.
    public func waitForSleepers(_ count: Int = 1) async {
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReached = state.withLock { state in
                    if Task.isCancelled || state.sleepers.count >= count { return true }
                    state.observers.append(Observer(id: id, count: count, continuation: continuation))
                    return false
                }
                if isReached { continuation.resume() }
            }
        } onCancel: {
            let observer: Observer? = state.withLock { state in
                guard let index = state.observers.firstIndex(where: { $0.id == id }) else { return nil }
                return state.observers.remove(at: index)
            }
            observer?.continuation.resume()
        }
    }

    /// Sleeps until the time has been moved to an instant.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let end = start.instant.duration(to: deadline)
        if skipsSleep { return advance { max($0, end) } }
        try await wait(until: end)
    }

    /// Waits until the time has been moved by a duration. Unlike a sleep, it never moves the time itself, so that a
    /// deadline does not pass just because it exists.
    package func pass(_ duration: Duration) async throws {
        try await wait(until: elapsed + duration)
    }

    /// Waits until the time has been moved to a duration since the clock's start.
    private func wait(until end: Duration) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                switch beginSleep(continuation, id, until: end) {
                case .cancelled: continuation.resume(throwing: CancellationError())
                case .over: continuation.resume()
                case .sleeping(let observers):
                    for observer in observers { observer.continuation.resume() }
                }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.remove(id) }
            sleeper?.resume(throwing: CancellationError())
        }
    }

    /// The result of beginning a sleep.
    private enum SleepStart {
        /// The task is cancelled, so it does not sleep.
        case cancelled
        /// The end of the sleep is not in the future.
        case over
        /// The task sleeps. The observers were waiting for it and are to be resumed.
        case sleeping(observers: [Observer])
    }

    /// Adds a sleeper, unless its sleep is over already.
    private func beginSleep(
        _ sleeper: CheckedContinuation<Void, any Error>, _ id: UUID, until end: Duration
    ) -> SleepStart {
        state.withLock { state in
            // If the task was cancelled before this, its cancellation handler found no sleeper to resume.
            if Task.isCancelled { return .cancelled }
            if end <= state.elapsed { return .over }
            state.sleepers.insert(sleeper, id: id, until: end)
            return .sleeping(observers: state.takeSatisfiedObservers())
        }
    }
}

/// The sleepers of a ``ManualClock`` by the ends of their sleeps. Each operation takes logarithmic time.
struct SleeperQueue: Sendable {
    private struct Sleep: Sendable, Comparable {
        let end: Duration
        let number: Int
        let id: UUID

        /// Orders sleeps by their end, and those with the same end by the order in which they began.
        static func < (left: Sleep, right: Sleep) -> Bool {
            (left.end, left.number) < (right.end, right.number)
        }
    }

    /// A binary heap of sleeps. It may also contain removed ones, but never at its top.
    private var heap: [Sleep] = []
    /// The sleepers that were not removed.
    private var sleepers: [UUID: CheckedContinuation<Void, any Error>] = [:]
    private var lastNumber = 0

    var count: Int { sleepers.count }

    /// The end of the next sleep; nil if nobody sleeps.
    var nextEnd: Duration? { heap.first?.end }

    /// Adds a sleeper: at the end of the heap, from where it is swapped with its parents until one is earlier.
    mutating func insert(_ sleeper: CheckedContinuation<Void, any Error>, id: UUID, until end: Duration) {
        lastNumber += 1
        sleepers[id] = sleeper
        heap.append(Sleep(end: end, number: lastNumber, id: id))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child] < heap[parent] else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes the sleeper whose sleep ends next.
    mutating func removeFirst() -> CheckedContinuation<Void, any Error>? {
        heap.first.flatMap { remove($0.id) }
    }

    /// Removes a sleeper; nil if it was removed before. Its sleep may stay in the heap for a while.
    mutating func remove(_ id: UUID) -> CheckedContinuation<Void, any Error>? {
        let sleeper = sleepers.removeValue(forKey: id)
        while let first = heap.first, sleepers[first.id] == nil { removeTop() }
        // Removed sleeps are cleared once they are more than half of the heap, which costs little for each.
        if heap.count > 2 * sleepers.count {
            // A sorted list is a heap.
            heap = heap.filter { sleepers[$0.id] != nil }.sorted()
        }
        return sleeper
    }

    /// Removes the top of the heap. The last sleep takes its place, and is swapped with its earlier child until both
    /// children are later.
    private mutating func removeTop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while let child = earlierChild(of: parent), heap[child] < heap[parent] {
            heap.swapAt(child, parent)
            parent = child
        }
    }

    /// Returns the index of the child whose sleep ends first; nil without a child.
    private func earlierChild(of parent: Int) -> Int? {
        let left = 2 * parent + 1
        let right = left + 1
        guard left < heap.count else { return nil }
        guard right < heap.count else { return left }
        return heap[right] < heap[left] ? right : left
    }
}
