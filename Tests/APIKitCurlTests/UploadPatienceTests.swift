#if os(Linux)
import Testing

@testable import APIKitCurl

/// How long an upload goes on after its response.
@Suite struct UploadPatienceTests {
    @Test(arguments: [(60, 10), (2, 1), (1, 0.5), (0, 0)] as [(Double, Double)])
    func patienceEndsBeforeTheTimeout(timeout: Double, limit: Double) {
        let start = ContinuousClock.now
        let patience = UploadPatience(timeout: .seconds(timeout), from: start)
        #expect(patience.timeLeft(since: nil, at: start) == .seconds(limit))
        #expect(patience.timeLeft(since: start - .seconds(1), at: start + .seconds(limit)) == .zero)
    }

    /// However late the next check is: if patience began at a check, the timeout could run out before.
    @Test func progressRenewsPatienceFromItsOwnTime() {
        let start = ContinuousClock.now
        let patience = UploadPatience(timeout: .seconds(2), from: start)
        let progress = start + .milliseconds(100)
        #expect(patience.timeLeft(since: progress, at: start + .milliseconds(900)) == .milliseconds(200))
        #expect(patience.timeLeft(since: progress, at: start + .milliseconds(1100)) == .zero)
    }
}
#endif
