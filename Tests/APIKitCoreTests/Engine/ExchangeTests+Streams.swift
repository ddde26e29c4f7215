import APIKitCore
import Foundation
import TestSupport
import Testing

/// Responses that are delivered as streams.
extension ExchangeTests {
    // MARK: - Reading

    @Test(arguments: Kind.allCases) func deliversBytesInOrderAndThenTheEnd(kind: Kind) async throws {
        let (engine, stream) = try await open(kind)
        let pieces = (0..<100).map { Data("\($0)".utf8) }
        for piece in pieces { engine.receive(piece) }
        engine.finish()
        #expect(engine.isOver)
        #expect(try await stream.collected() == [Data(pieces.joined())])
    }

    @Test(arguments: Kind.allCases, [nil, "Trouble()"])
    func waitingReaderGetsWhatArrives(kind: Kind, failure: String?) async throws {
        let (engine, stream) = try await open(kind)
        let reading = Task { await Outcome(of: stream) }
        for text in ["a", "b", "c"] {
            for _ in 0..<20 { await Task.yield() }
            engine.receive(text)
        }
        for _ in 0..<20 { await Task.yield() }
        failure == nil ? engine.finish() : engine.fail(Trouble())
        let outcome = await reading.value
        #expect(outcome.elements == ["a", "b", "c"].map { Data($0.utf8) })
        #expect(outcome.failure == failure)
    }

    @Test(arguments: Kind.allCases) func failureComesAfterThePiecesThatArrived(kind: Kind) async throws {
        let (engine, stream) = try await open(kind)
        engine.receive("a")
        engine.receive("b")
        engine.fail(TransportError(.connectionLost))
        engine.receive("c")
        engine.finish()
        let outcome = await Outcome(of: stream)
        #expect(outcome.elements == [Data("ab".utf8)])
        #expect(outcome.failure?.hasSuffix(": connectionLost") == true)
    }

    @Test(arguments: Kind.allCases) func secondReaderFails(kind: Kind) async throws {
        let (engine, stream) = try await open(kind)
        engine.receive("a")
        var first = stream.makeAsyncIterator()
        #expect(try await first.next() == Data("a".utf8))
        #expect(await thrown { try await stream.collected() } == "unsupported")
        engine.receive("b")
        #expect(try await first.next() == Data("b".utf8))
    }

    @Test(arguments: Kind.allCases) func releasingAnUnreadStreamEndsIt(kind: Kind) async throws {
        let engine = ScriptedEngine(kind)
        _ = try await engine.stream(.scripted(.get, .stream))
        #expect(engine.isOver)
        #expect(engine.stops == 1)
        engine.receive("a")
        #expect(!engine.shouldPause)
        engine.finish()
    }

    @Test(arguments: Kind.allCases) func leavingTheLoopEndsIt(kind: Kind) async throws {
        let (engine, stream) = try await open(kind)
        func readOne() async throws { for try await _ in stream { break } }
        engine.receive("a")
        engine.receive("b")
        #expect(!engine.isOver)
        try await readOne()
        #expect(engine.isOver)
        #expect(engine.stops == 1)
    }

    @Test(arguments: Kind.allCases, [[], ["a"]])
    func cancellingTheReaderEndsItWithAnError(kind: Kind, pieces: [String]) async throws {
        let (engine, stream) = try await open(kind)
        for piece in pieces { engine.receive(piece) }
        let reading = Task { await Outcome(of: stream) }
        for _ in 0..<50 { await Task.yield() }
        reading.cancel()
        #expect(await reading.value.failure == "CancellationError()")
        #expect(engine.isOver)
        #expect(engine.stops == 1)
        engine.finish()
    }

    @Test(arguments: Kind.allCases) func cancelAfterTheHeadLeavesTheStream(kind: Kind) async throws {
        let (engine, task) = await begin(kind, .scripted(.get, .stream))
        engine.receive()
        let stream = try await task.value.body.bytes
        task.cancel()
        #expect(!engine.isOver)
        engine.receive("a")
        engine.finish()
        #expect(try await stream.data(upTo: 1) == Data("a".utf8))
    }

