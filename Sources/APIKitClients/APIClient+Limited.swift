public import APIKitCore
import APIKitSupport

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
    /// for a minute at most. They keep their order, and requests to other servers do not wait for them. Afterwards,
    /// they start before requests that have come later.
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
        // A request joins its line while it has the turn in the queue, so that the requests of a line keep their order.
        switch try await queue.start(unless: { lines.join(for: request) }) {
        case .starting(let place): return place
        case .heldUp(let position): return try await place(after: position)
        }
    }

    /// Waits in a line, and then for a place in the queue.
    private func place(after position: OriginLines.Position) async throws -> OnRelease {
        defer { lines.leave(position.origin) }
        let line = position.line
        // The first one in line keeps its turn there until it has a place in the queue, so that the order is kept.
        let turn = try await line.place(at: position.number)
        defer { withExtendedLifetime(turn) {} }
        while true {
            try await line.waitForStartTime()
            // It has had its turn in the queue before, so all others that wait there have come later, and it goes
            // first. A response may have paused the line while it has waited for the place.
            let start = try await queue.start(at: queue.join(first: true), unless: { line.isPaused ? line : nil })
            if case .starting(let place) = start { return place }
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

    /// The position of a request in the line of its origin.
    struct Position {
        let origin: URIReference.Origin?
        let line: StartQueue
        let number: StartQueue.Number
    }

    private struct State: Sendable {
        var lines: [URIReference.Origin?: Line] = [:]
        /// How many lines there may be before those that are over are removed.
        var limit = State.smallestLimit

        static let smallestLimit = 16

        /// Removes the lines that are over, if there are many. Then there are at most about twice as many lines as
        /// used-up limits, and a line is examined about twice on average.
        mutating func removeUnneededIfMany() {
            guard lines.count >= limit else { return }
            lines = lines.filter { $0.value.isNeeded }
            limit = max(2 * lines.count, Self.smallestLimit)
        }
    }

    private let clock: any Clock<Duration>
    private let state = Locked(State())

    init(clock: any Clock<Duration>) {
        self.clock = clock
    }

    /// Puts a request at the end of its origin's line.
    ///
    /// - Returns: Its position, which ends with ``leave(_:)``; nil if the origin needs no line.
    func join(for request: HTTPRequest) -> Position? {
        // The URL is not parsed if there are no lines.
        let areNone = state.withLock { $0.lines.isEmpty }
        if areNone { return nil }
        let origin = request.url.origin
        return state.withLock { state in
            guard var line = state.lines[origin] else { return nil }
            guard line.isNeeded else {
                state.lines[origin] = nil
                return nil
            }
            line.count += 1
            state.lines[origin] = line
            return Position(origin: origin, line: line.queue, number: line.queue.join())
        }
    }

    /// Counts a request as no longer in line.
    func leave(_ origin: URIReference.Origin?) {
        state.withLock { state in
            guard var line = state.lines[origin] else { return }
            line.count -= 1
            state.lines[origin] = line.isNeeded ? line : nil
        }
    }

    /// Delays the starts of requests to an origin by a duration, by a minute at most.
    func pause(_ origin: URIReference.Origin?, for duration: Duration) {
        state.withLock { state in
            state.removeUnneededIfMany()
            let line = state.lines[origin] ?? Line(queue: StartQueue(places: 1, interval: .zero, clock: clock))
            line.queue.pause(for: duration)
            state.lines[origin] = line
        }
    }
}

/// Queues requests until they may start.
///
/// One waiter at a time has the turn: it waits for its start time, starts, and passes the turn on. So a cancelled
/// waiter uses up neither a place nor a start time.
private final class StartQueue: Sendable {
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
    enum Number {
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
    enum Start<Obstacle> {
        /// It starts, and has the place until this is released.
        case starting(OnRelease)
        /// It does not start now, which uses up neither a place nor a start time.
        case heldUp(Obstacle)
    }

    /// Joins the queue, and waits until a request may start; see ``start(at:unless:)``.
    func start<Obstacle>(unless obstacle: () -> Obstacle?) async throws -> Start<Obstacle> {
        try await start(at: join(), unless: obstacle)
    }

    /// Waits until it is a position's turn and a request may start.
    ///
    /// - Parameters:
    ///   - position: The position.
    ///   - obstacle: Returns why the request may not start for another reason, once it is its turn; nil if it may.
    /// - Returns: Whether the request starts.
    /// - Throws: `CancellationError` if the task is cancelled.
    func start<Obstacle>(at position: Number, unless obstacle: () -> Obstacle?) async throws -> Start<Obstacle> {
        try await wait(at: position)
        let place = OnRelease { [self] in change { $0.freePlaces += 1 } }
        // Whether the request starts or was cancelled, the turn then passes on.
        defer { change { $0.isTurnTaken = false } }
        try await waitForStartTime()
        // A waiter can be cancelled after it got its turn.
        try Task.checkCancellation()
        if let obstacle = obstacle() { return .heldUp(obstacle) }
        if interval > .zero {
            let now = time.elapsed
            state.withLock { $0.nextStart = max(now, $0.nextStart) + interval }
        }
        return .starting(place)
    }

    /// Waits until it is a position's turn and a request may start.
    ///
    /// - Returns: The place, which is free again when this is released.
    /// - Throws: `CancellationError` if the task is cancelled.
    func place(at position: Number) async throws -> OnRelease {
        switch try await start(at: position, unless: { Never?.none }) {
        case .starting(let place): place
        }
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
