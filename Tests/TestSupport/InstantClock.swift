import APIKitCore

/// A clock whose sleeps end immediately and are recorded; its time does not advance.
package struct InstantClock: Clock {
    private let start = ContinuousClock.now
    private let log = Recorder<Duration>()

    package init() {}

    /// The sleeps, in order.
    package var sleeps: [Duration] { log.values }

    package var now: ContinuousClock.Instant { start }
    package var minimumResolution: Duration { .zero }

    package func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        log.append(start.duration(to: deadline))
    }
}
