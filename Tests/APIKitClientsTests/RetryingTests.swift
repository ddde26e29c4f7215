import APIKitCore
import APIKitSupport
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

@Suite(.timeLimit(.minutes(10))) struct RetryingTests {
    private let clock = ManualClock(skippingSleep: true)
    private static let temporaryStatuses = [408, 425, 429, 500, 502, 503, 504, 529]
    private static let temporaryCodes: [TransportError.Code] = [
        .cannotConnect, .nameNotResolved, .timedOut, .connectionLost,
    ]
    private static let lastingCodes: [TransportError.Code] = [
        .secureConnectionFailed, .badResponse, .tooManyRedirects, .redirectRefused, .bodyTooLarge, .requestBodyFailed,
        .fileFailed, .unsupported, .other,
    ]

    /// A policy without a budget.
    private func policy(
        attempts: Int = 4, first: Duration = .milliseconds(500), limit: Duration = .seconds(30)
    ) -> RetryPolicy {
        var policy = RetryPolicy.backoff(attempts: attempts, initialDelay: first, maximumDelay: limit)
        policy.budget = nil
        return policy
    }

    /// A client that does not shorten its pauses.
    private func retrying(_ base: any APIClient, _ policy: RetryPolicy = .backoff()) -> any APIClient {
        var policy = policy
        policy.jitter = { $0 }
        return base.timed(by: clock).retrying(policy)
    }

    private func request(_ method: HTTPMethod = .get) -> HTTPRequest {
        HTTPRequest(method: method, url: URL(string: "https://api.example.com/things")!)
    }

    // MARK: - What is repeated

    @Test(arguments: temporaryStatuses + [200, 204, 301, 304, 400, 401, 403, 404, 409, 422, 501, 505])
    func repeatsTemporaryStatusAlone(status: Int) async throws {
        let isTemporary = Self.temporaryStatuses.contains(status)
        let server = ScriptedClient(.status(status), .status(status), .status(204))
        #expect(try await retrying(server).perform(request()).head.status == (isTemporary ? 204 : status))
        #expect(server.requests == Array(repeating: request(), count: isTemporary ? 3 : 1))
    }

    @Test(
        arguments: [("true", 400, 2), ("false", 503, 1), ("maybe", 503, 2), ("maybe", 400, 1), ("true", 204, 1)]
            as [(String, Int, Int)])
    func serverDecidesWhatIsRepeated(text: String, status: Int, sent: Int) async throws {
        let server = ScriptedClient(.status(status, headers: ["X-Should-Retry": text]), .status(204))
        _ = try await retrying(server).perform(request())
        #expect(server.requests.count == sent)
    }

    @Test func anIdempotencyKeyIsTheSameForEachAttemptAndOfEachCall() async throws {
        let server = ScriptedClient(.status(503), .status(204), .status(503), .status(204))
        let endpoint = Endpoint<NoContent, Data>(
            method: .post, options: RequestOptions(sendsIdempotencyKey: true))
        for _ in 0..<2 { try await retrying(server).send(endpoint) }
        let keys = server.requests.map { $0.headers[.idempotencyKey] }
        #expect(keys.count == 4)
        #expect(keys.allSatisfy { $0.flatMap(UUID.init) != nil })
        #expect(keys[0] == keys[1])
        #expect(keys[1] != keys[2])
        #expect(keys[2] == keys[3])
    }

    @Test func anEndpointsOwnIdempotencyKeyIsKept() async throws {
        let server = ScriptedClient(.status(204))
        try await server.send(
            Endpoint<NoContent, Data>(
                method: .post, headers: [.idempotencyKey: "7"], options: RequestOptions(sendsIdempotencyKey: true)))
        #expect(server.requests.first?.headers[.idempotencyKey] == "7")
    }

    @Test(arguments: 0...5) func countsRepetitionsOfAnEngine(attempts: Int) async {
        let engine = BreakingEngine()
        await #expect(throws: TransportError.self) {
            try await retrying(engine, policy(attempts: attempts)).perform(request())
        }
        #expect(engine.sendings.values == (0..<max(attempts, 1)).map { !$0.isMultiple(of: 2) })
    }

    /// What keeps a policy from sending a request again after its connection was lost.
    enum Exclusion: CaseIterable { case request, failure, closure, attempts }

    private func policy(excluding exclusion: Exclusion) -> RetryPolicy {
        var policy = policy()
        switch exclusion {
        case .request: policy.isIdempotent = { _ in false }
        case .failure: policy.failures = []
        case .closure: policy.shouldRetry = { _ in false }
        case .attempts: policy.attempts = 1
        }
        return policy
    }

    @Test(arguments: Exclusion.allCases) func engineRepeatsNothingThatThePolicyExcludes(exclusion: Exclusion) async {
        let engine = BreakingEngine()
        let client = retrying(engine, policy(excluding: exclusion))
        await #expect(throws: TransportError.self) { try await client.perform(request()) }
        #expect(engine.sendings.values == [false])
    }

    /// The one outside decides too, whatever the one inside says.
    @Test(arguments: Exclusion.allCases) func engineRepeatsNothingThatAnOuterPolicyExcludes(exclusion: Exclusion) async
    {
        let engine = BreakingEngine()
        var inner = policy()
        inner.shouldRetry = { $0.number == 1 }
        let client = retrying(retrying(engine, inner), policy(excluding: exclusion))
        await #expect(throws: TransportError.self) { try await client.perform(request()) }
        // The inner client's own attempts, each without a repetition by the engine.
        #expect(engine.sendings.values == [false, false])
    }

    // RFC 9113, section 8.7.
    @Test(arguments: [HTTPMethod.get, .post]) func engineRepeatsARefusedRequestUnlessThePolicyExcludesIt(
        method: HTTPMethod
    ) async {
        for (exclusion, sent) in [(nil, 2), (.failure, 1), (.closure, 1), (.attempts, 1)] as [(Exclusion?, Int)] {
            let engine = BreakingEngine(refuses: true)
            var policy = exclusion.map(policy(excluding:)) ?? policy(attempts: 2)
            // A client that repeats nothing itself.
            policy.isIdempotent = { _ in false }
            await #expect(throws: TransportError.self) { try await retrying(engine, policy).perform(request(method)) }
            #expect(engine.sendings.values.count == sent)
        }
    }

    @Test func countsAnEnginesRepetitionsOnlyIfTheyTakePlace() async {
        let engine = BreakingEngine()
        // The inner policy forbids what the outer one allows, which must not cost the outer one an attempt.
        let client = retrying(retrying(engine, policy(attempts: 1)), policy(attempts: 3))
        await #expect(throws: TransportError.self) { try await client.perform(request()) }
        #expect(engine.sendings.values == [false, false, false])
    }

    @Test(arguments: temporaryCodes + lastingCodes)
    func repeatsTemporaryFailureAlone(code: TransportError.Code) async throws {
        let server = FlakyServer(TransportError(code))
        #expect(try await retrying(server).failure(of: AccountRequest()).transportCode == code)
        #expect(server.attempts == (Self.temporaryCodes.contains(code) ? 4 : 1))
    }

    @Test func repeatsTemporaryFailureOfAnotherRequest() async throws {
        let server = FlakyServer(APIError<ProblemDetails>.transport(TransportError(.connectionLost)))
        #expect(try await retrying(server).failure(of: AccountRequest()).transportCode == .connectionLost)
        #expect(server.attempts == 4)
    }

    @Test(arguments: [RequestError(.body, "invalid"), CancellationError(), DirectoryError(message: "")] as [any Error])
    func throwsErrorOfAnotherKindAtOnce(error: any Error) async throws {
        let server = FlakyServer(error)
        let thrown = await #expect(throws: (any Error).self) { try await retrying(server).perform(request()) }
        #expect(thrown.map { type(of: $0) == type(of: error) } == true)
        #expect(server.attempts == 1)
    }

    @Test func returnsLastResponse() async throws {
        let server = ScriptedClient(.status(503), .status(502), .text("3", status: 500))
        let response = try await retrying(server, policy(attempts: 3)).perform(request())
        #expect(response.head.status == 500)
        #expect(response.body.data == Data("3".utf8))
    }

    @Test func throwsLastError() async throws {
        let server = FlakyServer { attempt in throw TransportError(attempt < 3 ? .timedOut : .connectionLost) }
        let error = try await retrying(server, policy(attempts: 3)).failure(of: AccountRequest())
        #expect(error.transportCode == .connectionLost)
    }

    @Test(arguments: [(Int.min, 1), (0, 1), (1, 1), (2, 2), (40, 40)] as [(Int, Int)])
    func sendsSoManyTimes(attempts: Int, sent: Int) async throws {
        let server = ScriptedClient(.status(503))
        #expect(try await retrying(server, policy(attempts: attempts)).perform(request()).head.status == 503)
        #expect(server.requests.count == sent)
    }

    // MARK: - Requests that may not be repeated

    @Test func sendsRequestWithEffectOnce() async throws {
        var policy = policy()
        policy.shouldRetry = { _ in true }
        let broken = FlakyServer(TransportError(.connectionLost))
        await #expect(throws: TransportError.self) { try await retrying(broken, policy).perform(request(.post)) }
        #expect(broken.attempts == 1)
        let busy = ScriptedClient(.status(503, headers: [.retryAfter: "0"]))
        #expect(try await retrying(busy, policy).perform(request(.post)).head.status == 503)
        #expect(busy.requests.count == 1)
    }

    @Test(arguments: [(HTTPMethod.post, 204), (.get, 503)])
    func closureSaysWhatIsRepeatable(method: HTTPMethod, status: Int) async throws {
        var policy = policy()
        policy.isIdempotent = { $0.method == .post }
        let client = retrying(ScriptedClient(.status(503), .status(204)), policy)
        #expect(try await client.perform(request(method)).head.status == status)
    }

    @Test func closureDecidesAboutFailures() async throws {
        var policy = policy()
        let seen = Recorder<String>()
        policy.shouldRetry = { attempt in
            seen.append("\(attempt.number) \(attempt.response?.head.status ?? 0) \(attempt.isTemporary)")
            return attempt.response?.head.status == 404
        }
        let server = ScriptedClient(.status(404), .status(404), .status(503))
        #expect(try await retrying(server, policy).perform(request()).head.status == 503)
        #expect(seen.values == ["1 404 false", "2 404 false", "3 503 true"])
    }

    /// Some content networks answer with a page of their own and the status 200 if the server behind them is down.
    @Test func closureDecidesAboutSuccesses() async throws {
        var policy = policy()
        let seen = Recorder<String>()
        policy.shouldRetry = { attempt in
            seen.append("\(attempt.number) \(attempt.response?.head.status ?? 0) \(attempt.isTemporary)")
            return attempt.response?.head.contentType?.essence == MIMEType.html.essence
        }
        let server = ScriptedClient(.text("<p>busy", type: "text/html"), .json("[]"))
        try await retrying(server, policy).send(AccountsRequest())
        #expect(server.requests.count == 2)
        #expect(seen.values == ["1 200 false", "2 200 false"])
    }

    /// It is on its way to another response.
    @Test func closureIsNotAskedAboutARedirect() async throws {
        var policy = policy()
        let seen = Recorder<Int?>()
        policy.shouldRetry = { attempt in
            seen.append(attempt.response?.head.status)
            return false
        }
        let server = ScriptedClient(.status(302, headers: [.location: "/next"]), .json("[]"))
        try await retrying(server, policy).send(AccountsRequest())
        #expect(seen.values == [200])
    }

    @Test func aResponseOfACacheIsNotRequestedAgain() async throws {
        var policy = policy()
        policy.shouldRetry = { _ in true }
        let cached = HTTPResponse(head: HTTPResponse.status(200).head, source: .cache)
        let server = ScriptedClient(cached)
        _ = try await retrying(server, policy).perform(request())
        #expect(server.requests.count == 1)
    }

    @Test func aSuccessWithEffectIsNotRepeated() async throws {
        var policy = policy()
        policy.shouldRetry = { _ in true }
        let server = ScriptedClient(.status(200))
        _ = try await retrying(server, policy).perform(request(.post))
        #expect(server.requests.count == 1)
    }

    @Test func theLastOfSuccessesThatAreRepeatedIsReturned() async throws {
        var policy = policy(attempts: 3)
        policy.shouldRetry = { _ in true }
        let server = ScriptedClient(.text("1"), .text("2"), .text("3"), .text("4"))
        #expect(try await retrying(server, policy).perform(request()).body.text == "3")
    }

    @Test func acceptedStatusIsNotRepeated() async throws {
        struct Unavailable: APIResponse {
            static func isSuccess(_ head: HTTPResponse.Head) -> Bool { head.status == 503 }
            static func process(data: Data) throws -> Unavailable { Unavailable() }
        }
        let server = ScriptedClient(.status(503))
        try await retrying(server).send(Endpoint<Unavailable, Data>())
        #expect(server.requests.count == 1)
    }

    // MARK: - Pauses

    private func pauses(_ policy: RetryPolicy, _ responses: [HTTPResponse]) async throws -> [Duration] {
        let instant = InstantClock()
        var policy = policy
        policy.jitter = { $0 }
        _ = try await ScriptedClient(responses).timed(by: instant).retrying(policy).perform(request())
        return instant.sleeps
    }

    @Test func pausesDoubleUpToLimit() async throws {
        let policy = policy(attempts: 7, first: .seconds(1), limit: .seconds(10))
        #expect(try await pauses(policy, [.status(503)]) == [1, 2, 4, 8, 10, 10].map { .seconds($0) })
    }

    @Test(
        arguments: [
            (Duration.seconds(-1), Duration.seconds(30), Duration.zero), (.seconds(1), .seconds(-1), .zero),
            (.seconds(Int64.max), .seconds(Int64.max), .seconds(1 << 31)),
            (.seconds(Int64.min), .seconds(Int64.min), .zero), (.seconds(9), .seconds(4), .seconds(4)),
        ] as [(Duration, Duration, Duration)])
    func extremePausesDoNotTrap(
        first: Duration, limit: Duration, expected: Duration
    ) async throws {
        let pauses = try await pauses(policy(attempts: 200, first: first, limit: limit), [.status(503)])
        #expect(pauses == Array(repeating: expected, count: 199))
    }

    @Test func jitterIsFull() async throws {
        let instant = InstantClock()
        let policy = policy(attempts: 1_001, first: .seconds(8), limit: .seconds(8))
        _ = try await ScriptedClient(.status(503)).timed(by: instant).retrying(policy).perform(request())
        #expect(instant.sleeps.allSatisfy { .zero ... .seconds(8) ~= $0 })
        #expect(instant.sleeps.contains { $0 < .seconds(1) })
        #expect(instant.sleeps.contains { $0 > .seconds(7) })
    }

    @Test(arguments: [Duration.seconds(-5), .seconds(Int64.min), .seconds(Int64.max)])
    func extremeJitterDoesNotTrap(jitter: Duration) async throws {
        let server = ScriptedClient(.status(503), .status(204))
        let client = server.timed(by: clock).retrying(.backoff(jitter: { _ in jitter }))
        #expect(try await client.perform(request()).head.status == 204)
        #expect(clock.elapsed == max(.zero, min(jitter, .seconds(1 << 31))))
    }

    @Test func respectsRetryAfter() async throws {
        let responses = ["7", "Sun, 06 Nov 1994 08:49:45 GMT"].map {
            HTTPResponse.status(503, headers: [.date: "Sun, 06 Nov 1994 08:49:37 GMT", .retryAfter: $0])
        }
        let pauses = try await pauses(policy(), responses + [.status(204)])
        #expect(pauses == [.seconds(7), .seconds(8)])
    }

    @Test(arguments: ["0", "-3", "Sun, 06 Nov 1994 08:49:37 GMT", "soon"])
    func shortRetryAfterKeepsBackoff(text: String) async throws {
        let responses = [HTTPResponse.status(503, headers: [.retryAfter: text]), .status(204)]
        #expect(try await pauses(policy(), responses) == [.milliseconds(500)])
    }

    @Test(
        arguments: [("60", 2), ("61", 1), ("99999999999999999999", 1), ("Fri, 31 Dec 9999 23:59:59 GMT", 1)]
            as [(String, Int)])
    func longRetryAfterReturnsAtOnce(text: String, sent: Int) async throws {
        let server = ScriptedClient(.status(503, headers: [.retryAfter: text]), .status(503))
        _ = try await retrying(server, policy(attempts: 2)).perform(request())
        #expect(server.requests.count == sent)
        #expect(clock.elapsed == (sent == 1 ? .zero : .seconds(60)))
    }

    // MARK: - Budget

    /// A policy of two attempts with a budget.
    private func policy(ratio: Double, capacity: Int) -> RetryPolicy {
        var policy = RetryPolicy.backoff(attempts: 2)
        policy.budget = RetryPolicy.Budget(ratio: ratio, capacity: capacity)
        return policy
    }

    @Test func budgetEndsRetries() async throws {
        let server = FlakyServer { _ in .status(503) }
        let client = retrying(server, policy(ratio: 0.25, capacity: 3))
        var sent: [Int] = []
        for _ in 0..<12 {
            let before = server.attempts
            _ = try await client.perform(request())
            sent.append(server.attempts - before)
        }
        // 3 in reserve, and one for each four requests after the first, which finds the reserve full.
        #expect(sent == [2, 2, 2, 1, 2, 1, 1, 1, 2, 1, 1, 1])
    }

    @Test func everyRequestEarns() async throws {
        let isFailing = Locked(false)
        let server = FlakyServer { _ in .status(isFailing.withLock { $0 } ? 503 : 204) }
        let client = retrying(server, policy(ratio: 0.5, capacity: 1))
        for _ in 0..<100 { _ = try await client.perform(request(.post)) }
        isFailing.withLock { $0 = true }
        for (method, attempts) in [(HTTPMethod.get, 102), (.get, 103), (.post, 104), (.get, 106)] {
            _ = try await client.perform(request(method))
            #expect(server.attempts == attempts)
        }
    }

    @Test(
        arguments: [
            (Double.nan, Int.min, 1), (-1, -1, 1), (.infinity, 1, 5), (1e300, Int.max, 5), (0, 0, 1), (0, 2, 2),
        ] as [(Double, Int, Int)])
    func extremeBudgetDoesNotTrap(ratio: Double, capacity: Int, retries: Int)
        async throws
    {
        let server = ScriptedClient(.status(503))
        let client = retrying(server, policy(ratio: ratio, capacity: capacity))
        for _ in 0..<5 { _ = try await client.perform(request()) }
        #expect(server.requests.count == 5 + retries)
    }

    @Test func retryThatWouldComeTooLateCostsNothing() async throws {
        let server = ScriptedClient(.status(503, headers: [.retryAfter: "61"]), .status(503))
        let client = retrying(server, policy(ratio: 0, capacity: 1))
        _ = try await client.perform(request())
        _ = try await client.failure(of: endpoint(deadline: .milliseconds(500)))
        _ = try await client.perform(request())
        #expect(server.requests.count == 4)
    }

    @Test func storesNothingAcrossClients() async throws {
        let policy = policy(ratio: 0, capacity: 1)
        for _ in 0..<2 {
            let server = ScriptedClient(.status(503))
            _ = try await retrying(server, policy).perform(request())
            #expect(server.requests.count == 2)
        }
    }

    // MARK: - Deadline and cancel

    private func endpoint(deadline: Duration) -> Endpoint<NoContent, Data> {
        Endpoint(options: RequestOptions(deadline: .after(deadline)))
    }

    // Pauses of 1, 2, 4 … seconds; the attempts take no time.
    @Test(arguments: [(1, 1), (2, 2), (3, 2), (4, 3), (8, 4), (3600, 6)] as [(Int, Int)])
    func pausesEndBeforeDeadline(seconds: Int, sent: Int) async throws {
        let server = ScriptedClient(.status(503))
        let client = retrying(server, policy(attempts: 6, first: .seconds(1)))
        let error = try await client.failure(of: endpoint(deadline: .seconds(seconds)))
        #expect(error.status == 503)
        #expect(server.requests.count == sent)
        #expect(clock.elapsed == .seconds((1 << (sent - 1)) - 1))
    }

    @Test func deadlineCountsAllHopsAndAttempts() async throws {
        let server = ScriptedClient(
            .status(503), .status(307, headers: [.location: "/next"]), .status(503), .status(503), .status(204))
        let client = retrying(server, .backoff(initialDelay: .seconds(4)))
        // 4 seconds before the redirect and 4 after it; 8 more are too long.
        let error = try await client.failure(of: endpoint(deadline: .seconds(15)))
        #expect(error.status == 503)
        #expect(error.response?.head.url.path == "/next")
        #expect(clock.elapsed == .seconds(8))
        #expect(server.requests.count == 4)
    }

    @Test func retryAfterBeyondDeadlineReturnsAtOnce() async throws {
        let server = ScriptedClient(.status(429, headers: [.retryAfter: "30"]))
        let error = try await retrying(server).failure(of: endpoint(deadline: .seconds(30)))
        #expect(error.status == 429)
        #expect(server.requests.count == 1)
        #expect(clock.elapsed == .zero)
    }

    @Test func cancelEndsPause() async throws {
        let clock = ManualClock()
        let server = ScriptedClient(.status(503))
        let policy = RetryPolicy.backoff(
            initialDelay: .seconds(3600), maximumDelay: .seconds(3600), jitter: { $0 })
        let client = server.timed(by: clock).retrying(policy)
        let task = Task { try await client.failure(of: endpoint(deadline: .seconds(7200))) }
        // The pause and the deadline.
        await clock.waitForSleepers(2)
        task.cancel()
        #expect(try await task.value.isCancellation)
        #expect(server.requests.count == 1)
        #expect(clock.advanceToNextSleeper() == nil)
    }

    @Test func cancelledRequestIsNotRepeated() async throws {
        let server = FlakyServer { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            throw TransportError(.connectionLost)
        }
        let task = Task { try await retrying(server).perform(request()) }
        await #expect(throws: TransportError.self) { try await task.value }
        #expect(server.attempts == 1)
    }

    // MARK: - Bodies

    private func stream(_ bytes: ByteStream, status: Int = 200) -> HTTPResponse {
        HTTPResponse(head: HTTPResponse.status(status).head, body: ResponseBody(bytes))
    }

    @Test func streamIsRepeatedBeforeItsFirstByte() async throws {
        let server = ScriptedClient(.status(503), stream(ByteStream("abc")))
        let stream = try await retrying(server).send(Endpoint<ByteStream, Data>())
        #expect(try await stream.data(upTo: 10) == Data("abc".utf8))
        #expect(server.requests.map(\.delivery) == [.stream, .stream])
    }

    @Test(arguments: [(true, 2), (false, 1)])
    func postOfStreamIsRepeatedIfItsEndpointAllows(isIdempotent: Bool, sent: Int) async throws {
        let server = ScriptedClient(.status(529), stream(ByteStream("abc")))
        let options = RequestOptions(isIdempotent: isIdempotent)
        _ = try? await retrying(server).send(Endpoint<ByteStream, Data>(method: .post, options: options))
        #expect(server.requests.count == sent)
    }

    @Test func brokenStreamIsNotRepeated() async throws {
        let server = ScriptedClient(stream(ByteStream("abc", breakingWith: TransportError(.connectionLost))))
        let stream = try await retrying(server).send(Endpoint<ByteStream, Data>())
        await #expect(throws: APIError<Data>.self) { try await stream.data(upTo: 10) }
        #expect(server.requests.count == 1)
    }

    @Test func aStreamThatTheClosureDoesNotWantIsReleasedBeforeThePause() async throws {
        let clock = ManualClock()
        let released = Hold()
        var policy = RetryPolicy.backoff(jitter: { $0 })
        policy.shouldRetry = { _ in true }
        let server = ImmediateClient { _ in
            stream(ByteStream(readingOnce: Chunks(chunks: [], lease: Lease { released.release() })))
        }
        let client = server.timed(by: clock).retrying(policy)
        let task = Task { try await client.send(Endpoint<ByteStream, Data>()) }
        await clock.waitForSleepers(1)
        await released.wait()
        task.cancel()
        await #expect(throws: APIError<Data>.self) { try await task.value }
    }

    @Test func releasesResponseBeforePause() async throws {
        let clock = ManualClock()
        let released = Hold()
        let server = ImmediateClient { _ in
            stream(ByteStream(readingOnce: Chunks(chunks: [], lease: Lease { released.release() })), status: 503)
        }
        let task = Task { try await server.timed(by: clock).retrying(.backoff(jitter: { $0 })).perform(request()) }
        await clock.waitForSleepers(1)
        await released.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// Answers each attempt by its number, and counts them.
    private struct FlakyServer: APIClient {
        var clock: any Clock<Duration> { ContinuousClock() }
        private let answer: @Sendable (Int) throws -> HTTPResponse
        private let count = Counter()

        init(_ answer: @escaping @Sendable (Int) throws -> HTTPResponse) { self.answer = answer }

        init(_ error: any Error) { self.init { _ in throw error } }

        var attempts: Int { count.value }

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse { try answer(count.next()) }
    }
}

extension RetryingTests {
    /// While attempts are left, nobody reads it.
    @Test func onlyTheLastFailureKeepsALargeBody() async throws {
        let counts = Recorder<Int?>()
        var policy = policy(attempts: 3)
        policy.shouldRetry = { attempt in
            counts.append(attempt.response?.body.data?.count)
            return true
        }
        let response = try await retrying(LargeBodyEngine(status: 503), policy).perform(request())
        #expect(counts.values == [65_536, 65_536])
        #expect(response.body.data?.count == 1_048_576)
    }
}
