/// A clock whose time is moved by its user.
package protocol SimulatedClock: Clock<Duration> {
    /// The date at this time.
    var date: Date { get }

    /// Waits until time has passed, without moving it.
    func wait(for duration: Duration) async throws
}

extension Clock<Duration> {
    /// Returns a function that returns the date.
    package func dates() -> @Sendable () -> Date {
        guard let clock = self as? any SimulatedClock else { return { Date() } }
        return { clock.date }
    }

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
