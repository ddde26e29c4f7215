import Foundation
import Testing

@testable import APIKitCore

@Suite struct UnreadBytesTests {
    @Test func takesAllBytesInTheOrderOfTheirArrival() {
        var generator = SplitMix64(state: 7)
        var (unread, expected) = (UnreadBytes(limit: .max), Data())
        for number in 0..<1_000 {
            if Bool.random(using: &generator) {
                let piece = Data("\(number)".utf8.prefix(number % 4))
                let isWithinLimit = unread.append(piece, canPause: false)
                #expect(isWithinLimit)
                expected += piece
            } else {
                let (bytes, hasResumed) = unread.take()
                #expect(bytes == (expected.isEmpty ? nil : expected))
                #expect(!hasResumed)
                expected = Data()
            }
        }
    }

    /// Adds pieces of these sizes, and returns which are within the limit.
    private func append(_ sizes: [Int], to unread: inout UnreadBytes, canPause: Bool = false) -> [Bool] {
        sizes.map { unread.append(Data(count: $0), canPause: canPause) }
    }

    @Test(arguments: [
        (0, [10, 10], [true, false]), (1, [10, 10], [true, false]), (5, [10, 10], [true, false]),
        (-1, [10, 10], [true, false]), (5, [3, 2, 1], [true, true, false]),
    ]) func refusesMoreBytesThanTheLimitUnlessTheyAreOnePiece(limit: Int, sizes: [Int], isWithin: [Bool]) {
        var unread = UnreadBytes(limit: limit)
        let accepted = append(sizes, to: &unread)
        #expect(accepted == isWithin)
        #expect(!unread.isPaused)
        _ = unread.take()
        let later = append([10], to: &unread)
        #expect(later == [true])
    }

    @Test func pausesAtTheLimitAndResumesOnceTheBytesAreTaken() {
        var unread = UnreadBytes(limit: 10)
        let accepted = append([3, 3, 3, 3, 3], to: &unread, canPause: true)
        #expect(accepted == [true, true, true, true, false])
        #expect(unread.isPaused)
        let (first, second) = (unread.take(), unread.take())
        #expect(first.bytes?.count == 12)
        #expect(first.hasResumed)
        #expect(second.bytes == nil)
        #expect(!second.hasResumed)
        #expect(!unread.isPaused)
    }
}
