import APIKitCore
import APIKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(3))) struct APIClientEventsTests {
    private typealias Ticker = Endpoint<ServerSentEvents, DirectoryError>

    /// Returns its responses one after the other, and then a 204.
    private struct Server: APIClient {
        let answers: [@Sendable () throws -> HTTPResponse]
        private let log = Recorder<HTTPRequest>()

        init(_ answers: (@Sendable () throws -> HTTPResponse)...) { self.answers = answers }

        init(_ answers: [@Sendable () throws -> HTTPResponse]) { self.answers = answers }

        var requests: [HTTPRequest] { log.values }
        var lastEventIDs: [String?] { requests.map { $0.headers[.lastEventID] } }

        func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
            let count = log.append(request)
            var response = try count <= answers.count ? answers[count - 1]() : .status(204)
            response.head.url = request.url
            return response
        }
    }

    /// A stream of text that ends, or breaks.
    private static func stream(
        _ text: String, failure: (any Error)? = nil, lease: Lease? = nil
    ) -> @Sendable () throws -> HTTPResponse {
        {
            let head = HTTPResponse.Head(status: 200, headers: [.contentType: "text/event-stream"], url: WireProbe.root)
            let chunks = Chunks(chunks: [Data(text.utf8)], failure: failure, lease: lease)
            return HTTPResponse(head: head, body: ResponseBody(ByteStream(chunks)))
        }
    }

    private static func failing(_ code: TransportError.Code) -> @Sendable () throws -> HTTPResponse {
        { throw TransportError(code) }
    }

    private func outcome(
        _ server: Server, of ticker: Ticker = Ticker(), attempts: Int = 5, reconnects: Bool? = nil,
        clock: InstantClock = InstantClock()
    ) async -> (data: [String], error: (any Error)?) {
        var data: [String] = []
        do {
            let events = server.events(for: ticker, attempts: attempts, reconnects: reconnects, clock: clock)
            for try await event in events { data.append(event.data) }
            return (data, nil)
        } catch {
            return (data, error)
        }
    }

    // MARK: - Resuming

    @Test func sendsNothingBeforeLoopBegins() async {
        let server = Server(Self.stream("data: 1\n\n"))
        let events = server.events(for: Ticker())
        _ = events.makeAsyncIterator()
        #expect(server.requests.isEmpty)
    }

    @Test func resumesAfterLastEvent() async {
        let server = Server(
            Self.stream("retry: 0\nid: 7\ndata: 1\n\nid: 8\ndata: unfinished"), Self.stream("data: 2\n\n"),
            Self.stream("id: 9\n\n"), Self.stream("id\ndata: 3\n\n"))
        let (data, error) = await outcome(server)
        #expect(data == ["1", "2", "3"])
        #expect(error == nil)
        #expect(server.lastEventIDs == [nil, "7", "7", "9", nil])
        #expect(server.requests.allSatisfy { $0.headers[.accept]?.hasPrefix("text/event-stream") == true })
    }

    @Test func eventsKeepIDAcrossConnections() async throws {
        let server = Server(Self.stream("retry: 0\nid: 7\ndata: 1\n\n"), Self.stream("data: 2\n\n"))
        #expect(try await server.events(for: Ticker(), clock: InstantClock()).collected().map(\.id) == ["7", "7"])
    }

    @Test func sendsNoIDIfThereIsNone() async {
        let server = Server(Self.stream("retry: 0\ndata: 1\n\n"), Self.stream("data: 2\n\n"))
        #expect(await outcome(server).data == ["1", "2"])
        #expect(server.lastEventIDs == [nil, nil, nil])
    }

    @Test func lastEventIDOverridesEndpointsHeader() async throws {
        let server = Server(Self.stream("retry: 0\nid: 7\ndata: 1\n\n"))
        let ticker = Ticker(headers: ["Last-Event-ID": "3"])
        #expect(try await server.events(for: ticker, clock: InstantClock()).collected().count == 1)
        #expect(server.lastEventIDs == ["3", "7"])
    }

    @Test func startsWithEndpointsHeader() async throws {
        let server = Server(Self.stream("data: 1\n\n"), Self.stream("data: 2\n\nid\ndata: 3\n\n"))
        let ticker = Ticker(headers: ["Last-Event-ID": "3"])
        let events = try await server.events(for: ticker, clock: InstantClock()).collected()
        #expect(events.map(\.id) == ["3", "3", ""])
        #expect(server.lastEventIDs == ["3", "3", nil])
    }

    @Test(arguments: ["\u{1}", "8\u{7F}", "\u{1B}[2J"])
    func doesNotSendIDWithControlCharacter(id: String) async throws {
        let server = Server(Self.stream("id: 7\ndata: 1\n\nid: \(id)\ndata: 2\n\n"), Self.stream("data: 3\n\n"))
        let events = try await server.events(for: Ticker(), clock: InstantClock()).collected()
        #expect(events.map(\.data) == ["1", "2", "3"])
        #expect(events.map(\.id) == ["7", id, "7"])
        #expect(server.lastEventIDs == [nil, "7", "7"])
        #expect(throws: Never.self) { for request in server.requests { _ = try request.validated() } }
    }

    // MARK: - Methods

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete, "SUBSCRIBE"])
    func sendsUnsafeMethodOnce(method: HTTPMethod) async {
        let ended = Server(Self.stream("data: 1\n\n"), Self.stream("data: 2\n\n"))
        let (data, error) = await outcome(ended, of: Ticker(method: method))
        #expect(data == ["1"])
        #expect(error == nil)
        #expect(ended.requests.count == 1)
    }

    @Test(arguments: [TransportError.Code.connectionLost, .timedOut])
    func throwsWhenPOSTBreaks(code: TransportError.Code) async throws {
        let broken = Server(Self.stream("data: 1\n\n", failure: TransportError(code)), Self.stream("data: 2\n\n"))
        let (data, error) = await outcome(broken, of: Ticker(method: .post))
        #expect(data == ["1"])
        #expect((error as? DirectoryFailure)?.transport?.code == code)
        #expect(broken.requests.count == 1)
    }

    @Test(arguments: [HTTPMethod.get, .head, .options, .trace])
    func reconnectsWithSafeMethod(method: HTTPMethod) async {
        let server = Server(Self.stream("data: 1\n\n"), Self.stream("data: 2\n\n"))
        #expect(await outcome(server, of: Ticker(method: method)).data == ["1", "2"])
    }

    @Test(arguments: [HTTPMethod.get, .post], [true, false])
    func callerDecidesWhetherToReconnect(method: HTTPMethod, reconnects: Bool) async {
        let server = Server(Self.stream("data: 1\n\n"), Self.stream("data: 2\n\n"))
        let (data, error) = await outcome(server, of: Ticker(method: method), reconnects: reconnects)
        #expect(data == (reconnects ? ["1", "2"] : ["1"]))
        #expect(error == nil)
        #expect(server.requests.count == (reconnects ? 3 : 1))
    }

    // MARK: - Pauses

    @Test(arguments: [
        ("", Duration.seconds(3)), ("retry: 250\n", .milliseconds(250)), ("retry: 0\n", .milliseconds(100)),
        ("retry: 99\n", .milliseconds(100)), ("retry: soon\n", .seconds(3)),
    ]) func waitsAsLongAsServerAsksButNotLessThanMinimum(field: String, pause: Duration) async {
        let clock = InstantClock()
        let server = Server(Self.stream("\(field)data: 1\n\n"), Self.stream("data: 2\n\n"))
        #expect(await outcome(server, clock: clock).data == ["1", "2"])
        #expect(clock.sleeps == [pause, pause])
    }

    @Test func ignoresIncompleteRetry() async {
        let clock = InstantClock()
        #expect(await outcome(Server(Self.stream("data: 1\n\nretry: 250")), clock: clock).data == ["1"])
        #expect(clock.sleeps == [.seconds(3)])
    }

    @Test func pausesDoubleWhileAttemptsFail() async {
        let clock = InstantClock()
        let failures = Array(repeating: Self.failing(.cannotConnect), count: 10)
        let server = Server([Self.stream("retry: 500\ndata: 1\n\n")] + failures + [Self.stream("data: 2\n\n")])
        #expect(await outcome(server, attempts: 10, clock: clock).data == ["1", "2"])
        #expect(clock.sleeps == [0.5, 0.5, 1, 2, 4, 8, 16, 32, 60, 60, 60, 0.5].map { .seconds($0) })
    }

    @Test(arguments: [
        TransportError.Code.connectionLost, .timedOut, .cannotConnect, .nameNotResolved,
    ]) func reconnectsAfterBreak(code: TransportError.Code) async {
        let server = Server(
            Self.stream("retry: 0\nid: 7\ndata: 1\n\nid: 8\ndata: lost\n", failure: TransportError(code)),
            Self.failing(code), Self.stream("data: 2\n\n"))
        let (data, error) = await outcome(server)
        #expect(data == ["1", "2"])
        #expect(error == nil)
        #expect(server.lastEventIDs == [nil, "7", "7", "7"])
    }

    @Test func readsTypedStub() async throws {
        let stub = StubClient(.status(204)).answering(Ticker.self) { _ in
            ServerSentEvents(bytes: ByteStream("data: 1\n\n"))
        }
        var iterator = stub.events(for: Ticker()).makeAsyncIterator()
        #expect(try await iterator.next()?.data == "1")
    }

    @Test func releasesConnectionBeforeReconnecting() async {
        let ended = Recorder<Bool>()
        let leased: @Sendable () throws -> HTTPResponse = {
            try Self.stream("retry: 0\ndata: 1\n\n", lease: Lease { ended.append(true) })()
        }
        let server = Server(
            leased,
            {
                #expect(ended.values.count == 1)
                return .status(204)
            })
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

    @Test func noContentEndsLoop() async {
        #expect(await outcome(Server()).error == nil)
        let server = Server(Self.stream("retry: 0\ndata: 1\n\n"))
        let (data, error) = await outcome(server)
        #expect(data == ["1"])
        #expect(error == nil)
        #expect(server.requests.count == 2)
    }

    // "A client can be told to stop reconnecting using the HTTP 204 No Content response code" (WHATWG HTML, 9.2.1).
    @Test(arguments: ["text/event-stream", "text/html", "application/json"])
    func noContentOfAnyTypeEndsLoop(type: String) async {
        let noContent: @Sendable () -> HTTPResponse = { .text("", status: 204, type: type) }
        for server in [Server(noContent), Server(Self.stream("data: 1\n\n"), noContent)] {
            #expect(await outcome(server).error == nil)
        }
    }

    // "If res's status is not 200 […], then fail the connection" (WHATWG HTML, 9.2.2).
    @Test(arguments: [201, 202, 203, 205, 206, 226]) func throwsAtOnceForOtherSuccess(status: Int) async throws {
        let success: @Sendable () -> HTTPResponse = { .text("", status: status, type: "text/event-stream") }
        for (server, count) in [(Server(success, success), 1), (Server(Self.stream("data: 1\n\n"), success), 2)] {
            let error = try #require(await outcome(server).error as? DirectoryFailure)
            #expect(error.status == status)
            #expect(error.description == "GET https://api.example.com/things: \(status)")
            #expect(server.requests.count == count)
        }
    }

    // AsyncIteratorProtocol: after nil, always nil.
    @Test func staysAtEnd() async throws {
        let server = Server({ .status(204) }, Self.stream("data: 1\n\n"))
        var iterator = server.events(for: Ticker()).makeAsyncIterator()
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [400, 401, 404, 500, 503]) func throwsAtOnceForRefusedStatus(status: Int) async throws {
        let refusal: @Sendable () -> HTTPResponse = { .json(#"{"message":"no"}"#, status: status) }
        for (server, count) in [(Server(refusal), 1), (Server(Self.stream("retry: 0\ndata: 1\n\n"), refusal), 2)] {
            let error = try #require(await outcome(server).error as? DirectoryFailure)
            #expect(error.rejection?.failure == DirectoryError(message: "no"))
            #expect(error.status == status)
            #expect(server.requests.count == count)
        }
    }

    @Test(arguments: [TransportError.Code.cannotConnect, .nameNotResolved, .timedOut, .connectionLost, .other])
    func throwsAtOnceIfFirstConnectionFails(code: TransportError.Code) async throws {
        let server = Server(Self.failing(code), Self.stream("data: 1\n\n"))
        let error = try #require(await outcome(server).error as? DirectoryFailure)
        #expect(error.transport?.code == code)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [TransportError.Code.secureConnectionFailed, .badResponse, .tooManyRedirects, .other])
    func throwsAtOnceForPermanentError(code: TransportError.Code) async throws {
        let server = Server(Self.stream("retry: 0\ndata: 1\n\n"), Self.failing(code))
        let (data, error) = await outcome(server)
        #expect(data == ["1"])
        #expect((error as? DirectoryFailure)?.transport?.code == code)
        #expect(server.requests.count == 2)
    }

    @Test func throwsAtOnceForAnotherContentType() async throws {
        let page: @Sendable () -> HTTPResponse = { .text("data: 1\n\n", type: "text/html") }
        for (server, count) in [(Server(page), 1), (Server(Self.stream("retry: 0\ndata: 1\n\n"), page), 2)] {
            let error = try #require(await outcome(server).error as? DirectoryFailure)
            #expect(error.description.contains("the Content-Type is text/html, not text/event-stream"))
            #expect(server.requests.count == count)
        }
    }

    @Test func throwsAtOnceForInvalidRequest() async throws {
        let server = Server()
        let events = server.events(for: Ticker(path: "a?b"))
        let error = try await #require(throws: DirectoryFailure.self) { _ = try await events.collected() }
        #expect(error.invalidRequest?.code == .path)
        #expect(server.requests.isEmpty)
    }

    // MARK: - Attempts

    @Test(arguments: 0...3) func throwsAfterLastAttempt(attempts: Int) async throws {
        let server = Server(
            Self.stream("retry: 0\ndata: 1\n\n", failure: TransportError(.connectionLost)), Self.failing(.timedOut),
            Self.failing(.timedOut), Self.failing(.timedOut), Self.failing(.timedOut))
        let (data, error) = await outcome(server, attempts: attempts)
        #expect(data == ["1"])
        #expect(error != nil)
        #expect(server.requests.count == 1 + attempts)
    }

    @Test(arguments: [TransportError.Code.connectionLost, .bodyTooLarge])
    func brokenConnectionIsEndpointsError(code: TransportError.Code) async throws {
        let server = Server(Self.stream("retry: 0\ndata: 1\n\n", failure: TransportError(code)))
        let error = try #require(await outcome(server, attempts: 0).error)
        let failure = try #require(error as? DirectoryFailure, "\(type(of: error))")
        #expect(failure.transport?.code == code)
        #expect(failure.transport?.url?.absoluteString == "https://api.example.com/things")
    }

    @Test func eventResetsFailedAttempts() async {
        let lost = Self.stream("retry: 0\ndata: 1\n\n", failure: TransportError(.connectionLost))
        let server = Server(
            lost, Self.failing(.timedOut), lost, Self.failing(.timedOut), lost, Self.failing(.timedOut),
            Self.failing(.timedOut))
        let (data, error) = await outcome(server, attempts: 2)
        #expect(data == ["1", "1", "1"])
        #expect(error != nil)
        #expect(server.requests.count == 7)
    }

    @Test func connectionWithoutEventsKeepsFailedAttempts() async {
        let silent = Self.stream(": hello\nid: 7\n\n", failure: TransportError(.connectionLost))
        let server = Server(Self.stream("retry: 0\ndata: 1\n\n"), silent, silent, silent, silent)
        let (_, error) = await outcome(server, attempts: 2)
        #expect(error != nil)
        #expect(server.requests.count == 4)
    }

    // MARK: - Cancelling and leaving the loop

    @Test func cancellingEndsPause() async {
        let paused = Hold()
        let text = Data("retry: 86400000\ndata: 1\n\n".utf8)
        let server = Server({
            let chunks = Chunks(chunks: [text], failure: TransportError(.connectionLost), atEnd: { paused.release() })
            return HTTPResponse(
                head: HTTPResponse.Head(status: 200, url: WireProbe.root), body: ResponseBody(ByteStream(chunks)))
        })
        let task = Task { try await server.events(for: Ticker()).collected() }
        await paused.wait()
        for _ in 0..<100 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
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
