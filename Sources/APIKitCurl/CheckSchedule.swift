#if os(Linux)
import CAPIKitCurl

/// When the thread next checks timeouts, and what else is due at a time.
///
/// When a check becomes due, a response may have arrived in a socket that the thread has not read from yet. So the
/// check takes place only after each ready socket was read from. One read takes up to ``readLimit`` of them, in turns:
///
/// | When the read began, the check | The read has left | Check now |
/// | --- | --- | --- |
/// | was not due | | no |
/// | was due | no ready socket | yes |
/// | was due | ready sockets, perhaps | only after so many reads that each socket has had its turn |
struct CheckSchedule {
    private(set) var nextTime = ContinuousClock.now
    /// How often the thread has read since the check became due.
    private var readsSinceDue = 0

    /// The longest time between two checks.
    static let longestInterval = Duration.seconds(3600)
    /// The most sockets that one read takes.
    static let readLimit = Int(acurl_sockets_per_wait)

    /// Schedules a check, unless an earlier one is scheduled.
    mutating func add(_ time: ContinuousClock.Instant) {
        nextTime = min(nextTime, time)
    }

    /// Forgets the scheduled time. A check begins with this, and then adds what it finds to be due next.
    mutating func restart(at now: ContinuousClock.Instant) {
        nextTime = now + Self.longestInterval
    }

    /// Notes that the thread has read from ready sockets.
    ///
    /// - Parameters:
    ///   - start: When the read began.
    ///   - mayHaveMore: Whether more sockets may be ready than were read from.
    ///   - socketCount: The number of sockets.
    /// - Returns: Whether to check now.
    mutating func noteRead(begunAt start: ContinuousClock.Instant, mayHaveMore: Bool, socketCount: Int) -> Bool {
        guard nextTime <= start else { return false }
        readsSinceDue += 1
        let eachSocketHadItsTurn = readsSinceDue > socketCount / Self.readLimit
        if mayHaveMore, !eachSocketHadItsTurn { return false }
        readsSinceDue = 0
        return true
    }
}
#endif
