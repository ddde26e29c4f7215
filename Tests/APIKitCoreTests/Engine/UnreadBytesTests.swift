import Foundation
import Testing

@testable import APIKitCore

@Suite struct UnreadBytesTests {
    @Test func isFirstInFirstOutAndCountsItsBytes() {
        var generator = SplitMix64(state: 7)
        var (unread, expected) = (UnreadBytes(), [Data]())
        #expect(unread.isEmpty)
        let nothing = unread.removeFirst()
        #expect(nothing == nil)
        for number in 0..<1_000 {
            if Bool.random(using: &generator) {
                let piece = Data("\(number)".utf8.prefix(number % 4))
                unread.append(piece)
                expected.append(piece)
            } else {
                let (piece, wanted) = (unread.removeFirst(), expected.isEmpty ? nil : expected.removeFirst())
                #expect(piece == wanted)
            }
            #expect(unread.count == expected.reduce(0) { $0 + $1.count })
            #expect(unread.isEmpty == expected.isEmpty)
        }
    }
}
