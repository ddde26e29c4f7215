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
                let result1 = unread.append(piece, canPause: false)
                #expect(result1)
                expected.append(piece)
            } else {
                let (piece, wanted) = (unread.removeFirst(), expected.isEmpty ? nil : expected.removeFirst())
                #expect(piece == wanted)
            }
        }
    }

    @Test(arguments: [0, 1, 5, -1])
    func onePieceMayAlwaysWait(limit: Int) {
        var unread = UnreadBytes(limit: limit)
        let result2 = unread.append(Data(count: 10), canPause: false)
        #expect(result2)
        let result3 = unread.append(Data(count: 10), canPause: false)
        #expect(!result3)
        _ = unread.removeFirst()
        let result4 = unread.append(Data(count: 10), canPause: false)
        #expect(result4)
    }

    @Test func refusesMoreBytesThanTheLimit() {
        var unread = UnreadBytes(limit: 5)
        let result5 = unread.append(Data(count: 3), canPause: false)
        #expect(result5)
        let result6 = unread.append(Data(count: 2), canPause: false)
        #expect(result6)
        let result7 = unread.append(Data(count: 1), canPause: false)
        #expect(!result7)
        #expect(!unread.isPaused)
    }

    @Test func pausesAtTheLimitAndResumesOnceHalfIsRead() {
        var unread = UnreadBytes(limit: 10)
        for _ in 0..<4 { _ = unread.append(Data(count: 3), canPause: true) }
        #expect(unread.isPaused)
        let result8 = unread.append(Data(count: 3), canPause: true)
        #expect(!result8)
        _ = unread.removeFirst()
        let result9 = unread.resume()
        #expect(!result9)
        _ = unread.removeFirst()
        _ = unread.removeFirst()
        let result10 = unread.resume()
        #expect(result10)
        let result11 = unread.resume()
        #expect(!result11)
        #expect(!unread.isPaused)
    }
}
