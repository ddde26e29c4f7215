import APIKitCore
import Foundation
import TestSupport
import Testing

@Suite struct CollectedBodyTests {
    @Test(arguments: [nil, 0, 1, 1000, 64 << 20, Int.max] as [Int?])
    func announcedLengthTakesNoMoreThanAFewTimesWhatHasArrived(announced: Int?) {
        var body = CollectedBody()
        var expected = Data()
        for index in 0..<50 {
            let piece = Data(repeating: UInt8(index), count: index * index)
            body.append(piece, of: announced)
            expected += piece
            #expect(body.capacity <= 4 * expected.count)
            #expect(body.data == expected)
        }
    }

    @Test func roomGrowsInLargeSteps() {
        var body = CollectedBody()
        var capacities = Set<Int>()
        for _ in 0..<4096 {
            body.append(Data(count: 256), of: 1 << 20)
            capacities.insert(body.capacity)
        }
        #expect(capacities.count < 10)
        #expect(body.capacity == 1 << 20)
        #expect(body.data == Data(count: 1 << 20))
    }

    /// A piece that is the whole body is not copied.
    @Test func wholePieceIsKept() {
        var body = CollectedBody()
        body.append(Data(count: 10), of: 10)
        #expect(body.capacity == 0)
        #expect(body.data == Data(count: 10))
    }
}
