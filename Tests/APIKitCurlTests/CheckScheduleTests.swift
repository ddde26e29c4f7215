#if os(Linux)
import Testing

@testable import APIKitCurl

/// When timeouts are checked.
@Suite struct CheckScheduleTests {
    private let start = ContinuousClock.now

    private func schedule(at time: ContinuousClock.Instant) -> CheckSchedule {
        var schedule = CheckSchedule()
        schedule.restart(at: start)
        schedule.add(time)
        return schedule
    }

    @Test func earliestTimeCounts() {
        var schedule = schedule(at: start + .seconds(2))
        schedule.add(start + .seconds(1))
        schedule.add(start + .seconds(3))
        #expect(schedule.nextTime == start + .seconds(1))
        schedule.restart(at: start)
        #expect(schedule.nextTime == start + .seconds(3600))
    }

    @Test func nothingIsCheckedBeforeItIsDue() {
        var schedule = schedule(at: start + .seconds(1))
        let due = schedule.noteRead(begunAt: start + .milliseconds(999), mayHaveMore: false, socketCount: 1)
        #expect(!due)
    }

    /// The read began when the check was due, so it has found every response that was in time.
    @Test func readOfAllReadySocketsIsEnough() {
        var schedule = schedule(at: start)
        let due = schedule.noteRead(begunAt: start, mayHaveMore: false, socketCount: 1000)
        #expect(due)
    }

    @Test(arguments: [(63, 1), (64, 2), (127, 2), (128, 3), (1000, 16)] as [(socketCount: Int, reads: Int)])
    func otherwiseEachSocketHasItsTurn(socketCount: Int, reads: Int) {
        var schedule = schedule(at: start)
        for _ in 1...2 {
            for read in 1...reads {
                let due = schedule.noteRead(begunAt: start, mayHaveMore: true, socketCount: socketCount)
                #expect(due == (read == reads), "read \(read)")
            }
        }
    }
}
#endif
