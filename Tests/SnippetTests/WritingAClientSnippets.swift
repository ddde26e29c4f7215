import APIKit
import APIKitTesting
import Foundation
import Testing

// The code of the article about writing a client, and of the doc comments about what a client can do, unchanged.
// Scripts/texts compares them.

/// Sends a request a second time if the server is overloaded or cannot be reached.
struct SecondAttempt: WrappingClient {
    let base: any APIClient

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        // The engine sends once, so that two attempts are two requests.
        let call = call.resending(if: { _ in false })
        guard request.isIdempotent else {
            return try await base.perform(request, in: call)
        }
        do {
            let inner = call.replacing(if: { $0.status == 503 })
            let response = try await base.perform(request, in: inner)
            if response.head.status != 503 { return response }
        } catch let error as TransportError {
            let isTransient = TransportError.Code.transient.contains(error.code)
            guard isTransient else { throw error }
        }
        try await call.clock.sleep(for: .seconds(1))
        return try await base.perform(request, in: call)
    }
}

/// Performs a few requests at a time; the others wait.
struct FewAtATime: WrappingClient {
    let base: any APIClient
    let places = Places(2)

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let place = try await places.take()
        var response = try await base.perform(request, in: call)
        response.body = response.body.keeping(place)
        return response
    }
}

actor Places {
    typealias Waiter = CheckedContinuation<Void, any Error>

    private var freeCount: Int
    private var waiters: [(id: UUID, waiter: Waiter)] = []

    init(_ count: Int) { freeCount = count }

    func take() async throws -> Place {
        if freeCount > 0 {
            freeCount -= 1
        } else {
            try await wait(as: UUID())
        }
        return Place(self)
    }

    private func wait(as id: UUID) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Waiter) in
                if Task.isCancelled {
                    waiter.resume(throwing: CancellationError())
                } else {
                    waiters.append((id, waiter))
                }
            }
        } onCancel: {
            Task { await leave(id) }
        }
    }

    private func leave(_ id: UUID) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else {
            return
        }
        waiters.remove(at: index).waiter.resume(throwing: CancellationError())
    }

    fileprivate func giveBack() {
        if waiters.isEmpty {
            freeCount += 1
        } else {
            waiters.removeFirst().waiter.resume()
        }
    }
}

/// A place, which is free again when it is released.
nonisolated final class Place: Sendable {
    private let places: Places

    fileprivate init(_ places: Places) { self.places = places }

    deinit {
        Task { [places] in await places.giveBack() }
    }
}

// MARK: - Doc comments

nonisolated private struct Attempts: Sendable {
    var hasMore: Bool { true }
    func add() {}
}

private struct Failures: Sendable {
    func count(_ status: Int) {}
}

nonisolated private struct ByteCounter: Sendable {
    func add(_ count: Int) {}
}

private struct TextField {
    var text = ""
}

/// A client with the bodies of the snippets.
private struct SnippetClient {
    let base: any APIClient

    func count(_ response: HTTPResponse, in call: Call, _ failures: Failures) {
        if !call.isSuccess(response.head) { failures.count(response.head.status) }
    }

    func resend(_ request: HTTPRequest, in call: Call, _ attempts: Attempts) async throws -> HTTPResponse {
        let inner = call.resending(
            if: { resend in resend.isRefused && attempts.hasMore },
            then: { _ in attempts.add() })
        return try await base.perform(request, in: inner)
    }

    func replace(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let inner = call.replacing(if: { $0.status == 503 })
        let response = try await base.perform(request, in: inner)
        guard response.head.status == 503 else { return response }
        return try await base.perform(request, in: call)
    }

    func keep(_ request: HTTPRequest, in call: Call, _ events: inout [(HTTPRequest, Call)]) {
        events.append((request, call.withoutProgress))
    }

    func share(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        var request = request
        request.options.deadline = nil
        let transfer = Task { [request] in
            try await base.perform(request, in: call.shared())
        }
        return try await transfer.value
    }

    func identify(_ request: HTTPRequest, in call: Call, _ id: String) async throws -> HTTPResponse {
        var request = request
        request.headers["X-Shop-Id"] = id
        request.options.secretNames.insert("X-Shop-Id")
        call.conceal("X-Shop-Id")
        return try await base.perform(request, in: call)
    }

