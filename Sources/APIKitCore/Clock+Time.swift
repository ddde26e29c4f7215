/// A clock whose time is moved by its user.
package protocol SimulatedClock: Clock<Duration> {
    /// The date at this time.
    var date: Date { get }

    /// Waits until time has passed, without moving it.
    func pass(_ duration: Duration) async throws
}

extension Clock<Duration> {
    /// Returns a function that returns the date.
    package func dates() -> @Sendable () -> Date {
        guard let clock = self as? any SimulatedClock else { return { Date() } }
        return { clock.date }
    }

    /// Waits until time has passed; a simulated clock is not moved by that.
    package func wait(for duration: Duration) async throws {
        if let clock = self as? any SimulatedClock {
            try await clock.pass(duration)
        } else {
            try await sleep(for: duration.clampedForSleep)
        }
    }
}

/// Measures time from its creation on, by any clock.
package struct Stopwatch: Sendable {
    private enum Start: Sendable {
        /// The usual clock, without a closure for each, since ``launch``: the size of its instants is not known when
        /// this is compiled, so each use of one would take several times as long.
        case continuous(Duration)
        case other(@Sendable () -> Duration)
    }

    private let start: Start

    private static let launch = ContinuousClock.now
    private static var sinceLaunch: Duration { launch.duration(to: .now) }

    package init(_ clock: any Clock<Duration>) {
        func measured(by clock: some Clock<Duration>) -> Start {
            let start = clock.now
            return .other { start.duration(to: clock.now) }
        }
        // Cheaper than a cast.
        start = type(of: clock) == ContinuousClock.self ? .continuous(Self.sinceLaunch) : measured(by: clock)
    }

    package var elapsed: Duration {
        switch start {
        case .continuous(let start): Self.sinceLaunch - start
        case .other(let elapsed): elapsed()
        }
    }
}

extension Duration {
    /// The duration as far as any clock can sleep for it: a longer sleep than clocks can measure would trap.
    package var clampedForSleep: Duration { min(max(self, .zero), .seconds(Int64(1) << 31)) }
}
