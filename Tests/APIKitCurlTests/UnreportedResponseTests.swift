#if os(Linux)
import APIKitCore
import Foundation
import Testing

@testable import APIKitCurl

@Suite struct UnreportedResponseTests {
    private func add(_ count: Int, to unreported: inout UnreportedResponse) {
        Data(repeating: 1, count: count).withUnsafeBytes { unreported.add($0) }
    }

    @Test(arguments: [[1], [5, 5], [16 << 10, 1], [16 << 10, 16 << 10, 100]])
    func piecesAreJoined(counts: [Int]) {
        var unreported = UnreportedResponse()
        for count in counts { add(count, to: &unreported) }
        #expect(!unreported.isFull)
        let bytes = unreported.takeBytes()
        #expect(bytes == Data(repeating: 1, count: counts.reduce(0, +)))
        #expect(unreported.isEmpty)
    }

    @Test func manyBytesFillAReport() {
        var unreported = UnreportedResponse()
        for _ in 0..<15 { add(16 << 10, to: &unreported) }
        #expect(!unreported.isFull)
        add(16 << 10, to: &unreported)
        #expect(unreported.isFull)
        let bytes = unreported.takeBytes()
        #expect(bytes.count == 256 << 10)
        #expect(!unreported.isFull)
    }

    @Test func headIsTakenOnce() throws {
        var unreported = UnreportedResponse()
        let url = try #require(URL(string: "https://example.com/"))
        unreported.add(HTTPResponse.Head(status: 204, headers: [:], url: url), bodyLength: 0)
        #expect(!unreported.isEmpty)
        let heads = [unreported.takeHead(), unreported.takeHead()]
        #expect(heads.map { $0?.status } == [204, nil])
        #expect(unreported.isEmpty)
    }
}
#endif
