import APIKitCore
import Foundation
import Testing

/// Answers that are delivered as a stream or as a file.
@Suite(.timeLimit(.minutes(1))) struct ExchangeStreamTests {
    private struct Trouble: Error {}

    private func engine(_ delivery: ResponseBody.Delivery = .stream, limit: Int? = nil) -> ToldEngine {
        ToldEngine(.told(.get, delivery, limit: limit))
    }

    /// The stream of an answer whose head has come.
    private func stream(from engine: ToldEngine) async throws -> ByteStream {
        let task = await engine.begin()
        engine.receive()
        return try await task.value.body.bytes
    }

    // MARK: - Streams

    @Test func theHeadIsThereBeforeTheBody() async throws {
        let engine = engine()
        let task = await engine.begin()
        engine.receive(206, ["X-A": "1"])
        let response = try await task.value
        #expect(response.head.status == 206)
        #expect(response.head.headers["X-A"] == "1")
        #expect(response.body.data == nil)
        #expect(!engine.isOver)
        engine.fail(Trouble())
    }

    @Test func thePiecesArriveInOrderAndThenTheEnd() async throws {
        let engine = engine()
        let stream = try await stream(from: engine)
        let pieces = (0..<100).map { Data("\($0)".utf8) }
        for piece in pieces { engine.tell { $0.receive(piece) } }
        engine.finish()
        #expect(engine.isOver)
        #expect(try await stream.collected() == pieces)
    }

    @Test func eachPieceIsReadWhileTheNextHasYetToCome() async throws {
        let engine = engine()
        var iterator = try await stream(from: engine).makeAsyncIterator()
        for text in ["a", "", "bc"] {
            engine.receive(text)
            #expect(try await iterator.next() == Data(text.utf8))
        }
        engine.finish()
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test func isAheadUntilTheReaderHasTakenThePiece() async throws {
        let engine = engine()
        var iterator = try await stream(from: engine).makeAsyncIterator()
        #expect(!engine.isAheadOfReader)
        for text in ["a", "b"] {
            engine.receive(text)
            #expect(engine.isAheadOfReader)
            _ = try await iterator.next()
            #expect(!engine.isAheadOfReader)
        }
        engine.receive("c")
        engine.finish()
        #expect(!engine.isAheadOfReader)
        #expect(try await iterator.next() == Data("c".utf8))
    }

    @Test func bytesThatWaitToBeReadMeetTheLimit() async throws {
        let engine = engine(limit: 5)
        let stream = try await stream(from: engine)
        engine.receive("123")
        engine.receive("45")
        #expect(!engine.isOver)
        engine.receive("6")
        #expect(engine.isOver)
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == Data("123".utf8))
        #expect(try await iterator.next() == Data("45".utf8))
        do {
            #expect(try await iterator.next() == nil)
            Issue.record("it did not throw")
        } catch let error as TransportError {
            #expect(error.code == .bodyTooLarge)
        }
    }

    @Test func aStreamThatIsReadMayBeLongerThanTheLimit() async throws {
        let engine = engine(limit: 5)
        var iterator = try await stream(from: engine).makeAsyncIterator()
        for _ in 0..<10 {
            engine.receive("123")
            engine.receive("45")
            #expect(try await iterator.next() == Data("123".utf8))
            #expect(try await iterator.next() == Data("45".utf8))
        }
        engine.receive("one piece may be longer")
        #expect(try await iterator.next() == Data("one piece may be longer".utf8))
        engine.finish()
        #expect(try await iterator.next() == nil)
    }

    @Test func aStreamIsOverOnceItHasThrown() async throws {
        let engine = engine()
        var iterator = try await stream(from: engine).makeAsyncIterator()
        engine.receive("1")
        engine.fail(Trouble())
        #expect(try await iterator.next() == Data("1".utf8))
        do {
            #expect(try await iterator.next() == nil)
            Issue.record("it did not throw")
        } catch is Trouble {}
        for _ in 0..<2 { #expect(try await iterator.next() == nil) }
    }

    @Test func aReaderThatWaitsGetsThePieceThatComes() async throws {
        let engine = engine()
        let stream = try await stream(from: engine)
        let reading = Task { try await stream.collected() }
        for text in ["a", "b", "c"] {
            engine.receive(text)
            await Task.yield()
        }
        engine.finish()
        #expect(try await reading.value == ["a", "b", "c"].map { Data($0.utf8) })
    }

    @Test func theLimitIsNotThatOfAStream() async throws {
        let engine = engine(limit: 3)
        let task = await engine.begin()
        engine.receive(200, [.contentLength: "\(Int.max)"])
        var iterator = try await task.value.body.bytes.makeAsyncIterator()
        for text in ["abcd", "efgh"] {
            engine.receive(text)
            #expect(try await iterator.next() == Data(text.utf8))
        }
        engine.finish()
        #expect(try await iterator.next() == nil)
    }

    @Test func anErrorComesBehindThePiecesThatCame() async throws {
        let engine = engine()
        let stream = try await stream(from: engine)
        engine.receive("a")
        engine.receive("b")
        engine.fail(TransportError(.connectionLost))
        engine.receive("c")
        engine.finish()
        let outcome = await Outcome(of: stream)
        #expect(outcome.elements == [Data("a".utf8), Data("b".utf8)])
        #expect(outcome.failure?.hasSuffix(": connectionLost") == true)
    }

    @Test func silenceEndsAStream() async throws {
        let engine = ToldEngine(.told(.get, .stream, timeout: .nanoseconds(1)))
        let stream = try await stream(from: engine)
        engine.tell { _ = $0.checkSilence() }
        #expect(engine.isOver)
        #expect(await thrown { try await stream.collected() } == "timedOut")
    }

    @Test func whoeverReadsSecondIsTurnedAway() async throws {
        let engine = engine()
        let stream = try await stream(from: engine)
        engine.receive("a")
        var first = stream.makeAsyncIterator()
        #expect(try await first.next() == Data("a".utf8))
        for _ in 0..<2 { #expect(await thrown { try await stream.collected() } == "unsupported") }
        #expect(!engine.isOver)
        engine.receive("b")
        engine.finish()
        #expect(try await first.next() == Data("b".utf8))
        #expect(try await first.next() == nil)
        #expect(await thrown { try await stream.collected() } == "unsupported")
    }

    @Test func aSecondHeadMeansNothing() async throws {
        let engine = engine()
        let task = await engine.begin()
        engine.receive(200)
        engine.receive("a")
        engine.receive(201)
        engine.receive("b")
        engine.finish()
        let response = try await task.value
        #expect(response.head.status == 200)
        #expect(try await response.body.bytes.data(upTo: 2) == Data("ab".utf8))
    }

    // MARK: - Readers that go

    @Test func lettingGoOfAStreamUnreadEndsIt() async throws {
        let engine = engine()
        _ = try await stream(from: engine)
        #expect(engine.isOver)
        engine.receive("a")
        #expect(!engine.isAheadOfReader)
        engine.finish()
    }

    @Test func leavingTheLoopEndsIt() async throws {
        let engine = engine()
        let stream = try await stream(from: engine)
        func readOne() async throws {
            for try await _ in stream { break }
        }
        engine.receive("a")
        engine.receive("b")
        #expect(!engine.isOver)
        try await readOne()
        #expect(engine.isOver)
        #expect(!engine.isAheadOfReader)
    }

    @Test(arguments: [[], ["a"]])
    func cancellingTheReaderEndsItAndIsNoShortBody(pieces: [String]) async throws {
        let engine = engine()
        let stream = try await stream(from: engine)
        for piece in pieces { engine.receive(piece) }
        let reading = Task { await Outcome(of: stream) }
        for _ in 0..<50 { await Task.yield() }
        reading.cancel()
        let outcome = await reading.value
        #expect(outcome.failure == "CancellationError()")
        #expect(engine.isOver)
        engine.finish()
    }

    @Test func aCancelBehindTheHeadLeavesTheStream() async throws {
        let engine = engine()
        let task = await engine.begin()
        engine.receive()
        let stream = try await task.value.body.bytes
        task.cancel()
        #expect(!engine.isOver)
        engine.receive("a")
        engine.finish()
        #expect(try await stream.data(upTo: 1) == Data("a".utf8))
    }

    // MARK: - Files

    @Test func aFileIsWhole() async throws {
        let engine = engine(.file, limit: 3)
        var task: Task? = await engine.begin()
        engine.receive(200, [.contentLength: "8"])
        engine.receive("abcd")
        engine.receive("efgh")
        engine.finish()
        var response = try await task?.value
        task = nil
        let url = try #require(response?.body.file?.url)
        #expect(try Data(contentsOf: url) == Data("abcdefgh".utf8))
        #expect(try #require(response?.timing.finished) >= #require(response?.timing.firstByte))
        response = nil
        #expect(!url.exists)
    }

    @Test func anEmptyFileIsAFile() async throws {
        let engine = engine(.file)
        let task = await engine.begin()
        engine.receive(204)
        engine.finish()
        #expect(try Data(contentsOf: #require(try await task.value.body.file?.url)).isEmpty)
    }

    @Test func theServerWaitsForTheFile() async throws {
        let (taken, source) = AsyncStream.makeStream(of: Void.self)
        let engine = engine(.file)
        let task = await engine.begin()
        engine.tell {
            $0.receive(.init(status: 200, url: engine.request.url)) { event in
                engine.tellLater { exchange in
                    event(&exchange)
                    source.yield()
                }
            }
        }
        var waiting = taken.makeAsyncIterator()
        for text in ["a", "b", "c"] {
            engine.receive(text)
            await waiting.next()
            #expect(!engine.isAheadOfReader)
        }
        engine.finish()
        let response = try await task.value
        #expect(try Data(contentsOf: #require(response.body.file?.url)) == Data("abc".utf8))
    }

    @Test func isAheadUntilTheReaderHasTakenAllPieces() async throws {
        let engine = ToldEngine(.told(.get, .stream, timeout: .zero))
        let task = await engine.begin()
        engine.receive()
        var reader = try await task.value.body.bytes.makeAsyncIterator()
        engine.receive("a")
        engine.receive("b")
        _ = try await reader.next()
        #expect(engine.isAheadOfReader)
        #expect(engine.tell { $0.checkSilence() } > .zero)
        _ = try await reader.next()
        #expect(!engine.isAheadOfReader)
        engine.finish()
    }

    @Test(arguments: ["fail", "cancel", "silence"], [0, 2])
    func noFileIsLeftOfOneThatIsNotWhole(ending: String, pieces: Int) async throws {
        let before = temporaryFiles
        let engine = ToldEngine(.told(.get, .file, timeout: ending == "silence" ? .nanoseconds(1) : .seconds(60)))
        let task = await engine.begin()
        engine.receive()
        for _ in 0..<pieces { engine.receive("abc") }
        switch ending {
        case "fail": engine.fail(TransportError(.connectionLost))
        case "cancel": task.cancel()
        default:
            // In which what has come is written first.
            while !engine.isOver {
                engine.tell { _ = $0.checkSilence() }
                await Task.yield()
            }
        }
        let name = ["fail": "connectionLost", "cancel": "CancellationError"][ending] ?? "timedOut"
        #expect(await thrown { try await task.value } == name)
        #expect(engine.isOver)
        // Those of tests beside this one go too.
        let made = temporaryFiles.subtracting(before)
        while !made.isDisjoint(with: temporaryFiles), !Task.isCancelled { await Task.yield() }
        #expect(!Task.isCancelled, "a file is left")
    }
}
