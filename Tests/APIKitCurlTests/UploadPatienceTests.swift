#if os(Linux)
import Testing

@testable import APIKitCurl

/// How long an upload goes on after its response.
@Suite struct UploadPatienceTests {
    @Test(arguments: [(60, 10), (2, 1), (1, 0.5), (0, 0)] as [(Double, Double)])
    func patienceEndsBeforeTheTimeout(timeout: Double, limit: Double) {
        let start = ContinuousClock.now
        var patience = UploadPatience(timeout: .seconds(timeout), bytesSent: 5, at: start)
        #expect(patience.timeLeft(bytesSent: 5, at: start) == .seconds(limit))
        #expect(patience.timeLeft(bytesSent: 5, at: start + .seconds(limit)) == .zero)
    }

    @Test func progressRenewsPatience() {
        let start = ContinuousClock.now
        var patience = UploadPatience(timeout: .seconds(2), bytesSent: 5, at: start)
        #expect(patience.timeLeft(bytesSent: 6, at: start + .milliseconds(900)) == .seconds(1))
        #expect(patience.timeLeft(bytesSent: 6, at: start + .milliseconds(1500)) == .milliseconds(400))
        #expect(patience.timeLeft(bytesSent: 6, at: start + .milliseconds(2000)) == .milliseconds(-100))
    }
}
#endif