    @Test(arguments: Kind.allCases) func limitDoesNotApplyToBytesThatAreRead(kind: Kind) async throws {
        let (engine, task) = await begin(kind, .scripted(.get, .stream, limit: 5))
        engine.receive(200, [.contentLength: "\(Int.max)"])
        var iterator = try await task.value.body.bytes.makeAsyncIterator()
        for _ in 0..<10 {
            engine.receive("123")
            engine.receive(Data())
            engine.receive("45")
            #expect(try await iterator.next() == Data("12345".utf8))
        }
        engine.receive("one piece may be longer")
        #expect(try await iterator.next() == Data("one piece may be longer".utf8))
        engine.finish()
        #expect(try await iterator.next() == nil)
    }

    /// One piece may be larger than the limit, and so may be the one at which an engine should pause.
    @Test(
        arguments: [
            (Kind.unpausing, 5, ["123", "45"], "6"), (.unpausing, 0, ["1234"], "5"), (.unpausing, -1, ["1234"], "5"),
            (.pausing, 5, ["123", "45"], "6"), (.pausing, 5, ["123", "456"], "7"), (.pausing, 0, ["1234"], "5"),
        ] as [(Kind, Int, [String], String)])
    func unreadBytesAboveTheLimitFail(
        kind: Kind, limit: Int, pieces: [String], last: String
    ) async throws {
        let (engine, stream) = try await open(kind, .scripted(.get, .stream, limit: limit))
        for piece in pieces { engine.receive(piece) }
        #expect(!engine.isOver)
        engine.receive(last)
        #expect(engine.isOver)
        #expect(engine.stops == 1)
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == Data(pieces.joined().utf8))
        let error = await #expect(throws: TransportError.self) { try await iterator.next() }
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.message?.contains("more than \(limit) bytes") == true)
        #expect(error?.url == engine.exchange.request.url)
    }

    // The threshold is 256 KB, but no higher than the limit.
    @Test(arguments: [(nil, 64 << 10), (1 << 20, 64 << 10), (4, 1)] as [(Int?, Int)])
    func pausesAtTheThresholdAndResumesOnceTheBytesAreRead(limit: Int?, count: Int) async throws {
        let (engine, stream) = try await open(.pausing, .scripted(.get, .stream, limit: limit))
        var iterator = stream.makeAsyncIterator()
        for round in 1...2 {
            for _ in 0..<3 {
                engine.receive(Data(count: count))
                #expect(!engine.shouldPause)
            }
            engine.receive(Data(count: count))
            #expect(engine.shouldPause)
            #expect(try await iterator.next()?.count == 4 * count)
            #expect(!engine.shouldPause)
            #expect(engine.resumes == round)
        }
        engine.finish()
        #expect(try await iterator.next() == nil)
    }

    /// An engine that cannot pause is not asked to. One that can may take a while.
    @Test(arguments: Kind.allCases) func piecesMayArriveDuringAPause(kind: Kind) async throws {
        let (engine, stream) = try await open(kind, .scripted(.get, .stream, limit: kind == .pausing ? 1 << 20 : nil))
        for _ in 0..<10 {
            engine.receive(Data(count: 100_000))
            #expect(!engine.shouldPause || kind == .pausing)
        }
        #expect(engine.shouldPause == (kind == .pausing))
        engine.finish()
        #expect(try await stream.data(upTo: .max).count == 1_000_000)
        #expect(engine.resumes == 0)
    }

    @Test(arguments: [true, false]) func pauseEndsWithTheExchange(isWhole: Bool) async throws {
        let (engine, stream) = try await open(.pausing, .scripted(.get, .stream, limit: 3))
        engine.receive("abc")
        #expect(engine.shouldPause)
        isWhole ? engine.finish() : engine.fail(Trouble())
        #expect(!engine.shouldPause)
        let outcome = await Outcome(of: stream)
        #expect(outcome.elements == [Data("abc".utf8)])
        #expect(outcome.failure == (isWhole ? nil : "Trouble()"))
        #expect(engine.resumes == 0)
    }
}
