import APIKitCore

/// A clock whose sleeps end immediately and are recorded; its time does not advance.
struct InstantClock: Clock {
    private let start = ContinuousClock.now
    private let log = Recorder<Duration>()

    /// The sleeps, in order.
    var sleeps: [Duration] { log.values }

    var now: ContinuousClock.Instant { start }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        log.append(start.duration(to: deadline))
    }
}
