import APIKitCore
import Dispatch
import Foundation
import Testing

/// What an exchange tells of its way, how long it waits, and what it lets go of.
@Suite(.timeLimit(.minutes(1))) struct ExchangeProgressTests {
    private struct Trouble: Error {}

    // MARK: - Progress

    @Test func theLastReportComesBeforeTheAnswer() async throws {
        for _ in 0..<100 {
            let reports = Recorder<TransferProgress>()
            let body = RequestBody.data(Data(count: 5), contentType: nil)
            let engine = ToldEngine(.told(.post, body: body, progress: { reports.append($0) }))
            let task = await engine.begin()
            engine.tell { $0.sent(2) }
            engine.tell { $0.sent(3) }
            engine.receive(200, [.contentLength: "4"])
            engine.receive("ab")
            engine.receive("cd")
            engine.finish()
            _ = try await task.value
            let last = TransferProgress(
                bytesSent: 5, totalBytesToSend: 5, bytesReceived: 4, totalBytesToReceive: 4)
            #expect(reports.values.last == last)
        }
    }

    @Test func theLastReportComesBeforeTheEndOfAStream() async throws {
        let reports = Recorder<TransferProgress>()
        let engine = ToldEngine(.told(.get, .stream, progress: { reports.append($0) }))
        let task = await engine.begin()
        engine.receive()
        let stream = try await task.value.body.bytes
        engine.receive("abc")
        engine.finish()
        #expect(try await stream.data(upTo: 3).count == 3)
        #expect(
            reports.values.last
                == TransferProgress(totalBytesToSend: 0, bytesReceived: 3, totalBytesToReceive: 3))
    }

    /// An answer in the making whose reports are taken one by one.
    private func steps(_ request: HTTPRequest, _ events: [(ToldEngine) -> Void]) async -> [TransferProgress] {
        let (reports, source) = AsyncStream.makeStream(of: TransferProgress.self)
        var request = request
        request.progress = { source.yield($0) }
        let engine = ToldEngine(request)
        let task = await engine.begin()
        var result: [TransferProgress] = []
        var iterator = reports.makeAsyncIterator()
        for event in events {
            event(engine)
            if let report = await iterator.next() { result.append(report) }
        }
        engine.fail(Trouble())
        _ = await task.result
        return result
    }

    @Test func eachEventIsTold() async {
        let body = RequestBody.stream(length: nil, contentType: nil) { Chunks(chunks: []) }
        let steps = await steps(
            .told(.put, body: body),
            [
                { $0.tell { $0.sent(7) } }, { $0.tell { $0.sendAgain() } }, { $0.tell { $0.sent(5) } },
                { $0.receive(200, [.contentLength: "4"]) }, { $0.receive("abc") },
            ])
        #expect(
            steps == [
                TransferProgress(bytesSent: 7), TransferProgress(bytesSent: 0), TransferProgress(bytesSent: 5),
                TransferProgress(bytesSent: 5, totalBytesToReceive: 4),
                TransferProgress(bytesSent: 5, bytesReceived: 3, totalBytesToReceive: 4),
            ])
    }

    @Test(
        arguments: [
            ("9", nil, 9), ("0", nil, 0), (nil, nil, nil), ("9", "gzip", nil), ("", nil, nil), ("9", "identity", 9),
            ("9", "Identity", 9),
        ] as [(String?, String?, Int?)])
    func theTotalIsKnownOnceItIsTold(length: String?, encoding: String?, total: Int?) async {
        let headers: HTTPHeaders = [.contentLength: length, .contentEncoding: encoding]
        let steps = await steps(.told(), [{ $0.receive(200, headers) }, { $0.receive("abc") }])
        #expect(steps.map(\.totalBytesToReceive) == [total, total])
    }

    @Test func ofACompressedAnswerTheTotalIsKnownAtItsEnd() async throws {
        let reports = Recorder<TransferProgress>()
        let engine = ToldEngine(.told(progress: { reports.append($0) }))
        let task = await engine.begin()
        engine.receive(200, [.contentLength: "2", .contentEncoding: "gzip"])
        engine.receive("abcdef")
        engine.finish()
        _ = try await task.value
        #expect(reports.values.last?.totalBytesToReceive == 6)
        #expect(reports.values.last?.fractionReceived == 1)
        #expect(reports.values.dropLast(2).allSatisfy { $0.totalBytesToReceive == nil })
    }

    // MARK: - Time

    @Test func tellsWhenWhatHappened() async throws {
        let clock = ContinuousClock()
        let engine = ToldEngine(.told(.post))
        let made = clock.now
        let task = await engine.begin()
        engine.tell { $0.sent(1) }
        let between = clock.now
        engine.tell { $0.sent(1) }
        let sent = clock.now
        engine.receive()
        let begun = clock.now
        engine.receive("abc")
        let received = clock.now
        engine.finish()
        let timing = try await task.value.timing
        #expect(try #require(timing.queued) <= made)
        #expect(try (between...sent).contains(#require(timing.sent)))
        #expect(try (sent...begun).contains(#require(timing.firstByte)))
        #expect(try (received...clock.now).contains(#require(timing.finished)))
    }

    // MARK: - Silence

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min), .nanoseconds(1)])
    func endsWhereNothingCameForTheTimeout(timeout: Duration) async throws {
        let engine = ToldEngine(.told(timeout: timeout))
        let task = await engine.begin()
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .microseconds(10) {}
        #expect(engine.tell { $0.checkSilence() } <= .zero)
        #expect(engine.isOver)
        let error = try await #require(throws: TransportError.self) { try await task.value }
        #expect(error.code == .timedOut)
        #expect(error.description.contains("no data received for \(timeout)"))
        #expect(error.url == engine.request.url)
    }

    @Test(arguments: [Duration.seconds(60), .seconds(Int64.max), .seconds(1 << 40)])
    func checksAgainOnceTheTimeoutIsOver(timeout: Duration) {
        var exchange = Exchange(of: .told(timeout: timeout))
        let left = exchange.checkSilence()
        #expect(left > .zero && left < timeout)
        #expect(left > .seconds(1))
        // What an event loop takes is a number of nanoseconds.
        #expect(left.components.seconds < Int64.max / 1_000_000_000)
        #expect(!exchange.isOver)
    }

    @Test func whatMovesStartsTheTimeoutAnew() {
        let timeout = Duration.seconds(60)
        let head = HTTPResponse.Head(status: 200, url: HTTPRequest.told().url)
        let events: [(inout Exchange) -> Void] = [
            { $0.sent(0) }, { $0.sendAgain() }, { $0.receive(head, telling: { _ in }) }, { $0.receive(Data()) },
        ]
        var exchange = Exchange(of: .told(timeout: timeout))
        for event in events {
            let start = ContinuousClock.now
            while ContinuousClock.now - start < .milliseconds(1) {}
            let before = ContinuousClock.now
            event(&exchange)
            let left = exchange.checkSilence()
            #expect(left >= timeout - (ContinuousClock.now - before))
        }
    }

    @Test func aReaderThatLetsTheServerWaitDoesNotCount() async throws {
        let timeout = Duration.milliseconds(20)
        let engine = ToldEngine(.told(.get, .stream, timeout: timeout))
        let task = await engine.begin()
        engine.receive()
        var iterator = try await task.value.body.bytes.makeAsyncIterator()
        engine.receive("a")
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .milliseconds(25) {}
        #expect(engine.tell { $0.checkSilence() } == timeout)
        #expect(!engine.isOver)
        let before = ContinuousClock.now
        _ = try await iterator.next()
        #expect(engine.tell { $0.checkSilence() } >= timeout - (ContinuousClock.now - before))
    }
}
