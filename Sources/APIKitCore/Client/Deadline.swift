/// When a whole `send` must have ended: all of its hops, attempts and waits, and reading its stream.
///
/// `send` is ended by `followRedirects(from:within:)` in `APIClient+Deadline`, a stream by `Exchange.limit(until:)`.
package struct Deadline: Sendable {
    let limit: Duration
    private let elapsed: @Sendable () -> Duration
    private let clock: any Clock<Duration>

    /// Creates a deadline the given time from now.
    init(in limit: Duration, clock: any Clock<Duration>) {
        self.limit = limit.clampedForSleep
        self.clock = clock
        elapsed = clock.stopwatch()
    }

    /// The time left; negative after the deadline.
    var timeLeft: Duration { limit - elapsed() }

    /// Waits until the deadline.
    func pass() async throws {
        if let clock = clock as? any SimulatedClock {
            try await clock.wait(for: timeLeft)
        } else {
            try await clock.sleep(for: timeLeft)
        }
    }
}
