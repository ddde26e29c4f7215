import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ByteStreamTests {
    private struct Trouble: Error {}

    @Test func returnsPiecesOfSequence() async throws {
        let chunks = ["a", "", "bc"].map { Data($0.utf8) }
        #expect(try await ByteStream(Chunks(chunks: chunks)).collected() == chunks)
    }

    @Test func bytesInMemoryCanBeReadRepeatedly() async throws {
        let stream = ByteStream([Data("a".utf8), Data(), Data("b".utf8)])
        for _ in 0..<2 { #expect(try await stream.data(upTo: 2) == Data("ab".utf8)) }
        #expect(try await ByteStream([]).collected().isEmpty)
    }

    @Test(arguments: [(0, ""), (3, "abc"), (3, "ab"), (.max, "abc"), (.max, "")] as [(Int, String)])
    func readsUpToLimit(limit: Int, text: String) async throws {
        #expect(try await ByteStream(text).data(upTo: limit) == Data(text.utf8))
        #expect(
            try await ByteStream(Chunks(chunks: text.utf8.map { Data([$0]) })).data(upTo: limit).count == text.count)
    }

    @Test(
        arguments: [(2, ["abc"]), (2, ["a", "b", "c"]), (0, ["a"]), (-1, ["a"]), (.min, ["a"]), (2, ["abc", ""])]
            as [(Int, [String])])
    func throwsBeyondLimit(limit: Int, chunks: [String]) async throws {
        let stream = ByteStream(Chunks(chunks: chunks.map { Data($0.utf8) }, failure: Trouble()))
        let error = try await #require(throws: TransportError.self) { _ = try await stream.data(upTo: limit) }
        #expect(error.code == .bodyTooLarge)
        #expect(error.description.contains("\(limit)"))
    }

    // AsyncIteratorProtocol: after an error, always nil.
    @Test func endsAfterFirstError() async throws {
        // Continues after its error.
        struct Stubborn: AsyncSequence, AsyncIteratorProtocol, Sendable {
            let turns: Recorder<Void>
            func makeAsyncIterator() -> Self { self }
            func next() async throws -> Data? {
                if turns.append(()) == 2 { throw Trouble() }
                return Data("a".utf8)
            }
        }
        let broken = ByteStream(Chunks("abc", failure: Trouble()))
        await #expect(throws: Trouble.self) { try await broken.data(upTo: 100) }
        let once = ByteStream(readingOnce: Chunks(chunks: Self.ab, failure: Trouble()))
        #expect(await steps(3, of: once) == ["1 bytes", "1 bytes", "Trouble"])
        let stream = ByteStream(Stubborn(turns: Recorder()))
        #expect(await steps(4, of: stream) == ["1 bytes", "Trouble", "nil", "nil"])
    }

    @Test func endsAfterCancel() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) { try await ByteStream("abc").data(upTo: 100) }
            return await steps(3, of: ByteStream("abc"))
        }
        #expect(await task.value == ["CancellationError", "nil", "nil"])
    }

    /// The cost of reading a piece, in time and stack, does not grow with the pieces before it.
    @Test(.timeLimit(.minutes(10))) func readsManyPieces() async throws {
        let pieces = AsyncStream<Data> { continuation in
            for _ in 0..<20_000 { continuation.yield(Data([1])) }
            continuation.finish()
        }
        var count = 0
        for try await piece in ByteStream(pieces) { count += piece.count }
        #expect(count == 20_000)
    }

    @Test func leavingLoopAndErrorReleaseSource() async throws {
        let ended = Recorder<String>()
        func open(_ name: String, failure: (any Error)? = nil) -> ByteStream {
            ByteStream(Chunks(chunks: Self.ab, failure: failure, lease: Lease { ended.append(name) }))
        }
        func readOne() async throws { for try await _ in open("left") { break } }
        try await readOne()
        #expect(ended.values == ["left"])
        _ = open("unread")
        #expect(ended.values == ["left", "unread"])
        var reading = open("failed", failure: Trouble()).makeAsyncIterator()
        for _ in Self.ab { _ = try await reading.next() }
        #expect(ended.values == ["left", "unread"])
        do {
            _ = try await reading.next()
            Issue.record("the stream did not fail")
        } catch {
            #expect(error is Trouble)
        }
        #expect(ended.values == ["left", "unread", "failed"])
        #expect(try await reading.next() == nil)
    }

    // MARK: - Reading once

    private static let ab = ["a", "b"].map { Data($0.utf8) }

    @Test func secondReaderFails() async throws {
        let stream = ByteStream(readingOnce: Chunks(chunks: Self.ab))
        var (first, second) = (stream.makeAsyncIterator(), stream.makeAsyncIterator())
        // The first iterator to read gets the bytes, not the first one created.
        #expect(try await second.next() == Self.ab[0])
        let error = await #expect(throws: TransportError.self) { _ = try await first.next() }
        #expect(error?.code == .unsupported)
        #expect(await steps(3, of: stream) == ["TransportError", "nil", "nil"])
        #expect(try await second.next() == Self.ab[1])
        #expect(try await second.next() == nil)
        #expect(try await second.next() == nil)
        #expect(await Outcome(of: stream).failure?.contains("once") == true)
    }

    @Test func oneOfTwoRacingReadersReadsAll() async {
        for _ in 0..<200 {
            let stream = ByteStream(readingOnce: Chunks(chunks: Self.ab))
            async let (one, other) = (Outcome(of: stream), Outcome(of: stream))
            let outcomes = await [one, other]
            #expect(outcomes.filter { $0.elements == Self.ab && $0.failure == nil }.count == 1)
            #expect(outcomes.filter { $0.elements.isEmpty && $0.failure?.contains("unsupported") == true }.count == 1)
        }
    }

    @Test func readingOnceReleasesSourceWithReader() async throws {
        let ended = Recorder<String>()
        func lease(_ name: String) -> Lease { Lease { ended.append(name) } }
        _ = ByteStream(readingOnce: Chunks(chunks: Self.ab, lease: lease("unread")))
        #expect(ended.values == ["unread"])
        let stream = ByteStream(readingOnce: Chunks(chunks: Self.ab, lease: lease("left")))
        func readOne() async throws { for try await _ in stream { break } }
        _ = stream.makeAsyncIterator()
        #expect(ended.values == ["unread"])
        try await readOne()
        #expect(ended.values == ["unread", "left"])
        #expect(await Outcome(of: stream).failure != nil)
    }

    // The base sequence only ends, as an AsyncStream does when its reader is cancelled.
    @Test(arguments: [0, 1]) func readingOnceThrowsIfCancelled(count: Int) async {
        let (base, source) = AsyncStream.makeStream(of: Data.self)
        for _ in 0..<count { source.yield(Data("a".utf8)) }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await Outcome(of: ByteStream(readingOnce: base))
        }
        #expect(await task.value.failure == "CancellationError()")
        source.finish()
    }

    @Test func isResponseType() async throws {
        #expect(try Endpoint<ByteStream, Data>().httpRequest().delivery == .stream)
        let stream = try await ImmediateClient(.text("abc")).send(Endpoint<ByteStream, Data>())
        #expect(try await stream.data(upTo: 3) == Data("abc".utf8))
        #expect(try await ByteStream.process(data: Data("abc".utf8)).collected() == [Data("abc".utf8)])
    }
}
