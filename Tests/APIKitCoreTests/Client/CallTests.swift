import APIKitSupport
import Foundation
import Testing

@testable import APIKitCore

@Suite(.timeLimit(.minutes(10))) struct CallTests {
    /// A clock whose time stands still, and whose sleeps end at once.
    private struct FrozenClock: Clock {
        let now = ContinuousClock.now
        var minimumResolution: Duration { .zero }
        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
    }

    /// Whether it comes before the deadline or after it, by a clock that has not noticed that yet.
    @Test func workAtTheDeadlineIsAlwaysDone() async {
        for _ in 0..<1000 {
            let call = Call(clock: FrozenClock())
            call.limit(to: .seconds(5))
            let isDone = Locked(false)
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                _ = call.atDeadline {
                    // Twice if the deadline passes meanwhile.
                    let isFirst = isDone.withLock { isDone in
                        defer { isDone = true }
                        return !isDone
                    }
                    if isFirst { done.resume() }
                }
            }
        }
    }
}
