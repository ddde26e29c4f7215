public import APIKitCore

extension APIClient {
    /// Returns a client that limits how many requests run at once, and how many start per second; the others wait in
    /// order.
    ///
    /// ```swift
    /// let client = URLSession.api.limited(concurrent: 8, perSecond: 20)
    /// ```
    ///
    /// A request counts until its response is complete: a stream until it has ended, failed or been released. A request
    /// that is cancelled while it waits leaves the queue. Requests that a client inside sends by itself, such as a
    /// token refresh, do not wait. After a response that says that a rate limit of the server is used up (`RateLimit`
    /// and the like, see ``HTTPResponse/Head/retryAfter``), requests wait until it no longer is, but for a minute at
    /// most. Waiting counts towards ``RequestOptions/deadline``, but not towards
    /// ``RequestOptions/timeout``.
    ///
    /// - Parameters:
    ///   - concurrent: How many requests run at a time; nil for any number, less than 1 counts as 1.
    ///   - perSecond: How many requests start per second, evenly spaced, without bursts: with 20, two starts are at
    ///     least 50 milliseconds apart. Below 1, the space is longer than a second. Nil, zero, a negative number and
    ///     NaN mean any number.
    /// - Returns: The client. Its limits apply to all requests through its copies.
    public func limited(
        concurrent: Int? = nil,
        perSecond: Double? = nil
    ) -> some APIClient {
        var secondsBetweenStarts = 0.0
        // The comparison is false for NaN too.
        if let perSecond, perSecond > 0 { secondsBetweenStarts = min(1 / perSecond, Double(Int64(1) << 31)) }
        let places = max(concurrent ?? .max, 1)
        let queue = StartQueue(places: places, interval: .seconds(secondsBetweenStarts), clock: clock)
        return LimitedClient(base: self, queue: queue)
    }
}

private struct LimitedClient: WrappingClient {
    let base: any APIClient
    let queue: StartQueue

    /// Waits for a place, performs the request, and keeps the place until the body has ended or was released.
    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        // A request of another client inside, such as a token refresh, is sent on behalf of a request that has a place.
        // If it waited for a place too, both could wait forever.
        guard !TaskOwners.contains(queue) else { return try await base.perform(request, in: call) }
        let place = try await queue.place()
        var response = try await TaskOwners.adding(queue) { try await base.perform(request, in: call) }
        if response.source == .network, let reset = response.head.rateLimitReset { queue.pause(for: reset) }
        response.body = response.body.keeping(place)
        return response
    }
}

/// Queues requests until they may start.
///
/// One waiter at a time has the turn: it waits for its start time, starts, and passes the turn on. So a cancelled
/// waiter uses up neither a place nor a start time.
private final class StartQueue: Sendable {
    private struct State: Sendable {
        var freePlaces: Int
        var isTurnTaken = false
        /// The earliest time of the next start.
        var nextStart = Duration.zero
        /// The ID of the waiter that arrived last. IDs count arrivals.
        var lastID = 0
        /// The ID of the waiter that got its turn last.
        var servedID = 0
        var waiters: [Int: Waiter<Void>] = [:]

        /// Takes the turn and a place if both are free; otherwise takes nothing and returns false.
        mutating func takeTurn() -> Bool {
            guard freePlaces > 0, !isTurnTaken else { return false }
            freePlaces -= 1
            isTurnTaken = true
            return true
        }

        /// Takes the turn and a place for the first waiter, removes that waiter, and returns it; nil if no waiter can
        /// start.
        mutating func removeNextWaiter() -> Waiter<Void>? {
            guard !waiters.isEmpty, takeTurn() else { return nil }
            // The loop ends because each waiter's ID is larger than `servedID`. IDs of cancelled waiters are skipped.
            while true {
                servedID += 1
                let isStillWaiting = waiters[servedID] != nil
                if isStillWaiting { return waiters.removeValue(forKey: servedID) }
            }
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

    /// Waits until a request may start.
    ///
    /// - Returns: The place of the request, which is free again when this is released.
    /// - Throws: `CancellationError` if the task is cancelled.
    func place() async throws -> OnRelease {
        try await turn()
        let place = OnRelease { [self] in change { $0.freePlaces += 1 } }
        // Whether the request starts or was cancelled, the turn then passes on.
        defer { change { $0.isTurnTaken = false } }
        try await waitForStartTime()
        // A waiter can be cancelled after it got its turn.
        try Task.checkCancellation()
        if interval > .zero {
            let now = time.elapsed
            state.withLock { $0.nextStart = max(now, $0.nextStart) + interval }
        }
        return place
    }

    /// Waits until the earliest time of the next start.
    private func waitForStartTime() async throws {
        // Another response may postpone the start during the sleep, so the time is checked again.
        while true {
            let nextStart = state.withLock { $0.nextStart }
            let pause = nextStart - time.elapsed
            guard pause > .zero else { return }
            try await clock.sleep(for: pause)
        }
    }

    /// Delays all starts by a duration, by a minute at most.
    func pause(for duration: Duration) {
        let end = time.elapsed + min(duration, .seconds(60))
        state.withLock { $0.nextStart = max($0.nextStart, end) }
    }

    /// Waits for the turn and a place.
    private func turn() async throws {
        let waiter = Waiter<Void>()
        let id: Int? = state.withLock { state in
            if state.takeTurn() { return nil }
            state.lastID += 1
            state.waiters[state.lastID] = waiter
            return state.lastID
        }
        guard let id else { return }
        try await waiter.value { state.withLock { $0.waiters[id] = nil } }
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
