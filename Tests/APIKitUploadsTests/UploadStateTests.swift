import APIKitCore
import Foundation
import Testing

@testable import APIKitUploads

@Suite struct UploadStateTests {
    private static let mebibyte = 1 << 20

    private func state(
        _ chunkSize: Int, minimum: Int = 256 << 10, multiple: Int = 1, attempts: Int = 10
    ) throws -> UploadState {
        var state = UploadState(
            size: 100 * Self.mebibyte,
            chunks: ChunkSizes.Wish(longest: chunkSize, shortest: minimum, multiple: multiple), attempts: attempts)
        state.created(at: try #require(URL(string: "https://api.example/uploads/1")))
        return state
    }

    /// Sends the next chunk, of which the server keeps a number of bytes, and returns its length.
    private func send(_ state: inout UploadState, keeping count: Int?) -> Int {
        _ = state.apply(.received(state.received), to: .question)
        guard case .send(let range, _) = state.next else { return 0 }
        state.willSend(range)
        if let count {
            _ = state.apply(.received(range.lowerBound + count), to: .chunk)
        } else {
            _ = state.breakOff()
        }
        return range.count
    }

    @Test func chunksBecomeShorterWhileBreaksPreventProgress() throws {
        var state = try state(4 * Self.mebibyte)
        let breaks = (0..<7).map { _ in send(&state, keeping: nil) }
        #expect(breaks.map { $0 >> 10 } == [4096, 4096, 2048, 1024, 512, 256, 256])
        let chunks = (0..<6).map { _ in send(&state, keeping: 256 << 10) }
        #expect(chunks.map { $0 >> 10 } == [256, 512, 1024, 2048, 4096, 4096])
    }

    @Test func shorterChunksAreMultiples() throws {
        let multiple = 320 << 10
        var state = try state(5 * multiple, multiple: multiple)
        let breaks = (0..<5).map { _ in send(&state, keeping: nil) / multiple }
        #expect(breaks == [5, 5, 2, 1, 1])
    }

    @Test(arguments: [4 * mebibyte, .max])
    func chunksOfACertainSizeStayAsTheyAre(minimum: Int) throws {
        var state = try state(4 * Self.mebibyte, minimum: minimum)
        #expect((0..<4).map { _ in send(&state, keeping: nil) >> 10 } == [4096, 4096, 4096, 4096])
    }

    @Test func shortChunksStayShort() throws {
        var state = try state(1000)
        #expect((0..<4).map { _ in send(&state, keeping: nil) } == [1000, 1000, 1000, 1000])
    }

    @Test(arguments: [Int.min, -1, 0, 1])
    func aSizeOfChunksIsAtLeastOneMultiple(size: Int) throws {
        var state = try state(size, multiple: 256 << 10)
        #expect(send(&state, keeping: 0) == 256 << 10)
    }

    /// A journal that somebody else has changed may say that more bytes were sent than the file has.
    @Test(arguments: [100 * mebibyte + 1, .max])
    func aServerNeverHasMoreBytesThanTheFile(count: Int) throws {
        var state = try state(1000)
        state.resume(at: try #require(URL(string: "https://api.example/uploads/1")), sentEnd: .max)
        guard case .contradiction = state.apply(.received(count), to: .question) else {
            Issue.record("\(count) bytes were accepted")
            return
        }
    }

    @Test(arguments: [Int.min, 0, 1])
    func atLeastOneAttemptIsMade(attempts: Int) throws {
        var state = try state(1000, attempts: attempts)
        #expect(state.breakOff() == .fail)
    }
}
