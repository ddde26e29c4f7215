import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitStreams

@Suite(.timeLimit(.minutes(10))) struct APIClientEventsTests {
    private typealias Ticker = Endpoint<ServerSentEvents, DirectoryError>
    private typealias Answer = @Sendable () throws -> HTTPResponse

    /// Returns its responses one after the other, and then a 204.
    private struct Server: APIClient {
        var clock: any Clock<Duration> { ContinuousClock() }
        let answers: [Answer]
        private let log = Recorder<HTTPRequest>()

        init(_ answers: Answer...) { self.answers = answers }
        init(_ answers: [Answer]) { self.answers = answers }

        var requests: [HTTPRequest] { log.values }
        var lastEventIDs: [String?] { requests.map { $0.headers[.lastEventID] } }

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            let count = log.append(request)
            var response = try count <= answers.count ? answers[count - 1]() : .status(204)
            response.head.url = request.url
            return response
        }
    }

    /// A stream of text that ends, or breaks.
    private static func stream(_ text: String, failure: (any Error)? = nil, lease: Lease? = nil) -> Answer {
        {
            let head = HTTPResponse.Head(status: 200, headers: [.contentType: "text/event-stream"], url: WireProbe.root)
            let chunks = Chunks(chunks: [Data(text.utf8)], failure: failure, lease: lease)
            return HTTPResponse(head: head, body: ResponseBody(ByteStream(chunks)))
        }
    }

    private static func failing(_ code: TransportError.Code) -> Answer { { throw TransportError(code) } }

    private func outcome(
        _ server: Server, of ticker: Ticker = Ticker(), attempts: Int = 5, reconnects: Bool? = nil,
        clock: InstantClock = InstantClock()
    ) async -> (data: [String], error: (any Error)?) {
        var data: [String] = []
        do {
            let events = server.timed(by: clock).events(for: ticker, attempts: attempts, reconnects: reconnects)
            for try await event in events { data.append(event.data) }
            return (data, nil)
        } catch {
            return (data, error)
        }
    }

    @Test func sendsNothingBeforeLoopBegins() async {
        let server = Server(Self.stream("data: 1\n\n"))
        _ = server.events(for: Ticker()).makeAsyncIterator()
        #expect(server.requests.isEmpty)
    }

    struct Resumption: Sendable {
        let streams: [String]
        var header: String?
        /// The data and ID of each event.
        let events: [String]
        /// The `Last-Event-ID` of each request.
        let sent: [String?]
    }

    private static let resumptions: [Resumption] = [
        Resumption(
            streams: [
                "retry: 0\nid: 7\ndata: 1\n\nid: 8\ndata: unfinished", "data: 2\n\n", "id: 9\n\n", "id\ndata: 3\n\n",
            ], events: ["1 7", "2 7", "3 "], sent: [nil, "7", "7", "9", nil]),
        Resumption(streams: ["retry: 0\ndata: 1\n\n", "data: 2\n\n"], events: ["1 ", "2 "], sent: [nil, nil, nil]),
        // The endpoint's header counts until there is another ID.
        Resumption(streams: ["retry: 0\nid: 7\ndata: 1\n\n"], header: "3", events: ["1 7"], sent: ["3", "7"]),
        Resumption(
            streams: ["data: 1\n\n", "data: 2\n\nid\ndata: 3\n\n"], header: "3", events: ["1 3", "2 3", "3 "],
            sent: ["3", "3", nil]),
    ]

    // An ID with a control character is not sent.
    private static let controls = ["\u{1}", "8\u{7F}", "\u{1B}[2J"].map { id in
        Resumption(
            streams: ["id: 7\ndata: 1\n\nid: \(id)\ndata: 2\n\n", "data: 3\n\n"],
            events: ["1 7", "2 \(id)", "3 7"], sent: [nil, "7", "7"])
    }

    // An ID that is too long for a header is not sent.
    private static let lengths = [(7_999, true), (8_000, true), (8_001, false), (1 << 20, false)].map {
        length, isSent in
        let id = String(repeating: "x", count: length)
        return Resumption(
            streams: ["id: 7\ndata: 1\n\nid: \(id)\ndata: 2\n\n", "data: 3\n\n"],
            events: ["1 7", "2 \(id)", "3 \(isSent ? id : "7")"],
            sent: [nil, isSent ? id : "7", isSent ? id : "7"])
    }

    @Test(arguments: resumptions + controls + lengths) func resumesAfterLastEvent(resumption: Resumption) async throws {
        let server = Server(resumption.streams.map { Self.stream($0) })
        let ticker = Ticker(headers: ["Last-Event-ID": resumption.header])
        let events = try await server.timed(by: InstantClock()).events(for: ticker).collected()
        #expect(events.map { "\($0.data) \($0.id)" } == resumption.events)
        #expect(server.lastEventIDs == resumption.sent)
        #expect(server.requests.allSatisfy { $0.headers[.accept]?.hasPrefix("text/event-stream") == true })
        #expect(throws: Never.self) { for request in server.requests { _ = try request.prepared(in: Call()) } }
    }

    @Test func throwsWhenPOSTBreaks() async throws {
        let server = Server(Self.lost, Self.stream("data: 2\n\n"))
        let (data, error) = await outcome(server, of: Ticker(method: .post))
        #expect(data == ["1"])
        #expect((error as? DirectoryFailure)?.transport?.code == .connectionLost)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [HTTPMethod.get, .head, .post, .put, .delete, "SUBSCRIBE"], [nil, true, false])
    func reconnectsWithASafeMethodUnlessTheCallerDecides(method: HTTPMethod, decision: Bool?) async {
        let server = Server(Self.stream("data: 1\n\n"), Self.stream("data: 2\n\n"))
        let (data, error) = await outcome(server, of: Ticker(method: method), reconnects: decision)
        let reconnects = decision ?? method.isSafe
        #expect(data == (reconnects ? ["1", "2"] : ["1"]))
        #expect(error == nil)
        #expect(server.requests.count == (reconnects ? 3 : 1))
    }

    // MARK: - Pauses

    @Test(
        arguments: [
            ("data: 1\n\n", Duration.seconds(3)), ("retry: 250\ndata: 1\n\n", .milliseconds(250)),
            ("retry: 0\ndata: 1\n\n", .milliseconds(100)), ("retry: 99\ndata: 1\n\n", .milliseconds(100)),
            ("retry: soon\ndata: 1\n\n", .seconds(3)), ("data: 1\n\nretry: 250", .seconds(3)),
        ] as [(String, Duration)])
    func waitsAsLongAsServerAsksButNotLessThanMinimum(stream: String, pause: Duration)
        async
    {
        let clock = InstantClock()
        let server = Server(Self.stream(stream), Self.stream("data: 2\n\n"))
        #expect(await outcome(server, clock: clock).data == ["1", "2"])
        #expect(clock.sleeps == [pause, pause])
    }

    @Test func pausesDoubleWhileAttemptsFail() async {
        let clock = InstantClock()
        let failures = Array(repeating: Self.failing(.cannotConnect), count: 10)
        let server = Server([Self.stream("retry: 500\ndata: 1\n\n")] + failures + [Self.stream("data: 2\n\n")])
        #expect(await outcome(server, attempts: 10, clock: clock).data == ["1", "2"])
        #expect(clock.sleeps == [0.5, 0.5, 1, 2, 4, 8, 16, 32, 60, 60, 60, 0.5].map { .seconds($0) })
    }

    @Test(arguments: [TransportError.Code.connectionLost, .timedOut, .cannotConnect, .nameNotResolved])
    func reconnectsAfterBreak(code: TransportError.Code) async {
        let server = Server(
            Self.stream("retry: 0\nid: 7\ndata: 1\n\nid: 8\ndata: lost\n", failure: TransportError(code)),
            Self.failing(code), Self.stream("data: 2\n\n"))
        let (data, error) = await outcome(server)
        #expect(data == ["1", "2"])
        #expect(error == nil)
        #expect(server.lastEventIDs == [nil, "7", "7", "7"])
    }

    @Test func readsTypedStub() async throws {
        let stub = StubClient().answering(Ticker.self) { _ in ServerSentEvents(bytes: ByteStream("data: 1\n\n")) }
        var iterator = stub.events(for: Ticker()).makeAsyncIterator()
        #expect(try await iterator.next()?.data == "1")
    }

    @Test func releasesConnectionBeforeReconnecting() async {
        let ended = Recorder<Bool>()
        let leased: Answer = { try Self.stream("data: 1\n\n", lease: Lease { ended.append(true) })() }
        let noContent: Answer = {
            #expect(ended.values.count == 1)
            return .status(204)
        }
        let server = Server(leased, noContent)
        #expect(await outcome(server).data == ["1"])
        #expect(server.requests.count == 2)
    }

    @Test func eachLoopStartsOver() async throws {
        let server = Server(Self.stream("id: 7\ndata: 1\n\n"), Self.stream("data: 2\n\n"))
        let events = server.events(for: Ticker())
        for data in ["1", "2"] {
            for try await event in events {
                #expect(event.data == data)
                break
            }
        }
        #expect(server.lastEventIDs == [nil, nil])
    }

    // MARK: - Ending

    // "A client can be told to stop reconnecting using the HTTP 204 No Content response code" (WHATWG HTML, 9.2.1).
    @Test(arguments: [nil, "text/event-stream", "text/html", "application/json"])
    func noContentOfAnyTypeEndsLoop(type: String?) async {
        let noContent: Answer = { .text("", status: 204, type: type) }
        for answers in [[noContent], [Self.stream("data: 1\n\n"), noContent]] {
            let server = Server(answers)
            let (data, error) = await outcome(server)
            #expect(data == (answers.count == 1 ? [] : ["1"]))
            #expect(error == nil)
            #expect(server.requests.count == answers.count)
        }
    }

    // "If res's status is not 200 […], then fail the connection" (WHATWG HTML, 9.2.2).
    private static let refusals: [(HTTPResponse, String, DirectoryError?)] =
        [201, 202, 203, 205, 206, 226].map {
            (.text("", status: $0, type: "text/event-stream"), "GET https://api.example.com/things: \($0)", nil)
        }
        + [400, 401, 404, 500, 503].map {
            (.json(#"{"message":"no"}"#, status: $0), "\($0)", DirectoryError(message: "no"))
        } + [(.text("data: 1\n\n", type: "text/html"), "the Content-Type is text/html, not text/event-stream", nil)]

    @Test(arguments: refusals)
    func throwsAtOnceForAnotherResponse(response: HTTPResponse, text: String, failure: DirectoryError?) async throws {
        for answers in [[{ response }], [Self.stream("retry: 0\ndata: 1\n\n"), { response }]] as [[Answer]] {
            let server = Server(answers + [{ response }])
            let error = try #require(await outcome(server).error as? DirectoryFailure)
            #expect(error.status == response.head.status)
            #expect(error.rejection?.failure == failure)
            #expect(error.description.contains(text))
            #expect(error.description == text || failure != nil || error.status == 200)
            #expect(server.requests.count == answers.count)
        }
    }

    // AsyncIteratorProtocol: after nil, always nil.
    @Test func staysAtEnd() async {
        let server = Server({ .status(204) }, Self.stream("data: 1\n\n"))
        #expect(await steps(2, of: server.events(for: Ticker())) == ["nil", "nil"])
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [TransportError.Code.cannotConnect, .nameNotResolved, .timedOut, .connectionLost, .other])
    func throwsAtOnceIfFirstConnectionFails(code: TransportError.Code) async {
        let server = Server(Self.failing(code), Self.stream("data: 1\n\n"))
        let error = await outcome(server).error as? DirectoryFailure
        #expect(error?.transport?.code == code)
        let invalid = await outcome(server, of: Ticker(path: "a?b")).error as? DirectoryFailure
        #expect(invalid?.invalidRequest?.code == .path)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        TransportError.Code.secureConnectionFailed, .badResponse, .tooManyRedirects, .other, .bodyTooLarge,
    ]) func throwsAtOnceForPermanentError(code: TransportError.Code) async throws {
        let broken = Self.stream("data: 1\n\n", failure: TransportError(code))
        for (server, count) in [(Server(Self.stream("data: 1\n\n"), Self.failing(code)), 2), (Server(broken), 1)] {
            let (data, error) = await outcome(server)
            #expect(data == ["1"])
            #expect((error as? DirectoryFailure)?.transport?.code == code)
            #expect(server.requests.count == count)
        }
    }

    private static let lost = stream("data: 1\n\n", failure: TransportError(.connectionLost))
    private static let silent = stream(": hello\nid: 7\n\n", failure: TransportError(.connectionLost))

    @Test(arguments: 0...3) func throwsAfterLastAttempt(attempts: Int) async throws {
        let server = Server([Self.lost] + Array(repeating: Self.failing(.timedOut), count: 4))
        let (data, error) = await outcome(server, attempts: attempts)
        #expect(data == ["1"])
        let failure = try #require(error as? DirectoryFailure, "\(type(of: error))")
        #expect(failure.transport?.code == (attempts == 0 ? .connectionLost : .timedOut))
        #expect(failure.transport?.url?.absoluteString == "https://api.example.com/things")
        #expect(server.requests.count == 1 + attempts)
    }

    @Test func eventResetsFailedAttemptsAndConnectionWithoutEventsDoesNot() async {
        let failing = Self.failing(.timedOut)
        let scripts: [([Answer], events: [String], requests: Int)] = [
            ([Self.lost, failing, Self.lost, failing, Self.lost, failing, failing], ["1", "1", "1"], 7),
            ([Self.stream("data: 1\n\n"), Self.silent, Self.silent, Self.silent, Self.silent], ["1"], 4),
        ]
        for (answers, events, requests) in scripts {
            let server = Server(answers)
            let (data, error) = await outcome(server, attempts: 2)
            #expect(data == events)
            #expect(error != nil)
            #expect(server.requests.count == requests)
        }
    }

    @Test func cancellingEndsPause() async {
        let (clock, server) = (ManualClock(), Server(Self.lost))
        let task = Task { try await server.timed(by: clock).events(for: Ticker()).collected() }
        await clock.waitForSleepers(1)
        task.cancel()
        let error = await #expect(throws: DirectoryFailure.self) { try await task.value }
        #expect(error?.isCancellation == true)
        #expect(server.requests.count == 1)
    }

    @Test func cancellingEndsAttempt() async {
        let client = HangingClient()
        let task = Task { try await client.events(for: Ticker()).collected() }
        _ = await client.arrival()
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
    }

    @Test func leavingLoopReleasesConnection() async throws {
        let ended = Recorder<Bool>()
        let server = Server({ try Self.stream("data: 1\n\ndata: 2\n\n", lease: Lease { ended.append(true) })() })
        func readOne() async throws { for try await _ in server.events(for: Ticker()) { break } }
        try await readOne()
        #expect(ended.values == [true])
        #expect(server.requests.count == 1)
    }
}
