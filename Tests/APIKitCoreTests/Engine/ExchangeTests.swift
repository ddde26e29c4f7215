import APIKitCore
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct ExchangeTests {
    private struct Trouble: Error {}

    // MARK: - Answers

    @Test(arguments: [[], ["abc"], ["a", "", "bc"]])
    func answersWithTheWholeBody(pieces: [String]) async throws {
        let engine = ToldEngine(.told())
        let task = await engine.begin()
        #expect(!engine.isOver)
        engine.receive(201, ["X-A": "1"])
        for piece in pieces { engine.receive(piece) }
        #expect(!engine.isOver)
        #expect(!engine.isAheadOfReader)
        engine.finish()
        #expect(engine.isOver)
        let response = try await task.value
        #expect(response.head.status == 201)
        #expect(response.head.headers["X-A"] == "1")
        #expect(response.head.url == engine.request.url)
        #expect(response.body.data == Data(pieces.joined().utf8))
        #expect(engine.sends.values == ["GET"])
    }

    @Test func aSliceOfABufferIsTakenAsItIs() async throws {
        let engine = ToldEngine(.told())
        let task = await engine.begin()
        engine.receive()
        for _ in 0..<2 { engine.tell { $0.receive(Data("xabx".utf8)[1..<3]) } }
        engine.finish()
        #expect(try await task.value.body.data == Data("abab".utf8))
    }

    @Test(
        arguments: [(HTTPMethod.head, 200), (.get, 304), (.get, 204), (.head, 404)],
        [ResponseBody.Delivery.data, .stream, .file])
    func aLengthWithoutABodyIsNoClaim(_ answer: (method: HTTPMethod, status: Int), delivery: ResponseBody.Delivery)
        async throws
    {
        let reports = Recorder<TransferProgress>()
        let engine = ToldEngine(.told(answer.method, delivery, limit: 5, progress: { reports.append($0) }))
        let task = await engine.begin()
        engine.receive(answer.status, [.contentLength: "1000"])
        engine.finish()
        #expect(try await task.value.body.bytes.data(upTo: 5).isEmpty)
        #expect(reports.values.allSatisfy { $0.totalBytesToReceive ?? 0 == 0 })
    }

    @Test(arguments: [ResponseBody.Delivery.stream, .file])
    func aRefusedStatusIsDeliveredAsData(delivery: ResponseBody.Delivery) async throws {
        let engine = ToldEngine(.told(.get, delivery))
        let task = await engine.begin()
        engine.receive(404)
        engine.receive("gone")
        #expect(!engine.isAheadOfReader)
        engine.finish()
        #expect(try await task.value.body.data == Data("gone".utf8))
    }

    // MARK: - Limits

    private static let bodies: [(Int?, String?, [String], Bool)] = [
        (3, nil, ["abc"], true), (3, "3", ["ab", "c"], true), (3, nil, ["ab", "cd"], false),
        (3, nil, ["abcd"], false), (3, "2", ["abcd"], false), (0, "0", [], true), (0, nil, ["a"], false),
        (nil, "9223372036854775807", ["abc"], true),
    ]

    @Test(arguments: bodies)
    func aBodyMayBeAsLargeAsTheLimit(limit: Int?, length: String?, pieces: [String], isWhole: Bool) async {
        let engine = ToldEngine(.told(limit: limit))
        let task = await engine.begin()
        engine.receive(200, [.contentLength: length])
        #expect(!engine.isOver)
        for piece in pieces { engine.receive(piece) }
        #expect(engine.isOver != isWhole)
        engine.finish()
        #expect(await thrown { try await task.value } == (isWhole ? nil : "bodyTooLarge"))
    }

    @Test(arguments: ["4", "\(Int.max)"])
    func aLengthPastTheLimitEndsItBeforeTheBody(length: String) async throws {
        let engine = ToldEngine(.told(limit: 3))
        let task = await engine.begin()
        engine.receive(200, [.contentLength: length])
        #expect(engine.isOver)
        let error = try await #require(throws: TransportError.self) { try await task.value }
        #expect(error.code == .bodyTooLarge)
        #expect(error.description.contains("3 bytes"))
        #expect(error.url == engine.request.url)
    }

    @Test(
        arguments: ["-5", "+5", "1e1", "0x2", "5 5", "5, 2", "99999999999999999999", "٣"],
        [ResponseBody.Delivery.data, .stream])
    func refusesALengthThatIsNotANumberOfBytes(length: String, delivery: ResponseBody.Delivery) async throws {
        let engine = ToldEngine(.told(.get, delivery))
        let task = await engine.begin()
        engine.receive(200, [.contentLength: length])
        #expect(engine.isOver)
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .badResponse)
        #expect(error?.description.contains("invalid Content-Length") == true)
    }

    // RFC 9112, section 6.3.
    @Test(arguments: ["-5", "5, 2", "1000", "1"])
    func aTransferEncodingOverridesTheLength(length: String) async throws {
        let engine = ToldEngine(.told(limit: 3))
        let task = await engine.begin()
        engine.receive(200, [.contentLength: length, .transferEncoding: "chunked"])
        #expect(!engine.isOver)
        #expect(engine.tell { $0.bodyLength } == nil)
        engine.receive("abc")
        engine.finish()
        #expect(try await task.value.body.data == Data("abc".utf8))
    }

    @Test(arguments: [["3", "3"], ["3, 3"], [" 3 "]])
    func acceptsALengthThatIsRepeated(lengths: [String]) async throws {
        let engine = ToldEngine(.told())
        let task = await engine.begin()
        engine.receive(200, HTTPHeaders(lengths.map { .init(name: .contentLength, value: $0) }))
        #expect(engine.tell { $0.bodyLength } == 3)
        engine.receive("abc")
        engine.finish()
        #expect(try await task.value.body.data == Data("abc".utf8))
    }

    @Test func aLengthOfABodyThatDoesNotComeIsIgnored() async throws {
        let engine = ToldEngine(.told(.head))
        let task = await engine.begin()
        engine.receive(200, [.contentLength: "99999999999999999999"])
        engine.finish()
        #expect(try await task.value.body.data == Data())
    }

    @Test func theLimitIsThatOfARefusedAnswerToo() async {
        let engine = ToldEngine(.told(.get, .stream, limit: 3))
        let task = await engine.begin()
        engine.receive(500)
        engine.receive("abcd")
        #expect(await thrown { try await task.value } == "bodyTooLarge")
    }

    // MARK: - Failures

    @Test func whatItFailsWithIsThrown() async {
        let errors: [(any Error, String)] = [
            (TransportError(.connectionLost), "connectionLost"), (CancellationError(), "CancellationError"),
            (Trouble(), "Trouble"),
        ]
        for (error, name) in errors {
            for hasHead in [false, true] {
                let engine = ToldEngine(.told())
                let task = await engine.begin()
                if hasHead {
                    engine.receive()
                    engine.receive("abc")
                }
                engine.fail(error)
                #expect(engine.isOver)
                #expect(await thrown { try await task.value } == name)
            }
        }
    }

    @Test func anEndWithoutAHeadIsABadResponse() async throws {
        let engine = ToldEngine(.told())
        let task = await engine.begin()
        engine.finish()
        #expect(engine.isOver)
        let error = try await #require(throws: TransportError.self) { try await task.value }
        #expect(error.code == .badResponse)
        #expect(error.url == engine.request.url)
    }

    // MARK: - After the end

    /// Each way to end, and what it ends with; what comes behind would say something else.
    private static let endings: [(name: String, end: @Sendable (ToldEngine) -> Void, result: String?)] = [
        ("finish", { $0.finish() }, nil),
        ("fail", { $0.fail(Trouble()) }, "Trouble"),
        ("limit", { $0.receive(String(repeating: "x", count: 20)) }, "bodyTooLarge"),
        ("silence", { $0.tell { _ = $0.checkSilence() } }, "timedOut"),
    ]

    @Test(arguments: 0..<4)
    func whatHappensAfterTheEndMeansNothing(ending: Int) async throws {
        let (name, end, result) = Self.endings[ending]
        let engine = ToldEngine(.told(timeout: name == "silence" ? .zero : .seconds(60), limit: 10))
        let task = await engine.begin()
        engine.receive(200)
        engine.receive("abc")
        end(engine)
        for _ in 0..<2 {
            engine.finish()
            engine.fail(TransportError(.connectionLost))
            engine.receive(500, [.contentLength: "1000"])
            engine.receive("later")
            engine.tell { exchange in
                exchange.sent(5)
                _ = exchange.checkSilence()
                #expect(exchange.isOver)
                #expect(!exchange.isAheadOfReader)
                #expect(!exchange.mayRepeat)
            }
        }
        task.cancel()
        let answer = await task.result
        #expect(await thrown { try answer.get() } == result)
        if case .success(let response) = answer {
            #expect(response.head.status == 200)
            #expect(response.body.data == Data("abc".utf8))
        }
    }

    // MARK: - Cancelling

    @Test func aTaskThatIsCancelledBeforeItBeginsSendsNothing() async {
        let engine = ToldEngine(.told())
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await engine.answer()
        }
        #expect(await thrown { try await task.value } == "CancellationError")
        #expect(engine.sends.values.isEmpty)
    }

    @Test func whatFailsBeforeItBeginsIsThrown() async {
        let engine = ToldEngine(.told())
        engine.fail(Trouble())
        #expect(await thrown { try await engine.answer() } == "Trouble")
    }

    @Test(arguments: [ResponseBody.Delivery.data, .file], [0, 1, 2])
    func aCancelEndsItAtOnce(delivery: ResponseBody.Delivery, events: Int) async {
        let engine = ToldEngine(.told(.get, delivery))
        let task = await engine.begin()
        if events > 0 { engine.receive() }
        if events > 1 { engine.receive("abc") }
        task.cancel()
        #expect(await thrown { try await task.value } == "CancellationError")
        #expect(engine.isOver)
        engine.finish()
    }

    @Test func aHeadBehindACancelStartsNoStream() async {
        let engine = ToldEngine(.told(.get, .stream))
        let task = await engine.begin()
        task.cancel()
        engine.receive()
        engine.receive("abc")
        #expect(!engine.isAheadOfReader)
        #expect(await thrown { try await task.value } == "CancellationError")
    }

    // MARK: - Once more

    @Test(arguments: [
        (HTTPMethod.get, true), (.head, true), (.put, true), (.delete, true), (.options, true), (.trace, true),
        (.post, false), (.patch, false), ("PURGE", false), ("get", false),
    ])
    func mayBeSentOnceMoreBeforeAnAnswer(method: HTTPMethod, mayRepeat: Bool) {
        var exchange = Exchange(of: .told(method))
        #expect(exchange.mayRepeat == mayRepeat)
        #expect(!exchange.isRepeat)
        exchange.sent(0)
        #expect(exchange.mayRepeat == mayRepeat)
        var answered = exchange
        answered.receive(.init(status: 200, url: exchange.request.url), telling: { _ in })
        #expect(!answered.mayRepeat)
        var over = exchange
        over.fail(Trouble())
        #expect(!over.mayRepeat)
        exchange.sendAgain()
        #expect(exchange.isRepeat)
        #expect(!exchange.mayRepeat)
    }

    @Test func aRepeatIsAnsweredLikeTheFirst() async throws {
        let engine = ToldEngine(.told())
        let task = await engine.begin()
        engine.tell { $0.sendAgain() }
        engine.receive()
        engine.receive("abc")
        engine.finish()
        #expect(try await task.value.body.data == Data("abc".utf8))
    }
}
