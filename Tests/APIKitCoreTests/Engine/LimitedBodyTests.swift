import Foundation
import Testing

@testable import APIKitCore

@Suite struct LimitedBodyTests {
    private func append(_ count: Int, to body: inout LimitedBody) -> LimitedBody.Addition {
        body.append(Data(repeating: 1, count: count), of: nil)
    }

    @Test func bodyAboveTheLimitIsRefused() {
        var body = LimitedBody(limit: 10)
        let additions = [6, 5, 4, 1].map { append($0, to: &body) }
        #expect(additions == [.added, .refused, .added, .refused])
        #expect(body.data.count == 10)
        #expect(!body.isCutOff)
    }

    @Test(arguments: [(5, [3, 2]), (5, [3, 3]), (5, [9]), (20, [6, 9])] as [(Int, [Int])])
    func onlyTheBeginningIsKeptUpToTheLimit(wanted: Int, counts: [Int]) {
        var body = LimitedBody(beginning: wanted, limit: 10)
        let additions = counts.map { append($0, to: &body) }
        let limit = min(wanted, 10)
        let sum = counts.reduce(0, +)
        #expect(body.data.count == min(limit, sum))
        #expect(body.isCutOff == (sum > limit))
        #expect(additions.last == (sum > limit ? .cutOff : .added))
    }
}
