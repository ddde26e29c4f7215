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
        let seconds = perSecond.map { $0 > 0 ? min(1 / $0, Double(Int64(1) << 31)) : 0 } ?? 0
        return LimitedClient(
            base: self, queue: StartQueue(places: max(concurrent ?? .max, 1), interval: .seconds(seconds), clock: clock)
        )
    }
}

private struct LimitedClient: WrappingClient {
    let base: any APIClient
    let queue: StartQueue

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        guard !TaskOwners.contains(queue) else { return try await base.perform(request, in: call) }
        let place = try await queue.place()
        var response = try await TaskOwners.adding(queue) { try await base.perform(request, in: call) }
        if response.source == .network, let reset = response.head.rateLimitReset { queue.pause(for: reset) }
        response.body = response.body.keeping(place)
        return response
    }
}

/// The requests that wait for their start.
///
/// One waiter at a time has the turn: it waits for its start time, starts, and passes the turn on, so that a cancelled
/// waiter wastes neither a place nor a start.
private final class StartQueue: Sendable {
    private struct State: Sendable {
        var freePlaces: Int
        var isTurnTaken = false
        var nextStart = Duration.zero
        var lastID = 0
        /// The number of the last waiter that got its turn.
        var servedID = 0
        /// By the number, which counts arrivals.
        var waiters: [Int: Waiter<Void>] = [:]

        /// Takes the turn and a place, if both are free.
        mutating func takeTurn() -> Bool {
            guard freePlaces > 0, !isTurnTaken else { return false }
            freePlaces -= 1
            isTurnTaken = true
            return true
        }

        /// Gives the turn and a place to the first waiter, if there is one.
        mutating func takeNext() -> Waiter<Void>? {
            guard !waiters.isEmpty, takeTurn() else { return nil }
            while true {
                servedID += 1
                // Nil if it was cancelled.
                if let waiter = waiters.removeValue(forKey: servedID) { return waiter }
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

    /// Waits for the start of a request.
    ///
    /// - Returns: What the request keeps until it is complete.
    /// - Throws: `CancellationError` if the task is cancelled.
    func place() async throws -> OnRelease {
        try await turn()
        let place = OnRelease { [self] in change { $0.freePlaces += 1 } }
        defer { change { $0.isTurnTaken = false } }
        // Another response may have put the start off while this one waited.
        while case let nextStart = state.withLock({ $0.nextStart }), nextStart > time.elapsed {
            try await clock.sleep(for: nextStart - time.elapsed)
        }
        // A waiter can be cancelled after it got its turn.
        try Task.checkCancellation()
        if interval > .zero {
            let now = time.elapsed
            state.withLock { $0.nextStart = max(now, $0.nextStart) + interval }
        }
        return place
    }

    /// Starts no request for a time.
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
            return state.takeNext()
        }
        // One that has been cancelled meanwhile gives its turn and its place to the next one.
        if next?.resume(with: .success(())) == false {
            change { ($0.isTurnTaken, $0.freePlaces) = (false, $0.freePlaces + 1) }
        }
    }
}
