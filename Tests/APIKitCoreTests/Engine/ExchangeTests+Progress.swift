import APIKitCore
import APIKitTesting
import Dispatch
import Foundation
import TestSupport
import Testing

/// Reports that do not return until they are released; the first of them has begun.
final class SlowReports: Sendable {
    let reports = Recorder<TransferProgress>()
    let begun = Signal()
    private let gate = DispatchSemaphore(value: 0)

    @Sendable func report(_ progress: TransferProgress) {
        if reports.append(progress) > 1 { return }
        begun.fire()
        gate.wait()
    }

    func release() { gate.signal() }
}

/// Progress, timestamps and the timeout.
extension ExchangeTests {
    // MARK: - Progress

    @Test(arguments: Kind.allCases) func lastReportComesBeforeTheResponse(kind: Kind) async throws {
        for _ in 0..<100 {
            let reports = Recorder<TransferProgress>()
            let body = RequestBody.data(Data(count: 5), contentType: nil)
            let (engine, task) = await begin(kind, .scripted(.post, body: body, progress: { reports.append($0) }))
            engine.sent(2)
            engine.sent(5)
            engine.answer(200, [.contentLength: "4"], body: "ab", "cd")
            _ = try await task.value
            let last = TransferProgress(bytesSent: 5, totalBytesToSend: 5, bytesReceived: 4, totalBytesToReceive: 4)
            #expect(reports.values.last == last)
        }
    }

    /// The report of each event of a request.
    private func reports(of request: ScriptedRequest, _ events: [(ScriptedEngine) -> Void]) async -> [TransferProgress]
    {
        let (reports, source) = AsyncStream.makeStream(of: TransferProgress.self)
        var request = request
        request.progress = { source.yield($0) }
        let (engine, task) = await begin(.unpausing, request)
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

    @Test func reportsEachEvent() async {
        let body = RequestBody.stream(length: nil, contentType: nil) { Chunks(chunks: []) }
        let head: (ScriptedEngine) -> Void = { $0.receive(200, [.contentLength: "4"]) }
        let events = await reports(
            of: .scripted(.put, body: body), [{ $0.sent(0) }, { $0.sent(5) }, head, { $0.receive("abc") }])
        #expect(
            events == [
                TransferProgress(bytesSent: 0), TransferProgress(bytesSent: 5),
                TransferProgress(bytesSent: 5, totalBytesToReceive: 4),
                TransferProgress(bytesSent: 5, bytesReceived: 3, totalBytesToReceive: 4),
            ])
        // No more bytes are sent than there are.
        let five = RequestBody.data(Data(count: 5), contentType: nil)
        let last = await reports(of: .scripted(.put, body: five), [{ $0.sent(9) }])
        #expect(last == [TransferProgress(bytesSent: 5, totalBytesToSend: 5)])
    }

    @Test(
        arguments: [
            ([.contentLength: "9"], 9), ([.contentLength: "0"], 0), ([:], nil),
            ([.contentLength: "9", .contentEncoding: "gzip"], nil), ([.contentLength: "3, 3"], 3),
            ([.contentLength: "9", .contentEncoding: "identity"], 9),
            ([.contentLength: "9", .contentEncoding: "Identity"], 9),
            ([.contentLength: "9", .transferEncoding: "chunked"], nil),
        ] as [(HTTPHeaders, Int?)])
    func reportsTheTotalOnceItIsKnown(headers: HTTPHeaders, total: Int?) async {
        let reports = await reports(of: .scripted(), [{ $0.receive(200, headers) }, { $0.receive("abc") }])
        #expect(reports.map(\.totalBytesToReceive) == [total, total])
    }

    @Test func totalOfACompressedBodyIsKnownAtItsEnd() async throws {
        let reports = Recorder<TransferProgress>()
        let (engine, task) = await begin(.unpausing, .scripted(progress: { reports.append($0) }))
        engine.answer(200, [.contentLength: "2", .contentEncoding: "gzip"], body: "abcdef")
        _ = try await task.value
        #expect(reports.values.last?.totalBytesToReceive == 6)
        #expect(reports.values.last?.fractionReceived == 1)
        #expect(reports.values.dropLast(2).allSatisfy { $0.totalBytesToReceive == nil })
    }

    // MARK: - Slow reports

    @Test(arguments: Kind.allCases) func cancelDoesNotWaitForAReport(kind: Kind) async throws {
        for delivery in [ResponseBody.Delivery.data, .file] {
            let slow = SlowReports()
            let (engine, task) = await begin(kind, .scripted(.get, delivery, progress: slow.report))
            engine.sent(0)
            await slow.begun.wait()
            engine.answer()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            slow.release()
        }
    }

    @Test(arguments: Kind.allCases) func eventsAfterTheLastByteAreIgnored(kind: Kind) async throws {
        let slow = SlowReports()
        let (engine, task) = await begin(kind, .scripted(timeout: .nanoseconds(1), progress: slow.report))
        engine.sent(0)
        await slow.begun.wait()
        engine.answer(body: "abc")
        // The last report waits for the first.
        engine.fail(TransportError(.connectionLost))
        engine.exchange.checkTimeout()
        engine.answer(500, body: "later")
        slow.release()
        #expect(try await task.value.body.data == Data("abc".utf8))
        #expect(engine.stops == 0)
    }

