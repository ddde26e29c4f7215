import APIKit
import APIKitTesting
import Testing

// The code of the article about retrying, and of doc comments about time, unchanged. Scripts/texts compares the two.

struct SummaryRequest: ShopRequest {
    typealias Response = Data
    var path: URLPath { "summary" }
    var options: RequestOptions {
        RequestOptions(retries: .init(attempts: 5, statuses: [429, 503]))
    }
}

struct PayRequest: ShopRequest {
    typealias Response = NoContent
    let key: UUID
    var method: HTTPMethod { .post }
    var path: URLPath { "payments" }
    var headers: HTTPHeaders { [.idempotencyKey: key.uuidString] }
}

struct ReportRequest: ShopRequest {
    typealias Response = NoContent
    var path: URLPath { "report" }
    var options: RequestOptions { RequestOptions(deadline: .seconds(3600)) }
}

func item(for request: ItemRequest, despiteConflictsOver client: any APIClient) async throws -> Item? {
    var failures = 0
    while true {
        do {
            return try await client.send(request)
        } catch {
            failures += 1
            guard error.status == 409, failures < 3 else { throw error }
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct RetrySnippets {
    @Test func loopDecidesInOneCatch() async throws {
        let stub = StubClient().answering(ItemRequest.self, once: .status(409), .status(409), .status(404))
        #expect(try await item(for: ItemRequest(shelf: "a", id: 7), despiteConflictsOver: stub) == nil)
        #expect(stub.requests.count == 3)
    }

    @Test func clientsAroundClients() {
        let client = URLSession.api
            .limited(concurrent: 8, perSecond: 20)
            .retrying(.backoff(attempts: 5))
        _ = client
    }

    @Test func singleClients() {
        do {
            let client = URLSession.api.retrying(.backoff(attempts: 5))
            _ = client
        }
        do {
            let client = URLSession.api.limited(concurrent: 8, perSecond: 20)
            _ = client
        }
    }

    @Test func keyAllowsToRepeat() async throws {
        let failures = AsyncStream<Bool>.makeStream()
        failures.continuation.yield(true)
        failures.continuation.finish()
        let stub = StubClient { _ in
            for await _ in failures.stream { return .status(503) }
            return .status(204)
        }
        try await stub.timed(by: ManualClock(skippingSleep: true)).retrying().send(PayRequest(key: UUID()))
        #expect(stub.requests.count == 2)
    }

    @Test func rateLimitUnderForbidden() async throws {
        var policy = RetryPolicy.backoff(attempts: 6, maximumDelay: .seconds(60))
        policy.shouldRetry = { attempt in
            guard let head = attempt.response?.head, head.status == 403 else {
                return attempt.isTemporary
            }
            return attempt.isTemporary || head.retryAfter != nil
        }
        let stub = StubClient(.status(403, headers: [.retryAfter: "1"]))
        let client = stub.timed(by: ManualClock(skippingSleep: true)).retrying(policy)
        await #expect(throws: APIError<ShopError>.self) { try await client.send(ReportRequest()) }
        #expect(stub.requests.count == 6)
    }

    @Test(arguments: [(429, 4), (503, 1)]) func postAfterRateLimit(status: Int, count: Int) async throws {
        var policy = RetryPolicy.backoff()
        policy.isIdempotent = { $0.isIdempotent || $0.method == .post }
        policy.shouldRetry = { attempt in
            if attempt.request.isIdempotent { return attempt.isTemporary }
            return attempt.response?.head.status == 429
        }
        let stub = StubClient(.status(status), clock: ManualClock(skippingSleep: true))
        let client = stub.retrying(policy)
        await #expect(throws: APIError<ShopError>.self) { try await client.send(AddItemRequest(name: "Lamp")) }
        await #expect(throws: APIError<ShopError>.self) { try await client.send(SearchRequest(text: "Lamp")) }
        #expect(stub.requests(of: AddItemRequest.self).count == count)
        #expect(stub.requests(of: SearchRequest.self).count == 4)
    }

    @Test func pageUnderASuccess() async throws {
        var policy = RetryPolicy.backoff(attempts: 3)
        policy.shouldRetry = {
            $0.isTemporary || $0.response?.head.contentType?.essence == "text/html"
        }
        let stub = StubClient(.status(200, headers: [.contentType: "text/html"]))
        let client = stub.timed(by: ManualClock(skippingSleep: true)).retrying(policy)
        try await client.send(ReportRequest())
        #expect(stub.requests.count == 3)
    }

    @Test func hourOfPauses() async throws {
        let clock = ManualClock(skippingSleep: true)
        let stub = StubClient(.status(503), clock: clock)
        let client = stub.retrying(
            .backoff(initialDelay: .seconds(60), maximumDelay: .seconds(600)))

        await #expect(throws: APIError<ShopError>.self) {
            try await client.send(SearchRequest(text: "Lamp"))
        }
        #expect(clock.elapsed <= .seconds(60 + 120 + 240))
    }

    @Test func steppedPause() async throws {
        let clock = ManualClock()
        let stub = StubClient(.json("[]", status: 503), clock: clock)
        let client = stub.retrying(.backoff(attempts: 3))
        async let users = client.send(UsersRequest())
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(60))
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(60))
        _ = try? await users
        #expect(stub.requests.count == 3)
    }
}
