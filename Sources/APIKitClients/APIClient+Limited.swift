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
    /// token refresh, do not wait. Waiting counts towards ``RequestOptions/deadline``, but not towards
    /// ``RequestOptions/timeout``.
    ///
    /// After a response that says that a rate limit of the server is used up (`RateLimit` and the like, see
    /// ``HTTPResponse/Head/retryAfter``), requests to the same scheme, host and port wait until it no longer is, but
    /// for a minute at most. They keep their order, and requests to other servers do not wait for them.
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
        return LimitedClient(base: self, queue: queue, lines: OriginLines(clock: clock))
    }
}

private struct LimitedClient: WrappingClient {
    let base: any APIClient
    /// Where all requests wait for a place and a start time.
    let queue: StartQueue
    /// Where requests wait for the rate limits of their origins.
    let lines: OriginLines

    /// Waits for a place, performs the request, and keeps the place until the body has ended or was released.
    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        // A request of another client inside, such as a token refresh, is sent on behalf of a request that has a place.
        // If it waited for a place too, both could wait forever.
        guard !TaskOwners.contains(queue) else { return try await base.perform(request, in: call) }
        let place = try await place(for: request)
        var response = try await TaskOwners.adding(queue) { try await base.perform(request, in: call) }
        if response.source == .network, let reset = response.head.rateLimitReset {
            lines.pause(request.url.origin, for: reset)
        }
        response.body = response.body.keeping(place)
        return response
    }

    /// Waits until a request may start: in the queue and, while a rate limit of its origin is used up, in the origin's
    /// line.
    ///
    /// - Returns: The place of the request, which is free again when this is released.
    /// - Throws: `CancellationError` if the task is cancelled.
    private func place(for request: HTTPRequest) async throws -> OnRelease {
        // Most requests are to origins without a line.
        if let place = try await queue.place(unless: { lines.hasLine(for: request) }) { return place }
        let origin = request.url.origin
        let line = lines.join(origin)
        defer { lines.leave(origin) }
        // The first one in line keeps its turn there until it has a place in the queue, so that the order is kept.
        let turn = try await line.place()
        defer { withExtendedLifetime(turn) {} }
        while true {
            try await line.waitForStartTime()
            // A response may have paused the line while this request has waited for the place.
            if let place = try await queue.place(unless: { line.isPaused }) { return place }
        }
    }
}

/// The lines of the origins whose rate limits are used up, or were until the requests in line began to wait.
private final class OriginLines: Sendable {
    private struct Line: Sendable {
        /// One request at a time has the place, which is to be the next one that starts.
        let queue: StartQueue
        /// The number of requests in line.
        var count = 0

        var isNeeded: Bool { count > 0 || queue.isPaused }
    }

    private let clock: any Clock<Duration>
    private let lines = Locked<[URIReference.Origin?: Line]>([:])

    init(clock: any Clock<Duration>) {
        self.clock = clock
    }

    /// Whether a request has to wait in a line.
    func hasLine(for request: HTTPRequest) -> Bool {
        // The URL is not parsed if there are no lines.
        let areNone = lines.withLock { $0.isEmpty }
        if areNone { return false }
        let origin = request.url.origin
        return lines.withLock { $0[origin]?.isNeeded ?? false }
    }

    /// Counts a request as in line.
    ///
    /// - Returns: The line of the origin.
    func join(_ origin: URIReference.Origin?) -> StartQueue {
        lines.withLock { lines in
            var line = lines[origin] ?? Line(queue: StartQueue(places: 1, interval: .zero, clock: clock))
            line.count += 1
            lines[origin] = line
            return line.queue
        }
    }

    /// Counts a request as no longer in line.
    func leave(_ origin: URIReference.Origin?) {
        lines.withLock { lines in
            lines[origin]?.count -= 1
            lines = lines.filter { $0.value.isNeeded }
        }
    }

    /// Delays the starts of requests to an origin by a duration, by a minute at most.
    func pause(_ origin: URIReference.Origin?, for duration: Duration) {
        lines.withLock { lines in
            // Those that are over are removed, so that there are never more lines than used-up limits.
            lines = lines.filter { $0.value.isNeeded }
            let line = lines[origin] ?? Line(queue: StartQueue(places: 1, interval: .zero, clock: clock))
            line.queue.pause(for: duration)
            lines[origin] = line
        }
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

    /// Whether no request may start yet.
    var isPaused: Bool { state.withLock { $0.nextStart } > time.elapsed }

    /// Waits until a request may start.
    ///
    /// - Parameter isHeldUp: Returns whether the request may not start for another reason, once it is its turn.
    /// - Returns: The place of the request, which is free again when this is released. Nil if the request is held up,
    ///   which uses up neither a place nor a start time.
    /// - Throws: `CancellationError` if the task is cancelled.
    func place(unless isHeldUp: () -> Bool = { false }) async throws -> OnRelease? {
        try await turn()
        let place = OnRelease { [self] in change { $0.freePlaces += 1 } }
        // Whether the request starts or was cancelled, the turn then passes on.
        defer { change { $0.isTurnTaken = false } }
        try await waitForStartTime()
        // A waiter can be cancelled after it got its turn.
        try Task.checkCancellation()
        if isHeldUp() { return nil }
        if interval > .zero {
            let now = time.elapsed
            state.withLock { $0.nextStart = max(now, $0.nextStart) + interval }
        }
        return place
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
