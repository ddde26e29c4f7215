/// When a whole `send` must have ended: all of its hops, attempts and waits.
package struct Deadline: Sendable {
    /// What times deadlines; a test replaces it with a `ManualClock`.
    @TaskLocal package static var clock: any Clock<Duration> = ContinuousClock()

    private let limit: Duration
    private let elapsed: @Sendable () -> Duration
    private let clock: any Clock<Duration>

    /// Creates a deadline the given time from now.
    init(in limit: Duration) {
        self.limit = limit.clampedForSleep
        clock = Self.clock
        elapsed = clock.stopwatch()
    }

    /// The time left; negative after the deadline.
    var timeLeft: Duration { limit - elapsed() }

    /// Waits until the deadline.
    func pass() async throws {
        try await clock.sleep(for: timeLeft)
    }
}

extension Clock<Duration> {
    /// Returns a function that returns the time since this call.
    package func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}

extension Duration {
    /// The duration as far as any clock can sleep for it: a longer sleep than clocks can measure would trap.
    package var clampedForSleep: Duration { min(max(self, .zero), .seconds(Int64(1) << 31)) }
}