    func pass(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse? {
        guard request.mayCarryCredentials(in: call) else {
            return try await base.perform(request, in: call)
        }
        return nil
    }

    func isTransient(_ error: any Error) -> Bool {
        let isTransient = TransportError.code(of: error).map {
            TransportError.Code.transient.contains($0)
        }
        return isTransient ?? false
    }

    func count(_ request: HTTPRequest, in call: Call, _ counter: ByteCounter) async throws -> HTTPResponse {
        var response = try await base.perform(request, in: call)
        response.body = response.body.readingStream { next in
            let piece = try await next()
            counter.add(piece?.count ?? 0)
            return piece
        }
        return response
    }

    func hold(_ request: HTTPRequest, in call: Call, _ queue: Queue) async throws -> HTTPResponse {
        let place = try await queue.place()
        var response = try await base.perform(request, in: call)
        response.body = response.body.keeping(place)
        return response
    }

    struct Queue {
        func place() async throws -> any Sendable { 0 }
    }

    struct Session {
        var isSignedIn = false
    }

    func refuse(_ session: Session) throws {
        guard session.isSignedIn else { throw Call.Cancellation() }
    }

    func refreshIfExpired(_ client: any APIClient, _ token: (expires: Date, text: String)) async throws {
        func refresh() async throws {}
        let now = client.clock.dates()
        if token.expires < now() { try await refresh() }
    }

    func check(_ field: TextField, show: (String) -> Void) throws {
        if let problem = APIBase(field.text).problem { show("The server's URL \(problem).") }
        try HTTPHeaders([.init(name: "X-Api-Key", value: field.text)]).validate()
    }

    func build(_ request: UsersRequest, for client: any APIClient) throws -> HTTPRequest {
        let base = client.base(insteadOf: request.base)
        let wire = try request.httpRequest(base: base)
        return wire
    }
}

// MARK: - Tests

@Suite(.timeLimit(.minutes(10))) struct WritingAClientSnippets {
    /// An engine whose kept connections break before any response.
    private struct BreakingEngine: APIEngine {
        var clock: any Clock<Duration> { ManualClock(skippingSleep: true) }
        let log: AsyncStream<Bool>.Continuation

        func transmit(_ exchange: Exchange) {
            guard exchange.begin(stop: {}) else { return }
            log.yield(exchange.isResend)
            exchange.connected(isReused: true)
            exchange.sent(total: 0)
            exchange.fail(TransportError(.connectionLost))
        }
    }

    /// An engine that answers with the status 503 and a body of a mebibyte.
    private struct OverloadedEngine: APIEngine {
        var clock: any Clock<Duration> { ManualClock(skippingSleep: true) }

        func transmit(_ exchange: Exchange) {
            guard exchange.begin(stop: {}) else { return }
            exchange.receive(HTTPResponse.Head(status: 503, url: exchange.request.url))
            exchange.receive(Data(count: 1 << 20))
            exchange.finish()
        }
    }

    private let request = HTTPRequest(url: URL(string: "https://api.example.com/things")!)

    @Test func secondAttemptForbidsTheEnginesOwn() async throws {
        let (sendings, log) = AsyncStream<Bool>.makeStream()
        let client = SecondAttempt(base: BreakingEngine(log: log))
        await #expect(throws: TransportError.self) { try await client.perform(request) }
        log.finish()
        var isResend: [Bool] = []
        for await sending in sendings { isResend.append(sending) }
        #expect(isResend == [false, false])
    }

    @Test func secondAttemptReceivesOnlyTheBeginningOfTheFirst() async throws {
        let (bodies, log) = AsyncStream<ResponseBody>.makeStream()
        let inner = OverloadedEngine().intercepted { request, _, next in
            let response = try await next(request)
            log.yield(response.body)
            return response
        }
        _ = try await SecondAttempt(base: inner).perform(request)
        log.finish()
        var received: [ResponseBody] = []
        for await body in bodies { received.append(body) }
        #expect(received.map(\.isBeginning) == [true, false])
        let counts = received.map { $0.data?.count }
        #expect(counts == [65_536, 1_048_576])
    }

    @Test func placeIsFreeOnceTheStreamHasEnded() async throws {
        let (bytes, source) = AsyncStream<Data>.makeStream()
        let (starts, log) = AsyncStream<Bool>.makeStream()
        let client = FewAtATime(base: StreamingClient(bytes: bytes, log: log))
        let responses = [try await client.perform(request), try await client.perform(request)]
        let third = Task { try await client.perform(request).head.status }
        for _ in 0..<1000 { await Task.yield() }
        log.yield(false)
        source.finish()
        for try await _ in responses[0].body.bytes {}
        #expect(try await third.value == 200)
        log.finish()
        // Two requests, what this test has reported, and then the third one.
        var events: [Bool] = []
        for await isRequest in starts { events.append(isRequest) }
        #expect(events == [true, true, false, true])
    }

    /// Responds with a stream.
    private struct StreamingClient: APIClient {
        var clock: any Clock<Duration> { ContinuousClock() }
        let bytes: AsyncStream<Data>
        let log: AsyncStream<Bool>.Continuation

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            log.yield(true)
            let head = HTTPResponse.Head(status: 200, url: request.url)
            return HTTPResponse(head: head, body: ResponseBody(ByteStream(readingOnce: bytes)))
        }
    }
}
