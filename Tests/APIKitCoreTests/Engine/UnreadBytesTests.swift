import Foundation
import Testing

@testable import APIKitCore

@Suite struct UnreadBytesTests {
    @Test func removesPiecesInTheOrderOfTheirArrival() {
        var generator = SplitMix64(state: 7)
        var (unread, expected) = (UnreadBytes(limit: .max), [Data]())
        let nothing = unread.removeFirst()
        #expect(nothing == nil)
        for number in 0..<1_000 {
            if Bool.random(using: &generator) {
                let piece = Data("\(number)".utf8.prefix(number % 4))
                let isWithinLimit = unread.append(piece, canPause: false)
                #expect(isWithinLimit)
                expected.append(piece)
            } else {
                let (piece, wanted) = (unread.removeFirst(), expected.isEmpty ? nil : expected.removeFirst())
                #expect(piece == wanted)
            }
        }
    }

    /// Adds pieces of these sizes, and returns which are within the limit.
    private func append(_ sizes: [Int], to unread: inout UnreadBytes, canPause: Bool = false) -> [Bool] {
        sizes.map { unread.append(Data(count: $0), canPause: canPause) }
    }

    @Test(arguments: [0, 1, 5, -1])
    func onePieceMayAlwaysWait(limit: Int) {
        var unread = UnreadBytes(limit: limit)
        var accepted = append([10, 10], to: &unread)
        #expect(accepted == [true, false])
        _ = unread.removeFirst()
        accepted = append([10], to: &unread)
        #expect(accepted == [true])
    }

    @Test func refusesMoreBytesThanTheLimit() {
        var unread = UnreadBytes(limit: 5)
        let accepted = append([3, 2, 1], to: &unread)
        #expect(accepted == [true, true, false])
        #expect(!unread.isPaused)
    }

    @Test func pausesAtTheLimitAndResumesOnceHalfIsRead() {
        var unread = UnreadBytes(limit: 10)
        let accepted = append([3, 3, 3, 3, 3], to: &unread, canPause: true)
        #expect(accepted == [true, true, true, true, false])
        #expect(unread.isPaused)
        let resumed = (0..<4).map { _ in
            _ = unread.removeFirst()
            return unread.resume()
        }
        #expect(resumed == [false, false, true, false])
        #expect(!unread.isPaused)
    }
}