    @Test(
        arguments: [
            ("bytes 5-9/10", 5, 10), ("bytes 5-7/10", 5, 10), ("bytes 5-9/*", 5, nil), ("bytes 6-9/10", 0, 5),
            ("bytes x", 0, 5), (nil, 0, 5),
        ] as [(String?, Int, Int?)])
    func progressOfResumedDownloadContinues(range: String?, start: Int, total: Int?) async throws {
        let headers: HTTPHeaders = [.contentRange: range, .contentLength: "5"]
        var request = ScriptedRequest.scripted()
        // Of a range that continues nothing, its bytes alone are counted.
        request.headers[.range] = "bytes=5-"
        let part = await reports(of: request, [{ $0.receive(206, headers) }])
        #expect(part == [TransferProgress(totalBytesToSend: 0, totalBytesToReceive: 5)])
        request.headers[.ifRange] = "\"1\""
        let rest = await reports(of: request, [{ $0.receive(206, headers) }, { $0.receive("x") }])
        #expect(rest.map(\.bytesReceived) == [start, start + 1])
        #expect(rest.map(\.totalBytesToReceive) == [total, total])
    }

    @Test func rangeNearLargestNumberIsCounted() async throws {
        var request = ScriptedRequest.scripted()
        request.headers[.range] = "bytes=\(Int.max - 1)-"
        request.headers[.ifRange] = "\"1\""
        let headers: HTTPHeaders = [.contentRange: "bytes \(Int.max - 1)-\(Int.max - 1)/*"]
        let rest = await reports(of: request, [{ $0.receive(206, headers) }, { $0.receive("abc") }])
        #expect(rest.map(\.bytesReceived) == [Int.max - 1, Int.max])
    }

