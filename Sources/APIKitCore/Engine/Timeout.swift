/// Judges whether a request has timed out: whether too much time has passed since its last event, such as the arrival
/// of a piece of the body. The deadline of a call, which limits the time of all of its requests together, is separate.
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
    /// The shortest time between two checks during a pause.
    private static var shortestInterval: Duration { .milliseconds(1) }

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
        // During a pause, the server has to wait for the reader. So the time does not run, and all of it is left. With
        // a timeout of zero, the engine would check again without rest, so it waits at least the shortest interval.
        if isPaused { return max(limit, Self.shortestInterval) }
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
