import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

/// Requests that are sent again.
extension ExchangeTests {
    private static let lost = TransportError(.connectionLost)

    /// What an engine reports of a request before its connection breaks.
    struct Sending: Sendable, CustomTestStringConvertible {
        var isSent = true
        var isReused: Bool?
        var beforeSending = false

        var testDescription: String {
            let connection = isReused.map { $0 ? "reused" : "new" } ?? "unknown"
            return "\(isSent ? "sent" : "unsent") over a \(connection) connection, before sending: \(beforeSending)"
        }
    }

    private static let methods: [(name: HTTPMethod, isIdempotent: Bool)] = [
        (.get, true), (.head, true), (.put, true), (.delete, true), (.options, true), (.trace, true),
        (.post, false), (.patch, false), ("PURGE", false), ("get", false),
    ]

    // RFC 9110, section 9.2.2; RFC 9112, section 9.3.1; RFC 9113, section 8.7.
    @Test(
        arguments: methods,
        [
            // Sent again whatever the method: a server may refuse what was sent.
            (Sending(isSent: false, beforeSending: true), true, true),
            (Sending(beforeSending: true), true, true),
            (Sending(isReused: false, beforeSending: true), true, true),
            // An engine that reports nothing may have sent everything.
            (Sending(isReused: true), true, false), (Sending(isSent: false, isReused: true), true, false),
            // A connection that was not kept is not known to be closed while it was idle.
            (Sending(isReused: false), false, false), (Sending(), false, false), (Sending(isSent: false), false, false),
        ])
    func sendsAgainWhatTheServerNeedNotHaveGot(
        _ method: (name: HTTPMethod, isIdempotent: Bool),
        _ row: (sending: Sending, againIfIdempotent: Bool, againOtherwise: Bool)
    ) async throws {
        let (engine, task) = await begin(.unpausing, .scripted(method.name))
        let first = engine.exchange
        #expect(!first.isResend)
        if let isReused = row.sending.isReused { first.connected(isReused: isReused) }
        if row.sending.isSent { engine.sent(0) }
        first.fail(Self.lost, beforeSending: row.sending.beforeSending)
        guard method.isIdempotent ? row.againIfIdempotent : row.againOtherwise else {
            #expect(await thrown { try await task.value } == "connectionLost")
            #expect(engine.attempts.count == 1)
            return
        }
        let second = try #require(await engine.waitForSend())
        #expect(second !== first)
        #expect(second.isResend)
        #expect(second.request == first.request)
        #expect(first.isOver)
        #expect(engine.stops == 1)
        // The first transfer may report more.
        first.receive(.init(status: 500, url: first.request.url))
        first.finish()
        engine.answer(body: "abc")
        let response = try await task.value
        #expect(response.head.status == 200)
        #expect(response.body.data == Data("abc".utf8))
        #expect(engine.attempts.count == 2)
    }

    /// The clients are asked, unless nothing was sent: then there is nothing that they could forbid.
    @Test(
        arguments: [
            (Sending(isReused: true), ["false"]), (Sending(isReused: true, beforeSending: true), ["true"]),
            (Sending(isReused: false, beforeSending: true), ["true"]), (Sending(isReused: false), []),
            (Sending(isSent: false, beforeSending: true), []),
        ] as [(Sending, [String])])
    func clientsMayForbidIt(_ sending: Sending, questions: [String]) async throws {
        let seen = Recorder<String>()
        var request = ScriptedRequest.scripted()
        request.mayResend = { failure in
            seen.append("\(failure.isRefused)")
            return false
        }
        let (engine, task) = await begin(.unpausing, request)
        let first = engine.exchange
        if let isReused = sending.isReused { first.connected(isReused: isReused) }
        if sending.isSent { engine.sent(0) }
        first.fail(Self.lost, beforeSending: sending.beforeSending)
        if !sending.isSent {
            try #require(await engine.waitForSend() != nil)
            engine.fail(Self.lost)
        }
        #expect(await thrown { try await task.value } == "connectionLost")
        #expect(seen.values == questions)
        #expect(engine.attempts.count == (sending.isSent ? 1 : 2))
    }

