import Foundation
import Testing

@testable import APIKitOAuth

@Suite struct EventLimitTests {
    private let start = Date(timeIntervalSince1970: 1_000_000)

    @Test func allowsSoManyEventsWithinThePeriod() {
        var limit = EventLimit(2, within: 60)
        #expect(!limit.hasRecentEvent(at: start))
        limit.recordEvent(at: start)
        #expect(limit.allowsEvent(at: start))
        limit.recordEvent(at: start.addingTimeInterval(30))
        #expect(!limit.allowsEvent(at: start.addingTimeInterval(59)))
        #expect(limit.allowsEvent(at: start.addingTimeInterval(60)))
        #expect(limit.hasRecentEvent(at: start.addingTimeInterval(60)))
        #expect(!limit.hasRecentEvent(at: start.addingTimeInterval(90)))
    }

    @Test func ignoresEventsInTheFuture() {
        var limit = EventLimit(1, within: 60)
        limit.recordEvent(at: start)
        #expect(limit.allowsEvent(at: start.addingTimeInterval(-1)))
    }
}
