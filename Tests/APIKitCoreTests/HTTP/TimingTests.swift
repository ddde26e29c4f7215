import APIKitCore
import Testing

@Suite struct TimingTests {
    @Test func totalIsTimeFromQueuedToFinishedIfBothAreKnown() {
        let start = ContinuousClock.now
        let timing = HTTPResponse.Timing(
            queued: start, sent: start, firstByte: nil, finished: start.advanced(by: .seconds(3)))
        #expect(timing.total == .seconds(3))
        #expect(HTTPResponse.Timing().total == nil)
        #expect(HTTPResponse.Timing(queued: .now).total == nil)
        #expect(HTTPResponse.Timing(finished: .now).total == nil)
    }
}