    @Test func dropsIntermediateProgressReports() async throws {
        let slow = SlowReports()
        let (engine, task) = await begin(.unpausing, .scripted(progress: slow.report))
        engine.sent(0)
        await slow.begun.wait()
        engine.receive(200, [.contentLength: "100"])
        for _ in 0..<100 { engine.receive("x") }
        engine.finish()
        #expect(slow.reports.values.count == 1)
        slow.release()
        #expect(try await task.value.body.data?.count == 100)
        #expect(
            slow.reports.values == [
                TransferProgress(totalBytesToSend: 0),
                TransferProgress(totalBytesToSend: 0, bytesReceived: 100, totalBytesToReceive: 100),
            ])
    }

    @Test func slowReportDelaysNoOtherExchangeAndNoFailure() async throws {
        let slow = SlowReports()
        let (engine, task) = await begin(.unpausing, .scripted(progress: slow.report))
        engine.receive()
        await slow.begun.wait()
        let reports = Recorder<TransferProgress>()
        let other = ScriptedEngine(.unpausing)
        let otherTask = await other.start(.scripted(progress: { reports.append($0) }))
        other.answer(body: "abc")
        #expect(try await otherTask.value.body.data?.count == 3)
        #expect(reports.values.last?.bytesReceived == 3)
        engine.fail(Trouble())
        #expect(await thrown { try await task.value } == "Trouble")
        slow.release()
    }

    @Test(arguments: Kind.allCases) func slowReportDelaysNoPieceOfAStream(kind: Kind) async throws {
        let slow = SlowReports()
        let (engine, stream) = try await open(kind, .scripted(.get, .stream, progress: slow.report))
        await slow.begun.wait()
        var iterator = stream.makeAsyncIterator()
        engine.receive("abc")
        #expect(try await iterator.next() == Data("abc".utf8))
        engine.finish()
        #expect(engine.isOver)
        slow.release()
        #expect(try await iterator.next() == nil)
        #expect(slow.reports.values.last?.totalBytesToReceive == 3)
    }

    @Test(arguments: Kind.allCases) func recordsTheTimeOfEachStep(kind: Kind) async throws {
        let clock = ManualClock()
        let engine = ScriptedEngine(kind)
        var request = ScriptedRequest.scripted(.post)
        request.clock = clock
        let task = await engine.start(request)
        clock.advance(by: .seconds(1))
        engine.sent(1)
        clock.advance(by: .seconds(1))
        engine.sent(2)
        clock.advance(by: .seconds(1))
        engine.receive()
        clock.advance(by: .seconds(1))
        engine.receive("abc")
        clock.advance(by: .seconds(1))
        engine.finish()
        let timing = try await task.value.timing
        #expect(timing == HTTPResponse.Timing(sent: .seconds(2), firstByte: .seconds(3), finished: .seconds(5)))
    }

    // MARK: - The timeout

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min), .nanoseconds(1)])
    func failsIfNothingHappensWithinTheTimeout(timeout: Duration) async throws {
        let (engine, task) = await begin(.pausing, .scripted(timeout: timeout))
        spin(for: .microseconds(10))
        // A loaded machine may look late.
        while engine.exchange.checkTimeout() > .zero {}
        #expect(engine.isOver)
        #expect(engine.stops == 1)
        let error = try await #require(throws: TransportError.self) { try await task.value }
        #expect(error.code == .timedOut)
        #expect(error.description.contains("no data received for \(timeout)"))
        #expect(error.url == engine.exchange.request.url)
    }

    @Test(arguments: [Duration.seconds(60), .seconds(Int64.max), .seconds(1 << 40)])
    func saysWhenToCheckTheTimeoutAgain(timeout: Duration) async {
        let (engine, task) = await begin(.pausing, .scripted(timeout: timeout))
        let left = engine.exchange.checkTimeout()
        #expect(left > .seconds(1) && left < timeout)
        // An event loop takes a number of nanoseconds.
        #expect(left.components.seconds < Int64.max / 1_000_000_000)
        #expect(!engine.isOver)
        task.cancel()
    }

    @Test func eachEventRestartsTheTimeout() async {
        let timeout = Duration.seconds(60)
        let (engine, task) = await begin(.pausing, .scripted(timeout: timeout))
        let events: [() -> Void] = [{ engine.sent(0) }, { engine.receive() }, { engine.receive("a") }]
        for event in events {
            spin(for: .milliseconds(1))
            let before = ContinuousClock.now
            event()
            #expect(engine.exchange.checkTimeout() >= timeout - before.duration(to: .now))
        }
        task.cancel()
    }

    /// Such as what an empty member of gzip decodes to.
    @Test func emptyPieceDoesNotRestartTheTimeout() async throws {
        let timeout = Duration.seconds(60)
        let (engine, task) = await begin(.pausing, .scripted(timeout: timeout))
        engine.receive()
        spin(for: .milliseconds(5))
        engine.receive(Data())
        #expect(engine.exchange.checkTimeout() <= timeout - .milliseconds(5))
        task.cancel()
    }

    /// For example because the process was stopped.
    @Test func engineThatLooksLateMayReadFirst() async throws {
        let (engine, task) = await begin(.pausing, .scripted(timeout: .milliseconds(100)))
        engine.receive()
        #expect(engine.exchange.checkTimeout() > .zero)
        spin(for: .milliseconds(200))
        #expect(engine.exchange.checkTimeout() > .zero)
        engine.receive("abc")
        engine.finish()
        #expect(try await task.value.body.data == Data("abc".utf8))
    }

    @Test func lateEngineWithoutBytesTimesOut() async throws {
        let (engine, task) = await begin(.pausing, .scripted(timeout: .milliseconds(20)))
        spin(for: .milliseconds(100))
        while engine.exchange.checkTimeout() > .zero {}
        #expect(await thrown { try await task.value } == "timedOut")
    }

    @Test func timeoutDoesNotRunDuringAPause() async throws {
        let timeout = Duration.milliseconds(20)
        let (engine, stream) = try await open(.pausing, .scripted(.get, .stream, timeout: timeout, limit: 4))
        var iterator = stream.makeAsyncIterator()
        engine.receive("ab")
        engine.receive("cd")
        #expect(engine.shouldPause)
        spin(for: .milliseconds(25))
        #expect(engine.exchange.checkTimeout() == timeout)
        #expect(!engine.isOver)
        let before = ContinuousClock.now
        _ = try await iterator.next()
        #expect(!engine.shouldPause)
        #expect(engine.exchange.checkTimeout() >= timeout - before.duration(to: .now))
    }

    @Test func timeoutOfZeroAsksForACheckAfterAPause() async throws {
        let (engine, stream) = try await open(.pausing, .scripted(.get, .stream, timeout: .zero, limit: 1))
        engine.receive("a")
        #expect(engine.exchange.checkTimeout() > .zero)
        engine.finish()
        #expect(try await stream.data(upTo: 1) == Data("a".utf8))
    }

    @Test(arguments: Kind.allCases) func timeoutRunsWhileTheServerSendsNothingToAReader(kind: Kind) async throws {
        let (engine, stream) = try await open(kind, .scripted(.get, .stream, timeout: .nanoseconds(1)))
        // Fewer than have an engine pause.
        engine.receive("a")
        // A loaded machine may look late.
        while engine.exchange.checkTimeout() > .zero {}
        #expect(engine.isOver)
        let outcome = await Outcome(of: stream)
        #expect(outcome.elements == [Data("a".utf8)])
        #expect(outcome.failure?.contains("timedOut") == true)
    }

    @Test func timeoutIsEnforcedWithoutATimerOfTheEngine() async {
        let (engine, task) = await begin(.pausing, .scripted(timeout: .milliseconds(1)))
        await engine.exchange.enforceTimeout()
        #expect(engine.isOver)
        #expect(await thrown { try await task.value } == "timedOut")
    }

    @Test func cancelEndsTheEnforcementOfATimeout() async {
        let (engine, task) = await begin(.pausing)
        let exchange = engine.exchange
        let enforcement = Task { await exchange.enforceTimeout() }
        enforcement.cancel()
        await enforcement.value
        #expect(!engine.isOver)
        task.cancel()
    }
}