    @Test(arguments: ScriptedEngine.Kind.allCases) func sendsAgainOnce(kind: Kind) async throws {
        let (engine, task) = await begin(kind)
        engine.exchange.connected(isReused: true)
        engine.fail(Self.lost)
        try #require(await engine.waitForSend() != nil)
        engine.fail(TransportError(.connectionLost, "the second time"))
        let error = try await #require(throws: TransportError.self) { try await task.value }
        #expect(error.message == "the second time")
        #expect(error.url == engine.exchange.request.url)
        #expect(engine.attempts.count == 2)
        #expect(engine.stops == 2)
    }

    @Test(arguments: deliveries)
    func doesNotSendAgainAfterAHead(delivery: ResponseBody.Delivery) async {
        for kind in Kind.allCases {
            let (engine, task) = await begin(kind, .scripted(.get, delivery))
            engine.exchange.connected(isReused: true)
            engine.receive()
            engine.fail(Self.lost)
            let code = await thrown { try await task.value.body.bytes.collected() }
            #expect(code == "connectionLost")
            #expect(engine.attempts.count == 1)
        }
    }

    @Test(arguments: [TransportError.Code.timedOut, .cannotConnect, .badResponse, .other])
    func doesNotSendAgainAfterAnotherFailure(code: TransportError.Code) async {
        let (engine, task) = await begin(.unpausing)
        engine.exchange.connected(isReused: true)
        engine.fail(TransportError(code))
        #expect(await thrown { try await task.value } == code.rawValue)
        #expect(engine.attempts.count == 1)
    }

    @Test func cancelledTaskSendsNothingAgain() async {
        let engine = ScriptedEngine(.unpausing)
        let task = Task {
            try await Exchange.response(to: ScriptedRequest.scripted().request, in: Call()) { exchange in
                engine.send(exchange)
                exchange.connected(isReused: true)
                engine.fail(Self.lost)
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        #expect(await thrown { try await task.value } == "CancellationError")
        #expect(engine.attempts.count == 1)
    }

    @Test func progressAndTimingGoOnWithTheNextAttempt() async throws {
        let reports = Recorder<TransferProgress>()
        let body = RequestBody.data(Data(count: 9), contentType: nil)
        let engine = ScriptedEngine(.unpausing)
        let clock = ManualClock()
        var request = ScriptedRequest.scripted(.put, body: body, progress: { reports.append($0) })
        request.clock = clock
        let task = await engine.start(request)
        clock.advance(by: .seconds(3))
        engine.sent(7)
        engine.exchange.connected(isReused: true)
        engine.fail(Self.lost)
        try #require(await engine.waitForSend() != nil)
        engine.sent(9)
        engine.answer()
        let timing = try await task.value.timing
        #expect(timing.sent == .seconds(3))
        #expect(
            reports.values.last
                == TransferProgress(bytesSent: 9, totalBytesToSend: 9, bytesReceived: 0, totalBytesToReceive: 0))
    }

    @Test func reportsOfTwoAttemptsComeOneAtATime() async throws {
        let slow = SlowReports()
        let (engine, task) = await begin(.unpausing, .scripted(.put, progress: slow.report))
        engine.sent(0)
        await slow.begun.wait()
        engine.exchange.connected(isReused: true)
        engine.fail(Self.lost)
        try #require(await engine.waitForSend() != nil)
        engine.sent(0)
        engine.answer(body: "abc")
        for _ in 0..<100 { await Task.yield() }
        #expect(slow.reports.values.count == 1)
        slow.release()
        _ = try await task.value
        #expect(slow.reports.values.count == 2)
        #expect(slow.reports.values.last?.bytesReceived == 3)
    }
}
