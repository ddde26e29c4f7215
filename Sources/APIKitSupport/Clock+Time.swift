/// A clock whose time only its user moves, for tests.
package protocol SimulatedClock: Clock<Duration> {
    /// The date at this time.
    var date: Date { get }

    /// Waits until the user has moved the clock by a duration; unlike `sleep`, this does not move the clock itself.
    func pass(_ duration: Duration) async throws
}

extension Clock<Duration> {
    /// Waits until time has passed. A simulated clock is not moved by this.
    package func wait(for duration: Duration) async throws {
        if let clock = self as? any SimulatedClock {
            try await clock.pass(duration)
        } else {
            try await sleep(for: duration.clampedForSleep)
        }
    }
}

/// Measures the time since its creation by any clock.
package struct Stopwatch: Sendable {
    private enum Start: Sendable {
        /// A `ContinuousClock`'s time since ``launch``.
        ///
        /// The usual clock needs no closure for each stopwatch. A duration is stored instead of an instant, because the
        /// size of an instant is unknown at compile time, so that each use would need the instant's type at run time.
        case continuous(Duration)
        /// Returns the time since the creation, by another clock.
        case other(@Sendable () -> Duration)
    }

    private let start: Start

    /// The first use of a stopwatch in the process.
    private static let launch = ContinuousClock.now
    private static var sinceLaunch: Duration { launch.duration(to: .now) }

    /// Starts measuring.
    package init(_ clock: any Clock<Duration>) {
        // Comparing the types is cheaper than a cast.
        if type(of: clock) == ContinuousClock.self {
            start = .continuous(Self.sinceLaunch)
        } else {
            start = Self.startMeasuring(by: clock)
        }
    }

    private static func startMeasuring(by clock: some Clock<Duration>) -> Start {
        let start = clock.now
        return .other { start.duration(to: clock.now) }
    }

    /// The time since the creation.
    package var elapsed: Duration {
        switch start {
        case .continuous(let start): Self.sinceLaunch - start
        case .other(let elapsed): elapsed()
        }
    }
}

extension Duration {
    /// The duration, limited to a range that every clock can sleep for, from zero to 68 years; a longer sleep would
    /// trap.
    package var clampedForSleep: Duration { min(max(self, .zero), .seconds(Int64(1) << 31)) }
}
