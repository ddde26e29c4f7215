import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

/// What the table of the article "Wrapping clients" says of two clients, in either order.
@Suite(.timeLimit(.minutes(10))) struct OrderTests {
    private let lines = Recorder<String>()
    private let clock = ManualClock(skippingSleep: true)
    private let tracker = RequestTracker()
    private let cache = ResponseCache(bytes: 1 << 20)

    private static let kept = HTTPResponse.json("[]", headers: ["Cache-Control": "max-age=60"])
    private static let refreshed = [
        HTTPResponse.json("[]", headers: ["Cache-Control": "max-age=0, stale-if-error=60"]), .status(503), kept,
    ]
    private static let api = "https://api.example.com"

    private func retrying(_ client: some APIClient, attempts: Int = 2) -> some APIClient {
        client.timed(by: clock).retrying(.backoff(attempts: attempts))
    }

    private func authorized(_ client: some APIClient) -> some APIClient {
        client.authorized(by: TokenSource("token-1") { _ in .bearer("token-2") }, for: APIBase(Self.api))
    }

    @Test func logAndRetry() async throws {
        func server() -> ScriptedClient { ScriptedClient(.status(503), .json("[]")) }
        try await retrying(server().logged { lines.append($0) }).send(AccountsRequest())
        #expect(lines.values.count == 2)
        try await retrying(server()).logged { lines.append($0) }.send(AccountsRequest())
        #expect(lines.values.count == 3)
        #expect(lines.values.last?.contains(": 200, ") == true)
    }

    @Test func logAndCache() async throws {
        let inside = ScriptedClient(Self.kept).logged { lines.append($0) }.cached(in: cache)
        for _ in 1...2 { try await inside.send(AccountsRequest()) }
        #expect(lines.values.count == 1)
        let outside = ScriptedClient(Self.kept).cached(in: cache).logged { lines.append($0) }
        for _ in 1...2 { try await outside.send(AccountsRequest()) }
        #expect(lines.values.count == 3)
    }

    @Test func logAndAuthorization() async throws {
        func server() -> ScriptedClient { ScriptedClient(.status(401), .json("[]")) }
        try await authorized(server().logged(headers: true) { lines.append($0) }).send(AccountsRequest())
        #expect(lines.values.count == 2)
        #expect(lines.values.allSatisfy { $0.contains("Authorization: ***") })
        try await authorized(server()).logged(headers: true) { lines.append($0) }.send(AccountsRequest())
        #expect(lines.values.count == 3)
        #expect(lines.values.last?.contains("Authorization") == false)
    }

    @Test func authorizationAndRetry() async throws {
        let server = { ScriptedClient(.status(503), .status(401), .status(503), .json("[]")) }
        #expect(try await retrying(authorized(server())).failure(of: AccountsRequest()).status == 503)
        #expect(try await authorized(retrying(server())).send(AccountsRequest()).isEmpty)
    }

    @Test func authorizationAndCache() async throws {
        let (outside, inside) = (ScriptedClient(Self.kept), ScriptedClient(Self.kept))
        let shared = ResponseCache(bytes: 1 << 20)
        for user in ["a", "b"] {
            let (credential, base) = (Credential.bearer(user), APIBase(Self.api))
            try await outside.cached(in: cache).authorized(by: credential, for: base).send(AccountsRequest())
            try await inside.authorized(by: credential, for: base).cached(in: shared).send(AccountsRequest())
        }
        #expect(outside.requests.count == 2)
        #expect(inside.requests.count == 1)
    }

    @Test func authorizationAndRerouting() async throws {
        let staging = URL(string: "https://staging.example.com")!
        let inside = ScriptedClient(.json("[]"))
        try await authorized(inside).based(at: APIBase(staging)).send(AccountsRequest())
        #expect(inside.requests.map { $0.headers[.authorization] } == [nil])
        let outside = ScriptedClient(.json("[]"))
        try await authorized(outside.based(at: APIBase(staging))).send(AccountsRequest())
        #expect(outside.requests.map { $0.headers[.authorization] } == ["Bearer token-1"])
        #expect(outside.requests.map(\.url.host) == ["staging.example.com"])
    }

    @Test func limitAndRetry() async throws {
        let clock = ManualClock()
        let base = ScriptedClient(.status(503), .json("[]"))
        let inside = base.limited(concurrent: 1).timed(by: clock).retrying(.backoff(attempts: 2))
        async let waiting = inside.send(AccountsRequest())
        await clock.waitForSleepers(1)
        #expect(try await inside.send(AccountsRequest(since: 2)).isEmpty)
        clock.advanceToNextSleeper()
        _ = try await waiting

        let other = ScriptedClient(.status(503), .json("[]"))
        let outside = other.timed(by: clock).retrying(.backoff(attempts: 2)).limited(concurrent: 1)
        async let first = outside.send(AccountsRequest(since: 1))
        await clock.waitForSleepers(1)
        let second = Task { @OneAtATime in try await outside.perform(AccountsRequest(since: 2).httpRequest()) }
        await OneAtATime.settle()
        #expect(other.requests.count == 1)
        clock.advanceToNextSleeper()
        _ = try await (first, second.value)
        #expect(other.requests.map(\.url.query) == ["since=1", "since=1", "since=2"])
    }

    @Test func authorizationAndLimit() async throws {
        let hanging = HangingClient { .json("[]") }
        let (begun, refresh) = (Hold(), Hold())
        let source = TokenSource("old") { _ in
            begun.release()
            await refresh.wait()
            return .bearer("new")
        }
        let base = hanging.intercepted { request, _, next in
            request.headers[.authorization] == "Bearer old" ? .status(401) : try await next(request)
        }
        // A refresh begins when it is asked for; a request without a credential then gets the only place, or not.
        let outside = base.limited(concurrent: 1).authorized(by: source, for: APIBase(Self.api))
        let refreshing = Task { try await outside.send(AccountsRequest()) }
        await begun.wait()
        let other = Task { try await outside.send(Endpoint<Data, Data>(options: .init(addsCredentials: false))) }
        #expect(await hanging.arrival() != nil)
        other.cancel()
        _ = await other.result
        refresh.release()
        #expect(await hanging.arrival()?.headers[.authorization] == "Bearer new")
        refreshing.cancel()
        _ = await refreshing.result
    }

    @Test func limitAndCache() async throws {
        let hanging = HangingClient()
        let base = hanging.intercepted { request, _, next in
            request.url.path == "/accounts"
                ? .json("[]", headers: ["Cache-Control": "max-age=60"]) : try await next(request)
        }
        let inside = base.limited(concurrent: 1).cached(in: cache)
        try await inside.send(AccountsRequest())
        let occupant = Task { try await inside.send(AccountRequest()) }
        _ = await hanging.arrival()
        #expect(try await inside.send(AccountsRequest()).isEmpty)
        occupant.cancel()

        let arrivals = Recorder<HTTPRequest>()
        let recorded = base.cached(in: cache).intercepted { request, _, next in
            arrivals.append(request)
            return try await next(request)
        }
        let outside = recorded.limited(concurrent: 1)
        let other = Task { try await outside.send(AccountRequest()) }
        _ = await hanging.arrival()
        let waiting = Task { @OneAtATime in try await outside.perform(AccountsRequest().httpRequest()) }
        await OneAtATime.settle()
        #expect(arrivals.values.count == 1)
        waiting.cancel()
        other.cancel()
        _ = await (occupant.result, other.result, waiting.result)
    }

    @Test func retryAndCache() async throws {
        let (inside, outside) = (ScriptedClient(Self.refreshed), ScriptedClient(Self.refreshed))
        let cachedOutside = retrying(inside).cached(in: cache)
        let cachedInside = retrying(outside.cached(in: ResponseCache(bytes: 1 << 20)))
        for _ in 1...2 {
            try await cachedOutside.send(AccountsRequest())
            try await cachedInside.send(AccountsRequest())
        }
        #expect(inside.requests.count == 3)
        #expect(outside.requests.count == 2)
    }

    @Test(arguments: [true, false]) func trackingAndRetry(isInside: Bool) async throws {
        let clock = ManualClock()
        let base = ScriptedClient(.status(503), .json("[]"))
        let policy = RetryPolicy.backoff(attempts: 2)
        let client: any APIClient =
            isInside
            ? base.tracked(by: tracker).timed(by: clock).retrying(policy)
            : base.timed(by: clock).retrying(policy).tracked(by: tracker)
        async let accounts = client.send(AccountsRequest())
        await clock.waitForSleepers(1)
        #expect(tracker.count == (isInside ? 0 : 1))
        clock.advanceToNextSleeper()
        _ = try await accounts
        #expect(tracker.count == 0)
    }
}
