/// A clock whose sleeps end at once, and that remembers how long they would have been. Its time stands still.
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
