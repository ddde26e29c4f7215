import APIKitCore
import APIKitSupport

/// Queues requests until they may start.
///
/// One waiter at a time has the turn: it waits for its start time, starts, and passes the turn on. So a cancelled
/// waiter uses up neither a place nor a start time.
final class StartQueue: Sendable {
    /// Waiters in the order of their arrival.
    private struct Waiters: Sendable {
        /// The ID of the waiter that arrived last. IDs count arrivals.
        private var lastID = 0
        /// The ID of the waiter that was removed last because it was its turn.
        private var servedID = 0
        private var waiters: [Int: Waiter<Void>] = [:]

        var isEmpty: Bool { waiters.isEmpty }

        /// Adds a waiter, and returns its ID.
        mutating func add(_ waiter: Waiter<Void>) -> Int {
            lastID += 1
            waiters[lastID] = waiter
            return lastID
        }

        /// Removes a waiter that was cancelled.
        mutating func remove(_ id: Int) {
            waiters[id] = nil
        }

        /// Removes and returns the first waiter; nil if the queue is empty.
        mutating func removeFirst() -> Waiter<Void>? {
            if waiters.isEmpty { return nil }
            // The loop ends because each waiter's ID is larger than `servedID`. IDs of cancelled waiters are skipped.
            while true {
                servedID += 1
                let isStillWaiting = waiters[servedID] != nil
                if isStillWaiting { return waiters.removeValue(forKey: servedID) }
            }
        }
    }

    private struct State: Sendable {
        var freePlaces: Int
        var isTurnTaken = false
        /// The earliest time of the next start.
        var nextStart = Duration.zero
        /// Those that go before all others.
        var first = Waiters()
        var others = Waiters()

        /// Takes the turn and a place if both are free; otherwise takes nothing and returns false.
        mutating func takeTurn() -> Bool {
            guard freePlaces > 0, !isTurnTaken else { return false }
            freePlaces -= 1
            isTurnTaken = true
            return true
        }

        /// Takes the turn and a place for the next waiter, removes that waiter, and returns it; nil if no waiter can
        /// start.
        mutating func removeNextWaiter() -> Waiter<Void>? {
            let areNone = first.isEmpty && others.isEmpty
            guard !areNone, takeTurn() else { return nil }
            return first.removeFirst() ?? others.removeFirst()
        }
    }

    private let state: Locked<State>
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let time: Stopwatch

    init(places: Int, interval: Duration, clock: any Clock<Duration>) {
        state = Locked(State(freePlaces: places))
        self.interval = interval
        self.clock = clock
        time = Stopwatch(clock)
    }

    /// Whether no request may start yet.
    var isPaused: Bool { state.withLock { $0.nextStart } > time.elapsed }

    /// A position in the queue. A request that gets one must wait at it.
    enum Number: Sendable {
        /// It is this position's turn, and it has a place.
        case next
        case first(Waiter<Void>, id: Int)
        case other(Waiter<Void>, id: Int)
    }

    /// Joins the queue.
    ///
    /// - Parameter isFirst: Whether to go before all those that have joined without this.
    /// - Returns: The position.
    func join(first isFirst: Bool = false) -> Number {
        let waiter = Waiter<Void>()
        return state.withLock { state in
            if state.takeTurn() { return .next }
            if isFirst { return .first(waiter, id: state.first.add(waiter)) }
            return .other(waiter, id: state.others.add(waiter))
        }
    }

    /// What a request does when it has its turn.
    enum Start {
        /// It starts, and has the place until this is released.
        case starting(OnRelease)
        /// It waits at a position elsewhere, and uses up neither a place nor a start time.
        case waiting(OriginLines.Position)
    }

    /// Waits until it is a position's turn and a request may start.
    ///
    /// - Parameters:
    ///   - position: The position.
    ///   - otherPosition: Returns where else the request has to wait, once it is its turn; nil if it may start.
    /// - Returns: Whether the request starts.
    /// - Throws: `CancellationError` if the task is cancelled.
    func start(
        at position: Number, unlessWaitingAt otherPosition: () -> OriginLines.Position? = { nil }
    ) async throws -> Start {
        try await wait(at: position)
        let place = OnRelease { [self] in change { $0.freePlaces += 1 } }
        // Whether the request starts or was cancelled, the turn then passes on.
        defer { change { $0.isTurnTaken = false } }
        try await waitForStartTime()
        // A waiter can be cancelled after it got its turn.
        try Task.checkCancellation()
        if let otherPosition = otherPosition() { return .waiting(otherPosition) }
        if interval > .zero {
            let now = time.elapsed
            state.withLock { $0.nextStart = max(now, $0.nextStart) + interval }
        }
        return .starting(place)
    }

    /// Waits until the earliest time of the next start.
    func waitForStartTime() async throws {
        // Another response may postpone the start during the sleep, so the time is checked again.
        while true {
            let nextStart = state.withLock { $0.nextStart }
            let pause = nextStart - time.elapsed
            guard pause > .zero else { return }
            try await clock.sleep(for: pause)
        }
    }

    /// Delays all starts by a duration, by a minute at most: a server can ask for any time, and requests should not
    /// wait for hours.
    func pause(for duration: Duration) {
        let end = time.elapsed + min(duration, .seconds(60))
        state.withLock { $0.nextStart = max($0.nextStart, end) }
    }

    /// Waits for the turn and a place.
    private func wait(at position: Number) async throws {
        switch position {
        case .next: break
        case .first(let waiter, let id): try await waiter.value { state.withLock { $0.first.remove(id) } }
        case .other(let waiter, let id): try await waiter.value { state.withLock { $0.others.remove(id) } }
        }
    }

    /// Changes the state, and wakes the waiter whose turn it then is.
    private func change(_ body: @Sendable (inout State) -> Void) {
        let next = state.withLock { state in
            body(&state)
            return state.removeNextWaiter()
        }
        guard let next else { return }
        let wasWaiting = next.resume(with: .success(()))
        if wasWaiting { return }
        // The waiter was cancelled in the meantime. Its turn and its place go to the next one.
        change { state in
            state.isTurnTaken = false
            state.freePlaces += 1
        }
    }
}
