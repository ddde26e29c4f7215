import APIKitCore
import Foundation
import TestSupport
import Testing

/// What an exchange makes of the events that an engine reports: of one that can have the server wait, and of one that
/// cannot.
@Suite(.timeLimit(.minutes(10))) struct ExchangeTests {
    typealias Kind = ScriptedEngine.Kind
    struct Trouble: Error {}
    static let deliveries = [ResponseBody.Delivery.data, .stream, .file]

    /// An engine that has sent a request, and the task that waits for the response.
    func begin(
        _ kind: Kind, _ request: ScriptedRequest = .scripted()
    ) async -> (ScriptedEngine, Task<HTTPResponse, any Error>) {
        let engine = ScriptedEngine(kind)
        return (engine, await engine.start(request))
    }

    /// An engine that has reported a head, and the stream of the body.
    func open(
        _ kind: Kind, _ request: ScriptedRequest = .scripted(.get, .stream)
    ) async throws -> (ScriptedEngine, ByteStream) {
        let engine = ScriptedEngine(kind)
        return (engine, try await engine.stream(request))
    }

    // MARK: - Responses

    @Test(arguments: Kind.allCases, [[], ["abc"], ["a", "", "bc"]])
    func deliversTheWholeBody(kind: Kind, pieces: [String]) async throws {
        let (engine, task) = await begin(kind)
        #expect(!engine.isOver)
        engine.receive(201, ["X-A": "1"])
        // Each is a slice of something larger.
        for piece in pieces { engine.receive(Data("x\(piece)x".utf8).dropFirst().dropLast()) }
        #expect(!engine.isOver)
        #expect(!engine.shouldPause)
        engine.finish()
        #expect(engine.isOver)
        let response = try await task.value
        #expect(response.head.status == 201)
        #expect(response.head.headers["X-A"] == "1")
        #expect(response.head.url == engine.exchange.request.url)
        #expect(response.body.data == Data(pieces.joined().utf8))
        #expect(engine.attempts.count == 1)
        #expect(engine.stops == 0)
    }

    @Test(arguments: Kind.allCases, [(HTTPMethod.head, 200), (.get, 304), (.get, 204), (.head, 404)])
    func ignoresTheLengthOfABodyThatDoesNotCome(kind: Kind, _ answer: (method: HTTPMethod, status: Int)) async throws {
        for delivery in Self.deliveries {
            for length in ["1000", "99999999999999999999"] {
                let reports = Recorder<TransferProgress>()
                let (engine, task) = await begin(
                    kind, .scripted(answer.method, delivery, limit: 5, progress: { reports.append($0) }))
                engine.answer(answer.status, [.contentLength: length])
                #expect(try await task.value.body.bytes.data(upTo: 5).isEmpty)
                #expect(reports.values.allSatisfy { $0.totalBytesToReceive ?? 0 == 0 })
            }
        }
    }

    @Test(arguments: Kind.allCases, [ResponseBody.Delivery.stream, .file])
    func deliversARefusedStatusAsData(kind: Kind, delivery: ResponseBody.Delivery) async throws {
        let (engine, task) = await begin(kind, .scripted(.get, delivery))
        engine.receive(404, body: "gone")
        #expect(!engine.shouldPause)
        engine.finish()
        #expect(try await task.value.body.data == Data("gone".utf8))
        // The limit applies to it.
        let (limited, failing) = await begin(kind, .scripted(.get, delivery, limit: 3))
        limited.receive(500, body: "abcd")
        #expect(await thrown { try await failing.value } == "bodyTooLarge")
    }

    @Test(arguments: Kind.allCases, deliveries)
    func ignoresASecondHead(kind: Kind, delivery: ResponseBody.Delivery) async throws {
        let (engine, task) = await begin(kind, .scripted(.get, delivery, limit: 100))
        engine.receive(200, body: "a")
        engine.receive(201, [.contentLength: "1000"])
        engine.answer(404, [.contentLength: "invalid"], body: "b")
        let response = try await task.value
        #expect(response.head.status == 200)
        #expect(try await response.body.bytes.data(upTo: 2) == Data("ab".utf8))
    }

    // MARK: - Limits and lengths

    private static let bodies: [(limit: Int?, length: String?, pieces: [String], isWhole: Bool)] = [
        (limit: 3, length: nil, pieces: ["abc"], isWhole: true),
        (limit: 3, length: "3", pieces: ["ab", "c"], isWhole: true),
        (limit: 3, length: nil, pieces: ["ab", "cd"], isWhole: false),
        (limit: 3, length: nil, pieces: ["abcd"], isWhole: false),
        (limit: 3, length: "2", pieces: ["abcd"], isWhole: false),
        (limit: 0, length: "0", pieces: [], isWhole: true),
        (limit: 0, length: nil, pieces: ["a"], isWhole: false),
        (limit: nil, length: "9223372036854775807", pieces: ["abc"], isWhole: true),
        (limit: -1, length: nil, pieces: ["a"], isWhole: false),
    ]

    @Test(arguments: Kind.allCases, bodies) func bodyMayBeAsLargeAsTheLimit(
        kind: Kind, _ body: (limit: Int?, length: String?, pieces: [String], isWhole: Bool)
    ) async {
        let (engine, task) = await begin(kind, .scripted(limit: body.limit))
        engine.receive(200, [.contentLength: body.length])
        #expect(!engine.isOver)
        for piece in body.pieces { engine.receive(piece) }
        #expect(engine.isOver != body.isWhole)
        engine.finish()
        #expect(await thrown { try await task.value } == (body.isWhole ? nil : "bodyTooLarge"))
        #expect(engine.stops == (body.isWhole ? 0 : 1))
    }

    @Test(arguments: Kind.allCases, ["4", "\(Int.max)"])
    func lengthAboveTheLimitFailsBeforeTheBody(kind: Kind, length: String) async throws {
        let (engine, task) = await begin(kind, .scripted(limit: 3))
        engine.receive(200, [.contentLength: length])
        #expect(engine.isOver)
        #expect(engine.stops == 1)
        let error = try await #require(throws: TransportError.self) { try await task.value }
        #expect(error.code == .bodyTooLarge)
        #expect(error.description.contains("3 bytes"))
        #expect(error.url == engine.exchange.request.url)
    }

    @Test(
        arguments: Kind.allCases,
        ["-5", "+5", "1e1", "0x2", "5 5", "5, 2", "99999999999999999999", "٣", "", "5,", ",5", "5,,5", ","])
    func refusesAnInvalidLength(kind: Kind, length: String) async throws {
        for delivery in Self.deliveries {
            let (engine, task) = await begin(kind, .scripted(.get, delivery))
            engine.receive(200, [.contentLength: length])
            #expect(engine.isOver)
            let error = await #expect(throws: TransportError.self) { try await task.value }
            #expect(error?.code == .badResponse)
            #expect(error?.description.contains("invalid Content-Length") == true)
        }
    }

    // RFC 9112, section 6.3: a Transfer-Encoding overrides the length.
    @Test(
        arguments: Kind.allCases,
        ["-5", "5, 2", "1000", "1"].map { [.contentLength: $0, .transferEncoding: "chunked"] }
            + [["3", "3"], ["3, 3"], [" 3 "]].map { HTTPHeaders($0.map { .init(name: .contentLength, value: $0) }) })
    func acceptsALengthThatIsOverriddenOrRepeated(kind: Kind, headers: HTTPHeaders) async throws {
        let (engine, task) = await begin(kind, .scripted(limit: 3))
        engine.receive(200, headers)
        #expect(!engine.isOver)
        engine.receive("abc")
        engine.finish()
        #expect(try await task.value.body.data == Data("abc".utf8))
    }

    @Test(
        arguments: [
            ("gzip", ["gzip"], true), ("x-gzip", ["gzip"], true), ("GZIP", ["gzip"], true), ("br", ["gzip"], false),
            ("gzip, br", ["gzip"], false), ("gzip, br", ["gzip", "br"], true), ("identity", [], true), ("", [], true),
            ("gzip", [], false), ("br", nil, true),
        ] as [(String, Set<String>?, Bool)])
    func refusesACodingThatTheEngineCannotDecode(coding: String, decoded: Set<String>?, isAccepted: Bool) async throws {
        let (engine, task) = await begin(.unpausing)
        let headers: HTTPHeaders = [.contentEncoding: coding]
        engine.exchange.receive(
            .init(status: 200, headers: headers, url: engine.exchange.request.url), decoding: decoded)
        engine.receive("abc")
        engine.finish()
        guard !isAccepted else {
            #expect(try await task.value.body.data == Data("abc".utf8))
            return
        }
        let error = try await #require(throws: TransportError.self) { try await task.value }
        #expect(error.code == .badResponse)
        #expect(error.message?.contains("which this engine cannot decode") == true)
        #expect(engine.stops == 1)
    }

    @Test(
        arguments: [
            (.head, 200, "5"), (.get, 204, nil), (.get, 304, "5"), (.get, 200, "0"),
        ] as [(HTTPMethod, Int, String?)])
    func ignoresTheCodingOfABodyThatDoesNotCome(method: HTTPMethod, status: Int, length: String?) async throws {
        let (engine, task) = await begin(.unpausing, .scripted(method))
        let headers: HTTPHeaders = [.contentEncoding: "br", .contentLength: length]
        engine.exchange.receive(.init(status: status, headers: headers, url: engine.exchange.request.url), decoding: [])
        engine.finish()
        #expect(try await task.value.body.data == Data())
    }

    @Test(arguments: Kind.allCases, [ResponseBody.Delivery.data, .file])
    func throwsWhatTheEngineReports(kind: Kind, delivery: ResponseBody.Delivery) async {
        let errors: [(any Error, String)] = [
            (TransportError(.other), "other"), (CancellationError(), "CancellationError"), (Trouble(), "Trouble"),
        ]
        for (error, name) in errors {
            for hasHead in [false, true] {
                let (engine, task) = await begin(kind, .scripted(.get, delivery))
                if hasHead { engine.receive(body: "abc") }
                engine.fail(error)
                #expect(engine.isOver)
                #expect(engine.stops == 1)
                #expect(await thrown { try await task.value } == name)
            }
        }
    }

    @Test func failureGetsTheRequestUnlessItHasItsOwn() async throws {
        let other = try #require(URL(string: "https://other.example.com"))
        for (failure, url) in [
            (TransportError(.other), ScriptedRequest.scripted().url), (TransportError(.other, url: other), other),
        ] {
            let (engine, task) = await begin(.pausing, .scripted(.post))
            engine.fail(failure)
            let error = try await #require(throws: TransportError.self) { try await task.value }
            #expect(error.url == url)
            #expect(error.method == .post)
        }
    }

    @Test(arguments: Kind.allCases) func endWithoutAHeadIsABadResponse(kind: Kind) async throws {
        let (engine, task) = await begin(kind)
        engine.receive("abc")
        engine.finish()
        #expect(engine.isOver)
        let error = try await #require(throws: TransportError.self) { try await task.value }
        #expect(error.code == .badResponse)
        #expect(error.url == engine.exchange.request.url)
    }

    enum Ending: CaseIterable { case finished, failed, tooLarge, timedOut }

    @Test(arguments: Kind.allCases, Ending.allCases)
    func ignoresEventsAfterTheEnd(kind: Kind, ending: Ending) async throws {
        let timeout = ending == .timedOut ? Duration.zero : .seconds(60)
        let (engine, task) = await begin(kind, .scripted(timeout: timeout, limit: 10))
        engine.receive(200, body: "abc")
        switch ending {
        case .finished: engine.finish()
        case .failed: engine.fail(Trouble())
        case .tooLarge: engine.receive(String(repeating: "x", count: 20))
        case .timedOut: engine.exchange.checkTimeout()
        }
        for _ in 0..<2 {
            engine.finish()
            engine.exchange.fail(TransportError(.connectionLost), beforeSending: true)
            engine.receive(500, [.contentLength: "1000"], body: "later")
            engine.sent(5)
            engine.exchange.checkTimeout()
            #expect(engine.isOver)
            #expect(!engine.shouldPause)
            let begins = engine.exchange.begin { Issue.record("stopped after the end") }
            #expect(!begins)
        }
        task.cancel()
        let result = await task.result
        let expected = [Ending.failed: "Trouble", .tooLarge: "bodyTooLarge", .timedOut: "timedOut"][ending]
        #expect(await thrown { try result.get() } == expected)
        if case .success(let response) = result {
            #expect(response.head.status == 200)
            #expect(response.body.data == Data("abc".utf8))
        }
        #expect(engine.stops == (ending == .finished ? 0 : 1))
        #expect(engine.attempts.count == 1)
    }

    @Test(arguments: Kind.allCases) func cancelledTaskSendsNothing(kind: Kind) async {
        let engine = ScriptedEngine(kind)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await engine.response(to: .scripted())
        }
        #expect(await thrown { try await task.value } == "CancellationError")
        #expect(engine.attempts.isEmpty)
    }

    @Test(arguments: Kind.allCases, deliveries)
    func cancelEndsItAtOnce(kind: Kind, delivery: ResponseBody.Delivery) async {
        for events in 0...(delivery == .stream ? 0 : 2) {
            let (engine, task) = await begin(kind, .scripted(.get, delivery))
            if events > 0 { engine.receive() }
            if events > 1 { engine.receive("abc") }
            task.cancel()
            #expect(await thrown { try await task.value } == "CancellationError")
            #expect(engine.isOver)
            #expect(engine.stops == 1)
            // A head that comes later starts no stream.
            engine.receive(body: "abc")
            #expect(!engine.shouldPause)
            engine.finish()
        }
    }

    // MARK: - Engines that are faster than their caller

    /// Performs a request whose engine reports these events before its caller waits.
    private func response(
        _ kind: Kind, _ request: ScriptedRequest,
        sending events: @escaping @Sendable (ScriptedEngine) async throws -> Void
    ) async -> (ScriptedEngine, Result<HTTPResponse, any Error>) {
        let engine = ScriptedEngine(kind)
        // A task of its own, for a cancel.
        let task = Task {
            try await Exchange.response(to: request.request, in: request.call) { exchange in
                engine.send(exchange)
                try await events(engine)
            }
        }
        return (engine, await task.result)
    }

    @Test(arguments: Kind.allCases, deliveries)
    func engineMayFinishBeforeTheCallerWaits(kind: Kind, delivery: ResponseBody.Delivery) async throws {
        for hasProgress in [false, true] {
            var request = ScriptedRequest.scripted(.get, delivery)
            if hasProgress { request.progress = { _ in } }
            let (_, result) = await response(kind, request) { $0.answer(body: "abc") }
            #expect(try await result.get().body.bytes.data(upTo: 3) == Data("abc".utf8))
        }
    }

    @Test(arguments: Kind.allCases, deliveries)
    func engineMayFailBeforeTheCallerWaits(kind: Kind, delivery: ResponseBody.Delivery) async throws {
        let (engine, result) = await response(kind, .scripted(.get, delivery)) { $0.fail(Trouble()) }
        #expect(await thrown { try result.get() } == "Trouble")
        #expect(engine.stops == 1)
    }

    @Test(arguments: Kind.allCases)
    func streamThatBreaksBeforeTheCallerWaitsThrowsAfterItsPieces(kind: Kind) async throws {
        let (_, result) = await response(kind, .scripted(.get, .stream)) { engine in
            engine.receive(body: "abc")
            engine.fail(Trouble())
        }
        let outcome = await Outcome(of: try result.get().body.bytes)
        #expect(outcome.elements == [Data("abc".utf8)])
        #expect(outcome.failure == "Trouble()")
    }

    @Test(arguments: Kind.allCases, deliveries)
    func cancelBetweenSendingAndWaitingEndsIt(kind: Kind, delivery: ResponseBody.Delivery) async {
        for events in 0...2 {
            let (engine, result) = await response(kind, .scripted(.get, delivery)) { engine in
                if events > 0 { engine.receive() }
                if events > 1 { engine.receive("abc") }
                withUnsafeCurrentTask { $0?.cancel() }
            }
            #expect(await thrown { try result.get() } == "CancellationError")
            #expect(engine.isOver)
            #expect(engine.stops == 1)
        }
    }

    @Test(arguments: Kind.allCases, deliveries)
    func failureOfSendEndsWhatItBegan(kind: Kind, delivery: ResponseBody.Delivery) async throws {
        for hasHead in [false, true] {
            let closureGone = Signal()
            let engine = ScriptedEngine(kind, lease: Lease { closureGone.fire() })
            let request = ScriptedRequest.scripted(.post, delivery)
            let error = await #expect(throws: TransportError.self) {
                _ = try await Exchange.response(to: request.request, in: request.call) { exchange in
                    engine.send(exchange)
                    if hasHead { engine.receive() }
                    throw TransportError(.timedOut)
                }
            }
            #expect(error?.code == .timedOut)
            #expect(error?.url == request.url)
            #expect(engine.isOver)
            #expect(engine.stops == 1)
            await closureGone.wait()
        }
    }

    @Test func failureOfSendKeepsNoStream() async {
        weak var sent: Exchange?
        do {
            _ = try await Exchange.response(to: ScriptedRequest.scripted(.get, .stream).request, in: Call()) {
                exchange in
                sent = exchange
                exchange.receive(HTTPResponse.Head(status: 200, url: exchange.request.url))
                throw Trouble()
            }
            Issue.record("it did not throw")
        } catch {
            #expect(error is Trouble)
        }
        #expect(sent == nil)
    }
}
