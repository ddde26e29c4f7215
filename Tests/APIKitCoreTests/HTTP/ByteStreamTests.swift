import APIKitCore
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct ByteStreamTests {
    private struct Trouble: Error {}

    @Test func givesThePiecesOfAnotherSequence() async throws {
        let chunks = ["a", "", "bc"].map { Data($0.utf8) }
        #expect(try await ByteStream(Chunks(chunks: chunks)).collected() == chunks)
    }

    @Test func bytesThatAreThereAreReadAnyNumberOfTimes() async throws {
        let stream = ByteStream([Data("a".utf8), Data(), Data("b".utf8)])
        for _ in 0..<2 {
            #expect(try await stream.data(upTo: 2) == Data("ab".utf8))
        }
        #expect(try await ByteStream([]).collected().isEmpty)
    }

    @Test(arguments: [(0, ""), (3, "abc"), (3, "ab"), (.max, "abc"), (.max, "")])
    func readsAllUpToALimit(limit: Int, text: String) async throws {
        #expect(try await ByteStream(text).data(upTo: limit) == Data(text.utf8))
        #expect(
            try await ByteStream(Chunks(chunks: text.utf8.map { Data([$0]) })).data(upTo: limit).count == text.count)
    }

    @Test(arguments: [(2, ["abc"]), (2, ["a", "b", "c"]), (0, ["a"]), (-1, ["a"]), (.min, ["a"]), (2, ["abc", ""])])
    func refusesMoreThanTheLimit(limit: Int, chunks: [String]) async throws {
        let stream = ByteStream(Chunks(chunks: chunks.map { Data($0.utf8) }, failure: Trouble()))
        let error = try await #require(throws: TransportError.self) { _ = try await stream.data(upTo: limit) }
        #expect(error.code == .bodyTooLarge)
        #expect(error.description.contains("\(limit)"))
    }

    @Test func aBreakIsNoShortBody() async {
        let stream = ByteStream(Chunks("abc", failure: Trouble()))
        await #expect(throws: Trouble.self) { try await stream.data(upTo: 100) }
    }

    @Test func leavingTheLoopLetsGoOfTheSource() async throws {
        let ended = Recorder<Bool>()
        func readOne() async throws {
            let chunks = Chunks(chunks: [Data([1]), Data([2])], lease: Lease { ended.append(true) })
            for try await _ in ByteStream(chunks) { break }
        }
        try await readOne()
        #expect(ended.values == [true])
    }

    @Test func lettingGoUnreadLetsGoOfTheSource() {
        let ended = Recorder<Bool>()
        _ = ByteStream(Chunks(chunks: [], lease: Lease { ended.append(true) }))
        #expect(ended.values == [true])
    }

    @Test func bytesThatAreThereEndWithACancelledTask() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await ByteStream("abc").data(upTo: 100)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func isAResponse() async throws {
        #expect(try Endpoint<ByteStream, Data>().httpRequest().delivery == .stream)
        let stream = try await ImmediateClient(.text("abc")).send(Endpoint<ByteStream, Data>())
        #expect(try await stream.data(upTo: 3) == Data("abc".utf8))
        #expect(try await ByteStream.process(data: Data("abc".utf8)).collected() == [Data("abc".utf8)])
    }
}
